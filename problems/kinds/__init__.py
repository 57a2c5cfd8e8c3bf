"""Kinds of robots, one file each, discovered; see `certify.problems.robots.kind`."""
