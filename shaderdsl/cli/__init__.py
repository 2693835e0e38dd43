"""The command line: `shaderdsl info | compile | golden | quickstart`."""
