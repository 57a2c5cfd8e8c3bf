"""Certificates judged by the separate checker."""
