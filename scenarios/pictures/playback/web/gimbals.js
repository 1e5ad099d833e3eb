/* View of an Euler sequence as a gimbal: three rings that turn about its axes, and the distance from gimbal lock. */
"use strict";
((P) => {
  const { THREE } = P;
  const NEAR = 5 * (Math.PI / 180); // rings are marked when the first and third axes are so close to parallel

  /* Angles of a sequence of axes [i, j, k] (0 to 2) from the matrix R (rows) of body to inertial components,
   * R = R_i(a) R_j(b) R_k(c); and the angle between first and third axes, rad. At the lock c is 0. */
  P.sequenceAngles = ([i, j, k], R) => {
    const clamp = (value) => Math.min(1, Math.max(-1, value));
    const third = 3 - i - j;
    const s = (j - i + 3) % 3 === 1 ? 1 : -1;
    const proper = i === k;
    const b = proper ? Math.acos(clamp(R[i][i])) : Math.asin(clamp(s * R[i][third]));
    const off = proper ? Math.sin(b) : Math.cos(b);
    const lock = Math.abs(Math.asin(clamp(Math.abs(off))));
    if (Math.abs(off) < 1e-9) { // only a + c or a - c is defined
      return { angles: [Math.atan2(s * R[third][j], R[j][j]), b, 0], lock };
    }
    const a = proper ? Math.atan2(R[j][i], -s * R[third][i]) : Math.atan2(-s * R[j][third], R[third][third]);
    const c = proper ? Math.atan2(R[i][j], s * R[i][third]) : Math.atan2(-s * R[i][j], R[i][i]);
    return { angles: [a, b, c], lock };
  };

  const matrixOf = (e) => {
    const q = new THREE.Quaternion(e[1], e[2], e[3], e[0]);
    const m = new THREE.Matrix4().makeRotationFromQuaternion(q.normalize()).elements; // by columns
    return [0, 1, 2].map((row) => [m[row], m[4 + row], m[8 + row]]);
  };

  /* Ring in the plane of two axes. */
  const ring = (look, radius, axes, name, thick = 0.022) => {
    const mesh = new THREE.Mesh(new THREE.TorusGeometry(radius, thick, 10, 72), look.solid(name));
    const normal = [0, 1, 2].map((n) => (n === axes[0] || n === axes[1] ? 0 : 1)); // two different axes
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...normal));
    return mesh;
  };

  /* Pin between two rings, along an axis. */
  const pin = (look, axis, from, to, name) => {
    const group = new THREE.Group();
    [-1, 1].forEach((sign) => {
      const mesh = new THREE.Mesh(new THREE.CylinderGeometry(0.018, 0.018, to - from, 12), look.solid(name));
      const place = [0, 0, 0];
      place[axis] = (sign * (from + to)) / 2;
      mesh.position.set(...place);
      const way = [0, 0, 0];
      way[axis] = 1;
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...way));
      group.add(mesh);
    });
    return group;
  };

  /* Returns { object, update(e), words(), angles() } for data.gimbals = { axes, sequence }. */
  P.gimbals = ({ axes, sequence }, look) => {
    const [i, j, k] = axes;
    const names = ["x", "y", "z"];
    const object = new THREE.Group();
    const turning = [new THREE.Group(), new THREE.Group(), new THREE.Group()];
    object.add(pin(look, i, 1.0, 1.15, "faint"), turning[0]);
    turning[0].add(ring(look, 1.0, [i, j], names[i]), pin(look, j, 0.82, 1.0, names[j]), turning[1]);
    turning[1].add(ring(look, 0.82, [j, k], names[j]), pin(look, k, 0.64, 0.82, names[k]), turning[2]);
    turning[2].add(ring(look, 0.64, [k, (k + 1) % 3], names[k]));
    turning[2].add(P.axes(look, { length: 0.5, lengths: [0.5, 0.5, 0.5], thick: 0.016, texts: names }));
    const locked = [0, 1].map((n) => ring(look, [1.0, 0.82][n], n ? [j, k] : [i, j], "mark", 0.027));
    turning.slice(0, 2).forEach((group, n) => group.add(locked[n]));
    let found = { angles: [0, 0, 0], lock: Math.PI / 2 };
    const update = (e) => {
      found = P.sequenceAngles(axes, matrixOf(e));
      turning.forEach((group, n) => {
        group.rotation.set(0, 0, 0);
        group.rotation[names[axes[n]]] = found.angles[n];
      });
      locked.forEach((each) => { each.visible = found.lock < NEAR; });
    };
    const degrees = (value) => `${((value * 180) / Math.PI).toFixed(1)}°`;
    const words = () => {
      const told = `Euler angles ${sequence}: ${found.angles.map(degrees).join(", ")}`;
      return found.lock < NEAR
        ? `${told}: gimbal lock, ${degrees(found.lock)} between first and third axes`
        : `${told}; ${degrees(found.lock)} from gimbal lock`;
    };
    update([1, 0, 0, 0]);
    return { object, update, words, angles: () => [...found.angles], lock: () => found.lock };
  };
})(globalThis.polhodePlayback);
