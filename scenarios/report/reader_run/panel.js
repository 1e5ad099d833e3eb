// Section of the review page in which the reader changes the run: sliders, the run that they make, and its metrics.

const LABEL = "Your run";
const MOST_ROWS = 4000;
const SLOW_MS = 120;
const NAMES = {
  settling_time_s: ["settling time", "s"], final_attitude_error_deg: ["final attitude error", "deg"],
  peak_attitude_error_deg: ["peak attitude error", "deg"], overshoot_deg: ["overshoot", "deg"],
  peak_rate_deg_s: ["peak rate", "deg/s"], peak_torque_N_m: ["peak torque", "N m"], effort_N2_m2_s: ["effort", "N^2 m^2 s"],
};

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const number = (value) => {
  if (!Number.isFinite(value)) return "no value";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e7) ? value.toExponential(4) : String(Number(value.toPrecision(6)));
};

async function unpacked(text) {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** One number of the case: its value, and what it changes in the arrays of the run. */
export class Slider {
  constructor(stated) {
    Object.assign(this, stated);
    this.smooth = Boolean(stated.straight || stated.affine);
    this.at = stated.value;
  }

  get moved() {
    return this.at !== this.value;
  }

  /** Sets the value; of a slider with steps the nearest that it offers. */
  set(value) {
    const nearest = (best, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best);
    this.at = this.smooth ? value : this.values.reduce(nearest);
  }

  /** Returns what the value changes, as `Engine.run` takes it. */
  get patch() {
    if (this.straight) return { cells: this.straight.map(([name, place, sign]) => [name, place, sign * this.at]) };
    if (this.affine) {
      return { adds: this.affine.map(([name, place, slope]) => [name, place, slope * (this.at - this.value)]) };
    }
    return this.patches[this.values.indexOf(this.at)];
  }

  /** Returns the setting as `polhode run` takes it. */
  get setting() {
    return `--set ${this.path}=${this.at}`;
  }
}

/** Returns the quantities of a run as the series of the page: QUANTITY or QUANTITY.COMPONENT, at most MOST_ROWS rows. */
export function seriesOf(run, wanted) {
  const every = Math.ceil(run.t.length / MOST_ROWS);
  const rows = Array.from(run.t.keys()).filter((row) => row % every === 0 || row === run.t.length - 1);
  const series = {};
  for (const { name, components } of run.data.quantities) {
    const keys = components.length ? components.map((each) => `${name}.${each}`) : [name];
    if (!keys.some((key) => wanted.has(key))) continue;
    const { width, data } = run.values(name);
    keys.forEach((key, k) => {
      if (wanted.has(key)) series[key] = Float64Array.from(rows, (row) => data[row * width + k]);
    });
  }
  return { t: Float64Array.from(rows, (row) => run.t[row]), series };
}

/** The panel: sliders of the page, and the run of their values. */
class Panel {
  constructor(element, data, page, engine) {
    Object.assign(this, { element, data, page, engine, rows: new Map(), last: null, queued: 0, slow: false });
    this.sliders = data.sliders.map((each) => new Slider(each));
    this.keys = new Set(page.keys());
    this.#draw();
  }

  #draw() {
    this.element.append(
      make("p", {}, "Move a slider: the engine of the toolkit runs the case again in this page, and draws ",
        make("strong", {}, LABEL), " dash-dotted over the run that the toolkit computed. Values from the toolkit stay as they are."),
    );
    const table = make("div", { class: "reader-sliders" });
    this.sliders.forEach((slider, n) => table.append(...this.#row(slider, n)));
    const reset = make("button", { type: "button", class: "reader-reset" }, "Back to the case");
    reset.addEventListener("click", () => this.reset());
    this.note = make("p", { class: "reader-note", role: "status" });
    this.result = make("table", { class: "reader-metrics" });
    this.command = make("code", { class: "reader-command" });
    this.element.append(table, reset, this.note, this.result, make("p", {}, "The same run: ", this.command));
    this.show();
  }

  #row(slider, n) {
    const id = `reader-slider-${n}`;
    const [low, high] = [slider.values[0], slider.values.at(-1)];
    const range = slider.smooth
      ? { min: low, max: high, step: "any", value: slider.value }
      : { min: 0, max: slider.values.length - 1, step: 1, value: slider.values.indexOf(slider.value) };
    const input = make("input", { type: "range", id, "data-path": slider.path, ...range });
    const output = make("output", { for: id });
    const label = make("label", { for: id }, slider.label);
    if (slider.designs) label.append(make("small", {}, " (law designed again)"));
    const moved = () => {
      slider.set(slider.smooth ? Number(input.value) : slider.values[Number(input.value)]);
      for (const other of this.sliders) {
        if (slider.moved && other.moved && slider.excludes.includes(other.path)) this.#put(other, other.value);
      }
      this.#put(slider, slider.at);
    };
    input.addEventListener("input", () => { moved(); if (!this.slow) this.#queue(); });
    input.addEventListener("change", () => { moved(); this.#queue(); });
    this.rows.set(slider, { input, output });
    this.#put(slider, slider.value);
    return [label, input, output];
  }

  #put(slider, value) {
    slider.set(value);
    const { input, output } = this.rows.get(slider);
    input.value = slider.smooth ? slider.at : slider.values.indexOf(slider.at);
    output.value = `${number(slider.at)} ${slider.unit}`.trim();
    output.className = slider.moved ? "reader-moved" : "";
    input.setAttribute("aria-valuetext", output.value);
  }

  /** Sets a slider by its path and runs; for scripts. */
  set(path, value) {
    const slider = this.sliders.find((each) => each.path === path);
    this.#put(slider, value);
    return this.show();
  }

  reset() {
    for (const slider of this.sliders) this.#put(slider, slider.value);
    this.show();
  }

  #queue() {
    cancelAnimationFrame(this.queued);
    this.queued = requestAnimationFrame(() => this.show());
  }

  /** Runs the case with the values of the sliders and shows the run; without a moved slider only the toolkit's. */
  show() {
    const { page, data } = this;
    const moved = this.sliders.filter((slider) => slider.moved);
    this.command.textContent = [data.command, ...moved.map((slider) => slider.setting)].join(" ");
    if (!moved.length) {
      this.last = null;
      this.result.replaceChildren();
      this.note.textContent = "Every number is that of the case.";
      page.removeOverlay(LABEL);
      page.verdicts(LABEL, null);
      return null;
    }
    const start = performance.now();
    const run = this.engine.run(data.run, { patches: moved.map((slider) => slider.patch) });
    const spent = performance.now() - start;
    this.slow = spent > SLOW_MS;
    this.last = run;
    const metrics = measured(run, data.settings, { law: data.law });
    page.overlay(LABEL, seriesOf(run, this.keys));
    page.verdicts(LABEL, data.requirements.flatMap((requirement, index) => {
      const found = verdict(requirement, metrics);
      return found === undefined ? [] : [{ index, ...found }];
    }));
    this.#table(metrics);
    const end = run.status === "completed" ? "" : ` It ${run.status === "stopped" ? "was stopped" : "ended early"} at ${number(run.t.at(-1))} s: ${run.reason}.`;
    this.note.textContent = `Computed in this page in ${Math.ceil(spent)} ms, ${run.steps} steps.${end}`;
    page.say(`${LABEL}: ${this.note.textContent}`);
    return run;
  }

  #table(metrics) {
    const row = (tag, ...cells) => make("tr", {}, ...cells.map((cell) => make(tag, {}, cell)));
    this.result.replaceChildren(row("th", "Metric", "Case, by the toolkit", `${LABEL}, in this page`));
    for (const [name, value] of Object.entries(metrics)) {
      const [words, unit] = NAMES[name];
      const own = this.data.metrics[name];
      this.result.append(row("td", `${words}, ${unit}`, own === undefined ? "no value" : number(own), number(value)));
    }
  }
}

/** Draws the section: data as polhode.scenarios.report.reader_run writes it. Returns the panel. */
export async function mount(element, data, page) {
  if (typeof WebAssembly === "undefined") {
    element.textContent = "This browser has no WebAssembly, so the page is complete but not interactive.";
    return null;
  }
  const engine = await Engine.load(await unpacked(data.module));
  const sliders = JSON.parse(new TextDecoder().decode(await unpacked(data.sliders)));
  return (page.reader = new Panel(element, { ...data, sliders }, page, engine));
}
