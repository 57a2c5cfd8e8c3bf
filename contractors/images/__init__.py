"""What an operation makes of intervals, forwards and backwards."""
