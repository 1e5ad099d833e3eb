/* The scene of a run: spacecraft, axes, vectors, target, surroundings, traces and cones, in groups that can be hidden. */
"use strict";
((P) => {
  const { THREE } = P;

  /* Share of the sphere of the traces that the largest vector of each kind has in a run. */
  const SHARES = { momentum: 0.98, rate: 0.86, torque: 0.7, hub_torque: 0.62 };

  P.hubSize = (hub) => Math.max(...(hub.kind === "box" ? hub.size : [2 * hub.radius, hub.height])) / 2;

  /* settings: { wheelShare, enlarged }, read at every update.
   *
   * Returns root, the groups inertial > place > body, `updates` (functions of time), `layers` ({ key, words, colour, shown,
   * show(bool) }), and `arrows`, `parts`, `thrusters` by name for what asks about them.
   */
  P.Scene = class {
    constructor(data, channels, look, settings) {
      Object.assign(this, { data, channels, look, settings, updates: [], layers: [], arrows: {}, parts: [], thrusters: [] });
      this.size = P.hubSize(data.hub);
      this.radius = Math.max(1.2 * data.extent, 2.2 * this.size); // of the sphere of the traces
      this.inertial = new THREE.Group(); // turns against the body while the camera follows it
      this.place = new THREE.Group(); // moves with the hub
      this.body = new THREE.Group(); // turns with the body
      this.inertial.add(this.place);
      this.place.add(this.body);
      this.craft();
      this.frames();
      this.vectors();
      this.surroundings();
      this.trace();
      this.cones();
    }

    layer(key, words, colour, objects) {
      const show = (shown) => objects.forEach((object) => { object.visible = shown; });
      this.layers.push({ key, words, colour, shown: true, show });
    }

    add(parent, made) {
      const group = new THREE.Group();
      group.add(...made.map((each) => each.object));
      made.forEach((each) => this.updates.push(each.update));
      parent.add(group);
      return group;
    }

    craft() {
      const { data, look, channels, size, radius, settings } = this;
      const context = { look, channels, size, settings };
      const inside = data.parts.some((part) => part.kind !== "beam");
      const craft = new THREE.Group();
      if (data.place.pivot) craft.position.set(...data.place.pivot.map((value) => -value));
      craft.add(P.hub(data.hub, look, inside ? 0.3 : 0.5));
      this.parts = data.parts.map((part) => ({ part, ...P.MAKERS[part.kind](part, context) }));
      if (this.parts.length) this.add(craft, this.parts);
      this.body.add(craft);
      this.layer("craft", "spacecraft", "hub", [craft]);
      this.thrusters = data.thrusters.map((thruster) => P.thruster(thruster, context));
      if (this.thrusters.length) this.layer("thrusters", "thrusters", "plume", [this.add(craft, this.thrusters)]);
      const cones = data.sensors.map((sensor) => P.boresight(sensor, { ...context, length: (sensor.many ? 0.6 : 0.8) * radius }));
      const names = [...new Set(data.sensors.map((sensor) => sensor.label))].join(", ");
      if (cones.length) this.layer("sensors", `fields of view: ${names}`, "valid", [this.add(craft, cones)]);
    }

    frames() {
      const { data, look, radius, size } = this;
      const length = Math.max(Math.min(radius, 1.9 * size), 0.5 * radius);
      const body = P.axes(look, { length, thick: 0.011, texts: ["x", "y", "z"] });
      this.body.add(body);
      this.layer("body", "body axes x, y, z", "x", [body]);
      const names = ["faint", "faint", "faint"];
      const inertial = P.axes(look, { length: 1.12 * radius, thick: 0.0035, texts: ["X", "Y", "Z"], names });
      this.inertial.add(inertial);
      this.layer("inertial", "inertial axes X, Y, Z", "faint", [inertial]);
      if (!data.target) return;
      const texts = ["x*", "y*", "z*"];
      const ghost = P.axes(look, { length: 1.15 * length, thick: 0.007, opacity: 0.4, texts });
      this.place.add(ghost);
      this.updates.push((time) => P.toThree(this.channels[data.target].at(time), ghost.quaternion));
      this.layer("target", "target axes x*, y*, z*", "target", [ghost]);
      this.ghost = ghost;
    }

    vectors() {
      this.data.arrows.forEach(({ key, label, words, unit, frame, channel, largest }, n) => {
        const length = this.radius * SHARES[key];
        const arrow = new P.Arrow(this.look, key, label, { length, thick: 0.012, shift: 0.05 * n });
        const values = this.channels[channel];
        const scale = length / largest;
        const holder = new THREE.Group();
        holder.add(arrow.object);
        (frame === "body" ? this.body : this.place).add(holder);
        this.updates.push((time) => arrow.set(Array.from(values.at(time), (value) => value * scale)));
        this.layer(key, `${label}: ${words}, up to ${Number(largest.toPrecision(3))} ${unit}`, key, [holder]);
        this.arrows[key] = arrow;
      });
    }

    surroundings() {
      const { data, channels, place } = this;
      this.directions = data.directions.map(({ label, channel }) => {
        const made = P.direction(this.look, label, this.radius);
        place.add(made.object);
        this.updates.push((time) => made.set(Array.from(channels[channel].at(time))));
        this.layer(`direction-${label}`, `direction: ${label}`, "direction", [made.object]);
        return made;
      });
      if (!data.place.channel) return;
      this.updates.push((time) => place.position.set(...channels[data.place.channel].at(time)));
    }

    trace() {
      const { data, channels, look, radius } = this;
      const e = [1, 0, 0, 0];
      const at = (time, out) => {
        P.rotate(channels.attitude.at(time, e), data.trace.axis, out);
        for (let n = 0; n < 3; n += 1) out[n] *= radius;
        return out;
      };
      const samples = 4 * channels.attitude.t.length;
      this.trail = new P.Trail(at, { start: data.start, end: data.duration, look, name: "trace", radius, samples });
      const group = new THREE.Group();
      group.add(this.trail.object, P.globe(radius, look));
      this.place.add(group);
      this.updates.push((time) => this.trail.update(time));
      this.layer("trace", `path of the ${data.trace.words} on the unit sphere`, "trace", [group]);
    }

    cones() {
      if (!this.data.cones) return;
      const { axis, momentum, body, space, kind } = this.data.cones;
      const side = 0.99 * this.radius;
      const [inner, outer] = [P.cone(axis, body, side, this.look, "body"), P.cone(momentum, space, side, this.look, "space")];
      this.body.add(inner);
      this.place.add(outer);
      this.layer("body-cone", `body cone, ${kind} precession`, "body", [inner]);
      this.layer("space-cone", "space cone about H", "space", [outer]);
    }

    /* Show the scene at a time. e: Euler parameters at that time; follow: "inertial" or "body". */
    update(time, e, follow) {
      P.toThree(e, this.body.quaternion);
      if (follow === "body") this.inertial.quaternion.copy(this.body.quaternion).invert();
      else this.inertial.quaternion.identity();
      this.updates.forEach((each) => each(time));
    }

    /* Inertial direction of a body axis as the scene has it, and its place in the picture of a camera, -1 to 1. */
    project(axis, camera) {
      const tip = new THREE.Vector3(...axis).multiplyScalar(this.radius);
      this.inertial.parent.updateMatrixWorld(true);
      const inertial = this.place.worldToLocal(this.body.localToWorld(tip.clone())).divideScalar(this.radius);
      const flat = this.body.localToWorld(tip).project(camera);
      return { direction: inertial.toArray(), screen: [flat.x, flat.y] };
    }
  };
})(globalThis.polhodePlayback);
