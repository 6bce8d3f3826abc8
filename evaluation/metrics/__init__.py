"""The official metrics of the benchmarks."""
