"""Which motion, or which of some candidates, tells the parameters of a linear model best: estimates."""
