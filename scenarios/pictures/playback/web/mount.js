/* mount(element, data, page): the playback in an empty element. page, optional: { setTime, onTime, scheme, onScheme }.
 *
 * Returns the player, which is also element.polhodePlayback: play(), pause(), toggle(), seek(s), setSpeed(x),
 * setCamera(name), setFollow("inertial" | "body"), setLayer(key, shown), state() with what is on the screen, frames (ms of
 * work of each of the last 600 frames), dispose(). Without WebGL the numbers and controls remain.
 */
"use strict";
((P) => {
  const NAME = "playback";

  /* Largest rate of change between keyframes. */
  const fastest = ({ t, v }) => {
    let found = 0;
    for (let n = 1; n < t.length; n += 1) {
      if (t[n] > t[n - 1]) found = Math.max(found, Math.abs(v[n] - v[n - 1]) / (t[n] - t[n - 1]));
    }
    return found;
  };

  /* 1, 1/2, 1/5, 1/10, ...: the largest that is at most the share. */
  const rounded = (share) => {
    if (share >= 1) return 1;
    const unit = 10 ** Math.floor(-Math.log10(share));
    return 1 / (unit * [1, 2, 5, 10].find((step) => 1 / (unit * step) <= share * (1 + 1e-9)));
  };

  P.mount = (element, data, page = null) => {
    const make = P.element;
    const channels = P.channels(data);
    const { attitude, rate } = channels;
    const [start, end] = [data.start, data.duration];
    const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
    const scheme = () => (page && page.scheme) || (dark.matches ? "dark" : "light");
    const settings = { wheelShare: 1, enlarged: true };
    const now = { time: start, e: [1, 0, 0, 0], rate: [0, 0, 0] };
    const looks = [];
    const stages = [];
    const leave = [];
    let wanted = false;
    let scheduled = false;
    let last = null;
    let closed = false;

    const schedule = () => {
      if (scheduled || closed) return;
      scheduled = true;
      requestAnimationFrame(frame);
    };
    const needDraw = () => { wanted = true; schedule(); };

    const main = make("div", { class: "pp-view" });
    const views = make("div", { class: "pp-views" }, main);
    const line = make("p", { class: "pp-state", role: "status", "aria-live": "polite" });
    const notes = make("p", { class: "pp-notes" });
    const words = `Playback in three dimensions${data.name ? ` of ${data.name}` : ""}`;
    const box = make("div", { class: "pp", role: "group", tabindex: "0", "aria-label": words }, views, line);
    element.replaceChildren(box);

    const open = (host, options) => {
      const look = new P.Look(scheme());
      const stage = new P.Stage(host, look, { ...options, needDraw });
      looks.push(look);
      stages.push(stage);
      return stage;
    };
    const picture = "spacecraft, axes and vectors; the text below has time, Euler parameters and rate";
    const radius = Math.max(1.2 * data.extent, 2.2 * P.hubSize(data.hub));
    const stage = open(main, { radius, words: picture, toward: P.CAMERAS.oblique });
    const scene = stage.ready ? new P.Scene(data, channels, stage.look, settings) : null;
    if (scene) stage.root.add(scene.inertial);
    const second = scene && data.polhode ? side() : null;
    const third = scene && data.gimbals ? rings() : null;

    function side() {
      const e = [1, 0, 0, 0];
      const momentum = (time, out) => P.rotate(attitude.at(time, e), channels.momentum.at(time), out, true);
      const host = make("div", { class: "pp-view" });
      views.append(host);
      const own = open(host, { radius: 1.0, words: data.polhode.words, toward: [1, 0, 0] });
      host.append(make("p", { class: "pp-caption", text: data.polhode.words }));
      if (!own.ready) return null;
      const made = P.ellipsoid(data.polhode, { look: own.look, momentum, start, end, samples: 4 * attitude.t.length });
      own.root.add(made.object);
      own.look_from(made.toward);
      return made;
    }

    function rings() {
      const host = make("div", { class: "pp-view" });
      views.append(host);
      const own = open(host, { radius: 1.0, words: `gimbal of the Euler sequence ${data.gimbals.sequence}`, toward: P.CAMERAS.oblique });
      const caption = make("p", { class: "pp-caption" });
      host.append(caption);
      if (!own.ready) return null;
      const made = P.gimbals(data.gimbals, own.look);
      own.root.add(made.object);
      return { ...made, update: (e) => { made.update(e); caption.textContent = made.words(); } };
    }

    const layers = scene ? scene.layers : [];
    if (data.parts.some((part) => part.enlarged > 1)) {
      layers.push({ key: "enlarged", words: "deflections enlarged", colour: "panel", shown: true, show: (shown) => { settings.enlarged = shown; } });
    }
    const rotors = data.parts.filter((part) => part.kind === "disc").map((part) => fastest(channels[part.angle]));
    const digits = P.rateDigits(Math.max(0, ...Array.from(rate.v, Math.abs)));

    const player = {
      time: start, speed: data.speed, playing: false, camera: "oblique", follow: "inertial", frames: [], data, channels, scene,
      play() {
        if (player.playing || end <= start) return;
        if (player.time >= end) player.seek(start);
        player.playing = true;
        last = null;
        line.setAttribute("aria-live", "off"); // a screen reader is not to read sixty lines a second
        schedule();
      },
      pause() {
        player.playing = false;
        line.setAttribute("aria-live", "polite");
        needDraw();
      },
      toggle() { if (player.playing) player.pause(); else player.play(); },
      seek(time, source = NAME) {
        player.time = Math.min(Math.max(Number.isFinite(time) ? time : start, start), end);
        if (page && source === NAME) page.setTime(player.time, NAME);
        needDraw();
      },
      setSpeed(speed) {
        if (!(speed > 0)) return;
        player.speed = speed;
        say();
      },
      setCamera(name) {
        if (!P.CAMERAS[name]) return;
        player.camera = name;
        if (scene) stage.look_from(P.CAMERAS[name]);
        needDraw();
      },
      setFollow(name) {
        player.follow = name === "body" ? "body" : "inertial";
        needDraw();
      },
      setLayer(key, shown) {
        layers.filter((each) => each.key === key).forEach((each) => {
          each.shown = shown;
          each.show(shown);
          if (each.box) each.box.checked = shown;
        });
        say();
      },
      /* What is on the screen: Euler parameters with the scalar first, body rate in rad/s. */
      state() {
        const q = scene ? scene.body.quaternion : null;
        return {
          time: now.time, attitude: q ? [q.w, q.x, q.y, q.z] : [...now.e], rate: Array.from(now.rate), playing: player.playing,
          speed: player.speed, follow: player.follow, text: line.textContent, wheelShare: settings.wheelShare,
          point: second ? second.point() : null,
          angles: third ? third.angles() : null, lock: third ? third.lock() : null, webgl: stage.ready,
        };
      },
      project: (axis) => scene.project(axis, stage.camera),
      dispose() {
        closed = true;
        player.playing = false;
        leave.forEach((each) => each());
        stages.forEach((each) => each.dispose());
      },
    };

    const { bar, boxes, help, keys, show } = P.bar(player, { speed: data.speed, start, end, layers });
    box.append(bar, boxes, notes, help);
    box.addEventListener("keydown", keys);

    /* A wheel that turns by a large part of a turn in a frame seems to stand or to turn back: all are drawn slower. */
    function say() {
      const most = Math.max(0, ...rotors);
      settings.wheelShare = most > 0 ? rounded(5 / (most * player.speed)) : 1;
      notes.textContent = P.notes(data, { ...settings, error: attitude.error });
      needDraw();
    }

    function update() {
      now.time = player.time;
      attitude.at(now.time, now.e);
      rate.at(now.time, now.rate);
      if (scene) scene.update(now.time, now.e, player.follow);
      if (second) second.update(now.time);
      if (third) third.update(now.e);
      const mode = data.mode ? data.mode.labels[Math.round(channels[data.mode.channel].at(now.time)[0])] : null;
      line.textContent = P.stateLine(now.time, now.e, now.rate, digits, mode);
      stages.forEach((each) => each.draw());
      show();
    }

    function frame(stamp) {
      scheduled = false;
      if (closed) return;
      if (player.playing) {
        const step = last === null ? 0 : Math.min((stamp - last) / 1000, 0.25); // a page that was hidden does not jump
        last = stamp;
        player.time = Math.min(player.time + step * player.speed, end);
        if (page) page.setTime(player.time, NAME);
        if (player.time >= end) player.pause();
        wanted = true;
      }
      if (wanted) {
        wanted = false;
        const begun = performance.now();
        update();
        player.frames.push(performance.now() - begun);
        if (player.frames.length > 600) player.frames.shift();
      }
      if (player.playing) schedule();
    }

    function paint() {
      looks.forEach((each) => each.set(scheme()));
      stages.forEach((each) => each.repaint());
      box.dataset.scheme = scheme();
      const colours = P.COLOURS[scheme()];
      layers.forEach((each) => { if (each.swatch) each.swatch.style.backgroundColor = colours[each.colour]; });
      needDraw();
    }

    const zoom = (enabled) => () => stages.forEach((each) => { if (each.ready) each.controls.enableZoom = enabled; });
    box.addEventListener("focusin", zoom(true));
    box.addEventListener("focusout", zoom(false));
    box.addEventListener("pointerdown", () => { if (!box.contains(document.activeElement)) box.focus({ preventScroll: true }); });
    if (page && page.onTime) {
      leave.push(page.onTime(({ time, source }) => { if (source !== NAME && time !== null) player.seek(time, source); }));
    }
    if (page && page.onScheme) leave.push(page.onScheme(paint));
    else {
      dark.addEventListener("change", paint);
      leave.push(() => dark.removeEventListener("change", paint));
    }
    paint();
    say();
    element.polhodePlayback = player;
    return player;
  };

  if (globalThis.polhode && globalThis.polhode.register) {
    globalThis.polhode.register({ id: NAME, title: "3-D playback", mount: (...given) => { P.mount(...given); } });
  }
})(globalThis.polhodePlayback);
