"""What follows from results: where the answer flips, and the answer in sentences."""
