// SPDX-License-Identifier: Apache-2.0
// Lanes of coloured spans over time, to zoom into: a step by pipeline stage, a run by job.
"use strict";

railwright.timeline = (() => {
  const { el, num, ratio, table, colour, on_axis, capital } = railwright.page;
  const { lines, legend, time_step, drawn } = railwright.charts;
  const kRow = 20;
  const kAxis = 26;

  // The palest that a span is drawn, however little of a pixel's time it takes.
  const kPalest = 0.15;

  /// Of a lane's pixels from `left` to `right`: the kind with the most time in each, -1 where there
  /// is none, and the share of the pixel's time that is busy.
  function pixels(spans, num_kinds, left, right, place) {
    const columns = Math.max(1, Math.ceil(right - left));
    const busy = new Float64Array(columns * num_kinds);
    for (const [kind, from, to, share = 1] of spans) {
      const [begin, end] = [Math.max(0, place(from) - left), Math.min(columns, place(to) - left)];
      for (let column = Math.floor(begin); column < end; ++column) {
        busy[column * num_kinds + kind] += share * (Math.min(end, column + 1) - Math.max(begin, column));
      }
    }
    return Array.from({ length: columns }, (_, column) => {
      let [kind, most, sum] = [-1, 0, 0];
      for (let k = 0; k < num_kinds; ++k) {
        const time = busy[column * num_kinds + k];
        sum += time;
        if (time > most) [kind, most] = [k, time];
      }
      return { kind, share: Math.min(1, sum) };
    });
  }

  /// lanes: [{label, group, spans: [[kind, start, end, share that is busy]]}]; kinds: [{name, colour}]; band: {low, high}.
  function draw_lanes(parent, label, lanes, parts, end, band) {
    const canvas = el("canvas", { role: "img", "aria-label": label, tabindex: "0" });
    const said = el("span", { role: "status" });
    const view = { from: 0, to: Math.max(end, (band && band.high) || 0) * 1.005 };
    const whole = { ...view };
    const height = lanes.length * kRow + kAxis;
    let gutter = 0;

    const pixel = (time, width) => gutter + (time - view.from) / (view.to - view.from) * (width - gutter - 8);

    function draw() {
      const width = canvas.parentElement.clientWidth;
      const scale = devicePixelRatio || 1;
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      const g = canvas.getContext("2d");
      g.scale(scale, scale);
      g.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      gutter = Math.min(width * 0.38, 10 + Math.max(...lanes.map((lane) => g.measureText(lane.label).width)));
      const bottom = height - kAxis;
      if (band && band.high > band.low) {
        g.fillStyle = `${colour("muted")}2e`;
        g.fillRect(Math.max(gutter, pixel(band.low, width)), 0, pixel(band.high, width) - Math.max(gutter, pixel(band.low, width)), bottom);
      }
      const step = time_step((view.to - view.from) * Math.min(1, 700 / (width - gutter)));
      g.textBaseline = "top";
      g.textAlign = "center";
      for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
        const x = pixel(at, width);
        g.strokeStyle = colour("line");
        g.beginPath();
        g.moveTo(x, 0);
        g.lineTo(x, bottom + 4);
        g.stroke();
        g.fillStyle = colour("muted");
        if (x > gutter + 10 && x < width - 16) g.fillText(on_axis("s")(Math.abs(at) < step / 1e6 ? 0 : at), x, bottom + 7);
      }
      g.textBaseline = "middle";
      g.textAlign = "left";
      lanes.forEach((lane, i) => {
        const top = i * kRow;
        if (lane.is_first && i > 0) {
          g.strokeStyle = colour("line");
          g.beginPath();
          g.moveTo(0, top + 0.5);
          g.lineTo(width, top + 0.5);
          g.stroke();
        }
        g.save();
        g.beginPath();
        g.rect(gutter, top, width - gutter - 8, kRow);
        g.clip();
        const shown = pixels(lane.spans, parts.length, gutter, width - 8, (time) => pixel(time, width));
        let begin = 0;
        for (let x = 1; x <= shown.length; ++x) {
          const { kind, share } = shown[begin];
          if (x < shown.length && shown[x].kind === kind && Math.abs(shown[x].share - share) < 0.02) continue;
          if (kind >= 0) {
            g.fillStyle = colours[kind];
            g.globalAlpha = kPalest + (1 - kPalest) * share;
            g.fillRect(gutter + begin, top + 3, x - begin, kRow - 6);
          }
          begin = x;
        }
        g.restore();
        g.fillStyle = colour("text");
        g.fillText(lane.label, 0, top + kRow / 2, gutter - 6);
      });
    }

    let colours = [];
    const redraw = () => {
      colours = parts.map((part) => colour(part.colour));
      draw();
    };

    function zoom(factor, share = 0.5) {
      const middle = view.from + share * (view.to - view.from);
      const span = Math.min(whole.to - whole.from, Math.max((whole.to - whole.from) / 400, (view.to - view.from) * factor));
      view.from = Math.max(whole.from, Math.min(middle - share * span, whole.to - span));
      view.to = view.from + span;
      draw();
    }

    function move(by) {
      const span = view.to - view.from;
      view.from = Math.max(whole.from, Math.min(view.from + by, whole.to - span));
      view.to = view.from + span;
      draw();
    }

    const box = el("div", { class: "chart" }, canvas);
    const button = (text, title, act) => {
      const made = el("button", { type: "button", title, "aria-label": title }, text);
      made.addEventListener("click", act);
      return made;
    };
    parent.append(legend(parts.filter((_, kind) => lanes.some((lane) => lane.spans.some((span) => span[0] === kind)))), box,
      el("div", { class: "controls" }, button("+", "Zoom in", () => zoom(0.5)), button("\u2212", "Zoom out", () => zoom(2)),
        button("\u2190", "Earlier", () => move(-0.3 * (view.to - view.from))), button("\u2192", "Later", () => move(0.3 * (view.to - view.from))),
        button("all", "Show all", () => { Object.assign(view, whole); draw(); }), said));

    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const place = (event.offsetX - gutter) / (canvas.clientWidth - gutter);
      zoom(event.deltaY > 0 ? 1.25 : 0.8, Math.min(1, Math.max(0, place)));
    }, { passive: false });
    let held = null;
    canvas.addEventListener("pointerdown", (event) => { held = event.clientX; });
    addEventListener("pointerup", () => { held = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (held !== null) {
        move((held - event.clientX) / (canvas.clientWidth - gutter) * (view.to - view.from));
        held = event.clientX;
        return;
      }
      const lane = lanes[Math.floor(event.offsetY / kRow)];
      const time = view.from + (event.offsetX - gutter) / (canvas.clientWidth - gutter - 8) * (view.to - view.from);
      const span = lane && lane.spans.find(([, from, to]) => from <= time && time < to);
      const share = span && span[3] < 1 ? `, busy for ${Math.round(100 * span[3])} % of this moment` : "";
      said.textContent = lane ? `${lane.group} ${lane.name}`.trim() + `: ${span ? parts[span[0]].name + share : "idle"}` : "";
    });
    canvas.addEventListener("keydown", (event) => {
      const act = { "+": () => zoom(0.5), "-": () => zoom(2), ArrowLeft: () => move(-0.2 * (view.to - view.from)),
        ArrowRight: () => move(0.2 * (view.to - view.from)) }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    new ResizeObserver(redraw).observe(box);
    drawn.add(redraw);
    redraw();
  }

  /// Marks the first lane of each group and writes the labels.
  function labelled(lanes) {
    lanes.forEach((lane, i) => {
      lane.is_first = i === 0 || lanes[i - 1].group !== lane.group;
      lane.label = lane.is_first ? `${lane.group}  ${lane.name}`.trim() : `${lane.group ? "    " : ""}${lane.name}`;
    });
    return lanes;
  }

  const kOperations = { forward: "matrix_products", backward: "attention", compute: "elementwise", "tensor parallel": "tensor_parallel", "expert parallel": "expert_parallel",
    "context parallel": "context_parallel", "pipeline transfer": "pipeline_transfer", "gradient reduce": "gradient_reduce",
    "parameter gather": "parameter_gather", optimizer: "optimizer", "gradient norm": "overhead" };

  /// The document's `timeline`: what each pipeline stage does over a step.
  function step(parent, doc) {
    const made = doc.timeline;
    const parts = made.kinds.map((name) => ({ name, colour: kOperations[name] || "overhead" }));
    const lanes = made.lanes.map((lane) => {
      const spans = [];
      let at = 0;
      for (let i = 0; i < lane.bins.length; i += 3) {
        const next = at + lane.bins[i + 2];
        if (lane.bins[i] >= 0) spans.push([lane.bins[i], at * made.bin_width_s, next * made.bin_width_s, lane.bins[i + 1] / 100]);
        at = next;
      }
      return { group: `stage ${lane.stage}`, name: lane.stream, spans };
    });
    draw_lanes(parent, "What each pipeline stage does over a step", labelled(lanes), parts, made.step_time_s,
      { low: doc.step_time_low_s, high: doc.step_time_high_s });
    const stages = new Set(made.lanes.map((lane) => lane.stage)).size;
    parent.append(el("p", { class: "note" }, "One accelerator of each stage",
      stages < made.num_stages ? [", for ", String(stages), " of ", num(doc, "/timeline/num_stages", "count"), " stages"] : "",
      "; of several operations in one pixel the longest is shown, the paler the less of the pixel's time is busy. The grey band is that of the step time. A click, then the wheel zooms; ",
      el("span", { class: "path" }, "--trace"), " writes all ", num(doc, "/timeline/num_spans", "count"), " operations for Perfetto."));
    const rows = [];
    made.lanes.forEach((lane, i) => Object.keys(lane.busy_s).forEach((kind) => rows.push([`stage ${lane.stage}`, lane.stream,
      [el("span", { class: "swatch", style: { background: `var(--${kOperations[kind] || "overhead"})` } }), capital(kind)],
      num(doc, `/timeline/lanes/${i}/busy_s/${kind}`, "s"), ratio(doc, `/timeline/lanes/${i}/busy_s/${kind}`, "/timeline/step_time_s")])));
    parent.append(el("details", {}, el("summary", {}, "The same in numbers"),
      table([{ title: "Stage" }, { title: "stream" }, { title: "operation" }, { title: "time", right: true }, { title: "of the step", right: true }], rows)));
  }

  const kLines = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "overhead"];

  /// How loaded the busiest link of each tier is over the step.
  function links(parent, doc) {
    const over_time = doc.timeline.links_over_time;
    if (!over_time.lines.length) return;
    lines(parent, "Load of the busiest link of each tier over the step", () => over_time.lines.map((line, i) => ({
      name: `${line.tier.replaceAll("_", " ")}: ${line.name}`, colour: kLines[i % kLines.length], x: over_time.time_s, y: line.utilization, stepped: true })),
    { x: "s", y: "percent", y_title: "share of what it can carry", height: 260,
      shade: doc.step_time_low_s < doc.timeline.step_time_s ? [{ from: doc.step_time_low_s, to: doc.timeline.step_time_s }] : [] });
  }

  const kPhases = ["matrix_products", "tensor_parallel", "optimizer", "pipeline_transfer", "gradient_reduce", "parameter_gather", "attention", "overhead",
    "context_parallel", "kernel_gaps", "series-6", "elementwise"];
  const kPhase = { steps: "matrix_products", reads: "matrix_products", checkpoint: "tensor_parallel", write: "tensor_parallel", evaluation: "optimizer" };

  /// The document's `run_timeline`: what each job does when.
  function run(parent, doc) {
    const made = doc.run_timeline;
    const parts = made.phases.map((name, i) => ({ name, colour: kPhase[name] || kPhases[(i + 3) % kPhases.length] }));
    const names = ["training", "written behind it", "on its way to storage"];
    const lanes = new Map();
    let end = 0;
    for (const [job, phase, behind, from, to] of made.spans) {
      const key = job * 3 + behind;
      if (!lanes.has(key)) lanes.set(key, { key, group: made.jobs.length > 1 ? made.jobs[job] : "", name: doc.jobs?.[job].load ? "load" : names[behind], spans: [] });
      lanes.get(key).spans.push([phase, from, to]);
      end = Math.max(end, to);
    }
    const sorted = [...lanes.values()].sort((a, b) => a.key - b.key);
    for (const lane of sorted) lane.spans.sort((a, b) => a[1] - b[1]);
    draw_lanes(parent, "What each job does over the run", labelled(sorted), parts, end, null);
    parent.append(el("p", { class: "note" }, "The first of the runs that were simulated. A click, then the wheel zooms."));
  }

  return { step, links, run, pixels };
})();
