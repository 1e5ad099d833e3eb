// Runs a case with sliders moved: node run_reader.mjs FOLDER, which has reader_run.mjs, engine.wasm and task.json.
import { readFileSync, writeFileSync } from "node:fs";

const folder = process.argv[2];
const { Engine, Slider, measured, seriesOf, verdict } = await import(`file://${folder}/reader_run.mjs`);
const { data, settings } = JSON.parse(readFileSync(`${folder}/task.json`, "utf8"));
const engine = await Engine.load(readFileSync(`${folder}/engine.wasm`));
const base64 = (numbers) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");

const found = settings.map((values) => {
  const sliders = data.sliders.map((each) => new Slider(each)).filter((each) => values[each.path] !== undefined);
  for (const slider of sliders) slider.set(values[slider.path]);
  const run = engine.run(data.run, { patches: sliders.map((each) => each.patch), timeout: 300 });
  const metrics = measured(run, data.settings, { law: data.law });
  const { t, series } = seriesOf(run, new Set(["rate.x", "attitude_error"]));
  return {
    status: run.status, metrics, states: base64(run.tables.states.data), width: run.tables.states.width,
    verdicts: data.requirements.map((each) => verdict(each, metrics) ?? null), rows: t.length, series: Object.keys(series),
    settings: sliders.map((each) => each.setting),
  };
});
writeFileSync(`${folder}/result.json`, JSON.stringify(found));
