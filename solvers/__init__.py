"""What to try next? The contractor graph, search, linear programs, estimators."""
