"""Use of APIs: tokens by class, and the bill."""
