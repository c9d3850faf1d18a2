"""One word in two meanings: twelve sentences each. Used in notebook 14."""

TIME = (
    "The train leaves in one minute.",
    "Please wait a minute before you answer.",
    "She ran a mile in under a six minute pace.",
    "He was late by one minute.",
    "The egg needs another minute in the water.",
    "Every minute of the film was dull.",
    "We talked for a minute on the phone.",
    "There is one minute left in the game.",
    "The song lasts just over a minute.",
    "Rest for a minute between the sets.",
    "The bus stops here for one minute.",
    "It was over within a minute.",
)
SIZE = (
    "The crack in the glass was minute.",
    "A minute speck of dust spoiled the lens.",
    "She found a minute trace of poison in the cup.",
    "The insect was so minute that we missed it.",
    "The letters were cut in minute detail.",
    "Even a minute amount of salt can be tasted.",
    "The difference between the two is minute.",
    "There is a minute hole in the fabric.",
    "The seeds of this plant are minute.",
    "He noticed minute scratches on the ring.",
    "The chance of rain is minute.",
    "They saw minute particles under the microscope.",
)
