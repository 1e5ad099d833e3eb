"""Telemetry of MuJoCo and Basilisk, identified within its sigma; a test is skipped without its simulator."""

import numpy as np
import pytest

from polhode.scenarios.case.identification import identify_case

from . import conftest as body

TRUTH = np.array([body.J[place] for place in body.ENTRIES])
STEP = 0.01  # s: steps of the other simulator; its gyro below is that of the case, the mean rate of each sample


def mujoco_attitudes():
    """Quaternions (n, 4) of a free body in MuJoCo, RK4, with motors about the body axes."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    full = " ".join(repr(float(body.J[place])) for place in body.ENTRIES)
    motors = "".join(f'<motor site="hub" gear="0 0 0 {axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <option timestep="{STEP}" gravity="0 0 0" integrator="RK4"/>
          <worldbody>
            <body name="craft">
              <freejoint/>
              <inertial pos="0 0 0" mass="100" fullinertia="{full}"/>
              <site name="hub"/>
            </body>
          </worldbody>
          <actuator>{motors}</actuator>
        </mujoco>""")
    data = mujoco.MjData(model)
    rows = [data.qpos[3:7].copy()]
    for u in body.commands()[:-1]:
        data.ctrl[:] = u
        for _ in range(round(body.T / STEP)):
            mujoco.mj_step(model, data)
        rows.append(data.qpos[3:7].copy())
    return np.array(rows)


def basilisk_attitudes():
    """Quaternions (n, 4) of a spacecraft in Basilisk, RK4, with an external torque in body components."""
    pytest.importorskip("Basilisk", reason="Basilisk is not installed")
    from Basilisk.simulation import extForceTorque, spacecraft  # pyright: ignore[reportMissingImports] # not required
    from Basilisk.utilities import SimulationBaseClass, macros  # pyright: ignore[reportMissingImports] # not required

    scenario = SimulationBaseClass.SimBaseClass()
    scenario.CreateNewProcess("process").addTask(scenario.CreateNewTask("task", macros.sec2nano(STEP)))
    craft = spacecraft.Spacecraft()
    craft.hub.mHub = 100.0
    craft.hub.IHubPntBc_B = body.J.tolist()
    torque = extForceTorque.ExtForceTorque()
    craft.addDynamicEffector(torque)
    for model in (torque, craft):
        scenario.AddModelToTask("task", model)
    log = craft.scStateOutMsg.recorder(macros.sec2nano(body.T))
    scenario.AddModelToTask("task", log)
    torque.extTorquePntB_B = body.commands()[0].tolist()
    scenario.InitializeSimulation()
    for k, u in enumerate(body.commands()[:-1]):
        torque.extTorquePntB_B = u.tolist()
        scenario.ConfigureStopTime(macros.sec2nano(body.T * (k + 1)))
        scenario.ExecuteSimulation()
    sigma = np.array(log.sigma_BN)
    size = (sigma**2).sum(axis=1, keepdims=True)
    q = np.hstack((1.0 - size, 2.0 * sigma)) / (1.0 + size)
    turns = np.sign((q[1:] * q[:-1]).sum(axis=1))  # -1 where the shadow set takes over
    q[1:] *= np.cumprod(turns)[:, None]
    return q


@pytest.mark.parametrize("attitudes", [mujoco_attitudes, basilisk_attitudes])
def test_run_of_another_simulator_is_identified_within_its_sigma(attitudes, case, tmp_path):
    q = attitudes()
    assert q.shape == (body.SAMPLES + 1, 4)
    rates = np.vstack((np.zeros((1, 3)), body.mean_rates(q)))
    rates += body.RATE_NOISE * np.random.default_rng(3).normal(size=rates.shape)
    columns = {"time_s": body.TIMES}
    columns |= {f"command_{n + 1}_N_m": column for n, column in enumerate(body.commands().T)}
    columns |= {f"gyro_{axis}_rad_s": column for axis, column in zip("xyz", rates.T, strict=True)}
    path = body.write_csv(tmp_path / "run.csv", columns)
    found = identify_case(case, path, free=["inertia"], known_start=True)
    assert found.converged
    assert all(each.fits and each.is_white for each in found.tests)
    off = np.array([each.value for each in found.estimates]) - TRUTH

    assert np.abs(off / found.information.sigma).max() < 3.5
    assert off @ np.linalg.solve(found.information.covariance, off) < 22.5  # chi-square of 6, 0.1 %
