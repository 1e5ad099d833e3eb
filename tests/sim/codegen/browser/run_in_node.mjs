// Runs cases with the engine for pages: node run_in_node.mjs FOLDER, which has engine.mjs, engine.wasm and task.json.
import { readFileSync, writeFileSync } from "node:fs";

const folder = process.argv[2];
const { Engine } = await import(`file://${folder}/engine.mjs`);
const task = JSON.parse(readFileSync(`${folder}/task.json`, "utf8"));
const engine = await Engine.load(readFileSync(`${folder}/engine.wasm`));
const base64 = (numbers) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");

const found = task.map(({ data, patches, repeat }) => {
  const times = [];
  let run;
  for (let k = 0; k < repeat; k++) {
    const start = performance.now();
    run = engine.run(data, { patches, timeout: 300 });
    times.push((performance.now() - start) / 1000);
  }
  const values = {};
  for (const name of run.names) values[name] = { width: run.values(name).width, base64: base64(run.values(name).data) };
  const tables = {};
  for (const [name, { width, data: numbers }] of Object.entries(run.tables)) tables[name] = { width, base64: base64(numbers) };
  return { status: run.status, reason: run.reason, steps: run.steps, t: base64(run.t), values, tables, times };
});
writeFileSync(`${folder}/result.json`, JSON.stringify(found));
