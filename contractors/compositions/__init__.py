"""Contractors made of contractors."""
