"""`polhode verify --mesh`: convergence of flexible arms."""

import pytest


@pytest.mark.slow
def test_every_figure_converges_with_order_four(polhode, tmp_path):
    out = tmp_path / "mesh.png"
    done = polhode("verify", "--mesh", "--json", "--out", out)
    assert done.code == 0, done.err
    curves = {curve["figure"]: curve for curve in done.json["curves"]}
    assert len(curves) == 5
    for curve in curves.values():
        assert curve["holds"]
        assert curve["errors"] == sorted(curve["errors"], reverse=True)
    # Choi's two elements, and eight
    for figure in ("first bending, free flight", "second bending, free flight"):
        assert curves[figure]["errors"][0] < 6e-3
        assert curves[figure]["errors"][-1] < 1e-4
    assert out.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--documents", "--mesh"), "nothing to verify"),
        (("--documents", "--out", "x.png"), "--out is an option of --mesh; add --mesh or remove --out"),
        (("--mesh", "--out", "x.bmp"), "file type '.bmp' is unknown"),
    ],
)
def test_mesh_study_refuses_bad_input(polhode, words, message):
    done = polhode("verify", *words)
    assert done.code == 2
    assert message in done.err
