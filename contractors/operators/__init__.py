"""The contractors, one a file."""
