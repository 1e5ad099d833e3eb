"""Small scene renderer: camera, solids, light, occlusion, labels."""
