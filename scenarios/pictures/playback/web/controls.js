/* Buttons, slider, choices and keys of the playback. */
"use strict";
((P) => {
  const element = (name, attributes = {}, ...children) => {
    const found = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "text") found.textContent = value;
      else if (value === true) found.setAttribute(key, "");
      else if (value !== null && value !== false) found.setAttribute(key, value);
    }
    found.append(...children);
    return found;
  };
  P.element = element;

  P.CAMERAS = { // name: direction of the camera
    oblique: [0.72, -0.55, 0.42], "along x": [1, 0, 0], "along y": [0, 1, 0], "along z": [0, 0, 1], behind: [-0.72, 0.55, 0.42],
  };
  P.KEYS = [
    ["space", "play or pause"], ["← →", "one hundredth back or on; with shift, a tenth"], ["home, end", "start, end"],
    ["+ −", "faster, slower"], ["1 to 5", "cameras"], ["f", "follow the body or inertial axes"], ["drag, wheel", "turn, zoom"],
  ];

  const speeds = (own) => {
    const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
    return [...new Set([...steps, own])].sort((a, b) => a - b);
  };

  /* The bar below the picture; `player` has play, pause, seek, setSpeed and the rest of the handle that mount returns. */
  P.bar = (player, { speed, start, end, layers, follow }) => {
    const button = (text, words, action) => {
      const found = element("button", { type: "button", text, "aria-label": words, title: words });
      found.addEventListener("click", action);
      return found;
    };
    const choice = (words, options, chosen, action) => {
      const list = element("select", { "aria-label": words, title: words });
      options.forEach(([value, text]) => list.append(element("option", { value, text, selected: String(value) === String(chosen) })));
      list.addEventListener("change", () => action(list.value));
      return list;
    };
    const play = button("Play", "play", () => player.toggle());
    const slider = element("input", { type: "range", min: start, max: end, step: "any", value: start, "aria-label": "time" });
    slider.addEventListener("input", () => player.seek(Number(slider.value)));
    const speedList = choice("speed", speeds(speed).map((value) => [value, `${value}×`]), speed, (value) => player.setSpeed(Number(value)));
    const cameraList = choice("camera", Object.keys(P.CAMERAS).map((name) => [name, name]), "oblique", (name) => player.setCamera(name));
    const followList = choice("follow", [["inertial", "inertial axes fixed"], ["body", "body fixed"]], follow, (name) => player.setFollow(name));
    const bar = element("div", { class: "pp-bar" },
      button("Start", "to the start", () => player.seek(start)), play, button("End", "to the end", () => player.seek(end)),
      slider, speedList, cameraList, followList);

    const boxes = element("fieldset", { class: "pp-layers" }, element("legend", { text: "Shown" }));
    layers.forEach((layer) => {
      const box = element("input", { type: "checkbox", checked: layer.shown });
      box.addEventListener("change", () => player.setLayer(layer.key, box.checked));
      const swatch = element("span", { class: "pp-swatch", "aria-hidden": "true" });
      layer.swatch = swatch;
      layer.box = box;
      boxes.append(element("label", {}, box, swatch, layer.words));
    });
    const help = element("details", { class: "pp-help" }, element("summary", { text: "Keys" }),
      element("dl", {}, ...P.KEYS.flatMap(([key, words]) => [element("dt", { text: key }), element("dd", { text: words })])));

    const keys = (event) => {
      const share = (event.shiftKey ? 0.1 : 0.01) * (end - start);
      const cameras = Object.keys(P.CAMERAS);
      const steps = speeds(speed);
      const nearby = (shift) => {
        const at = steps.indexOf(player.speed);
        player.setSpeed(steps[Math.min(Math.max(at + shift, 0), steps.length - 1)]);
      };
      const actions = {
        " ": () => player.toggle(), ArrowLeft: () => player.seek(player.time - share), ArrowRight: () => player.seek(player.time + share),
        Home: () => player.seek(start), End: () => player.seek(end), "+": () => nearby(1), "-": () => nearby(-1),
        f: () => player.setFollow(player.follow === "body" ? "inertial" : "body"),
      };
      cameras.forEach((name, n) => { actions[String(n + 1)] = () => player.setCamera(name); });
      const tag = event.target.tagName;
      const typed = tag === "SELECT" || (tag === "INPUT" && event.target !== slider);
      const own = tag === "BUTTON" || tag === "SUMMARY" || tag === "INPUT"; // space presses these
      const action = actions[event.key];
      if (!action || typed || event.ctrlKey || event.metaKey || event.altKey || (event.key === " " && own)) return;
      event.preventDefault();
      action();
    };

    const show = () => {
      play.textContent = player.playing ? "Pause" : "Play";
      play.setAttribute("aria-label", player.playing ? "pause" : "play");
      play.title = player.playing ? "pause" : "play";
      if (document.activeElement !== slider || player.playing) slider.value = player.time;
      slider.setAttribute("aria-valuetext", `${player.time.toFixed(2)} seconds`);
      speedList.value = String(player.speed);
      cameraList.value = player.camera;
      followList.value = player.follow;
    };
    return { bar, boxes, help, keys, show };
  };
})(globalThis.polhodePlayback);
