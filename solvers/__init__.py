"""What to try next? The contractor graph, search, linear programs, estimators."""

if __name__ == "solvers":
    raise ImportError("solvers is a part of certify: import certify.solvers")
