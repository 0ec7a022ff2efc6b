"""Code of this paper: its policies run on a small cluster, its programs solved in exact rationals."""
