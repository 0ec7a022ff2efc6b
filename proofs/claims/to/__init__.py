"""The throughput-optimal paper."""
