"""From a search to a certificate: replay, trim, write."""
