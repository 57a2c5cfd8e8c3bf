"use strict";
// Tables: a click on a heading (or the space bar) sorts by it, and once more the other way round.
(() => {
  const leading = /^[<>= ]*(-?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)/i;
  const value = (cell) => {
    const text = cell ? cell.textContent.trim() : "";
    const found = leading.exec(text);
    return found ? [0, parseFloat(found[1]), text] : [1, 0, text];
  };
  const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2].localeCompare(b[2], "en", { numeric: true });
  for (const table of document.querySelectorAll("table.sortable")) {
    if (table.id === "residual-table") continue;
    const headings = [...table.querySelectorAll("thead th")];
    headings.forEach((heading, column) => {
      heading.querySelector("button").addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        headings.forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [value(row.cells[column]), row]);
        rows.sort((a, b) => (down ? compare(b[0], a[0]) : compare(a[0], b[0])));
        body.append(...rows.map((pair) => pair[1]));
      });
    });
  }
})();
