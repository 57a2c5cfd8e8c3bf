"""What an independent interval library says of a certificate's leaves and of its witness."""
