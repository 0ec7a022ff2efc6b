"""Code of this paper: its printed algorithms and processes, replayed or enumerated, and theorems by axioms."""
