"""Deciding about a cluster of GPUs: certified plans, the smallest fleet, what `qtheory plan` says."""
