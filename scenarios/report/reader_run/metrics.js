// Metrics of a run in a page, as polhode.scenarios.report.metrics defines them; NaN where a run has no value.
// run: a BrowserRun; settings: { settling_band_deg }.

const DEGREES = 180 / Math.PI;

/** Returns the magnitude of each row of a quantity. */
function sizes({ width, data }) {
  const found = new Float64Array(data.length / width);
  for (let row = 0; row < found.length; row++) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += data[row * width + k] ** 2;
    found[row] = Math.sqrt(sum);
  }
  return found;
}

const largest = (numbers) => numbers.reduce((most, each) => Math.max(most, each), -Infinity);

const errors = (run) => run.values("attitude_error").data.map((angle) => angle * DEGREES);

function commands(run) {
  const own = ["command_wheels", "command_external"].filter((name) => run.names.includes(name));
  return own.length ? own : ["command"];
}

/** Returns the time after which the error stays within the band; interpolated between the last row outside and the next. */
export function settlingTime(t, error, band) {
  let last = error.length - 1;
  while (last >= 0 && error[last] <= band) last--;
  if (last < 0) return t[0];
  if (last === error.length - 1) return NaN;
  const share = (error[last] - band) / (error[last] - error[last + 1]);
  return t[last] + share * (t[last + 1] - t[last]);
}

export const METRICS = {
  settling_time_s: (run, { settling_band_deg: band }) =>
    run.status === "completed" ? settlingTime(run.t, errors(run), band) : NaN,
  final_attitude_error_deg: (run) => errors(run).at(-1),
  peak_attitude_error_deg: (run) => largest(errors(run)),
  overshoot_deg(run) {
    const { width, data } = run.values("error_vector");
    const start = data.slice(0, width);
    const length = Math.hypot(...start);
    if (length < 1e-9) return NaN;
    let most = 0;
    for (let row = 0; row < data.length; row += width) {
      let along = 0;
      for (let k = 0; k < width; k++) along -= data[row + k] * start[k];
      most = Math.max(most, along / length);
    }
    return most * DEGREES;
  },
  peak_rate_deg_s: (run) => largest(sizes(run.values("rate"))) * DEGREES,
  peak_torque_N_m: (run) => largest(commands(run).map((name) => largest(run.values(name).data.map(Math.abs)))),
  effort_N2_m2_s(run) {
    let total = 0;
    for (const name of commands(run)) {
      sizes(run.values(name)).forEach((size, row) => {
        if (row + 1 < run.t.length) total += size * size * (run.t[row + 1] - run.t[row]);
      });
    }
    return total;
  },
};

/** Returns the quantities that a metric needs. */
const NEEDS = {
  settling_time_s: "attitude_error",
  final_attitude_error_deg: "attitude_error",
  peak_attitude_error_deg: "attitude_error",
  overshoot_deg: "error_vector",
};

/** Returns the metrics of a run by name, without those that do not apply to it. law: whether a law commands torques. */
export function measured(run, settings, { law }) {
  const found = {};
  for (const [name, measure] of Object.entries(METRICS)) {
    if (NEEDS[name] !== undefined && !run.names.includes(NEEDS[name])) continue;
    if (!law && (name === "peak_torque_N_m" || name === "effort_N2_m2_s")) continue;
    found[name] = measure(run, settings);
  }
  return found;
}

/** Returns the verdict on a requirement { metric, min, max } (null: no bound); undefined where its metric is not computed here. */
export function verdict(requirement, metrics) {
  const value = metrics[requirement.metric];
  if (value === undefined) return undefined;
  if (Number.isNaN(value)) return { value: null, met: false };
  const { min, max } = requirement;
  return { value, met: (max === null || value <= max) && (min === null || value >= min) };
}
