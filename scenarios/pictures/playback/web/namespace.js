/* Playback of a run in three dimensions. Classic scripts in this order: three.min.js, this file, the others, mount.js.
 *
 * Each script adds functions to one object, P. No request, no eval, ES2020. Lengths are in metres, angles in radians,
 * times in seconds; Euler parameters have their scalar first, as everywhere in polhode (see P.toThree for the exception).
 */
"use strict";
globalThis.polhodePlayback = { THREE: PolhodeThree };
