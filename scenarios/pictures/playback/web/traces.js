/* Traces on the unit sphere, and rolling cones. */
"use strict";
((P) => {
  const { THREE } = P;

  /* Line of some pixels' width through points [x, y, z, x, y, z, ...]. */
  P.path = (points, material) => {
    const geometry = new THREE.LineGeometry();
    geometry.setPositions(points);
    const line = new THREE.Line2(geometry, material);
    line.frustumCulled = false;
    return line;
  };

  /* Path of a point that moves with time: the whole of it, faint, if it is not too long, and the last part of it.
   *
   * at(time, out) writes the point; travel: length of the path in radii from which on only the last part is drawn; recent: of
   * that part.
   */
  P.Trail = class {
    constructor(at, { start, end, look, name, radius, samples, travel = 45, recent = 12 }) {
      this.at = at;
      this.start = start;
      this.object = new THREE.Group();
      this.count = 540;
      const count = Math.max(2, Math.min(samples, 6000));
      const points = [];
      const p = [0, 0, 0];
      let length = 0;
      for (let n = 0; n < count; n += 1) {
        at(start + ((end - start) * n) / (count - 1), p);
        if (n) length += Math.hypot(p[0] - points[3 * n - 3], p[1] - points[3 * n - 2], p[2] - points[3 * n - 1]);
        points.push(p[0], p[1], p[2]);
      }
      this.travelled = length / radius;
      this.window = (end - start) * Math.min(1, recent / Math.max(this.travelled, 1e-9));
      if (this.travelled < travel && end > start) this.object.add(P.path(points, look.thick(name, 1.2, 0.4)));
      this.recent = new Float32Array(3 * (this.count + 1));
      this.line = P.path(this.recent, look.thick(name, 3.2));
      this.object.add(this.line);
    }

    update(time) {
      const from = Math.max(this.start, time - this.window);
      const p = [0, 0, 0];
      const stored = this.line.geometry.attributes.instanceStart.data; // pairs of ends, one after the other
      for (let n = 0; n <= this.count; n += 1) {
        this.at(from + ((time - from) * n) / this.count, p);
        if (n < this.count) stored.array.set(p, 6 * n);
        if (n) stored.array.set(p, 6 * n - 3);
      }
      stored.needsUpdate = true;
    }
  };

  P.cone = (axis, half, side, look, name) => {
    const group = P.frame(axis, P.across(axis));
    group.add(new THREE.Mesh(P.openCone(half, side, 96), look.flat(name, 0.3)));
    const rim = [];
    for (let n = 0; n <= 96; n += 1) {
      const turn = (n * Math.PI) / 48;
      rim.push(side * Math.sin(half) * Math.cos(turn), side * Math.sin(half) * Math.sin(turn), side * Math.cos(half));
    }
    group.add(P.path(rim, look.thick(name, 2)));
    return group;
  };

  /* Wire sphere on which traces are drawn: meridians and parallels every 30 degrees. */
  P.globe = (radius, look) => {
    const points = [];
    const circle = (f) => {
      for (let n = 0; n < 72; n += 1) points.push(...f((n * Math.PI) / 36), ...f(((n + 1) * Math.PI) / 36));
    };
    for (let k = 0; k < 6; k += 1) {
      const a = (k * Math.PI) / 6;
      circle((s) => [Math.cos(a) * Math.cos(s), Math.sin(a) * Math.cos(s), Math.sin(s)].map((v) => v * radius));
    }
    for (let k = -2; k <= 2; k += 1) {
      const [c, h] = [Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6)];
      circle((s) => [c * Math.cos(s), c * Math.sin(s), h].map((v) => v * radius));
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    const material = look.line("faint");
    material.transparent = true;
    material.opacity = 0.22;
    return new THREE.LineSegments(geometry, material);
  };
})(globalThis.polhodePlayback);
