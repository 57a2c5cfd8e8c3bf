"""Interval linear systems A x = b."""
