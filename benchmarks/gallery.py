"""The pictures of docs/gallery.md, made by the blocks of that page as they stand there; --out DIR writes elsewhere."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"```python\n(.*?)```", re.S)
WIDEST = 900_000  # bytes of all pictures together


def run(words: list[str]) -> dict[str, Any]:
    """Run the blocks in a folder of their own and keep the pictures."""
    into = Path(words[1]) if words[:1] == ["--out"] else DOCS / "pictures"
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for number, text in enumerate(BLOCK.findall((DOCS / "gallery.md").read_text())):
                Path(f"block{number}.py").write_text(text)
                runpy.run_path(f"block{number}.py")
        finally:
            os.chdir(before)
        made = sorted(Path(folder, "pictures").glob("*.png"))
        sizes = {path.name: path.stat().st_size for path in made}
        if sum(sizes.values()) > WIDEST:
            raise ValueError(f"the pictures have {sum(sizes.values())} bytes; make them smaller")
        into.mkdir(parents=True, exist_ok=True)
        for path in made:
            shutil.copy(path, into)
            print(f"{into / path.name}: {sizes[path.name]} bytes")
    return {"bytes": sizes}
