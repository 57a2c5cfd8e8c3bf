"""Motions that are designed: periodic ones, the robots that they excite, and their files."""
