"""Puts the builder of hand-made pages within reach of this room's tests, at import time too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
