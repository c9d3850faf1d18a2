"""A run of the tests, joined from what `tests/running/` holds, one job a file."""

pytest_plugins = [f"running.{job}" for job in ("cases", "processes", "comparing", "proofs")]
