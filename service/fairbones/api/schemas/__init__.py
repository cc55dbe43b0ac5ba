"""What requests and answers look like: requests are read with it, answers only described."""
