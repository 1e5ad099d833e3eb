"""Tables and figures of the source documents, compared with polhode's results."""
