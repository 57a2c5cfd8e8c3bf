"""A folder: run, write, check, record."""
