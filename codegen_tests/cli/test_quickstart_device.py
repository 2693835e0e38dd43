"""What the quickstart says of its device is true: no adapter and no wish for one are two things."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from shaderdsl.quickstart import run


def said(monkeypatch: pytest.MonkeyPatch, adapters: list[str]) -> tuple[str, str]:
    """The device chosen where the library finds these adapters and the best is none, and what is said of it."""
    monkeypatch.setattr(run, "best_backend", lambda: None)
    monkeypatch.setattr(run, "available", lambda: adapters)
    text = io.StringIO()
    return run.chosen(Console(file=text)), text.getvalue()


def test_without_an_adapter_it_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    device, text = said(monkeypatch, [])
    assert device == "interpreter"
    assert "No GPU adapter was found" in text
    assert "mesa-vulkan-drivers" in text


def test_where_the_user_asks_for_the_interpreter_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, ["an adapter"]) == ("interpreter", "")
