"""A study of planted faults: which of them the tests notice. See ``__main__``."""
