/* Review page of polhode: shared state, second runs, plug-ins. No request, no framework, ES2020.
 *
 * Everything that the page shows is in one JSON object, `page.data`, read from <script id="polhode-data">.
 *
 * PLUG-IN. A plug-in is a section that its own script draws. Python passes
 *
 *     Plugin(id="scene", title="3-D playback", data={...}, scripts=(text,), styles=(text,), wasm=False, note="...")
 *
 * (scenarios/report/page/plugin.py; makers are listed in plugins.py). The page makes <section id="scene"> with the
 * heading and puts the data into page.data.plugins.scene. The script is a classic inline script and calls, once,
 *
 *     polhode.register({ id: "scene", title: "3-D playback", mount(element, data, page) { ... } });
 *
 * mount is called once, when the document and the charts are complete. element: an empty <div> in the section;
 * data: page.data.plugins[id]; page: the object below, which is also window.polhode. An error in mount is shown in
 * its section, and the rest of the page is not affected. mount may return a promise; its rejection is treated alike.
 *
 * TIME. The page has one shown time, in seconds from the start of the run. Charts put their cursors there.
 *     page.time                       shown time, s; null while nothing is shown
 *     page.duration                   last time of the run, s
 *     page.setTime(seconds, source)   show a time, limited to the run; null: show none. source: name of the caller
 *     page.onTime(callback)           callback({ time, source }) at each change; returns a function that unsubscribes
 * A caller ignores events with its own source. setTime with an unchanged time sends nothing.
 *
 * SERIES. A series is named QUANTITY or QUANTITY.COMPONENT as in the NetCDF file: "rate.x", "command.z", "attitude.e0",
 * "attitude_error", "internal_rate.wheel_1_angle". Values are in the SI units of that file; charts convert.
 *     page.keys()                     names of the series in the page
 *     page.series(key)                { t, values } (Float64Array) of the run as stored in the page; null if there is none
 *     page.value(key, time)           value at the last stored row that is not after the time; null outside the run
 * The charts of a long run hold the smallest and largest value of each interval; exact rows are in the NetCDF file.
 *
 * SECOND RUN. A run that the reader computed is drawn over the toolkit's, in another dash, and is named in the legends.
 *     page.overlay(label, { t, series })   t: times, s, increasing; series: { key: values in SI units }; same label: replace
 *     page.removeOverlay(label)
 *     page.verdicts(label, rows)      rows: [{ index, value, met, text }] for requirements by position; adds a column to the
 *                                     table of verdicts; null removes it. value: in the unit of the metric; text: optional
 * Unknown keys are ignored. A label is text, never markup.
 *
 * LOOK.
 *     page.scheme                     "light" or "dark"
 *     page.onScheme(callback)         callback(scheme) at each change; returns a function that unsubscribes
 *     page.colour(name)               current CSS colour of "x", "y", "z", "ink", "faint", "grid", "paper", "accent", "bad", "good"
 *     page.say(text)                  announce a text to screen readers (aria-live)
 */
"use strict";

const polhode = (() => {
  const data = JSON.parse(document.getElementById("polhode-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const listeners = { time: new Set(), scheme: new Set(), runs: new Set() };
  const decoded = new Map();
  const runs = new Map();
  const plugins = new Map();
  const mounted = new Set();
  let complete = false;

  const on = (kind) => (callback) => {
    listeners[kind].add(callback);
    return () => listeners[kind].delete(callback);
  };
  const send = (kind, value) => listeners[kind].forEach((callback) => callback(value));

  /* Numbers are stored as base64 of little-endian float32 or float64. */
  const numbers = (stored) => {
    if (!decoded.has(stored)) {
      const bytes = Uint8Array.from(atob(stored.base64), (letter) => letter.charCodeAt(0));
      const width = stored.type === "float64" ? 8 : 4;
      const view = new DataView(bytes.buffer);
      const values = new Float64Array(bytes.length / width);
      for (let n = 0; n < values.length; n += 1) {
        values[n] = width === 8 ? view.getFloat64(8 * n, true) : view.getFloat32(4 * n, true);
      }
      decoded.set(stored, values);
    }
    return decoded.get(stored);
  };

  const rowAt = (t, time) => {
    let low = 0, high = t.length - 1;
    if (!(time >= t[0] && time <= t[high])) return -1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (t[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  };

  const page = {
    data,
    time: null,
    duration: data.duration,
    scheme: dark.matches ? "dark" : "light",
    onTime: on("time"),
    onScheme: on("scheme"),
    onRuns: on("runs"), // for the charts: the second runs have changed
    runs,

    setTime(seconds, source = "") {
      const time = seconds === null ? null : Math.min(Math.max(seconds, 0), page.duration);
      if (time === page.time || Number.isNaN(time)) return;
      page.time = time;
      send("time", { time, source });
    },

    keys: () => Object.keys(data.series),
    series(key) {
      const stored = Object.hasOwn(data.series, key) ? data.series[key] : null;
      return stored && { t: numbers(data.times), values: numbers(stored) };
    },
    value(key, time) {
      const found = page.series(key);
      const row = found ? rowAt(found.t, time) : -1;
      return row < 0 ? null : found.values[row];
    },

    overlay(label, run) {
      runs.set(String(label), run);
      send("runs", runs);
    },
    removeOverlay(label) {
      if (runs.delete(String(label))) send("runs", runs);
    },

    verdicts(label, rows) {
      const table = document.getElementById("verdict-table");
      if (!table) return;
      const column = `run-${label}`;
      table.querySelectorAll("[data-run]").forEach((cell) => cell.dataset.run === column && cell.remove());
      if (!rows) return;
      const heading = document.createElement("th");
      heading.scope = "col";
      heading.textContent = label;
      heading.dataset.run = column;
      table.tHead.rows[0].append(heading);
      [...table.tBodies[0].rows].forEach((row, index) => {
        const cell = row.insertCell();
        cell.dataset.run = column;
        const verdict = rows.find((each) => each.index === index);
        if (!verdict) return;
        const value = verdict.value === null ? "no value" : Number(verdict.value).toPrecision(5);
        cell.textContent = `${value}: ${verdict.met ? "met" : "not met"}${verdict.text ? ` (${verdict.text})` : ""}`;
        cell.className = verdict.met ? "good" : "bad";
      });
    },

    colour: (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(),
    say(text) {
      document.getElementById("announcements").textContent = text;
    },

    register(plugin) {
      plugins.set(plugin.id, plugin);
      if (complete) mount(plugin);
    },
    complete() { // called once, by the last script of the page
      complete = true;
      plugins.forEach(mount);
    },
    rowAt,
  };

  function mount(plugin) {
    const element = document.querySelector(`[data-plugin="${CSS.escape(plugin.id)}"]`);
    if (!element || mounted.has(plugin.id)) return;
    mounted.add(plugin.id);
    const fail = (error) => {
      console.error(error);
      element.textContent = `This section could not be drawn: ${error && error.message ? error.message : error}`;
    };
    try {
      element.replaceChildren();
      Promise.resolve(plugin.mount(element, data.plugins[plugin.id], page)).catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  dark.addEventListener("change", () => {
    page.scheme = dark.matches ? "dark" : "light";
    send("scheme", page.scheme);
  });
  return page;
})();
window.polhode = polhode;
