"""Results of benchmarks: tokens a second at a mix of lengths."""
