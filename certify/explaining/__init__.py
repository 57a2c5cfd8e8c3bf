"""A certificate told to an engineer."""
