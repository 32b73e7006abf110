"""The `dyncli` program and `python -m dyncli`."""

from dyncli.cli.app import program as main

if __name__ == "__main__":
    main()
