"""Proofs as they are written: a language of numbered steps, in Markdown files and in notebooks. Nothing is believed."""
