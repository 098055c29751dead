"""What is drawn: a paint function a picture, the same on screen and in files."""
