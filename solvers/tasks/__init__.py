"""The boxes of a search for a proof: what is to be done about each, and what one step has made of it."""
