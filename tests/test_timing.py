import torch

from companion import timing


def test_what_was_measured_comes_by_way_and_length_or_is_nan(monkeypatch):
    ways = {"all": {"seconds": [9.0, 2.0, None]}, "tiles": {"seconds": [9.0, 3.0, 4.0]}}
    monkeypatch.setattr(timing, "MEASURED", {"sizes": [[8, 256], [1, 256], [1, 512]], "ways": ways})
    lengths, times = timing.stored("seconds", ["all", "tiles"])
    assert lengths == [256, 512]
    torch.testing.assert_close(times, torch.tensor([[2.0, torch.nan], [3.0, 4.0]]), equal_nan=True)
