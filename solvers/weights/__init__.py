"""Floats that choose weights and points of linear programs; nothing here proves."""
