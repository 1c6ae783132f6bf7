// SPDX-License-Identifier: Apache-2.0
// Charts, by Chart.js. Data stay in the document's own units; axes write them for people.
"use strict";

railwright.charts = (() => {
  const { el, kinds, colour, on_axis, save, save_csv } = railwright.page;
  const drawn = new Set();  // functions that draw again when the theme changes

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const draw of drawn) draw();
  });

  /// Whiskers from low to high at the end of bars: options.plugins.band.of(index) -> {low, high}.
  const band = {
    id: "band",
    afterDatasetsDraw(chart, _, options) {
      if (!options || !options.bars) return;
      const { ctx, scales } = chart;
      const lying = chart.options.indexAxis === "y";
      const along = lying ? scales.x : scales.y;
      ctx.save();
      ctx.strokeStyle = colour("text");
      ctx.lineWidth = 1.6;
      for (const bar of options.bars) {
        const element = chart.getDatasetMeta(bar.dataset || 0).data[bar.index];
        if (!element) continue;
        const middle = lying ? element.y : element.x;
        const [low, high] = [along.getPixelForValue(bar.low), along.getPixelForValue(bar.high)];
        const line = (a, b, c, d) => (lying ? (ctx.moveTo(a, b), ctx.lineTo(c, d)) : (ctx.moveTo(b, a), ctx.lineTo(d, c)));
        ctx.beginPath();
        line(low, middle, high, middle);
        line(low, middle - 6, low, middle + 6);
        line(high, middle - 6, high, middle + 6);
        ctx.stroke();
      }
      ctx.restore();
    },
  };

  function axis(kind, title, more = {}) {
    return {
      grid: { color: colour("line"), drawBorder: false, ...(more.grid || {}) },
      title: { display: Boolean(title), text: title, color: colour("muted") },
      ...more,
      ticks: { color: colour("muted"), maxRotation: 0, autoSkipPadding: 12, ...(kind ? { callback: on_axis(kind) } : {}),
        ...(more.ticks || {}) },
    };
  }

  /// Steps of an axis of time that people count in.
  function time_step(span) {
    const steps = [1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
      3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000, 1728000, 4320000, 8640000];
    return steps.find((step) => span / step <= 8) || span / 6;
  }

  /// Steps of an axis from 0 to `most`, in which people count time and memory.
  const kSteps = { s: time_step, memory: (most) => 2 ** Math.ceil(Math.log2(most / 8)) };
  const ticks_to = (kind, most) => (kSteps[kind] && most > 0 ? { ticks: { stepSize: kSteps[kind](most) } } : {});

  /// Axes of lying bars: names from above to below, values from 0 to `most`.
  const lying_axes = (kind, title, most, more = {}) => ({
    x: axis(kind, title, { ...more, beginAtZero: true, suggestedMax: most, ...ticks_to(kind, most) }),
    y: axis(null, "", { ...more, grid: { display: false }, ticks: { color: colour("text"), autoSkip: false } }),
  });

  /// The values of a chart as rows: of bars a row for each name, of lines and points one for each point.
  function rows_of({ data }) {
    if (data.labels?.length) return [["", ...data.datasets.map(({ label }) => label)], ...data.labels.map((name, i) => [name, ...data.datasets.map((set) => set.data[i])])];
    return [["series", "x", "y"], ...data.datasets.flatMap((set) => set.data.map(({ x, y }) => [set.label, x, y]))];
  }

  /// Buttons that save a chart's values, in SI units, and its picture.
  function saves(label, chart_now) {
    const csv = el("button", { type: "button", class: "save", "aria-label": `Values of ${label} as CSV` }, "CSV");
    const png = el("button", { type: "button", class: "save", "aria-label": `Picture of ${label} as PNG` }, "PNG");
    csv.addEventListener("click", () => save_csv(label, rows_of(chart_now())));
    png.addEventListener("click", () => save(label, "png", chart_now().toBase64Image()));
    return el("div", { class: "saves" }, csv, png);
  }

  /// Draws `make()`, a Chart.js configuration, in a box of that height, and again for another theme.
  function chart(parent, label, height, make) {
    const canvas = el("canvas", { role: "img", "aria-label": label });
    const box = el("div", { class: "chart", style: { height: `${height}px` } }, canvas);
    parent.append(box);
    let current = null;
    const draw = () => {
      if (current) current.destroy();
      const made = make();
      made.options = { responsive: true, maintainAspectRatio: false, animation: false, ...made.options };
      made.options.plugins = { legend: { display: false }, ...made.options.plugins };
      made.plugins = [band, ...(made.plugins || [])];
      current = new Chart(canvas, made);
      canvas.chart = current;
    };
    draw();
    drawn.add(draw);
    const buttons = saves(label, () => current);
    parent.append(buttons);
    return { box, redraw: draw, forget: () => { drawn.delete(draw); current.destroy(); box.remove(); buttons.remove(); } };
  }

  /// Stacked lying bars. rows: [{name, low, high}], parts: [{name, colour, values: a number a row}].
  function stacked_bars(parent, label, kind, rows, parts, more = {}) {
    const most = Math.max(...rows.map((row, i) => Math.max(row.high || 0, parts.reduce((sum, part) => sum + part.values[i], 0))));
    return chart(parent, label, more.height || 70 + rows.length * (more.row || 34), () => ({
      type: "bar",
      data: {
        labels: rows.map((row) => row.name),
        datasets: parts.map((part) => ({ label: part.name, data: part.values, backgroundColor: colour(part.colour),
          borderWidth: 0, barPercentage: 0.82, categoryPercentage: 0.9 })),
      },
      options: {
        indexAxis: "y",
        scales: lying_axes(kind, more.title, most, { stacked: true }),
        plugins: {
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${kinds[kind](item.raw)}` } },
          band: { bars: rows.map((row, index) => ({ index, low: row.low, high: row.high })).filter((bar) => bar.high > bar.low) },
          legend: { display: false },
        },
      },
    }));
  }

  /// A diamond at a value of a row, and a dashed line at `limit` with its name.
  const marks = (rows, limit, limit_name) => ({
    id: "marks",
    afterDatasetsDraw(drawing) {
      const { ctx, chartArea, scales } = drawing;
      ctx.save();
      if (limit !== undefined) {
        const x = scales.x.getPixelForValue(limit);
        ctx.strokeStyle = colour("bad");
        ctx.fillStyle = colour("bad");
        ctx.lineWidth = 1.6;
        ctx.setLineDash([6, 4]);
        ctx.beginPath();
        ctx.moveTo(x, chartArea.top);
        ctx.lineTo(x, chartArea.bottom);
        ctx.stroke();
        ctx.textAlign = x > (chartArea.left + chartArea.right) / 2 ? "right" : "left";
        ctx.textBaseline = "bottom";
        ctx.fillText(limit_name, x + (ctx.textAlign === "right" ? -4 : 4), chartArea.bottom - 2);
      }
      ctx.fillStyle = colour("text");
      rows.forEach((row, i) => {
        const bar = drawing.getDatasetMeta(0).data[i];
        if (row.mark === undefined || !bar) return;
        const x = scales.x.getPixelForValue(row.mark);
        ctx.beginPath();
        for (const [dx, dy] of [[0, -6], [5, 0], [0, 6], [-5, 0]]) ctx.lineTo(x + dx, bar.y + dy);
        ctx.fill();
      });
      ctx.restore();
    },
  });

  /// Plain lying bars. rows: [{name, value, colour, low, high, mark}]; `more.limit` is a line across.
  function bars(parent, label, kind, rows, more = {}) {
    const most = Math.max(more.limit || 0, ...rows.map((row) => Math.max(row.high || row.value, row.mark || 0)));
    return chart(parent, label, 50 + rows.length * 28, () => ({
      type: "bar",
      data: { labels: rows.map((row) => row.name), datasets: [{ label, data: rows.map((row) => row.value),
        backgroundColor: rows.map((row) => colour(row.colour || "accent")), borderWidth: 0, barPercentage: 0.8 }] },
      options: {
        indexAxis: "y",
        scales: lying_axes(kind, more.title, most),
        plugins: { tooltip: { callbacks: { label: (item) => kinds[kind](item.raw) } },
          band: { bars: rows.map((row, index) => ({ index, low: row.low, high: row.high })).filter((bar) => bar.high > bar.low) } },
      },
      plugins: [marks(rows, more.limit, more.limit_name)],
    }));
  }

  function ticks_within(from, to) {
    const step = time_step(to - from);
    const ticks = [];
    for (let i = Math.ceil(from / step); i * step <= to; ++i) ticks.push(i * step);
    return ticks;
  }

  /// Lines over a number. lines: [{name, colour, x, y, fill, dashed, hidden_points}].
  function lines(parent, label, lines_of, more) {
    const first = lines_of();
    const whole = [Math.min(...first.map((line) => line.x[0])), Math.max(...first.map((line) => line.x[line.x.length - 1]))];
    let [from, to] = whole;
    const made = chart(parent, label, more.height || 260, () => {
      const all = lines_of();
      const span = to - from;
      return {
        type: "line",
        data: { datasets: all.map((line) => ({ label: line.name, data: line.x.map((x, i) => ({ x, y: line.y[i] })),
          borderColor: `${colour(line.colour)}${line.faint ? "66" : ""}`, backgroundColor: `${colour(line.colour)}${line.fill ? "40" : ""}`,
          borderWidth: line.width || 1.6, borderDash: line.dashed ? [5, 4] : [], fill: line.fill || false,
          stepped: line.stepped || false, pointRadius: line.points ? 3 : 0, pointHitRadius: 8, spanGaps: false })) },
        options: {
          interaction: { mode: "nearest", axis: "x", intersect: false },
          scales: {
            x: axis(more.x, more.x_title, { type: more.logarithmic_x ? "logarithmic" : "linear", min: more.zoom || more.x_ticks ? from : undefined, max: more.zoom || more.x_ticks ? to : undefined,
              ticks: more.x === "s" ? { stepSize: time_step(span) } : {},
              afterBuildTicks: (scale) => { if (more.x_ticks || more.zoom) scale.ticks = (more.x_ticks || ticks_within(from, to)).map((value) => ({ value })); } }),
            y: axis(more.y, more.y_title, { beginAtZero: true, ...ticks_to(more.y, Math.max(...all.flatMap((line) => line.y))), type: more.logarithmic_y ? "logarithmic" : "linear" }),
          },
          plugins: {
            legend: { display: all.length > 1, position: "bottom", labels: { color: colour("muted"), boxWidth: 14, boxHeight: 3 } },
            tooltip: { callbacks: {
              title: (items) => (items.length ? kinds[more.x](items[0].parsed.x) : ""),
              label: (item) => `${item.dataset.label}: ${kinds[more.y](item.parsed.y)}` } },
          },
        },
        plugins: more.shade ? [{
          id: "shade",
          beforeDatasetsDraw(drawing) {
            const { ctx, chartArea, scales } = drawing;
            for (const one of more.shade) {
              const [begin, end] = [scales.x.getPixelForValue(one.from), scales.x.getPixelForValue(one.to)];
              const [left, right] = [Math.max(begin, chartArea.left), Math.min(end, chartArea.right)];
              if (right < chartArea.left || left > chartArea.right) continue;
              ctx.save();
              ctx.fillStyle = `${colour("muted")}2e`;
              ctx.fillRect(left, chartArea.top, Math.max(1, right - left), chartArea.height);
              ctx.restore();
            }
          },
        }] : [],
      };
    });
    if (more.zoom) parent.append(zoom_buttons(whole, () => [from, to], (view) => { [from, to] = view; made.redraw(); }));
    return made;
  }

  /// Buttons that show less or more of an axis, and other parts of it.
  function zoom_buttons(whole, view, show) {
    const length = whole[1] - whole[0];
    const button = (text, title, wanted) => {
      const one = el("button", { type: "button", title, "aria-label": title }, text);
      one.addEventListener("click", () => {
        const [middle, span] = wanted(...view());
        const shown = Math.min(length, Math.max(length / 500, span));
        const from = Math.max(whole[0], Math.min(middle - shown / 2, whole[1] - shown));
        show([from, from + shown]);
      });
      return one;
    };
    return el("div", { class: "controls" }, button("+", "Zoom in", (from, to) => [(from + to) / 2, (to - from) / 2.5]),
      button("\u2212", "Zoom out", (from, to) => [(from + to) / 2, (to - from) * 2.5]),
      button("\u2190", "Earlier", (from, to) => [(from + to) / 2 - 0.4 * (to - from), to - from]),
      button("\u2192", "Later", (from, to) => [(from + to) / 2 + 0.4 * (to - from), to - from]), button("all", "Show all", () => [(whole[0] + whole[1]) / 2, length]));
  }

  /// Lying bars side by side, a group a row. sets: [{label, values, colour}].
  function grouped_bars(parent, label, kind, names, sets, more = {}) {
    const most = Math.max(...sets.flatMap((set) => set.values));
    return chart(parent, label, 90 + names.length * (10 + 14 * sets.length), () => ({
      type: "bar",
      data: { labels: names, datasets: sets.map((set) => ({ label: set.label, data: set.values, backgroundColor: colour(set.colour), borderWidth: 0 })) },
      options: {
        indexAxis: "y",
        scales: lying_axes(kind, more.title, most),
        plugins: { legend: { display: true, position: "bottom", labels: { color: colour("muted"), boxWidth: 14, boxHeight: 10 } },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${kinds[kind](item.raw)}` } } },
      },
    }));
  }

  /// Points in two quantities {title, kind}; sets: [{label, data: [{x, y, name}], colour, shape, line}].
  /// `opened` takes the point that is clicked.
  function scatter(parent, label, across, up, sets, opened = null) {
    return chart(parent, label, 320, () => ({
      type: "scatter",
      data: { datasets: sets.map((set) => ({ label: set.label, data: set.data, backgroundColor: colour(set.colour), borderColor: colour(set.colour),
        pointStyle: set.shape, pointRadius: set.shape === "line" ? 0 : set.data.length > 1 ? 4 : 7, showLine: Boolean(set.line), borderWidth: 1.5 })) },
      options: {
        onClick: (_, [hit]) => { if (opened && hit) opened(sets[hit.datasetIndex].data[hit.index]); },
        scales: { x: axis(across.kind, across.title, { beginAtZero: false }), y: axis(up.kind, up.title, { beginAtZero: false, ...ticks_to(up.kind, Math.max(...sets.flatMap(({ data }) => data.map(({ y }) => y)))) }) },
        plugins: { legend: { display: sets.length > 1, position: "bottom", labels: { color: colour("muted"), usePointStyle: true, boxHeight: 7 } },
          tooltip: { callbacks: { title: (items) => kinds[across.kind](items[0].parsed.x), label: (item) => `${item.dataset.label}: ${kinds[up.kind](item.parsed.y)}`,
            footer: (items) => items[0].raw.name } } },
      },
    }));
  }

  /// Swatches with names.
  const legend = (parts) => el("div", { class: "legend" }, parts.map((part) =>
    el("span", {}, el("span", { class: "swatch", style: { background: `var(--${part.colour})` } }), part.name)));

  /// On paper a chart is as wide as its section: its letters would be squeezed with its picture.
  const kPaper = { whole: 680, half: 325 };  // pixels of the width of A4 without its margins
  const instances = () => (typeof Chart === "undefined" ? [] : Object.values(Chart.instances));
  addEventListener("beforeprint", () => {
    for (const one of instances()) one.resize(one.canvas.closest(".half") ? kPaper.half : kPaper.whole, one.height);
  });
  addEventListener("afterprint", () => { for (const one of instances()) one.resize(); });

  return { chart, stacked_bars, bars, lines, grouped_bars, scatter, legend, time_step, drawn };
})();
