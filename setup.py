"""What `pyproject.toml` cannot say: editable installs have data files, which setuptools asks for by a wrong name."""

from setuptools import Distribution, setup

Distribution.has_data = Distribution.has_data_files
setup()
