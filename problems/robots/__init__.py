"""What a leg or an arm obeys, in code or in text."""
