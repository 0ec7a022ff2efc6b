"""The planning paper: its cluster, its policies, its programs."""
