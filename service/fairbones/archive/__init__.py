"""What an operator does with kept matches: carry, check, re-seal, forget (`ports.Archive`)."""
