"""What a search of zeros keeps: zeros that are proved, and regions that are not decided."""
