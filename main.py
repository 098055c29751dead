"""Hands the command line to explorer.app."""

import sys

from explorer.app import main

if __name__ == "__main__":
    sys.exit(main())
