"""Elements of a case are models that spacecraft share, and two equal tables are two elements."""

from polhode.scenarios.case.kinds.elements.elements_of import elements_of
from polhode.scenarios.case.loader import load_case


def test_crafts_share_what_their_tables_have_in_common():
    tables = load_case("four-wheel-pyramid").case.plant.elements
    again = load_case("four-wheel-pyramid", ["plant.inertia_kg_m2=[61, 50, 40]"]).case.plant.elements
    heavier = load_case("four-wheel-pyramid", ["plant.elements.0.inertia_kg_m2=0.03"]).case.plant.elements
    one, same, other = elements_of(tables), elements_of(again), elements_of(heavier)
    assert all(a is b for a, b in zip(one, same, strict=True))
    assert not any(a is b for a, b in zip(one, other, strict=True))


def test_two_of_a_kind_are_two():
    table = load_case("nutation-damping").case.plant.elements[0]
    one, other = elements_of([table, table])
    assert one is not other
