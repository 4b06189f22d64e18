"use strict";
(() => {
const rows = [...document.querySelectorAll("tbody tr[data-thread]")];
const copy = document.getElementById("copy");
if (copy) copy.addEventListener("click", async () => {
	const line = document.getElementById("replay"), said = document.getElementById("copied");
	try {
		await navigator.clipboard.writeText(line.textContent);
		said.textContent = "copied";
	} catch {
		getSelection().selectAllChildren(line); // a page of a file may not use the clipboard
		said.textContent = document.execCommand("copy") ? "copied" : "it is selected";
	}
});
let framed = [];
const frame = row => {
	for (const r of framed) r.classList.remove("same");
	framed = row && row.dataset.key ? rows.filter(r => r.dataset.key === row.dataset.key) : [];
	for (const r of framed) r.classList.add("same");
};
const go = row => { if (row) { row.focus(); frame(row); row.scrollIntoView({block: "nearest"}); } };
const body = document.querySelector("tbody");
body.addEventListener("mouseover", e => frame(e.target.closest("tr[data-thread]")));
body.addEventListener("mouseleave", () => frame(document.activeElement.closest("tr[data-thread]")));
body.addEventListener("focusin", e => {
	for (const r of rows) r.tabIndex = -1;
	e.target.tabIndex = 0; // Tab comes back to it
	frame(e.target);
});
if (rows.length) rows[0].tabIndex = 0;
document.addEventListener("keydown", e => {
	if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest("button")) return;
	const at = rows.indexOf(document.activeElement);
	const on = at < 0 ? undefined : rows[at].dataset.key;
	const after = ok => rows.slice(at + 1).find(ok), before = ok => rows.slice(0, Math.max(at, 0)).reverse().find(ok);
	let to;
	switch (e.key) {
	case "ArrowDown": to = rows[Math.min(at + 1, rows.length - 1)]; break;
	case "ArrowUp": to = rows[Math.max(at - 1, 0)]; break;
	case "Home": to = rows[0]; break;
	case "End": to = rows[rows.length - 1]; break;
	case "n": to = on && after(r => r.dataset.key === on); break;
	case "p": to = on && before(r => r.dataset.key === on); break;
	case "x": to = after(r => r.classList.contains("bad")) || rows.find(r => r.classList.contains("bad")); break;
	default: return;
	}
	e.preventDefault();
	go(to);
});
})();
