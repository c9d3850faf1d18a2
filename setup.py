"""What `pyproject.toml` cannot say: an editable install has data files, too; setuptools asks for them by another name."""

from setuptools import Distribution, setup

Distribution.has_data = Distribution.has_data_files
setup()
