/* Second view: the momentum ellipsoid in body axes with its polhodes and the path of the body rate on it. */
"use strict";
((P) => {
  const { THREE } = P;
  const LIFT = 1.004; // curves are drawn that much outside the surface, so that it does not cover them

  /* Body rate J^-1 (h - k), written to out; h is the momentum in body components. */
  P.rateOf = ({ matrix, wheels }, h, out = [0, 0, 0]) => {
    const [a, b, c] = [h[0] - wheels[0], h[1] - wheels[1], h[2] - wheels[2]];
    for (let n = 0; n < 3; n += 1) out[n] = matrix[3 * n] * a + matrix[3 * n + 1] * b + matrix[3 * n + 2] * c;
    return out;
  };

  /* Returns { object, trail, update(time), toward }: everything is divided by the largest rate on the ellipsoid.
   *
   * momentum(time, out) writes the momentum in body components.
   */
  P.ellipsoid = (view, { look, momentum, start, end, samples }) => {
    const object = new THREE.Group();
    const geometry = new THREE.SphereGeometry(view.size, 96, 64);
    const place = geometry.attributes.position;
    const p = [0, 0, 0];
    let largest = 0;
    for (let n = 0; n < place.count; n += 1) {
      P.rateOf(view, [place.getX(n), place.getY(n), place.getZ(n)], p);
      largest = Math.max(largest, Math.hypot(...p));
      place.setXYZ(n, ...p);
    }
    const scale = 1 / largest;
    geometry.scale(scale, scale, scale);
    geometry.computeVertexNormals();
    const surface = look.solid("surface");
    Object.assign(surface, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 }); // behind its curves
    object.add(new THREE.Mesh(geometry, surface));
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox;
    const lengths = ["x", "y", "z"].map((axis) => Math.max(max[axis], -min[axis]) + 0.3);
    object.add(P.axes(look, { length: 1.3, lengths, thick: 0.007, texts: ["x", "y", "z"] }));
    view.curves.forEach(({ kind, points }) => {
      const width = kind === "own" ? 2.6 : kind === "separatrix" ? 2 : 1.3;
      object.add(P.path(P.numbers(points).map((value) => value * scale * LIFT), look.thick(kind, width, kind === "own" ? 0.5 : 1)));
    });
    const at = (time, out) => {
      P.rateOf(view, momentum(time, out), out);
      for (let n = 0; n < 3; n += 1) out[n] *= scale * LIFT;
      return out;
    };
    const trail = new P.Trail(at, { start, end, look, name: "own", radius: 1, samples, recent: 6 });
    const marker = new THREE.Mesh(new THREE.SphereGeometry(0.03, 20, 14), look.solid("own"));
    const rate = new P.Arrow(look, "rate", view.kind === "sphere" ? "H" : "ω", { length: 1, thick: 0.011 });
    object.add(trail.object, marker, rate.object);
    const update = (time) => {
      trail.update(time);
      at(time, p);
      marker.position.set(...p);
      rate.set(p);
    };
    /* A camera that sees the start, well aside of it, so that a long ellipsoid is not seen along its axis. */
    const begin = new THREE.Vector3(...at(start, [0, 0, 0])).normalize();
    const aside = new THREE.Vector3(...P.across(begin.toArray()));
    const toward = begin.multiplyScalar(0.6).add(aside).add(new THREE.Vector3(0.15, -0.2, 0.35)).toArray();
    return { object, trail, update, toward, point: () => p.map((value) => value / (scale * LIFT)) };
  };
})(globalThis.polhodePlayback);
