from matplotlib.figure import Figure

from companion.pictures.placing import around, half, settle


def written(text="word"):
    axes = Figure(figsize=(4, 4), dpi=100).subplots()
    return axes.text(0, 0, text, ha="center", va="center")


def middle(text):
    box = text.get_window_extent()
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def test_a_word_takes_the_first_place_that_is_free():
    word, taken = written(), [around(150, 150, 20, 20)]
    assert settle(word, [(150, 150), (250, 250), (250, 150)], taken) == (250, 250)
    assert [round(number) for number in middle(word)] == [250, 250]


def test_a_word_rather_covers_a_little_than_leaves_the_axes():
    word = written()
    wide, _ = half(word)
    assert settle(word, [(399, 200), (200, 200)], [around(200 + wide, 200, 3, 3)]) == (200, 200)


def test_a_place_that_was_taken_is_taken_for_the_next():
    one, other, taken = written(), written(), [(0, 1, 0, 1)]
    places = [(150, 150), (250, 250)]
    assert [settle(one, places, taken), settle(other, places, taken)] == places
