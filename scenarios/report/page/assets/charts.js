/* Time histories of the review page: uPlot charts with one cursor, one zoom and one time axis. */
"use strict";

(() => {
  const page = window.polhode;
  const { data } = page;
  const HEIGHT = 240, PRINT_WIDTH = 680, GUTTER = 78;
  const DASHES = [[], [9, 4], [2, 3]];
  const BORDERS = ["solid", "dashed", "dotted"];
  const RUN_DASH = [14, 4, 3, 4];
  const STEPS = uPlot.paths.stepped({ align: 1 });
  const clock = data.clock;
  const charts = [];
  const MODE_COLOURS = ["x", "y", "z", "faint"]; // a mode keeps its colour when it comes again
  const modeNames = [...new Set(data.modes.map(({ mode }) => mode))];
  let zoom = null; // [first, last] shown time, s; null: the whole run
  let busy = false; // whether this script itself moves cursors and scales
  let printing = false;

  const number = (value, digits = 6) => {
    if (value === null || value === undefined || !Number.isFinite(value)) return "";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(Math.max(0, digits - 2));
    return String(Number(value.toPrecision(digits)));
  };
  const power = (value) => (value >= 1e-3 && value <= 1e4 ? String(Number(value.toPrecision(3))) : `1e${Math.round(Math.log10(value))}`);
  /* Ticks of a logarithmic axis: whole decades, at most eight. */
  const decades = (u, axis, low, high) => {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const step = Math.max(1, Math.ceil((last - first) / 7));
    const ticks = [];
    for (let n = Math.ceil(first / step) * step; n <= last; n += step) ticks.push(10 ** n);
    return ticks;
  };
  const timeText = (seconds) => `${number(seconds / clock.seconds, 7)} ${clock.unit}`;
  const colour = (name) => page.colour(name) || page.colour("ink");
  const faint = (name, share) => `color-mix(in srgb, ${colour(name)} ${share}%, transparent)`;

  /* Values of a line in the unit of its chart; what cannot be drawn is null. */
  const drawable = (values, chart) => Array.from(values, (value) => {
    const scaled = value * chart.factor;
    return Number.isFinite(scaled) && !(chart.log && scaled <= Math.max(chart.floor || 0, 0)) ? scaled : null;
  });

  /* Lines of a chart: those of the run, and of every second run that has the series. */
  function linesOf(chart) {
    const lines = chart.lines.map((line) => ({ ...line, run: null }));
    chart.bands.forEach((band) => {
      if (typeof band.low === "string") {
        lines.push({ key: band.low, label: band.label, colour: band.colour, dash: 2, faint: true, edge: true, run: null });
        lines.push({ key: band.high, label: "", colour: band.colour, dash: 2, faint: true, edge: true, run: null });
      }
    });
    page.runs.forEach((run, label) => chart.lines.forEach((line) => {
      if (Object.hasOwn(run.series, line.key)) lines.push({ ...line, label: `${label}: ${line.label}`, run: label });
    }));
    return lines;
  }

  /* Table of uPlot: times, then a column a line; times of second runs are merged where they differ. */
  function tableOf(chart, lines) {
    const own = lines.filter((line) => line.run === null);
    const times = page.series(own[0].key).t;
    const table = [times, ...own.map((line) => drawable(page.series(line.key).values, chart))];
    const others = new Map();
    lines.filter((line) => line.run !== null).forEach((line) => {
      const run = page.runs.get(line.run);
      if (!others.has(line.run)) others.set(line.run, [run.t]);
      others.get(line.run).push(drawable(run.series[line.key], chart));
    });
    const same = [...others.values()].every(([t]) => t.length === times.length && t.every((time, n) => time === times[n]));
    if (same) return [...table, ...[...others.values()].flatMap((columns) => columns.slice(1))];
    return uPlot.join([table, ...others.values()].map((columns) => columns.map((column) => Array.from(column))));
  }

  const incrementsOf = () => {
    const steps = [];
    for (let power = -6; power <= 6; power += 1) [1, 2, 2.5, 5].forEach((step) => steps.push(step * 10 ** power * clock.seconds));
    if (clock.unit !== "s") [0.25, 0.5, 15, 30].forEach((step) => steps.push(step * clock.seconds));
    return steps.sort((a, b) => a - b);
  };
  const INCREMENTS = incrementsOf();

  function rangeOf(chart) {
    if (chart.log) {
      return (u, low, high) => {
        const levels = chart.limits.map((limit) => limit.value).concat(chart.bands.map((band) => band.high));
        const shown = levels.filter((value) => typeof value === "number" && value > 0);
        const bottom = Math.min(low ?? 1e-3, ...shown), top = Math.max(high ?? 1, ...shown);
        const [first, last] = [Math.floor(Math.log10(bottom)), Math.ceil(Math.log10(top * 1.0001))];
        return [10 ** (first - (data.modes.length ? Math.max(1, 0.12 * (last - first)) : 0)), 10 ** last];
      };
    }
    return (u, low, high) => {
      if (low === null || low === undefined) return [-1, 1];
      let [bottom, top] = [low, high];
      if (chart.reach !== null && !zoom) [bottom, top] = [Math.max(low, -chart.reach), Math.min(high, chart.reach)];
      const reach = Math.max(Math.abs(bottom), Math.abs(top));
      chart.limits.forEach(({ value }) => { // a limit near the values belongs to the picture
        if (Math.abs(value) <= 2.5 * reach) [bottom, top] = [Math.min(bottom, value), Math.max(top, value)];
      });
      const least = 1e-6 * Math.max(Math.abs(bottom), Math.abs(top));
      if (top - bottom < least || top === bottom) { // rounding is not blown up to the height of the chart
        const half = 1e-3 * Math.max(Math.abs(bottom), Math.abs(top)) || 1;
        return [0.5 * (bottom + top) - half, 0.5 * (bottom + top) + half];
      }
      const room = 0.06 * (top - bottom);
      return [bottom - (data.modes.length ? 2.2 : 1) * room, top + room]; // modes are named along the foot
    };
  }

  /* Text on the canvas, with the paper behind it. */
  function write(u, text, x, y, ink, align) {
    const { ctx } = u;
    const scale = uPlot.pxRatio;
    ctx.save();
    ctx.font = `${11 * scale}px system-ui, sans-serif`;
    ctx.textAlign = align;
    ctx.textBaseline = "middle";
    const width = ctx.measureText(text).width, left = align === "right" ? x - width : align === "center" ? x - width / 2 : x;
    ctx.fillStyle = page.colour("paper");
    ctx.globalAlpha = 0.8;
    ctx.fillRect(left - 2 * scale, y - 7 * scale, width + 4 * scale, 14 * scale);
    ctx.globalAlpha = 1;
    ctx.fillStyle = ink;
    ctx.fillText(text, x, y);
    ctx.restore();
    return [left, left + width];
  }

  /* Behind the lines: the accepted band and the modes along the foot. */
  function drawBehind(u, chart) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    chart.bands.forEach((band) => {
      if (typeof band.low === "string") return;
      const bottom = chart.log && band.low <= 0 ? bbox.top + bbox.height : u.valToPos(band.low, "y", true);
      const top = u.valToPos(band.high, "y", true);
      ctx.fillStyle = faint(band.colour, 16);
      ctx.fillRect(bbox.left, Math.min(top, bottom), bbox.width, Math.max(Math.abs(bottom - top), uPlot.pxRatio));
    });
    ctx.restore();
  }

  /* Over the lines: limits, marked times, modes. */
  function drawOver(u, chart) {
    const { ctx, bbox } = u;
    const scale = uPlot.pxRatio;
    const right = bbox.left + bbox.width, foot = bbox.top + bbox.height;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    const named = new Set();
    chart.limits.forEach(({ value, label }) => {
      const y = u.valToPos(value, "y", true);
      if (!(y >= bbox.top && y <= foot)) return;
      ctx.strokeStyle = page.colour(label === "reference" ? "faint" : "bad");
      ctx.setLineDash(label === "reference" ? [] : [3 * scale, 3 * scale]);
      ctx.lineWidth = scale;
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(right, y);
      ctx.stroke();
      if (label !== "reference" && !named.has(label)) {
        named.add(label);
        const inside = y < bbox.top + 16 * scale ? y + 9 * scale : y - 9 * scale;
        write(u, `${label} ${label.includes("required") ? "" : number(value, 4)}`.trim(), right - 4 * scale, inside, page.colour("bad"), "right");
      }
    });
    ctx.setLineDash([]);
    const rows = [-1, -1, -1]; // where the last label of each row ends
    [...chart.marks].sort((a, b) => a.time - b.time).forEach(({ time, label, kind }) => {
      const x = u.valToPos(time, "x", true);
      if (!(x >= bbox.left && x <= right)) return;
      const ink = page.colour(kind === "good" ? "good" : kind === "jump" ? "bad" : "faint");
      ctx.strokeStyle = ink;
      ctx.lineWidth = scale;
      ctx.setLineDash(kind === "jump" ? [2 * scale, 3 * scale] : []);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, foot);
      ctx.stroke();
      ctx.font = `${11 * scale}px system-ui, sans-serif`;
      const room = ctx.measureText(label).width + 8 * scale, late = x + room > right;
      const free = rows.findIndex((end) => end < x - (late ? room : 0));
      const row = free < 0 ? rows.length - 1 : free;
      const [, end] = write(u, label, x + (late ? -4 : 4) * scale, bbox.top + (9 + 15 * row) * scale, ink, late ? "right" : "left");
      rows[row] = end;
    });
    ctx.setLineDash([]);
    data.modes.forEach(({ mode, start, end }) => {
      const from = Math.max(u.valToPos(start, "x", true), bbox.left), to = Math.min(u.valToPos(end, "x", true), right);
      if (to <= bbox.left || from >= right) return;
      ctx.fillStyle = faint(MODE_COLOURS[modeNames.indexOf(mode) % MODE_COLOURS.length], 24);
      ctx.fillRect(from, foot - 15 * scale, to - from, 15 * scale);
      ctx.strokeStyle = page.colour("faint");
      ctx.lineWidth = scale;
      ctx.strokeRect(from, foot - 15 * scale, to - from, 15 * scale);
      ctx.font = `${11 * scale}px system-ui, sans-serif`;
      if (ctx.measureText(mode).width < to - from - 6 * scale) {
        ctx.textAlign = "center";
        ctx.textBaseline = "middle";
        ctx.fillStyle = page.colour("ink");
        ctx.fillText(mode, 0.5 * (from + to), foot - 7 * scale);
      }
    });
    ctx.restore();
  }

  function seriesOf(chart, line, n) {
    const second = line.run !== null;
    const dash = second ? RUN_DASH : data.envelope ? [] : DASHES[line.dash];
    return {
      label: line.label || " ",
      scale: "y",
      stroke: () => (line.edge ? faint(line.colour, 55) : colour(line.colour)),
      width: line.faint ? 1 : second ? 2 : data.envelope ? 1 : 1.6,
      dash,
      spanGaps: second || page.runs.size > 0,
      paths: line.held && !data.envelope ? STEPS : undefined,
      points: { show: false },
      value: (u, value) => (value === null || value === undefined ? "–" : `${line.edge ? "±" : ""}${number(line.edge ? Math.abs(value) : value)} ${chart.unit === "1" || chart.unit === "relative" ? "" : chart.unit}`.trim()),
      alpha: line.faint && !line.edge ? 0.75 : 1,
      border: second ? "double" : data.envelope ? "solid" : BORDERS[line.dash],
    };
  }

  const sideSize = () => (printing ? 64 : GUTTER);

  function build(item) {
    const { chart, plot } = item;
    const lines = linesOf(chart);
    const bands = [];
    lines.forEach((line, n) => {
      if (line.edge && line.label) bands.push({ series: [n + 2, n + 1], fill: () => faint(line.colour, 16) });
    });
    const series = lines.map((line, n) => seriesOf(chart, line, n));
    const axis = { stroke: () => page.colour("ink"), grid: { stroke: () => page.colour("grid"), width: 1 }, ticks: { stroke: () => page.colour("grid"), width: 1 }, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif" };
    const options = {
      width: printing ? PRINT_WIDTH : Math.max(plot.clientWidth, 240),
      height: HEIGHT,
      bands,
      series: [{ label: "time", value: (u, value) => (value === null || value === undefined ? "–" : timeText(value)) }, ...series],
      scales: { x: { time: false, range: () => zoom || [0, page.duration || 1] }, y: { distr: chart.log ? 3 : 1, range: rangeOf(chart) } },
      axes: [
        { ...axis, incrs: INCREMENTS, space: 60, size: 26, gap: 2, label: `time (${clock.unit})`, labelSize: 15, labelGap: 0, values: (u, splits) => splits.map((value) => number(value / clock.seconds, 7)) },
        { ...axis, size: sideSize, gap: 4, label: chart.unit === "1" ? " " : chart.unit || " ", labelSize: 16, labelGap: 0, ...(chart.log ? { splits: decades, filter: (u, splits) => splits, values: (u, splits) => splits.map(power) } : { values: (u, splits) => splits.map((value) => (value === null ? null : number(value, 5))) }) },
      ],
      cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 }, dataIdx: (u, s, index, x) => rowBefore(u, s, index, x) },
      legend: { live: true, markers: { width: 2, dash: (u, s) => (s ? series[s - 1].border : "none"), stroke: (u, s) => (s ? colour(lines[s - 1].colour) : "transparent"), fill: () => "transparent" } },
      hooks: {
        drawClear: [(u) => drawBehind(u, chart)],
        draw: [(u) => drawOver(u, chart)],
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const range = [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")];
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          setZoom(range);
        }],
        setCursor: [(u) => {
          if (!item.pointed || busy || u.cursor.left < 0 || u.cursor.idx === null || u.cursor.idx === undefined) return;
          page.setTime(u.posToVal(u.cursor.left, "x"), chart.id);
        }],
        ready: [(u) => {
          u.over.addEventListener("dblclick", () => setZoom(null));
          u.over.addEventListener("mouseenter", () => { item.pointed = true; });
          u.over.addEventListener("mouseleave", () => { item.pointed = false; });
          if (page.time !== null) place({ u }); // the scales are known only now
        }],
      },
    };
    if (item.u) item.u.destroy();
    item.u = new uPlot(options, tableOf(chart, lines), plot);
    item.labels = lines.map((line) => line.label).join("|");
    item.stale = false;
    describe(item, lines);
  }

  /* Of a held or sampled value the one in force counts: the last row that is not after the cursor. */
  function rowBefore(u, s, index, x) {
    const times = u.data[0];
    if (index > 0 && times[index] > x) index -= 1;
    if (s === 0) return index;
    const column = u.data[s];
    while (index > 0 && (column[index] === null || column[index] === undefined) && page.runs.size) index -= 1;
    return index;
  }

  /* Legend entries are buttons for keyboard and screen reader. */
  function describe(item, lines) {
    [...item.plot.querySelectorAll(".u-legend .u-series")].forEach((row, n) => {
      const head = row.querySelector("th");
      if (n === 0) return;
      if (!lines[n - 1].label) row.hidden = true;
      head.tabIndex = 0;
      head.setAttribute("role", "button");
      head.setAttribute("aria-pressed", "true");
      head.title = "show or hide this line";
      const told = () => head.setAttribute("aria-pressed", String(!row.classList.contains("u-off")));
      head.addEventListener("click", () => setTimeout(told));
      head.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        head.click();
      });
    });
  }

  /* Cursor at the shown time. */
  function place(item) {
    const { u } = item;
    busy = true;
    if (page.time === null || (zoom && (page.time < zoom[0] || page.time > zoom[1]))) u.setCursor({ left: -10, top: -10 }, false);
    else u.setCursor({ left: u.valToPos(page.time, "x"), top: u.over.clientHeight / 2 }, false);
    busy = false;
  }

  function setZoom(range) {
    const least = 1e-6 * page.duration;
    const clipped = range && [Math.max(0, Math.min(...range)), Math.min(page.duration, Math.max(...range))];
    zoom = clipped && clipped[1] - clipped[0] > least && (clipped[0] > 0 || clipped[1] < page.duration) ? clipped : null;
    charts.forEach((item) => {
      item.zoomed = false;
      if (item.visible) rescale(item);
    });
    const words = zoom ? `${timeText(zoom[0])} to ${timeText(zoom[1])}` : "whole run";
    document.getElementById("zoom-words").textContent = words;
    page.say(`shown: ${words}`);
  }

  function rescale(item) {
    if (!item.u || item.zoomed) return;
    item.zoomed = true;
    item.u.batch(() => item.u.setScale("x", { min: zoom ? zoom[0] : 0, max: zoom ? zoom[1] : page.duration || 1 }));
    place(item);
  }

  /* Draw a chart that has come into view, with whatever changed meanwhile. */
  function refresh(item) {
    if (!item.u) build(item);
    else if (item.stale) {
      const lines = linesOf(item.chart);
      if (lines.map((line) => line.label).join("|") !== item.labels) build(item);
      else item.u.setData(tableOf(item.chart, lines));
      item.stale = false;
    }
    rescale(item);
    if (page.time !== item.u.shownTime) {
      item.u.shownTime = page.time;
      place(item);
    }
  }

  function keys(item) {
    item.plot.addEventListener("keydown", (event) => {
      if (event.target !== item.plot || !item.u) return;
      const times = item.u.data[0];
      const [low, high] = zoom || [0, page.duration];
      const now = page.time === null ? low : page.time;
      const row = Math.max(page.rowAt(times, now), 0);
      const actions = {
        ArrowRight: () => page.setTime(times[Math.min(row + (event.shiftKey ? 10 : 1), times.length - 1)], "keys"),
        ArrowLeft: () => page.setTime(times[Math.max(row - (event.shiftKey ? 10 : 1), 0)], "keys"),
        Home: () => page.setTime(low, "keys"),
        End: () => page.setTime(high, "keys"),
        "+": () => setZoom([now - 0.25 * (high - low), now + 0.25 * (high - low)]),
        "-": () => setZoom([low - 0.5 * (high - low), high + 0.5 * (high - low)]),
        0: () => setZoom(null),
        Escape: () => setZoom(null),
      };
      if (!Object.hasOwn(actions, event.key)) return;
      event.preventDefault();
      actions[event.key]();
      const words = [...item.plot.querySelectorAll(".u-legend .u-series")].map((line) => line.textContent.trim());
      page.say(words.join(", "));
    });
  }

  data.charts.forEach((chart) => {
    const plot = document.getElementById(`plot-${chart.id}`);
    if (!plot) return;
    const item = { chart, plot, u: null, visible: false, stale: false, zoomed: true, pointed: false };
    charts.push(item);
    keys(item);
  });

  const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
    const item = charts.find((each) => each.plot === entry.target);
    item.visible = entry.isIntersecting;
    if (item.visible) refresh(item);
  }), { rootMargin: "300px" });
  charts.forEach((item) => seen.observe(item.plot));

  let frame = 0;
  page.onTime(() => {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      charts.forEach((item) => {
        if (!item.visible || !item.u || item.u.shownTime === page.time) return;
        item.u.shownTime = page.time;
        place(item);
      });
      const words = page.time === null ? "no time" : timeText(page.time);
      document.getElementById("time-words").textContent = words;
      const slider = document.getElementById("time-slider");
      if (page.time !== null && document.activeElement !== slider) slider.value = String(page.time);
      slider.setAttribute("aria-valuetext", words);
    });
  });
  page.onRuns(() => charts.forEach((item) => {
    item.stale = true;
    if (item.visible) refresh(item);
  }));
  const redraw = () => charts.forEach((item) => {
    if (item.u) build(item);
  });
  page.onScheme(redraw);

  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (printing || window.innerWidth === width) return;
    width = window.innerWidth;
    charts.forEach((item) => item.u && item.u.setSize({ width: Math.max(item.plot.clientWidth, 240), height: HEIGHT }));
  });

  /* Print has light colours, one width and every chart. */
  const open = new Set();
  window.addEventListener("beforeprint", () => {
    printing = true;
    document.documentElement.classList.add("printing");
    document.querySelectorAll("details:not([open])").forEach((each) => {
      open.add(each);
      each.open = true;
    });
    charts.forEach(build);
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    document.documentElement.classList.remove("printing");
    open.forEach((each) => { each.open = false; });
    open.clear();
    redraw();
  });

  const slider = document.getElementById("time-slider");
  if (slider) {
    slider.max = String(page.duration);
    slider.step = String(page.duration / 2000 || 1);
    slider.addEventListener("input", () => page.setTime(Number(slider.value), "slider"));
    document.getElementById("zoom-in").addEventListener("click", () => {
      const [low, high] = zoom || [0, page.duration];
      const now = page.time === null ? 0.5 * (low + high) : page.time;
      setZoom([now - 0.25 * (high - low), now + 0.25 * (high - low)]);
    });
    document.getElementById("zoom-out").addEventListener("click", () => {
      const [low, high] = zoom || [0, page.duration];
      setZoom([low - 0.5 * (high - low), high + 0.5 * (high - low)]);
    });
    document.getElementById("zoom-reset").addEventListener("click", () => setZoom(null));
  }
  page.charts = { items: charts, setZoom, zoom: () => zoom };
  page.complete();
})();
