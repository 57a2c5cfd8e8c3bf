"""What each search does with a box."""
