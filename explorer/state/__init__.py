"""What the program holds, and the one place that changes it."""
