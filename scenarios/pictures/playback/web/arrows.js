/* Arrows: vectors whose direction and length change, frames of three axes, directions of the surroundings. */
"use strict";
((P) => {
  const { THREE } = P;
  const up = new THREE.Vector3(0, 0, 1);

  /* Arrow from the origin; set([x, y, z]) gives its tip. A vector shorter than a
   * thousandth of `length` is not drawn, one shorter than a twelfth has no label. */
  P.Arrow = class {
    constructor(look, name, text, { length, thick = 0.012, opacity = 1, shift = 0 }) {
      this.length = length;
      this.object = new THREE.Group();
      this.tip = new THREE.Vector3();
      this.way = new THREE.Vector3();
      const material = look.solid(name, opacity);
      this.shaft = new THREE.Mesh(P.cylinder(thick * length, 1, 14), material);
      this.headLength = 7 * thick * length;
      const cone = new THREE.ConeGeometry(2.6 * thick * length, this.headLength, 20).rotateX(Math.PI / 2);
      this.head = new THREE.Mesh(cone, material);
      this.label = text ? look.label(text, name) : null;
      this.shift = shift;
      this.object.add(this.shaft, this.head);
      if (this.label) this.object.add(this.label);
    }

    set(vector) {
      this.tip.set(vector[0], vector[1], vector[2]);
      const size = this.tip.length();
      this.object.visible = size > 1e-3 * this.length;
      if (!this.object.visible) return;
      this.way.copy(this.tip).divideScalar(size);
      const head = Math.min(this.headLength, 0.6 * size);
      this.shaft.quaternion.setFromUnitVectors(up, this.way);
      this.shaft.scale.set(1, 1, Math.max(size - head, 1e-6));
      this.shaft.position.copy(this.way).multiplyScalar(0.5 * (size - head));
      this.head.quaternion.copy(this.shaft.quaternion);
      this.head.scale.setScalar(head / this.headLength);
      this.head.position.copy(this.way).multiplyScalar(size - 0.5 * head);
      if (this.label) this.label.visible = size > 0.08 * this.length;
      if (this.label) this.label.position.copy(this.way).multiplyScalar(size + (0.07 + this.shift) * this.length);
    }
  };

  /* Three axes x, y, z; `names` are their colours, `lengths` their lengths where they differ. */
  P.axes = (look, { length, lengths = [length, length, length], thick, opacity = 1, texts, names = ["x", "y", "z"] }) => {
    const group = new THREE.Group();
    for (let n = 0; n < 3; n += 1) {
      const arrow = new P.Arrow(look, names[n], texts && texts[n], { length, thick, opacity });
      arrow.set([0, 1, 2].map((k) => (k === n ? lengths[n] : 0)));
      group.add(arrow.object);
    }
    return group;
  };

  /* Inertial direction: an arrow outside the sphere of the traces. */
  P.direction = (look, text, radius) => {
    const group = new THREE.Group();
    const arrow = new P.Arrow(look, "direction", text, { length: 0.2 * radius, thick: 0.05 });
    group.add(arrow.object);
    return {
      object: group,
      set(vector) {
        group.position.set(1.02 * radius * vector[0], 1.02 * radius * vector[1], 1.02 * radius * vector[2]);
        arrow.set(vector.map((value) => 0.2 * radius * value));
      },
    };
  };
})(globalThis.polhodePlayback);
