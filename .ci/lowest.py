"""Print the lowest versions of our dependencies, one a line: `numpy>=2.0` in pyproject.toml becomes `numpy==2.0`."""

from __future__ import annotations

import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in [*project["dependencies"], *project["optional-dependencies"]["dawn"]]:
    print(requirement.replace(">=", "=="))
