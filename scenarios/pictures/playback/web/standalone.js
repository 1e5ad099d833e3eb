/* The page that holds only a playback. */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("playback-data").textContent);
  globalThis.polhodePlayback.mount(document.getElementById("playback"), data);
})();
