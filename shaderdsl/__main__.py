"""`python -m shaderdsl` is the command line."""

from shaderdsl.cli.main import main

if __name__ == "__main__":
    main()
