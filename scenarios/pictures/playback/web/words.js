/* Words below the picture: the line of the state, and what is not to scale. */
"use strict";
((P) => {
  const DEGREES = 180 / Math.PI;
  const fixed = (value, digits) => {
    const text = Math.abs(value).toFixed(digits);
    return (value < 0 && Number(text) !== 0 ? "−" : "") + text;
  };
  const list = (values, digits) => `(${Array.from(values, (value) => fixed(value, digits)).join(", ")})`;

  /* Digits that tell rates of a run apart: 3 for degrees per second, more where the fastest is slow. */
  P.rateDigits = (largest) => Math.min(Math.max(3 - Math.floor(Math.log10(Math.max(largest * DEGREES, 1e-9))), 2), 8);

  P.stateLine = (time, e, rate, digits, mode) => {
    const parts = [`t = ${fixed(time, 2)} s`, `e = ${list(e, 5)}`, `ω = ${list(Array.from(rate, (value) => value * DEGREES), digits)} deg/s`];
    if (mode) parts.push(`mode: ${mode}`);
    return parts.join("   ");
  };

  P.notes = (data, { wheelShare, enlarged, error }) => {
    const told = [...data.notes];
    const beams = data.parts.filter((part) => part.kind === "beam");
    const factor = Math.max(1, ...beams.map((part) => part.enlarged));
    if (beams.length) told.push(enlarged && factor > 1 ? `deflections of arms are drawn ${factor} times as large, their width is not to scale` : "the width of arms is not to scale");
    if (wheelShare < 1) told.push(`wheels are drawn turning at 1/${Math.round(1 / wheelShare)} of their rate`);
    if (data.parts.some((part) => part.placed === false)) told.push("place and size of wheels are not those of the model");
    if (data.sensors.some((sensor) => sensor.stated === null)) told.push("a sensor whose model has no field of view has a cone of 8° about its axis");
    const cut = data.sensors.filter((sensor) => sensor.stated !== null && sensor.stated > sensor.drawn + 1e-9);
    if (cut.length) told.push("wide fields of view are drawn narrower than they are");
    told.push(`the picture is ${data.place.words}`);
    told.push(error > 0 ? `recorded attitudes between keyframes are met within ${Number((error * DEGREES).toPrecision(1))}°` : "every recorded attitude is a keyframe");
    return `${told.map((each) => each[0].toUpperCase() + each.slice(1)).join(". ")}.`;
  };
})(globalThis.polhodePlayback);
