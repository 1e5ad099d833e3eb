/* Channels: signals as keyframes; interpolation by slerp, along straight lines, or held. */
"use strict";
((P) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

  /* Little-endian numbers from base64; `size` is 4 or 8 bytes. */
  P.numbers = (text, size = 4) => {
    const raw = bytes(text);
    const view = new DataView(raw.buffer);
    const values = new Float64Array(raw.length / size);
    for (let n = 0; n < values.length; n += 1) {
      values[n] = size === 8 ? view.getFloat64(8 * n, true) : view.getFloat32(4 * n, true);
    }
    return values;
  };

  /* Slerp of two sets of Euler parameters in `v` at rows a and b, the short way round, into `out`. */
  const slerp = (v, a, b, share, out) => {
    let cosine = 0;
    for (let n = 0; n < 4; n += 1) cosine += v[4 * a + n] * v[4 * b + n];
    const sign = cosine < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(1, Math.abs(cosine)));
    let first = 1 - share;
    let last = share;
    if (angle > 1e-4) {
      first = Math.sin((1 - share) * angle) / Math.sin(angle);
      last = Math.sin(share * angle) / Math.sin(angle);
    }
    let size = 0;
    for (let n = 0; n < 4; n += 1) {
      out[n] = first * v[4 * a + n] + sign * last * v[4 * b + n];
      size += out[n] * out[n];
    }
    size = Math.sqrt(size) || 1;
    for (let n = 0; n < 4; n += 1) out[n] /= size;
    return out;
  };

  P.Channel = class {
    constructor(stored) {
      this.t = P.numbers(stored.t, 8);
      this.v = P.numbers(stored.v, 4);
      this.width = stored.width;
      this.how = stored.how;
      this.error = stored.error;
      this.row = 0;
      this.out = new Float64Array(this.width);
    }

    /* Last keyframe that is not after the time; playback asks for rising times, so the last answer is tried first. */
    find(time) {
      const t = this.t;
      const last = t.length - 1;
      if (time >= t[this.row] && (this.row === last || time < t[this.row + 1])) return this.row;
      let low = 0;
      let high = last;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (t[middle] <= time) low = middle; else high = middle - 1;
      }
      this.row = low;
      return low;
    }

    /* Value at a time, in `out` (by default an array that the next call overwrites). */
    at(time, out = this.out) {
      const { t, v, width } = this;
      const row = this.find(time);
      if (row === t.length - 1 || this.how === "held" || time <= t[row]) {
        for (let n = 0; n < width; n += 1) out[n] = v[row * width + n];
        return out;
      }
      const share = (time - t[row]) / (t[row + 1] - t[row]);
      if (this.how === "slerp") return slerp(v, row, row + 1, share, out);
      for (let n = 0; n < width; n += 1) {
        const a = v[row * width + n];
        out[n] = a + share * (v[(row + 1) * width + n] - a);
      }
      return out;
    }
  };

  P.channels = (data) => {
    const found = {};
    for (const [name, stored] of Object.entries(data.channels)) found[name] = new P.Channel(stored);
    return found;
  };

  /* R(e) v: body to inertial components; with a conjugate, inertial to body. */
  P.rotate = (e, v, out = [0, 0, 0], back = false) => {
    const w = e[0];
    const s = back ? -1 : 1;
    const [x, y, z] = [s * e[1], s * e[2], s * e[3]];
    const a = 2 * (y * v[2] - z * v[1]);
    const b = 2 * (z * v[0] - x * v[2]);
    const c = 2 * (x * v[1] - y * v[0]);
    const moved = [v[0] + w * a + y * c - z * b, v[1] + w * b + z * a - x * c, v[2] + w * c + x * b - y * a];
    out[0] = moved[0]; out[1] = moved[1]; out[2] = moved[2];
    return out;
  };

  /* The one place where the order changes: three.js has (x, y, z, w), polhode (e0, e1, e2, e3) with e0 the scalar. */
  P.toThree = (e, quaternion) => quaternion.set(e[1], e[2], e[3], e[0]);
})(globalThis.polhodePlayback);
