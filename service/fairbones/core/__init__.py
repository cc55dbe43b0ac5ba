"""The pure core: no clock, no entropy, no network, no files, no logging."""
