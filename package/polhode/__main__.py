"""`python -m polhode` is the `polhode` command."""

from polhode.scenarios.entry import main

if __name__ == "__main__":
    main()
