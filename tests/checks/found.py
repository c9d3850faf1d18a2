"""All checks of the course's exercises."""

import importlib
import pkgutil

from companion import checks

CHECKS = [
    check
    for module in pkgutil.iter_modules(checks.__path__, "companion.checks.")
    for name, check in vars(importlib.import_module(module.name)).items()
    if name.startswith("check_") and check.__module__ == module.name
]
