"""What happens to an arm: its folder is made, what its poses cannot tell is held, its description is corrected."""
