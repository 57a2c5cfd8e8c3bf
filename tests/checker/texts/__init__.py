"""Problems and certificates as texts, valid and forged, by what they are about."""
