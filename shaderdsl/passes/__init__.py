"""Passes: functions from Kernel to Kernel, each verified after it runs."""
