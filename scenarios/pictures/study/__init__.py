"""Figures of campaigns, sweeps and studies."""
