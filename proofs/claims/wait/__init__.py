"""The fluid-guided paper: its printed algorithms."""
