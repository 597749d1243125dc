"""What `make bench` measures; the results are kept in docs/benchmarks.md."""
