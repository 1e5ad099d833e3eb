"""Trust claimed by a results file has no effect."""

from polhode.scenarios.case.trust import trusts, untrusted


def test_trust_is_left_out_wherever_it_stands():
    law = {"kind": "process", "command": ["x"], "trust": True}
    document = {"controller": law, "compare": [{"controller": law}], "blocks": [law], "title": "trust"}
    left = {"kind": "process", "command": ["x"]}
    assert untrusted(document) == {
        "controller": left,
        "compare": [{"controller": left}],
        "blocks": [left],
        "title": "trust",
    }
    assert document["controller"]["trust"]


def test_override_may_say_it():
    assert trusts("controller.trust=true")
    assert trusts("blocks.0.trust = true")
    assert not trusts("controller.sample_s=0.1")
    assert not trusts("title=trust")
