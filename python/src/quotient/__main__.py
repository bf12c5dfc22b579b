"""`python -m quotient` is the program."""

import sys

from quotient._program import main

sys.exit(main())
