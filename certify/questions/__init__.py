"""One question a file; each returns an answer with its certificates."""
