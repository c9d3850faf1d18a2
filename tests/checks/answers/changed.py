"""What the answers that are modules are made with."""


def changed(kind, **made):
    """Return a class of modules with parts that are made otherwise, {name: make(module)}."""

    class Changed(kind):
        def __init__(self, *sizes):
            super().__init__(*sizes)
            for name, make in made.items():
                self._modules.pop(name, None)
                setattr(self, name, make(self))

    return Changed
