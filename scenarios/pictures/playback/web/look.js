/* Colours in light and dark, and labels that keep their size on the screen. */
"use strict";
((P) => {
  const { THREE } = P;

  /* Axes: Tol (2021), high contrast, as in all pictures of polhode; lighter hues on a dark page. */
  P.COLOURS = {
    light: {
      paper: "#ffffff", ink: "#222222", faint: "#9a9a9a", x: "#004488", y: "#bb5566", z: "#c08f10", hub: "#c9ced6",
      edge: "#4c5561", metal: "#8a93a0", mark: "#bb3311", panel: "#35588f", fluid: "#0077bb", momentum: "#222222",
      rate: "#882255", torque: "#cc5500", hub_torque: "#117733", target: "#6a6a6a", direction: "#00797a",
      trace: "#0088cc", valid: "#228833", blind: "#999999", plume: "#ee7733", body: "#0072b2", space: "#e69f00",
      surface: "#dfe3e8", major: "#004488", minor: "#bb5566", separatrix: "#222222", own: "#882255",
    },
    dark: {
      paper: "#15181c", ink: "#e8e8e8", faint: "#7a8088", x: "#6aa5e8", y: "#ee8899", z: "#ddaa33", hub: "#5c6673",
      edge: "#b4bcc8", metal: "#9aa3b0", mark: "#ff7755", panel: "#5b85c9", fluid: "#44aaee", momentum: "#f0f0f0",
      rate: "#dd77bb", torque: "#ff9944", hub_torque: "#55bb77", target: "#b0b0b0", direction: "#44c8c8",
      trace: "#55bbff", valid: "#55cc77", blind: "#777777", plume: "#ffaa55", body: "#4499dd", space: "#e6b84d",
      surface: "#3a424d", major: "#6aa5e8", minor: "#ee8899", separatrix: "#f0f0f0", own: "#dd77bb",
    },
  };

  /* Materials by the name of their colour, so that a change of scheme recolours everything. */
  P.Look = class {
    constructor(scheme) {
      this.scheme = scheme;
      this.painted = [];
      this.labels = [];
    }

    colour(name) { return P.COLOURS[this.scheme][name]; }

    paint(material, name) {
      material.color.set(this.colour(name));
      this.painted.push([material, name]);
      return material;
    }

    solid(name, opacity = 1) {
      const clear = opacity < 1;
      return this.paint(new THREE.MeshLambertMaterial({
        transparent: clear, opacity, depthWrite: !clear, side: THREE.DoubleSide,
      }), name);
    }

    flat(name, opacity = 1) {
      return this.paint(new THREE.MeshBasicMaterial({
        transparent: opacity < 1, opacity, depthWrite: opacity === 1, side: THREE.DoubleSide,
      }), name);
    }

    line(name) { return this.paint(new THREE.LineBasicMaterial(), name); }

    thick(name, width, opacity = 1) {
      return this.paint(new P.THREE.LineMaterial({ linewidth: width, transparent: opacity < 1, opacity }), name);
    }

    /* Text that faces the camera, 15 px high at any distance. */
    label(text, name) {
      const canvas = document.createElement("canvas");
      const texture = new THREE.CanvasTexture(canvas);
      texture.colorSpace = "srgb";
      texture.generateMipmaps = false;
      const material = new THREE.SpriteMaterial({ map: texture, depthTest: false, sizeAttenuation: false });
      const sprite = new THREE.Sprite(material);
      const label = { text, name, canvas, texture, sprite };
      sprite.renderOrder = 10;
      this.labels.push(label);
      this.write(label);
      return sprite;
    }

    write({ text, name, canvas, texture, sprite }) {
      const font = "600 44px system-ui, sans-serif";
      const context = canvas.getContext("2d");
      context.font = font;
      canvas.width = Math.ceil(context.measureText(text).width) + 24;
      canvas.height = 64;
      context.font = font;
      context.textBaseline = "middle";
      context.lineJoin = "round";
      context.lineWidth = 10;
      context.strokeStyle = this.colour("paper");
      context.strokeText(text, 12, 34);
      context.fillStyle = this.colour(name);
      context.fillText(text, 12, 34);
      texture.needsUpdate = true;
      sprite.userData.ratio = canvas.width / canvas.height;
    }

    set(scheme) {
      this.scheme = scheme;
      this.painted.forEach(([material, name]) => material.color.set(this.colour(name)));
      this.labels.forEach((label) => { label.texture.dispose(); this.write(label); });
    }
  };
})(globalThis.polhodePlayback);
