"use strict";
(() => {
const D = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("lanes"), about = document.getElementById("about");
const STATES = D.states, UNKNOWN = 0, OWN = 1, STOLEN = 2, LOOKING = 3, ASLEEP = 4, CLOSED = 5, ASIDE = 6, BLOCKED = 7, SEATLESS = 8, LOOP = 9, PIECE = 10;
const COLORS = ["asleep", "own", "stolen", "looking", "asleep", "asleep", "aside", "blocked", "seatless", "loop", "piece"];
const W = 6; // numbers of a span: from, to, state, depth, job, text
const lanes = D.lanes.map((l, i) => ({ name: l.name, s: l.spans, worker: i < D.workers }));
const END = Math.max(D.end, 1), TOP = 26;
const LEFT = (g => {
  g.font = "12px system-ui, sans-serif";
  return 14 + Math.ceil(lanes.reduce((most, l) => Math.max(most, g.measureText(l.name).width), 0));
})(canvas.getContext("2d"));
const H = lanes.length <= 12 ? 34 : lanes.length <= 24 ? 26 : lanes.length <= 44 ? 18 : lanes.length <= 130 ? 14 : 6;
const GAP = D.gap[1] - D.gap[0]; // nothing is known between: first the view shows what comes after
let from = GAP ? D.gap[1] - (END - D.gap[1]) / 20 : 0, to = END, selected = null, hover = null, colors = {}, patterns = {};
const showArrows = document.getElementById("arrows");

function theme() {
  const css = getComputedStyle(document.documentElement);
  colors = {};
  for (const n of ["bg", "fg", "soft", "line", "panel", "own", "stolen", "looking", "asleep", "aside", "blocked", "seatless", "loop", "piece", "arrow", "focus"]) colors[n] = css.getPropertyValue("--" + n).trim();
  patterns = {};
}
// Each state has a shape and a pattern of its own, so that nobody needs the colours.
function fill(g, state) {
  if (patterns[state]) return patterns[state];
  const c = document.createElement("canvas"), color = colors[COLORS[state]];
  c.width = c.height = 8;
  const p = c.getContext("2d");
  p.fillStyle = p.strokeStyle = color;
  if (state === STOLEN) {
    p.fillRect(0, 0, 8, 8);
    p.strokeStyle = colors.bg; p.lineWidth = 1.6;
    for (const d of [-8, 0, 8]) { p.beginPath(); p.moveTo(d - 1, 9); p.lineTo(d + 9, -1); p.stroke(); }
  } else if (state === LOOKING) { p.fillRect(1, 1, 2, 2); p.fillRect(5, 5, 2, 2); p.fillRect(5, 1, 2, 2); p.fillRect(1, 5, 2, 2);
  } else if (state === ASIDE) { p.fillRect(0, 0, 3, 8); p.fillRect(5, 0, 1, 8);
  } else if (state === BLOCKED) { p.lineWidth = 1.5; p.beginPath(); p.moveTo(0, 0); p.lineTo(8, 8); p.moveTo(8, 0); p.lineTo(0, 8); p.stroke();
  } else if (state === SEATLESS) { p.fillRect(0, 0, 8, 5);
  } else return patterns[state] = color;
  return patterns[state] = g.createPattern(c, "repeat");
}
// box draws a span from x to x+w in a lane at y.
function box(g, state, depth, x, w, y, h) {
  let top = y + 2, tall = h - 4;
  if (state === ASLEEP || state === UNKNOWN || state === CLOSED) {
    g.fillStyle = colors.asleep;
    const mid = Math.round(y + h / 2);
    if (state === ASLEEP) g.fillRect(x, mid - 1, w, 2);
    else for (let q = x; q < x + w; q += state === CLOSED ? 12 : 6) g.fillRect(q, mid, Math.min(2, x + w - q), 1);
    return;
  }
  if (state === LOOKING || state === ASIDE || state === BLOCKED) { top += tall * .25; tall *= .5; }
  else if (depth > 0) { const d = Math.min(depth, 3) * .2; top += tall * d; tall *= 1 - d; }
  if (state === LOOP) {
    g.strokeStyle = colors.loop; g.lineWidth = 1.5;
    if (w > 2) g.strokeRect(x + .75, top + .75, w - 1.5, tall - 1.5);
    return;
  }
  g.fillStyle = fill(g, state);
  g.fillRect(x, top, w, tall);
  if (state === PIECE && w > 2) { g.strokeStyle = colors.bg; g.lineWidth = 1; g.strokeRect(x + .5, top + .5, w - 1, tall - 1); }
  else if (depth === 0 && w > 4 && h > 8) { g.strokeStyle = colors[COLORS[state]]; g.lineWidth = 1; g.strokeRect(x + .5, top + .5, w - 1, tall - 1); }
}
const at = (t, width) => LEFT + (t - from) / (to - from) * (width - LEFT);
function time(ns) {
  const a = Math.abs(ns);
  if (a >= 1e9) return +(ns / 1e9).toPrecision(4) + " s";
  if (a >= 1e6) return +(ns / 1e6).toPrecision(4) + " ms";
  if (a >= 1e3) return +(ns / 1e3).toPrecision(4) + " µs";
  return Math.round(ns) + " ns";
}
function draw() {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = TOP + lanes.length * H + 4;
  canvas.style.height = height + "px";
  canvas.width = width * ratio; canvas.height = height * ratio;
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  g.fillStyle = colors.bg; g.fillRect(0, 0, width, height);
  g.font = (H < 18 ? "11px" : "12px") + " system-ui, sans-serif"; g.textBaseline = "middle";
  // the times
  const raw = (to - from) / Math.max(2, (width - LEFT) / 110), power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map(m => m * power).find(m => m >= raw));
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    const x = at(t, width);
    g.fillStyle = colors.line; g.fillRect(x, TOP - 6, 1, height);
    g.fillStyle = colors.soft; g.textAlign = x > width - 40 ? "right" : "left"; g.fillText(time(t), x + (x > width - 40 ? -3 : 3), 10);
  }
  g.textAlign = "left";
  const job = (selected || hover || {}).job || 0;
  lanes.forEach((l, n) => {
    const y = TOP + n * H;
    if (n === D.workers) { g.fillStyle = colors.fg; g.fillRect(0, y, width, 1); }
    else if (H > 8) { g.fillStyle = colors.line; g.fillRect(0, y, width, 1); }
    g.save(); g.beginPath(); g.rect(LEFT, y, width - LEFT, H); g.clip();
    const drawn = [];
    for (let i = 0; i < l.s.length; i += W) {
      const s = l.s;
      if (s[i + 1] < from || s[i] > to) continue;
      const depth = s[i + 3], state = s[i + 2];
      let x = at(Math.max(s[i], from), width), end = at(Math.min(s[i + 1], to), width);
      if (end - x < 1) { // many may lie in this pixel
        const key = Math.floor(x), rank = state === OWN || state === STOLEN || state > CLOSED ? 2 : 1;
        if (drawn[depth] && drawn[depth][0] === key && drawn[depth][1] >= rank) continue;
        drawn[depth] = [key, rank]; x = key; end = key + 1;
      }
      box(g, state, depth, x, end - x, y, H);
      if (job && s[i + 4] === job && end - x >= 1) { g.strokeStyle = colors.focus; g.lineWidth = 2; g.strokeRect(x, y + 1.5, Math.max(end - x, 2), H - 3); }
      if (end - x > 60 && H >= 18 && state !== LOOP && state !== ASLEEP && state !== UNKNOWN && state !== CLOSED) label(g, s, i, x, end, y);
    }
    g.restore();
    if (n % Math.ceil(13 / H) === 0) { g.fillStyle = colors.fg; g.fillText(l.name, 6, y + H / 2); }
  });
  arrows(g, width);
  for (const s of [hover, selected]) if (s) {
    const x = Math.max(at(s.from, width), LEFT), end = Math.max(at(s.to, width), x + 2), y = TOP + s.lane * H;
    g.strokeStyle = colors.focus; g.lineWidth = s === selected ? 3 : 1.5; g.strokeRect(x, y + 1, Math.min(end, width) - x, H - 2);
  }
}
function label(g, s, i, x, end, y) {
  const k = i + W, depth = s[i + 3];
  if (k < s.length && s[k + 3] > depth) return; // what lies within has the space
  const t = s[i + 2] === LOOKING ? "looking" : short(D.texts[s[i + 5]][0]);
  const wide = g.measureText(t).width + 8;
  if (wide > end - x) return;
  const above = (H - 4) * Math.min(depth, 3) * .2, tall = Math.min(17, H - 6 - above), top = y + above + (H - above - tall) / 2;
  if (tall < 12) return;
  g.fillStyle = colors.bg; g.globalAlpha = .85; g.fillRect(x + 3, top, wide, tall); g.globalAlpha = 1;
  g.fillStyle = colors.fg; g.fillText(t, x + 7, top + tall / 2);
}
const short = name => name.slice(name.lastIndexOf("/") + 1);
function arrows(g, width) {
  const note = document.getElementById("drawn");
  note.textContent = "";
  if (!showArrows.checked) return;
  const seen = D.arrows.filter(a => a[3] >= from && a[2] <= to), most = 500;
  const every = Math.ceil(seen.length / most);
  if (every > 1) note.textContent = "One in " + every + " of the " + seen.length + " arrows here is drawn: zoom in for all.";
  seen.forEach((a, i) => {
    const mine = selected && selected.job === a[5];
    if (i % every && !mine) return;
    const x0 = at(a[2], width), x1 = at(a[3], width), y0 = TOP + (a[0] + .5) * H, y1 = TOP + (a[1] + .5) * H;
    if (x1 < LEFT || x0 > width) return;
    if (!a[4] && (a[0] === a[1] || seen.length > 80 && !mine)) return;
    g.strokeStyle = g.fillStyle = mine ? colors.focus : colors.arrow;
    g.lineWidth = mine ? 2.5 : 1.2; g.globalAlpha = mine || every === 1 ? .9 : .45;
    g.setLineDash(a[4] ? [] : [4, 3]);
    g.beginPath(); g.moveTo(Math.max(x0, LEFT), y0); g.lineTo(x1, y1); g.stroke(); g.setLineDash([]);
    const angle = Math.atan2(y1 - y0, x1 - x0), r = 7;
    g.beginPath(); g.moveTo(x1, y1); g.lineTo(x1 - r * Math.cos(angle - .4), y1 - r * Math.sin(angle - .4)); g.lineTo(x1 - r * Math.cos(angle + .4), y1 - r * Math.sin(angle + .4)); g.fill();
    g.globalAlpha = 1;
  });
}
// find returns the innermost span of a lane at a time.
function find(n, t) {
  const l = lanes[n];
  let best = -1;
  for (let i = 0; l && i < l.s.length; i += W) if (l.s[i] <= t && t < l.s[i + 1]) best = i;
  return best < 0 ? null : spanOf(n, best);
}
function spanOf(n, i) {
  const s = lanes[n].s;
  return { lane: n, i, from: s[i], to: s[i + 1], state: s[i + 2], depth: s[i + 3], job: s[i + 4], name: D.texts[s[i + 5]][0], detail: D.texts[s[i + 5]][1], where: D.texts[s[i + 5]][2] };
}
function tell(s) {
  if (!s) { about.textContent = D.hint; return; }
  const l = lanes[s.lane], lines = [];
  let first = l.name + ", " + time(s.from) + " to " + time(s.to) + " (" + time(s.to - s.from) + "): ";
  first += STATES[s.state];
  if (s.name) first += ": " + s.name;
  const more = [];
  if (s.job) more.push("job " + s.job);
  if (s.detail) more.push(s.detail);
  if (s.where) more.push(s.where);
  if (more.length) first += " (" + more.join(", ") + ")";
  lines.push(first + ".");
  if (l.worker && (s.state === LOOKING || s.state === ASLEEP)) lines.push(meanwhile(s));
  about.replaceChildren(...lines.map(t => { const p = document.createElement("p"); p.textContent = t; return p; }));
}
// meanwhile says what the others did while a worker had nothing to do.
function meanwhile(s) {
  const times = new Map();
  lanes.forEach(l => {
    for (let i = 0; i < l.s.length; i += W) {
      const st = l.s[i + 2], d = Math.min(l.s[i + 1], s.to) - Math.max(l.s[i], s.from);
      if (d <= 0 || l.s[i + 3] || st < OWN || st === LOOKING || st === ASLEEP || st === CLOSED) continue;
      const key = l.name + (st === ASIDE || st === BLOCKED ? ": " + STATES[st] : "") + ": " + short(D.texts[l.s[i + 5]][0]);
      times.set(key, (times.get(key) || 0) + d);
    }
  });
  const all = [...times].sort((a, b) => b[1] - a[1]);
  if (!all.length) return "Meanwhile no job of the pool ran or waited.";
  return "Meanwhile: " + all.slice(0, 4).map(([k, d]) => k + " (" + Math.round(100 * d / (s.to - s.from)) + " % of this time)").join("; ") + (all.length > 4 ? "; and " + (all.length - 4) + " others" : "") + ".";
}
function move(a, b) {
  let span = Math.min(Math.max(b - a, 50), END);
  from = Math.max(0, Math.min(a, END - span)); to = from + span;
  draw();
}
function zoom(by, around = (from + to) / 2) { move(around - (around - from) * by, around + (to - around) * by); }
const reveal = s => { if (s.to < from || s.from > to || s.to - s.from > to - from) move((s.from + s.to) / 2 - (to - from) / 2, (s.from + s.to) / 2 + (to - from) / 2); else draw(); };
function select(s) { selected = s; tell(s); if (s) reveal(s); else draw(); }
function point(e) {
  const r = canvas.getBoundingClientRect();
  return { n: Math.floor((e.clientY - r.top - TOP) / H), t: from + (e.clientX - r.left - LEFT) / (r.width - LEFT) * (to - from), x: e.clientX, left: e.clientX - r.left < LEFT };
}
let drag = null;
canvas.addEventListener("pointerdown", e => { const p = point(e); drag = { x: p.x, from, to, moved: false }; canvas.setPointerCapture(e.pointerId); });
canvas.addEventListener("pointermove", e => {
  const p = point(e);
  if (drag) {
    const d = (drag.x - p.x) / (canvas.clientWidth - LEFT) * (drag.to - drag.from);
    if (Math.abs(drag.x - p.x) > 3) drag.moved = true;
    if (drag.moved) move(drag.from + d, drag.to + d);
    return;
  }
  const s = p.left ? null : find(p.n, p.t);
  if ((s && s.i) !== (hover && hover.i) || (s && s.lane) !== (hover && hover.lane)) { hover = s; if (!selected) tell(s); draw(); }
});
canvas.addEventListener("pointerup", e => { const p = point(e); if (drag && !drag.moved) select(p.left ? null : find(p.n, p.t)); drag = null; });
canvas.addEventListener("pointerleave", () => { hover = null; if (!selected) tell(null); draw(); });
canvas.addEventListener("wheel", e => {
  if (e.ctrlKey || e.metaKey) { e.preventDefault(); zoom(Math.exp(e.deltaY / 200), point(e).t); }
  else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) { e.preventDefault(); const d = (e.deltaX || e.deltaY) / 600 * (to - from); move(from + d, to + d); }
}, { passive: false });
function step(by) { // to the next span of the lane
  const n = selected ? selected.lane : 0, s = lanes[n].s;
  const i = selected ? selected.i + by * W : 0;
  if (i >= 0 && i < s.length) select(spanOf(n, i));
}
function otherLane(by) {
  const n = selected ? selected.lane + by : 0, t = selected ? Math.max(selected.from, from) : from;
  if (n >= 0 && n < lanes.length) {
    const s = find(n, t) || (lanes[n].s.length ? spanOf(n, 0) : null);
    if (s) select(s);
  }
}
const keys = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => otherLane(-1), ArrowDown: () => otherLane(1),
  "+": () => zoom(.5, selected ? (Math.max(selected.from, from) + Math.min(selected.to, to)) / 2 : undefined), "=": () => keys["+"](), "-": () => zoom(2), "0": () => move(0, END),
  a: () => move(from - (to - from) / 3, to - (to - from) / 3), d: () => move(from + (to - from) / 3, to + (to - from) / 3),
  f: () => selected && move(selected.from - (selected.to - selected.from) / 10, selected.to + (selected.to - selected.from) / 10), Escape: () => select(null),
};
canvas.addEventListener("keydown", e => { if (keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); keys[e.key](); } });
document.getElementById("in").onclick = () => keys["+"]();
document.getElementById("out").onclick = () => zoom(2);
document.getElementById("all").onclick = () => move(0, END);
showArrows.onchange = draw;
function legend() {
  document.querySelectorAll(".legend canvas").forEach(c => {
    const g = c.getContext("2d");
    c.width = 68; c.height = 32; g.scale(2, 2); g.clearRect(0, 0, 34, 16);
    const state = +c.dataset.state;
    if (state >= LOOP) { box(g, OWN, 0, 0, 34, -1, 18); box(g, state, 1, 3, 13, -1, 17); box(g, state, 1, 18, 13, -1, 17); }
    else box(g, state, 0, 0, 34, -1, 18);
  });
}
function restyle() { theme(); legend(); draw(); }
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
new ResizeObserver(draw).observe(document.getElementById("view"));
tell(null); restyle();
})();
