"""The texts of the first checker's tests, which the proved checker is asked about, too."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "checker"))
