# Two commands do everything: `make quickstart` and `make test`. PYTHON chooses another interpreter than python3.

.PHONY: help quickstart test lint fuzz golden library

help:
	@echo "make quickstart   install into .venv and classify handwritten digits with one attention kernel"
	@echo "make test         install what the tests need, then format, lint, types, tests"
	@echo "make lint         format, lint and types only"
	@echo "make fuzz         generated programs, for as long as it takes"
	@echo "make golden       write golden_wgsl/ anew and say what changed"
	@echo "make library      after a change of a formula or of the derivation: evidence, goldens and the page of the ops anew"

quickstart:
	@.ci/environment . "scikit-learn>=1.6"
	@.venv/bin/python -m shaderdsl quickstart

test:
	@.ci/environment ".[dawn,test]"
	@.ci/drivers
	@.ci/checks format lint types tests

lint:
	@.ci/environment ".[dawn,test]"
	@.ci/checks format lint types

fuzz:
	@.ci/environment ".[dawn,test]"
	@.ci/drivers
	@.ci/checks fuzz

golden:
	@.ci/environment ".[dawn,test]"
	@.venv/bin/python -m shaderdsl golden --update

library:
	@.ci/environment ".[dawn,test]"
	@.venv/bin/python -m shaderdsl gradcheck --record
	@.venv/bin/python -m shaderdsl golden --update
	@.venv/bin/python docs/make_ops.py
