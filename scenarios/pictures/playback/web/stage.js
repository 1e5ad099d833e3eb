/* A canvas with its scene, lights and camera; it draws when asked, and when the reader moves the camera. */
"use strict";
((P) => {
  const { THREE } = P;
  P.NO_WEBGL = "The picture needs WebGL, which this browser does not offer; the numbers below follow the run.";

  /* Context for drawing, or null; three.js itself would write an error to the console. */
  P.context = (canvas) => {
    try {
      return canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "low-power" });
    } catch {
      return null;
    }
  };

  P.Stage = class {
    constructor(host, look, { radius, words, toward, needDraw }) {
      this.host = host;
      this.look = look;
      this.radius = radius;
      this.root = new THREE.Group();
      this.canvas = document.createElement("canvas");
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", words);
      host.append(this.canvas);
      const context = P.context(this.canvas);
      this.ready = Boolean(context);
      if (!this.ready) {
        const sentence = document.createElement("p");
        sentence.className = "pp-none";
        sentence.textContent = P.NO_WEBGL;
        host.replaceChildren(sentence);
        return;
      }
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, context });
      this.renderer.setPixelRatio(Math.min(globalThis.devicePixelRatio || 1, 2));
      this.scene = new THREE.Scene();
      this.scene.background = new THREE.Color(look.colour("paper"));
      this.camera = new THREE.PerspectiveCamera(32, 1, 0.02 * radius, 60 * radius);
      this.camera.up.set(0, 0, 1);
      const lamp = new THREE.DirectionalLight("#ffffff", 2.2);
      lamp.position.set(-0.5, 0.7, 1);
      this.camera.add(lamp);
      this.scene.add(this.root, this.camera, new THREE.AmbientLight("#ffffff", 1.5));
      this.controls = new THREE.OrbitControls(this.camera, this.canvas);
      this.controls.enableDamping = false;
      this.controls.enableZoom = false; // until the picture has the focus: a page can be scrolled past it
      this.controls.addEventListener("change", needDraw);
      this.look_from(toward);
      this.observer = new ResizeObserver(() => { this.resize(); needDraw(); });
      this.observer.observe(host);
      this.resize();
      this.still = document.createElement("canvas"); // on paper: a canvas of WebGL prints black
      this.still.className = "pp-still";
      this.still.setAttribute("aria-hidden", "true");
      host.append(this.still);
      this.keep_still = () => this.copy();
      globalThis.addEventListener("beforeprint", this.keep_still);
    }

    /* Copy the picture for printing, in the task that drew it: later the buffer is empty. */
    copy() {
      this.draw();
      this.still.width = this.canvas.width;
      this.still.height = this.canvas.height;
      this.still.getContext("2d").drawImage(this.canvas, 0, 0);
    }

    /* Look at the middle from a direction [x, y, z]. */
    look_from(toward) {
      const way = new THREE.Vector3(...toward).normalize();
      if (Math.abs(way.z) > 0.9999) way.set(0.0, -0.01, Math.sign(way.z)).normalize(); // the camera is upright
      const narrow = Math.min(1, this.camera.aspect || 1);
      this.camera.position.copy(way).multiplyScalar((4.8 * this.radius) / narrow);
      this.controls.target.set(0, 0, 0);
      this.controls.update();
    }

    resize() {
      const { clientWidth: width, clientHeight: height } = this.host;
      if (!width || !height) return;
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.height = height;
      this.look.labels.forEach(({ sprite }) => this.fit(sprite));
    }

    /* A label 15 px high; the scale of a sprite without attenuation is in units of half the height of the view. */
    fit(sprite) {
      const share = (2 * Math.tan((this.camera.fov * Math.PI) / 360) * 22) / (this.height || 400);
      sprite.scale.set(share * sprite.userData.ratio, share, 1);
    }

    draw() {
      if (!this.ready) return;
      this.look.labels.forEach(({ sprite }) => this.fit(sprite));
      this.renderer.render(this.scene, this.camera);
    }

    repaint() { if (this.ready) this.scene.background.set(this.look.colour("paper")); }

    dispose() {
      if (!this.ready) return;
      this.observer.disconnect();
      globalThis.removeEventListener("beforeprint", this.keep_still);
      this.controls.dispose();
      this.renderer.dispose();
    }
  };
})(globalThis.polhodePlayback);
