"""Test modules of formats share the makers of small files."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
