/* Moving parts: one maker for each drawing primitive of polhode's elements, P.MAKERS[kind](part, context).
 *
 * A maker returns { object, update(time) }. context: look, channels, size (half of the hub, m) and settings: wheelShare
 * (displayed over true angle of wheels) and enlarged (whether deflections are).
 */
"use strict";
((P) => {
  const { THREE } = P;
  const nothing = () => {};

  const turned = (part) => {
    const group = P.frame(part.axis, part.across);
    group.position.set(...part.center);
    const rotor = new THREE.Group();
    group.add(rotor);
    return [group, rotor];
  };

  const disc = (part, { look, channels, settings }) => {
    const [group, rotor] = turned(part);
    const r = part.radius;
    rotor.add(P.edged(P.cylinder(r, 0.3 * r, 48), look, "metal", 1));
    for (let n = 0; n < 4; n += 1) { // spokes on both faces, one of them marked, so that the turn can be seen
      const spoke = new THREE.Mesh(new THREE.BoxGeometry(0.9 * r, 0.1 * r, 0.34 * r), look.solid(n ? "edge" : "mark"));
      spoke.position.set(0.47 * r * Math.cos((n * Math.PI) / 2), 0.47 * r * Math.sin((n * Math.PI) / 2), 0);
      spoke.rotation.z = (n * Math.PI) / 2;
      rotor.add(spoke);
    }
    const axle = new THREE.Mesh(P.cylinder(0.06 * r, 1.1 * r, 12), look.solid("edge"));
    group.add(axle);
    const angle = channels[part.angle];
    return { object: group, rotor, update: (time) => { rotor.rotation.z = angle.at(time)[0] * settings.wheelShare; } };
  };

  const tube = (part) => 0.045 * part.radius;

  const ring = (part, { look }) => {
    const [group, rotor] = turned(part);
    rotor.add(new THREE.Mesh(new THREE.TorusGeometry(part.radius, tube(part), 12, 96), look.solid("metal", 0.45)));
    return { object: group, update: nothing };
  };

  /* A full ring has no end that could be seen: three pieces of it are marked. */
  const arc = (part, { look, channels }) => {
    const [group, rotor] = turned(part);
    const full = part.span >= 2 * Math.PI - 1e-9;
    const span = full ? Math.PI / 4 : part.span;
    for (let n = 0; n < (full ? 3 : 1); n += 1) {
      const piece = new THREE.TorusGeometry(part.radius, 1.35 * tube(part), 14, 64, span).rotateZ(-0.5 * span);
      const mesh = new THREE.Mesh(piece, look.solid("fluid"));
      mesh.rotation.z = (n * 2 * Math.PI) / 3;
      rotor.add(mesh);
    }
    const angle = channels[part.angle];
    return { object: group, rotor, update: (time) => { rotor.rotation.z = angle.at(time)[0]; } };
  };

  const along = new THREE.Vector3(0, 0, 1);
  const stretch = (mesh, from, to) => { // a mesh of unit length along z from its middle
    const way = to.clone().sub(from);
    const length = way.length();
    mesh.position.copy(from).addScaledVector(way, 0.5);
    mesh.scale.set(1, 1, Math.max(length, 1e-9));
    if (length > 0) mesh.quaternion.setFromUnitVectors(along, way.divideScalar(length));
  };

  const bob = (part, { look, channels }) => {
    const object = new THREE.Group();
    const rod = new THREE.Mesh(P.cylinder(0.14 * part.radius, 1, 12), look.solid("edge"));
    const ball = new THREE.Mesh(new THREE.SphereGeometry(part.radius, 32, 20), look.solid("fluid"));
    const hinge = new THREE.Mesh(new THREE.SphereGeometry(0.25 * part.radius, 16, 12), look.solid("edge"));
    object.add(rod, ball, hinge);
    const points = channels[part.points];
    const a = new THREE.Vector3();
    const b = new THREE.Vector3();
    return {
      object,
      update(time) {
        const p = points.at(time);
        a.set(p[0], p[1], p[2]);
        b.set(p[3], p[4], p[5]);
        hinge.position.copy(a);
        ball.position.copy(b);
        stretch(rod, a, b);
      },
    };
  };

  /* Spring from a base below the point of rest; its coils follow the mass. */
  const slider = (part, { look, channels }) => {
    const COILS = 8;
    const r = part.radius;
    const group = P.frame(part.axis, P.across(part.axis));
    const mass = P.edged(new THREE.BoxGeometry(1.4 * r, 1.4 * r, 1.4 * r), look, "fluid", 1);
    const positions = new Float32Array(3 * 2 * 2 * COILS);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    const spring = new THREE.LineSegments(geometry, look.line("ink"));
    spring.frustumCulled = false;
    group.add(mass, spring);
    const points = channels[part.points];
    const back = group.quaternion.clone().invert();
    const v = new THREE.Vector3();
    const w = new THREE.Vector3();
    return {
      object: group,
      update(time) {
        const p = points.at(time);
        v.set(p[0], p[1], p[2]).applyQuaternion(back);
        w.set(p[3], p[4], p[5]).applyQuaternion(back);
        mass.position.copy(w);
        const low = v.z - 3 * r;
        const step = (w.z - 0.7 * r - low) / (2 * COILS);
        const corner = (n) => [v.x + (n === 0 || n === 2 * COILS ? 0 : (n % 2 ? 0.4 : -0.4) * r), v.y, low + n * step];
        for (let n = 0; n < 2 * COILS; n += 1) positions.set([...corner(n), ...corner(n + 1)], 6 * n);
        geometry.attributes.position.needsUpdate = true;
      },
    };
  };

  /* Strip through the nodes: between nodes a cubic, clamped at the root. */
  const beam = (part, { look, channels, size, settings }) => {
    const PIECES = 6;
    const nodes = part.rest.length;
    const rows = (nodes - 1) * PIECES + 1;
    const half = 0.5 * Math.min(0.16 * part.length, 0.7 * size);
    const strip = new Float32Array(6 * rows);
    const index = [];
    for (let n = 0; n < rows - 1; n += 1) index.push(2 * n, 2 * n + 1, 2 * n + 2, 2 * n + 1, 2 * n + 3, 2 * n + 2);
    const surface = new THREE.BufferGeometry();
    surface.setAttribute("position", new THREE.BufferAttribute(strip, 3));
    surface.setIndex(index);
    const mesh = new THREE.Mesh(surface, look.flat("panel", 0.8));
    const ribs = new Float32Array(6 * nodes + 12 * (rows - 1));
    const frame = new THREE.BufferGeometry();
    frame.setAttribute("position", new THREE.BufferAttribute(ribs, 3));
    const lines = new THREE.LineSegments(frame, look.line("edge"));
    mesh.frustumCulled = false;
    lines.frustumCulled = false;
    const object = new THREE.Group();
    object.add(mesh, lines);
    const deflection = channels[part.deflection];
    const sides = part.sides ? channels[part.sides] : null;
    const place = part.rest.map((row) => [...row]);
    const side = part.rest.map(() => [...part.across]);
    const step = part.length / (nodes - 1);
    const slope = (n) => { // times the length of an element
      if (n === 0) return part.axis.map((value) => value * step);
      const [a, b] = n === nodes - 1 ? [n - 1, n] : [n - 1, n + 1];
      return place[b].map((value, k) => (value - place[a][k]) / (b - a));
    };

    const update = (time) => {
      const moved = deflection.at(time);
      const turn = sides ? sides.at(time) : null;
      const factor = settings.enlarged ? part.enlarged : 1;
      for (let n = 1; n < nodes; n += 1) {
        for (let k = 0; k < 3; k += 1) {
          place[n][k] = part.rest[n][k] + factor * moved[3 * (n - 1) + k];
          if (turn) side[n][k] = part.across[k] + turn[3 * (n - 1) + k];
        }
      }
      for (let n = 0; n < nodes - 1; n += 1) {
        const [s0, s1] = [slope(n), slope(n + 1)];
        for (let piece = 0; piece <= PIECES; piece += 1) {
          const x = piece / PIECES;
          const [a, b] = [1 - 3 * x * x + 2 * x * x * x, 3 * x * x - 2 * x * x * x];
          const [c, d] = [x - 2 * x * x + x * x * x, x * x * x - x * x];
          const at = 6 * (n * PIECES + piece);
          for (let k = 0; k < 3; k += 1) {
            const middle = a * place[n][k] + b * place[n + 1][k] + c * s0[k] + d * s1[k];
            const wide = half * ((1 - x) * side[n][k] + x * side[n + 1][k]);
            strip[at + k] = middle - wide;
            strip[at + 3 + k] = middle + wide;
          }
        }
      }
      for (let n = 0; n < nodes; n += 1) ribs.set(strip.subarray(6 * n * PIECES, 6 * n * PIECES + 6), 6 * n);
      for (let n = 0; n < rows - 1; n += 1) {
        const at = 6 * nodes + 12 * n;
        ribs.set(strip.subarray(6 * n, 6 * n + 3), at);
        ribs.set(strip.subarray(6 * n + 6, 6 * n + 9), at + 3);
        ribs.set(strip.subarray(6 * n + 3, 6 * n + 6), at + 6);
        ribs.set(strip.subarray(6 * n + 9, 6 * n + 12), at + 9);
      }
      surface.attributes.position.needsUpdate = true;
      frame.attributes.position.needsUpdate = true;
    };
    return { object, update, place };
  };

  const block = (part, { look }) => {
    const columns = [0, 1, 2].map((column) => part.frame.map((row) => row[column]));
    const group = P.frame(columns[2], columns[0]);
    group.position.set(...part.center);
    group.add(P.edged(new THREE.BoxGeometry(...part.size), look, "metal", 0.9));
    return { object: group, update: nothing };
  };

  P.MAKERS = { disc, ring, arc, bob, slider, beam, block };

  /* Thruster: a nozzle that opens against its force, and a plume as long as the force is large. */
  P.thruster = (thruster, { look, channels, size }) => {
    const out = thruster.direction.map((value) => -value);
    const group = P.frame(out, P.across(out));
    group.position.set(...thruster.position);
    const nozzle = new THREE.Mesh(P.openCone(0.45, 0.16 * size, 20), look.solid("edge"));
    const plume = new THREE.Mesh(P.openCone(0.16, 1, 20), look.flat("plume", 0.75));
    group.add(nozzle, plume);
    const force = channels[thruster.force];
    return {
      object: group,
      plume,
      update(time) {
        const share = force.at(time)[thruster.column] / thruster.limit;
        plume.visible = share > 1e-4;
        if (plume.visible) plume.scale.setScalar(size * (0.15 + 0.85 * share));
      },
    };
  };

  /* Field of view: green while the sensor's message is valid. */
  P.boresight = (sensor, { look, channels, length }) => {
    const group = P.frame(sensor.axis, P.across(sensor.axis));
    const seen = look.flat("valid", 0.28);
    const blind = look.flat("blind", 0.2);
    const cone = new THREE.Mesh(P.openCone(sensor.drawn, length, 40), seen);
    const rim = [];
    for (let n = 0; n <= 48; n += 1) {
      const turn = (n * Math.PI) / 24;
      const [r, z] = [length * Math.sin(sensor.drawn), length * Math.cos(sensor.drawn)];
      rim.push(r * Math.cos(turn), r * Math.sin(turn), z);
    }
    group.add(cone, P.path(rim, look.thick("valid", 1.5)));
    const valid = sensor.valid ? channels[sensor.valid] : null;
    return { object: group, update(time) { cone.material = !valid || valid.at(time)[0] > 0.5 ? seen : blind; } };
  };
})(globalThis.polhodePlayback);
