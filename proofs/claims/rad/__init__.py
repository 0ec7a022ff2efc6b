"""The tiling paper: its printed schedulers."""
