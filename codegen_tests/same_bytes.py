"""A digest of every golden kernel's text, made in this process: `python codegen_tests/same_bytes.py [forwards|backwards|threads|twice]`.

Runs on any Python with numpy and lark alone, so that different interpreters, hash seeds, locales and orders can be compared.
"""

from __future__ import annotations

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from shaderdsl.testing.golden import text_of  # noqa: E402 (the path comes first)
from shaderdsl.testing.golden_table import read_table  # noqa: E402


def digest(order: str) -> str:
    """One hash over all golden texts, traced in the given order but hashed by file name."""
    goldens = read_table(ROOT / "pyproject.toml")
    work = goldens[::-1] if order == "backwards" else goldens * 2 if order == "twice" else goldens
    with ThreadPoolExecutor(4 if order == "threads" else 1) as pool:
        texts = dict(zip([g.file for g in work], pool.map(text_of, work)))
    whole = hashlib.sha256()
    for file in sorted(texts):
        whole.update(f"{file}\0{texts[file]}\0".encode())
    return whole.hexdigest()


if __name__ == "__main__":
    print(digest(sys.argv[1] if len(sys.argv) > 1 else "forwards"))
