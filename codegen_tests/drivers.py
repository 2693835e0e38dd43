"""Where software Vulkan drivers lie on this machine, and what is missing: lavapipe runs wgpu, SwiftShader runs Dawn.

found("lavapipe") == ["/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"]
"""

from __future__ import annotations

from glob import glob
from pathlib import Path

HOME = str(Path.home())
PATTERNS = {
    "lavapipe": ("/usr/share/vulkan/icd.d/lvp_icd*.json", "/usr/local/share/vulkan/icd.d/lvp_icd*.json"),
    "SwiftShader": (
        "/usr/lib/chromium*/vk_swiftshader_icd.json",
        "/opt/google/chrome/vk_swiftshader_icd.json",
        "/snap/chromium/current/usr/lib/chromium*/vk_swiftshader_icd.json",
        HOME + "/.cache/ms-playwright/chromium*/chrome-linux*/vk_swiftshader_icd.json",
    ),
}
"""Debian's, Ubuntu's and playwright's places, for any architecture."""

PACKAGES = {"lavapipe": "mesa-vulkan-drivers", "SwiftShader": "chromium"}
"""Debian's package for each."""


def found(driver: str) -> list[str]:
    """The loader's description files of a driver."""
    return [path for pattern in PATTERNS[driver] for path in sorted(glob(pattern))]


def missing() -> list[str]:
    """The drivers that are not installed."""
    return [driver for driver in PATTERNS if not found(driver)]
