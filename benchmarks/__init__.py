"""What we measure, by `make bench`; the results are kept in docs/benchmarks.md."""
