"""Cases of a translating spacecraft against the positions that NASA JEOD prints."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.plant.attitude import rotation_matrix

# SIM_dyncomp, RUN_6A, RUN_6C and RUN_6D: position, m, and velocity, m/s
DRAG = {
    60.0: ((-4298383.75488952, 509016.726850839, 5242568.014008556),
           (456.8734556731695, -7547.421690455473, 1056.413046384574)),
    7200.0: ((1458100.820402157, -6542457.144462637, -406690.0504683222),
             (4603.124509794894, 1435.697464774977, -6040.802362411837)),
    28800.0: ((-1050804.04499561, -6116991.169519112, 2625679.545008392),
              (4747.834867748902, -3013.507407025143, -5262.878619425998)),
}  # fmt: skip
BURN = {
    900.0: ((-2157662.569116822, -5157127.281014132, 3797196.298681044),
            (4216.228450129894, -4850.415571297082, -4205.375876279672)),
    1020.0: ((-1628765.767634919, -5688712.663931811, 3262454.320766423),
             (4958.617983402668, -3930.94334548502, -4393.208082333326)),
    1080.0: ((-1298845.521883243, -5906172.430534086, 3014649.075103601),
             (5699.801152097855, -3372.783180187041, -4132.532769510935)),
    1440.0: ((803515.0716938655, -6600135.910825937, 1319536.22784077),
             (5817.009861961471, -433.4989372512894, -5151.892584216711)),
    28800.0: ((-5139747.505466631, 2725307.63391457, 3824637.241792666),
              (-1022.728747378796, -6859.769327921018, 3059.867246101126)),
}  # fmt: skip

ESCAPE = {  # logs print an acceleration of 66.4 m/s^2 along the body's x axis
    960.0: ((-1899870.6132022, -5435941.945788493, 3536244.836185584),
            (4373.512122249486, -4439.791231906287, -4489.645058518779)),
    1020.0: ((-1625505.933143809, -5696608.796722492, 3250749.627669607),
             (5285.837197414167, -4716.32944260211, -5566.08616788292)),
    1080.0: ((-1254386.98374167, -6009865.375309009, 2856104.628564974),
             (6495.445324343592, -5212.184751849072, -6965.46399299264)),
    1440.0: ((1122848.211176239, -7375848.319712675, 190219.5894085783),
             (6547.258011816747, -2419.501867288244, -7631.367508864865)),
    28800.0: ((52548638.80144808, 50549653.49396636, -76317120.6728294),
              (1062.80408786, 1889.663163493995, -1730.290907348759)),
}  # fmt: skip


def checked(name, printed, *, overrides=(), tolerance=1e-3):
    result = scenarios.run_case(name, output_times=list(printed), overrides=list(overrides))
    run = result.run
    for time, (place, velocity) in printed.items():
        row = int(np.flatnonzero(run.t == time)[-1])
        assert np.linalg.norm(run.values("position")[row] - place) < tolerance
        assert np.linalg.norm(run.values("velocity")[row] - velocity) < 1e-3 * tolerance * 2.0
    return result


def test_drag_of_constant_density_matches_jeod():
    result = checked("orbit-with-drag", DRAG)
    # first row of the printed attitude at the end, inertial to body
    end = rotation_matrix(result.run.values("attitude")[-1])[:, 0]
    np.testing.assert_allclose(end, (0.5737412691095898, -0.5653039013669421, -0.5926655508968206), atol=1e-9)
    place = np.array(DRAG[28800.0][0])
    assert result.metrics["final_distance_m"].value == pytest.approx(float(np.linalg.norm(place)), abs=1e-3)
    assert not result.metrics["energy_drift_relative"].applies
    assert np.abs(result.run.values("energy_balance")).max() < 1e-12 * 3.986e14 / 6.7e6


def test_drag_matters_and_so_does_the_rotation_of_the_atmosphere():
    """JEOD prints the two-body end; without rotation the end is 79.7 m off."""
    end = DRAG[28800.0][0]
    still = scenarios.run_case(
        "orbit-with-drag", overrides=["plant.potentials.1.rotation_rad_s=[0,0,0]", "require=[]"]
    ).run.values("position")[-1]
    assert np.linalg.norm(still - end) == pytest.approx(79.7, abs=0.1)
    free = scenarios.run_case(
        "orbit-with-drag", overrides=["plant.potentials.1.density_kg_m3=1e-30", "require=[]"]
    ).run.values("position")[-1]
    np.testing.assert_allclose(free, (-1051395.22, -6116653.27, 2626343.27), atol=0.01)


def test_burn_matches_jeod():
    run = checked("plane-change-burn", BURN).run
    # printed origin of the structure, 6 m behind the mass centre on body x
    origin = run.values("position")[-1] - 6.0 * rotation_matrix(run.values("attitude")[-1])[:, 0]
    printed = (-5139751.152347121, 2725310.259941941, 3824641.217247726)
    np.testing.assert_allclose(origin, printed, rtol=0, atol=1e-3)


def test_burn_to_escape_matches_jeod():
    checked("plane-change-burn", ESCAPE, overrides=["torques.0.force_N=[66400.0,0.0,0.0]", "require=[]"])


def test_burn_matches_jeod_with_fixed_steps_that_do_not_divide_it(tmp_path):
    """Steps of 2.7 s: a step over the edge of the burn would be off by 30 m/s^2 x 1 s x 8 h."""
    text = scenarios.load_case("plane-change-burn").text
    path = tmp_path / "case.toml"
    path.write_text(text.replace('"dop853"\nrtol = 1e-13', '"rk4"\nstep_s = 2.7'), encoding="utf-8")
    checked(path, BURN)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("torques.0.to_s=500.0", "to_s = 500 s must be later than from_s = 1000 s"),
        ("plant.translation=false", "translation"),
        ("plant.potentials.0.mu_m3_s2=-1.0", "mu_m3_s2"),
    ],
)
def test_wrong_keys_are_refused(told, message):
    with pytest.raises(InputError, match=message):
        scenarios.run_case("plane-change-burn", overrides=[told])


def test_final_distance_needs_translation():
    told = ['require=[{metric="final_distance_m",max=1.0}]', "run.duration_s=1.0"]
    assert scenarios.run_case("torque-free", overrides=told).metrics["final_distance_m"].value is None
