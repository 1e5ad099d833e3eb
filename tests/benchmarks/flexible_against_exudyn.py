"""003's case 2, 10 s, against Exudyn with geometrically exact beams on the same mesh and with finer ones.

    python tests/benchmarks/flexible_against_exudyn.py [--json] [--repetitions N]

Exudyn (pip install exudyn) is no requirement of polhode: without it the script says so and stops. Its beams are the
two-node geometrically exact ones, clamped to a rigid hub by joints; its solver the generalised-alpha method of its
default settings (spectral radius 0.9) at the same step; the torque comes from a Python function, as its users write it.
"""

import argparse
import importlib
import json
import math
import time
from itertools import pairwise

import numpy as np
from machine import machine

from polhode import plant, sim
from polhode.plant.flexible import Arm, BeamSection

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    elastic_modulus=7.17e10,
    shear_modulus=2.68e10,
    density=2.8e3,
)
RATE = (0.1, 0.1, 0.1)


def ours(elements, step):
    """Wall time, peak tip deflection (m), rate at the end (rad/s)."""
    arms = [
        Arm(section=SECTION, length=2.0, elements=elements, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ]
    craft = plant.Spacecraft(plant.RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)
    pulse = plant.TorquePulse((0, 15, 0), start=0.0, stop=1.0, shape="raised-cosine")
    began = time.perf_counter()
    run = sim.simulate(craft, rate=RATE, torques=[pulse], duration=10.0, integrator="gauss4", step=step, output=0.01)
    seconds = time.perf_counter() - began
    return seconds, float(np.abs(run.values("tip_deflection")[:, 0, 2]).max()), run.values("rate")[-1].tolist()


def theirs(exudyn, elements, step):
    """The same of Exudyn."""
    ut = importlib.import_module("exudyn.utilities")

    system = exudyn.SystemContainer().AddSystem()
    omega = np.array(RATE)

    def node(place):
        return system.AddNode(
            ut.NodeRigidBodyEP(
                referenceCoordinates=[*place, 1, 0, 0, 0],
                initialVelocities=[*np.cross(omega, place), 0, *(0.5 * omega)],
            )
        )

    hub_node = node((0, 0, 0))
    hub = system.AddObject(ut.ObjectRigidBody(mass=22.4, inertia=[0.149] * 3 + [0.0] * 3, nodeNumber=hub_node))
    data = exudyn.BeamSection()
    E, G, A, J = SECTION.elastic_modulus, SECTION.shear_modulus, SECTION.area, SECTION.second_moment_m
    data.stiffnessMatrix = np.diag((E * A, G * A, G * A, G * 2 * J, E * J, E * J))
    data.massPerLength = SECTION.mass_per_length
    data.inertia = SECTION.density * np.diag((2 * J, J, J))
    tip = None
    for side in (1, -1):
        nodes = [node((side * (0.1 + 2.0 * k / elements), 0, 0)) for k in range(elements + 1)]
        for a, b in pairwise(nodes):
            pair = [a, b] if side == 1 else [b, a]
            system.AddObject(ut.ObjectBeamGeometricallyExact(nodeNumbers=pair, length=2.0 / elements, sectionData=data))
        on_hub = system.AddMarker(ut.MarkerBodyRigid(bodyNumber=hub, localPosition=[0.1 * side, 0, 0]))
        on_arm = system.AddMarker(ut.MarkerNodeRigid(nodeNumber=nodes[0]))
        system.AddObject(ut.GenericJoint(markerNumbers=[on_hub, on_arm], constrainedAxes=[1] * 6))
        tip = nodes[-1] if side == 1 else tip
    centre = system.AddMarker(ut.MarkerNodeRigid(nodeNumber=hub_node))

    def torque(_, t, load):
        return [0, 7.5 * (1 - math.cos(2 * math.pi * t)) if t < 1 else 0.0, 0]

    system.AddLoad(
        ut.LoadTorqueVector(markerNumber=centre, loadVector=[0, 0, 0], bodyFixed=True, loadVectorUserFunction=torque)
    )
    places = system.AddSensor(
        ut.SensorNode(nodeNumber=tip, storeInternal=True, outputVariableType=exudyn.OutputVariableType.Position)
    )
    matrices = system.AddSensor(
        ut.SensorNode(
            nodeNumber=hub_node, storeInternal=True, outputVariableType=exudyn.OutputVariableType.RotationMatrix
        )
    )
    middles = system.AddSensor(
        ut.SensorNode(nodeNumber=hub_node, storeInternal=True, outputVariableType=exudyn.OutputVariableType.Position)
    )
    rates = system.AddSensor(
        ut.SensorNode(
            nodeNumber=hub_node, storeInternal=True, outputVariableType=exudyn.OutputVariableType.AngularVelocityLocal
        )
    )
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime = 10.0
    settings.timeIntegration.numberOfSteps = round(10.0 / step)
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 0.01
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-6  # its default of 1e-8 is not reached by these beams
    settings.timeIntegration.newton.absoluteTolerance = 1e-6
    began = time.perf_counter()
    system.SolveDynamic(settings)
    seconds = time.perf_counter() - began
    stored = [system.GetSensorStoredData(sensor) for sensor in (places, matrices, middles, rates)]
    turns = stored[1][:, 1:].reshape(-1, 3, 3)
    local = np.einsum("nij,ni->nj", turns, stored[0][:, 1:] - stored[2][:, 1:])
    return seconds, float(np.abs(local[:, 2]).max()), stored[3][-1, 1:].tolist()


def main():
    """Print or emit the comparison."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repetitions", type=int, default=3)
    given = parser.parse_args()
    try:
        exudyn = importlib.import_module("exudyn")
    except ImportError:
        print("skipped: Exudyn is not installed (pip install exudyn)")
        return
    step = 2e-3
    rows = []
    for who, elements in (("polhode", 2), ("Exudyn", 2), ("Exudyn", 8), ("Exudyn", 16), ("polhode", 8)):
        runs = [
            ours(elements, step) if who == "polhode" else theirs(exudyn, elements, step)
            for _ in range(given.repetitions)
        ]
        rows.append({"who": who, "elements": elements, "seconds": min(r[0] for r in runs), "tip_m": runs[0][1]})
        rows[-1]["rate_end"] = runs[0][2]
    ratio = rows[0]["seconds"] / rows[1]["seconds"]
    found = {"machine": machine(), "step_s": step, "rows": rows, "ratio": ratio}
    if given.json:
        print(json.dumps(found))
        return
    print(found["machine"])
    for row in rows:
        print(
            f"{row['who']:8s} {row['elements']:3d} elements an arm: {row['seconds']:8.3f} s, "
            f"peak tip deflection {row['tip_m']:.5e} m, rate at 10 s {np.round(row['rate_end'], 7).tolist()} rad/s"
        )
    print(f"the same mesh and step: {ratio:.3f} of Exudyn's time")


if __name__ == "__main__":
    main()
