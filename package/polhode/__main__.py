"""Run the `polhode` command by `python -m polhode`."""

from polhode.scenarios.entry import main

if __name__ == "__main__":
    main()
