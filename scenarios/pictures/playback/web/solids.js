/* Solids: meshes along the z axis of their own frame, and frames from axes. */
"use strict";
((P) => {
  const { THREE } = P;

  /* Group whose z axis is `axis` and whose x axis is `across`; both unit and perpendicular. */
  P.frame = (axis, across) => {
    const x = new THREE.Vector3(...across);
    const z = new THREE.Vector3(...axis);
    const y = new THREE.Vector3().crossVectors(z, x);
    const group = new THREE.Group();
    group.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, z));
    return group;
  };

  /* Some unit vector across a unit vector. */
  P.across = (axis) => {
    const [a, b, c] = axis.map(Math.abs);
    const helper = new THREE.Vector3(a <= b && a <= c ? 1 : 0, b < a && b <= c ? 1 : 0, c < a && c < b ? 1 : 0);
    return new THREE.Vector3(...axis).cross(helper).normalize().toArray();
  };

  P.cylinder = (radius, height, sides = 40) => new THREE.CylinderGeometry(radius, radius, height, sides).rotateX(Math.PI / 2);

  /* Cone with its apex at the origin that opens along z; open at its base. */
  P.openCone = (half, side, sides = 48) => {
    const height = side * Math.cos(half);
    const cone = new THREE.ConeGeometry(side * Math.sin(half), height, sides, 1, true);
    return cone.translate(0, -0.5 * height, 0).rotateX(-Math.PI / 2);
  };

  P.edged = (geometry, look, name, opacity) => {
    const group = new THREE.Group();
    group.add(new THREE.Mesh(geometry, look.solid(name, opacity)));
    group.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), look.line("edge")));
    return group;
  };

  /* Hub: a box or a cylinder along the columns of `frame`. */
  P.hub = (solid, look, opacity) => {
    const columns = [0, 1, 2].map((column) => solid.frame.map((row) => row[column]));
    const geometry = solid.kind === "box" ? new THREE.BoxGeometry(...solid.size) : P.cylinder(solid.radius, solid.height, 64);
    const group = P.frame(columns[2], columns[0]);
    group.add(P.edged(geometry, look, "hub", opacity));
    return group;
  };
})(globalThis.polhodePlayback);
