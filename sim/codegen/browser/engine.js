// The engine of polhode in a web page: runs what browser_run() (polhode.sim.codegen.browser) has written, with the
// same C text compiled to WebAssembly. An ES module without imports; a page under a content policy needs
// script-src 'wasm-unsafe-eval'.
//
//   const engine = await Engine.load(bytes);            // bytes of engine.wasm
//   const run = engine.run(data, { patches: [patch] }); // data: browser_run(...); a patch replaces numbers of arrays
//   run.status, run.t, run.values("attitude_error")     // "completed", Float64Array, { width, data }

const PAGE = 65536;

/** Returns the bytes of a base64 text. */
export function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  return bytes;
}

/** Returns how many numbers an array of a shape has. */
function sizeOf(shape) {
  return shape.reduce((product, extent) => product * extent, 1);
}

/** Returns an array that Python's `encoded` wrote, as its 8-byte numbers: a Float64Array or BigInt64Array. */
export function decoded(value) {
  const size = sizeOf(value.shape);
  const Kind = value.dtype === "i8" ? BigInt64Array : Float64Array;
  const found = new Kind(size);
  if (value.base64 !== undefined) found.set(new Kind(fromBase64(value.base64).buffer));
  if (value.step !== undefined) {
    for (let k = 0; k < size; k++) found[k] = value.step * k;
    found[size - 1] = value.last;
  }
  return found;
}

/** Returns the arrays of a run by name, { shape, numbers }, with patches put in; see `Engine.run`. */
export function arraysOf(data, patches = []) {
  const arrays = {};
  for (const [name, value] of Object.entries(data.arrays)) {
    arrays[name] = { shape: value.shape, numbers: decoded(value) };
  }
  for (const patch of patches) {
    for (const [name, value] of Object.entries(patch.arrays ?? {})) {
      arrays[name] = { shape: value.shape, numbers: decoded(value) };
    }
    for (const [name, index, value] of patch.cells ?? []) {
      const { numbers } = arrays[name];
      numbers[index] = numbers instanceof BigInt64Array ? BigInt(value) : value;
    }
  }
  for (const patch of patches) {
    for (const [name, index, amount] of patch.adds ?? []) arrays[name].numbers[index] += amount;
  }
  return arrays;
}

/** A run: times, tables of rows, and the quantities in them. */
export class BrowserRun {
  constructor(data, status, reason, steps, t, tables) {
    Object.assign(this, { data, status, reason, steps, t, tables });
  }

  /** Names of the quantities. */
  get names() {
    return this.data.quantities.map((each) => each.name);
  }

  /** Returns name, components, unit and words of a quantity; undefined if there is none of this name. */
  quantity(name) {
    return this.data.quantities.find((each) => each.name === name);
  }

  /** Returns a quantity as { width, data }: row after row. */
  values(name) {
    const quantity = this.quantity(name);
    if (quantity === undefined) throw new RangeError(`${name} is not a quantity of this run`);
    const { columns, plus } = quantity;
    const table = this.tables[quantity.table];
    const rows = this.t.length;
    const data = new Float64Array(rows * columns.length);
    for (let row = 0; row < rows; row++) {
      for (let k = 0; k < columns.length; k++) {
        let value = table.data[row * table.width + columns[k]];
        if (plus !== undefined) value += table.data[row * table.width + plus[k]];
        data[row * columns.length + k] = value;
      }
    }
    return { width: columns.length, data };
  }
}

/** An instance of the engine's module. Its runs follow one another in the same memory. */
export class Engine {
  /** Returns an engine. bytes: the module, an ArrayBuffer or a view of one. */
  static async load(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Engine(instance);
  }

  constructor(instance) {
    this.exports = instance.exports;
    this.exports._initialize();
    this.start = this.exports.memory.buffer.byteLength; // what the module itself uses ends here
    this.places = new Map();
  }

  /** Returns the place of a function in the module's table, which stands for its address. */
  place(symbol) {
    if (!this.places.has(symbol)) {
      const found = this.exports[symbol];
      if (found === undefined) throw new RangeError(`the engine of this page has no ${symbol}`);
      const table = this.exports.__indirect_function_table;
      const index = table.grow(1);
      table.set(index, found);
      this.places.set(symbol, index);
    }
    return this.places.get(symbol);
  }

  /**
   * Runs a case and returns a BrowserRun.
   *
   * data: what browser_run() wrote. patches: numbers to replace, in order: { arrays: { name: encoded array },
   * cells: [[array, flat index, number], ...], adds: the same, to be added }. timeout: longest time in seconds; a run that takes longer has the
   * status "stopped".
   */
  run(data, { patches = [], timeout = 20 } = {}) {
    if (data.format !== 1) throw new RangeError("this run was written by another version of polhode");
    const arrays = arraysOf(data, patches);
    for (const [name, index, symbol] of data.kernels) {
      const { numbers } = arrays[name];
      const place = this.place(symbol);
      numbers[index] = numbers instanceof BigInt64Array ? BigInt(place) : place;
    }
    const functions = data.functions.map((symbol) => this.place(symbol));
    const table = this.#write(functions, Object.values(arrays));
    const names = Object.keys(arrays);
    const view = (name) => this.#view(table, names.indexOf(name), arrays[name].numbers);
    const { count: of, clock } = data.indices;
    const most = view("count")[of.max_steps];
    const end = performance.now() + 1000 * timeout;
    let status = 0;
    for (;;) {
      const count = view("count");
      const budget = count[of.steps] + BigInt(data.steps_per_call);
      count[of.budget] = budget < most ? budget : most;
      status = Number(this.exports.polhode_advance_entry(table.address));
      if (status !== data.codes.paused || performance.now() > end) break;
    }
    return this.#recorded(data, status, (name) => view(name), arrays, view("clock")[clock.t]);
  }

  /** Writes a table (functions, then address and extents of each array) and the arrays into memory. */
  #write(functions, arrays, from = this.start) {
    const words = functions.length + arrays.reduce((sum, { shape }) => sum + 1 + shape.length, 0);
    const size = words + arrays.reduce((sum, { numbers }) => sum + numbers.length, 0);
    const { memory } = this.exports;
    const missing = from + 8 * size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    const entries = new BigInt64Array(memory.buffer, from, words);
    const places = [];
    let [word, place] = [0, from + 8 * words];
    for (const each of functions) entries[word++] = BigInt(each);
    for (const { shape, numbers } of arrays) {
      entries[word++] = BigInt(place);
      for (const extent of shape) entries[word++] = BigInt(extent);
      new numbers.constructor(memory.buffer, place, numbers.length).set(numbers);
      places.push(place);
      place += 8 * numbers.length;
    }
    return { address: from, places, end: place };
  }

  /** Returns the numbers of an array in memory; made anew after each call, since memory may have grown. */
  #view(table, index, like) {
    return new like.constructor(this.exports.memory.buffer, table.places[index], like.length);
  }

  /** Returns the rows of a run that has ended. */
  #recorded(data, status, view, arrays, now) {
    const { count: of } = data.indices;
    const recorded = Number(view("count")[of.kout]);
    const width = { x: arrays.out_x.shape[1], u: arrays.out_u.shape[1], s: arrays.out_s.shape[1] };
    const times = view("out_t");
    const last = status !== data.codes.done && (recorded === 0 || times[recorded - 1] < now);
    const signals = view("signals");
    const rows = (name, columns, ending) => {
      const table = new Float64Array((recorded + last) * columns);
      table.set(view(name).subarray(0, recorded * columns));
      if (last) table.set(ending, recorded * columns);
      return { width: columns, data: table };
    };
    const t = rows("out_t", 1, [now]).data;
    const tables = {
      states: rows("out_x", width.x, view("x")),
      inputs: rows("out_u", width.u, view("u")),
      signals: arrays.out_s.shape[0] ? rows("out_s", width.s, signals.subarray(signals.length - width.s)) : rows("out_t", 0, []),
    };
    const steps = Number(view("count")[of.steps]);
    const plant = { p: view("p").slice(), w: view("w").length, user: data.functions[2], reference: data.functions[1] };
    tables.observables = this.#observed(data, plant, t, tables);
    const ended = data.codes.done === status ? "completed" : data.codes.paused === status ? "stopped" : "ended early";
    return new BrowserRun(data, ended, data.reasons[status] ?? `code ${status}`, steps, t, tables);
  }

  /** Returns the observables of the rows; of a law with modes each row follows the reference of its mode. */
  #observed(data, plant, t, tables) {
    const found = { width: data.width, data: new Float64Array(t.length * data.width) };
    const all = Array.from(t.keys());
    if (data.observe.length === 0) this.#observe(data, plant, all, t, tables, null, found);
    for (const reference of data.observe) {
      const { signals } = tables;
      const at = (row, column) => signals.data[row * signals.width + column];
      const chosen = reference.mode === undefined ? all : all.filter((row) => at(row, reference.number) === reference.mode);
      const since = chosen.map((row) => (reference.from_entry ? at(row, reference.since) : 0));
      if (chosen.length) this.#observe(data, plant, chosen, t, tables, { ...reference, since }, found);
    }
    return found;
  }

  #observe(data, plant, chosen, t, tables, reference, found) {
    const { states, inputs } = tables;
    const picked = ({ width, data: from }) => {
      const numbers = new Float64Array(chosen.length * width);
      chosen.forEach((row, k) => numbers.set(from.subarray(row * width, (row + 1) * width), k * width));
      return { shape: [chosen.length, width], numbers };
    };
    const row = (numbers) => ({ shape: [numbers.length], numbers });
    const zeros = (size) => row(new Float64Array(size));
    const arrays = {
      p: row(plant.p),
      w: zeros(plant.w),
      rq: reference === null ? zeros(0) : row(decoded(reference.rq)),
      r: zeros(reference === null ? 0 : data.reference_size),
      t: row(picked({ width: 1, data: t }).numbers),
      since: row(Float64Array.from(reference === null ? chosen.map(() => 0) : reference.since)),
      x: picked(states),
      u: picked(inputs),
      dx: zeros(states.width),
      out: { shape: [chosen.length, data.width], numbers: new Float64Array(chosen.length * data.width) },
    };
    const kernel = reference === null ? plant.reference : reference.kernel;
    const ordered = data.rows.map((name) => arrays[name]);
    const table = this.#write([this.place(kernel), this.place(plant.user)], ordered);
    this.exports.polhode_observe_entry(table.address);
    const out = this.#view(table, data.rows.indexOf("out"), arrays.out.numbers);
    chosen.forEach((into, k) => found.data.set(out.subarray(k * data.width, (k + 1) * data.width), into * data.width));
  }
}
