"""Pictures of campaigns, sweeps and studies."""
