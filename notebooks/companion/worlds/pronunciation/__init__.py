"""From spelling to sound: the CMU dictionary, an encoder-decoder that learns it, and how it is judged."""
