"""Kinds of robots, one file each, discovered; see `problems.kind`."""
