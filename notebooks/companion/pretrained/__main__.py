"""Fetch the weights that notebook 15 reads, once: python -m companion.pretrained"""

from companion.pretrained.weights import FILE, fetch, find, read_checked

if (found := find()) is None:
    print(f"fetching 91 MB to {FILE}")
    fetch()
else:
    read_checked(found)
    print(f"{found}: here already, and every byte is right")
