// SPDX-License-Identifier: Apache-2.0
// The drawing of a fabric with the load of its links: an SVG to zoom into.
"use strict";

railwright.fabric = (() => {
  const { el, num, words, table, saved_table, tile, kinds, capital, refusal, right } = railwright.page;
  const kSvg = "http://www.w3.org/2000/svg";

  function shape(tag, attributes, ...children) {
    const made = document.createElementNS(kSvg, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  // From idle to full, told apart in grey too; the width says the same.
  const kLoads = [[0.0001, "idle", "var(--load-0)", 1.2], [0.1, "up to a tenth", "var(--load-1)", 2], [0.25, "up to a quarter", "var(--load-2)", 3],
    [0.5, "up to half", "var(--load-3)", 4.2], [0.75, "up to three quarters", "var(--load-4)", 5.4], [Infinity, "more", "var(--load-5)", 6.6]];
  const load_of = (wire) => kLoads.find(([to]) => (wire.utilization || 0) < to);

  function label(text, x, y, attributes = {}) {
    const rows = text.split("\n");
    const made = shape("text", { x, y: y - (rows.length - 1) * 6.5 + 4, "text-anchor": "middle", ...attributes });
    rows.forEach((row, i) => {
      const line = shape("tspan", { x, dy: i === 0 ? 0 : 13 });
      line.textContent = row;
      made.append(line);
    });
    return made;
  }

  const kGlyph = 6;  // width of a letter of a box
  const is_tight = (box) => Math.max(...box.label.split("\n").map((row) => row.length)) * kGlyph > box.width;

  function draw(made) {
    const flip = (y) => made.height - y;
    const svg = shape("svg", { viewBox: `0 0 ${made.width} ${made.height}`, role: "img", tabindex: "0", "aria-label": "The fabric, and how loaded its links are" });
    const rectangle = (box, kind) => shape("rect", { x: box.x - box.width / 2, y: flip(box.y + box.height / 2), width: box.width, height: box.height, rx: 4, class: kind });
    for (const frame of made.frames) {
      svg.append(rectangle(frame, "frame"), label(frame.label, frame.x, flip(frame.y - frame.height / 2 + 13), { class: "small" }));
    }
    for (const wire of made.wires) {
      const [x1, y1, x2, y2] = wire.line;
      const [, , stroke, width] = made.has_load ? load_of(wire) : [0, "", "var(--muted)", 1.4];
      const line = shape("line", { x1, y1: flip(y1), x2, y2: flip(y2), class: wire.paint === "failed" ? "failed" : "wire" });
      if (wire.paint !== "failed") Object.assign(line.style, { stroke, strokeWidth: width });
      const title = shape("title", {});
      const between = `${made.boxes[wire.from].label} \u2014 ${made.boxes[wire.to].label}`.replaceAll("\n", " ");
      title.textContent = wire.utilization === undefined ? between
        : `${between}: busiest ${kinds.percent(wire.utilization)}, mean ${kinds.percent(wire.mean_utilization)}, ${kinds.bytes(wire.busiest_link_bytes)} a step`;
      line.append(title);
      svg.append(line);
    }
    for (const box of made.boxes) {
      if (box.label === "" || box.legend) continue;
      svg.append(rectangle(box, `box ${box.paint}`), label(box.label, box.x, flip(box.y), is_tight(box) ? { class: "tight" } : {}));
    }
    for (const wire of made.wires) {
      if (wire.label) svg.append(label(wire.label, wire.label_at[0], flip(wire.label_at[1]), { class: "small halo" }));
    }
    return svg;
  }

  /// Wheel (with Ctrl, or after a click), drag and buttons move the view.
  function movable(svg, width, height) {
    const view = { x: 0, y: 0, width, height };
    const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    function zoom(factor, at_x = 0.5, at_y = 0.5) {
      const scale = Math.min(1.5, Math.max(0.05, (view.width / width) * factor)) * width / view.width;
      view.x += at_x * view.width * (1 - scale);
      view.y += at_y * view.height * (1 - scale);
      view.width *= scale;
      view.height *= scale;
      show();
    }
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== svg) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    }, { passive: false });
    let held = null;
    svg.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; });
    addEventListener("pointerup", () => { held = null; });
    svg.addEventListener("pointermove", (event) => {
      if (!held) return;
      const scale = view.width / svg.clientWidth;
      view.x -= (event.clientX - held[0]) * scale;
      view.y -= (event.clientY - held[1]) * scale;
      held = [event.clientX, event.clientY];
      show();
    });
    svg.addEventListener("keydown", (event) => {
      const step = 0.15;
      const act = { "+": () => zoom(0.8), "-": () => zoom(1.25), ArrowLeft: () => { view.x -= step * view.width; }, ArrowRight: () => { view.x += step * view.width; },
        ArrowUp: () => { view.y -= step * view.height; }, ArrowDown: () => { view.y += step * view.height; } }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
      show();
    });
    const button = (text, title, act) => {
      const made = el("button", { type: "button", title, "aria-label": title }, text);
      made.addEventListener("click", act);
      return made;
    };
    return el("div", { class: "controls" }, button("+", "Zoom in", () => zoom(0.7)), button("\u2212", "Zoom out", () => zoom(1 / 0.7)),
      button("all", "Show all", () => { Object.assign(view, { x: 0, y: 0, width, height }); show(); }));
  }

  /// The document's `topology`; that of `topology` itself is its `drawing`.
  function topology(parent, doc) {
    const made = doc.drawing || doc.topology;
    if (made.shortfalls.length) {
      parent.append(refusal("This fabric does not fit. What is short is red.",
        el("ul", {}, made.shortfalls.map((one) => el("li", {}, one)))));
    } else {
      parent.append(el("p", { class: "note" }, made.pool ? `Pool ${made.pool}: ${made.subtitle}` : made.subtitle));
    }
    if (made.has_load) {
      parent.append(el("div", { class: "legend" }, "Busiest link of a wire, of what it can carry over a step:",
        kLoads.map(([, name, stroke, width]) => el("span", {}, el("span", { class: "stroke", style: { background: stroke, height: `${Math.max(2, width)}px` } }), name))));
    }
    const svg = draw(made);
    svg.style.aspectRatio = `${made.width} / ${made.height}`;
    parent.append(el("div", { class: "drawing" }, svg), movable(svg, made.width, made.height),
      el("p", { class: "note" }, "Parts that are wired alike stand together as one box with their number, and one node is opened up. A click, then the wheel zooms; drag to move."));
    if (made.links && made.links.length) {
      parent.append(el("h3", {}, "Links by kind, the busiest first"), table(
        [{ title: "From" }, { title: "to" }, { title: "tier" }, { title: "links", right: true }, { title: "", class: "bar-cell" }, { title: "busiest", right: true },
          { title: "mean", right: true }, { title: "bytes a step", right: true }],
        made.links.map((link, i) => [capital(link.from), link.to, words(link.tier), num(doc, `/topology/links/${i}/num_links`, "count"),
          el("span", { class: "bar", style: { width: `${Math.min(100, 100 * link.utilization)}%` } }), num(doc, `/topology/links/${i}/utilization`, "percent"),
          num(doc, `/topology/links/${i}/mean_utilization`, "percent"), num(doc, `/topology/links/${i}/busiest_link_bytes`, "bytes")])));
    }
    busiest(parent, doc);
  }

  /// The document's `busiest_links`.
  function busiest(parent, doc) {
    if (!doc.busiest_links || !doc.busiest_links.length) return;
    parent.append(el("details", {}, el("summary", {}, "The busiest links by name"), table(
      [{ title: "Link" }, { title: "tier" }, { title: "busy", right: true }, { title: "bytes", right: true }, { title: "links alike", right: true }],
      doc.busiest_links.map((link, i) => [link.name, words(link.tier), num(doc, `/busiest_links/${i}/utilization`, "percent"),
        num(doc, `/busiest_links/${i}/bytes`, "bytes"), num(doc, `/busiest_links/${i}/multiplicity`, "count")]))));
  }

  /// What the fabric is, or what it lacks.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) {
      parent.append(refusal("This fabric does not fit.",
        el("ul", {}, doc.shortfalls.map((one) => el("li", {}, one.what)))));
    }
    parent.append(el("p", { class: "headline" }, num(doc, "/num_nodes", "count"), " nodes with ", num(doc, "/num_accelerators", "count"), ` accelerators on a ${words(doc.topology)}.`),
      el("div", { class: "tiles" }, tile("Bisection", num(doc, "/bisection_bytes_per_s", "bytes_per_s"), num(doc, "/bisection_per_accelerator_bytes_per_s", "bytes_per_s"), " an accelerator"),
        tile("Scale-out ports", [num(doc, "/ports_used", "count"), " used"], num(doc, "/ports_free", "count"), " free"),
        tile("Network", num(doc, "/power_w", "w"), num(doc, "/rack_units", "count"), " rack units"),
        tile("All together", num(doc, "/total_power_w", "w"), num(doc, "/total_rack_units", "count"), " rack units")));
  }

  /// Switches by tier, cables by the tiers they join, and all parts.
  function materials(parent, doc) {
    const row = (list, i, keys) => keys.map(([key, kind]) => (doc[list][i][key] === 0 ? "" : num(doc, `/${list}/${i}/${key}`, kind)));
    parent.append(
      el("h3", {}, "Switches"), saved_table("switches", [{ title: "Tier" }, { title: "switch" }, ...right("count", "ports down", "up", "free", "oversubscription", "rack units", "power")],
        doc.switches.map((one, i) => [capital(one.tier), one.model, ...row("switches", i, [["count", "count"], ["ports_down", "count"], ["ports_up", "count"], ["ports_free", "count"],
          ["oversubscription", "factor"], ["rack_units", "count"], ["power_w", "w"]])])),
      el("h3", {}, "Cables"), saved_table("cables", [{ title: "Cable" }, { title: "between" }, ...right("count", "longest, m", "transceivers", "power")],
        doc.cables.map((one, i) => [one.cable, `${one.from} and ${one.to}`, ...row("cables", i, [["count", "count"], ["longest_m", "plain"], ["transceivers", "count"], ["power_w", "w"]])])),
      el("h3", {}, "Parts"), saved_table("parts", [{ title: "Part" }, { title: "kind" }, ...right("count", "rack units", "power")],
        doc.parts.map((one, i) => [one.name, words(one.kind), ...row("parts", i, [["count", "count"], ["rack_units", "count"], ["power_w", "w"]])])));
  }

  return { topology, busiest, answer, materials };
})();
