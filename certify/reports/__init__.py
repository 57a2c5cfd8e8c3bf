"""Answers as tables of plain text."""
