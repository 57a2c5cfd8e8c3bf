"""Experiments whose truth is known, because it was planted."""
