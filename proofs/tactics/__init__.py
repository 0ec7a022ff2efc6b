"""The search for certificates. Nothing here is trusted: the kernel re-checks whatever it finds."""
