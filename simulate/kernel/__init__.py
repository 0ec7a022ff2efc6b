"""Compiled event loops over flat arrays. Nothing here validates: the models in front of it do."""
