"""How a page is made that shows an answer offline: text that is escaped, pictures, one file."""
