"""Arrays in files: NumPy, safetensors, spreadsheets, JSON."""
