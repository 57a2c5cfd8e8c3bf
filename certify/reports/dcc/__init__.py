"""Reports as digital calibration certificates (DCC): a laboratory's own file, units of D-SI, the document."""
