"""Source documents of polhode: their tables and figures, compared with the results of polhode."""
