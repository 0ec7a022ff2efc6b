"""The exclusive-batching paper (arXiv:2606.00516)."""
