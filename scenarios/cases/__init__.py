"""The cases that ship with polhode, one TOML file each; `polhode list` shows them."""
