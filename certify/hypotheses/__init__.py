"""Which hypotheses about a model promise to explain its error: estimates."""
