"""Where the parameters of a model can be that is linear in them: proofs of few rows about tables of very many."""
