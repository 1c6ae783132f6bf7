// SPDX-License-Identifier: Apache-2.0
// Sections of one simulation: each takes an element to fill and the document of `simulate`.
"use strict";

railwright.simulate = (() => {
  const { el, at, num, ratio, range, words, capital, table, tile, meter, rests_on, escaped, record, records, cause_words, refusal, remark } = railwright.page;
  const { stacked_bars, legend, lines } = railwright.charts;

  const has = (doc, pointer) => typeof at(doc, pointer) === "number";
  const positive = (doc, pointer) => at(doc, pointer) > 0;

  /// Why it does not fit, and what would make it.
  function reasons(parent, doc) {
    const change = doc.smallest_change;
    parent.append(refusal("This design does not fit.",
      el("ul", {}, (doc.infeasible || []).map((reason) => el("li", {}, reason))),
      change && el("p", {}, "It fits with ", el("span", { class: "path" }, change.setting), ": ",
        num(doc, "/smallest_change/memory_per_accelerator_bytes", "memory"), " of memory and ",
        num(doc, "/smallest_change/step_time_s", "s"), " a step.")));
  }

  function headline(doc) {
    const sure = positive(doc, "/training_time_high_s") && doc.training_time_high_s > doc.training_time_low_s * 1.0005;
    return el("p", { class: "headline" }, num(doc, "/steps", "count"), " steps take ", num(doc, "/training_time_s", "s"),
      sure ? [" (", range(doc, "/training_time_low_s", "/training_time_high_s", "s"), " as failures fall)"] : "",
      " on ", num(doc, "/num_accelerators", "count"), " accelerators", has(doc, "/cost/run_usd") ? [" and cost ", num(doc, "/cost/run_usd", "usd")] : "", ".");
  }

  /// The band of the step, in words.
  function step_band(doc) {
    if (!has(doc, "/step_time_low_s")) return "";
    if (doc.step_time_low_s === doc.step_time_high_s) return "no band: the site was measured";
    return [range(doc, "/step_time_low_s", "/step_time_high_s", "s"), " (80 % interval over sites)"];
  }

  function tiles(doc) {
    const list = [tile("Step time", num(doc, "/step_time_s", "s"), step_band(doc))];
    if (has(doc, "/tokens_per_s")) list.push(tile("Throughput", [num(doc, "/tokens_per_s", "count"), " tokens/s"],
      num(doc, "/samples_per_s"), " samples/s"));
    else list.push(tile("Throughput", [num(doc, "/samples_per_s", "count"), " samples/s"]));
    list.push(tile("Model FLOPs utilization", num(doc, "/model_flops_utilization", "percent"),
      num(doc, "/effective_training_time", "percent"), " of the run is training"));
    list.push(memory_tile(doc));
    if (positive(doc, "/storage/checkpoint_bytes")) {
      list.push(tile("A checkpoint", num(doc, "/storage/checkpoint_time_s", "s"),
        num(doc, "/storage/checkpoint_bytes", "bytes"), " at ", num(doc, "/storage/peak_write_bytes_per_s", "bytes_per_s"), " peak"));
    }
    if (has(doc, "/power/mean_power_w")) {
      list.push(tile("Power", num(doc, "/power/mean_power_w", "w"), num(doc, "/power/peak_power_w", "w"), " at the peak, ",
        num(doc, "/energy/energy_j", "j")));
    }
    if (has(doc, "/cost/run_usd")) {
      list.push(tile("This run costs", num(doc, "/cost/run_usd", "usd"),
        doc.cost.partial ? "prices of some parts are missing" : "every part has a price", doc.cost.prices ? `; ${doc.cost.prices}` : ""));
    }
    return el("div", { class: "tiles" }, list);
  }

  function memory_tile(doc) {
    const share = doc.memory_per_accelerator_bytes / doc.memory_capacity_bytes;
    return tile("Memory of an accelerator", num(doc, "/memory_per_accelerator_bytes", "memory"), meter(share),
      ratio(doc, "/memory_per_accelerator_bytes", "/memory_capacity_bytes"), " of ", num(doc, "/memory_capacity_bytes", "memory"));
  }

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) {
      reasons(parent, doc);
      parent.append(el("div", { class: "tiles" }, memory_tile(doc)));
      return;
    }
    parent.append(headline(doc), tiles(doc), remark("What limits it", limit(doc), "."));
    if (rests_on(doc)) parent.append(remark("How far to trust it", rests_on(doc)));
  }

  /// Causes with time, the longest first.
  const causes = (doc) => Object.entries(doc.breakdown || {}).filter(([, time]) => time > 0)
    .sort((a, b) => b[1] - a[1]).map(([cause]) => cause);

  /// The two longest causes with their shares, as the document's own sentence has them.
  function limit(doc, place = "") {
    const share = (cause) => [cause_words(cause), " ", ratio(doc, `${place}/breakdown/${cause}`, `${place}/step_time_s`)];
    const [first, second] = causes(at(doc, place));
    return [share(first), " of a step", second ? [", next ", share(second)] : ""];
  }

  /// Where a step goes: one bar with the band, and the numbers.
  function breakdown(parent, doc) {
    const all = causes(doc);
    stacked_bars(parent, "Where the time of a step goes", "s", [{ name: "a step", low: doc.step_time_low_s, high: doc.step_time_high_s }],
      all.map((cause) => ({ name: cause_words(cause), colour: cause, values: [doc.breakdown[cause]] })), { height: 96 });
    const has_band = doc.step_time_high_s > doc.step_time_low_s;
    if (has(doc, "/step_time_low_s")) parent.append(el("p", { class: "note" }, has_band ? ["The whisker is the band of the step time: ", step_band(doc), "."] : "The step has no band: the site was measured."));
    const longest = doc.breakdown[all[0]];
    parent.append(table([{ title: "A step" }, { title: "", class: "bar-cell" }, { title: "time", right: true }, { title: "share", right: true }],
      [...all.map((cause) => [
        [el("span", { class: "swatch", style: { background: `var(--${cause})` } }), capital(cause_words(cause))],
        el("span", { class: "bar", style: { width: `${100 * doc.breakdown[cause] / longest}%`, background: `var(--${cause})` } }),
        num(doc, `/breakdown/${cause}`, "s"), ratio(doc, `/breakdown/${cause}`, "/step_time_s")]),
      { class: "total", cells: ["In all", "", num(doc, "/step_time_s", "s"), ""] }]));
  }

  const kMemory = ["series-1", "series-5", "series-3", "series-2", "series-4", "series-6", "overhead", "kernel_gaps"];

  function memory(parent, doc) {
    const lines_of = Object.entries(doc.memory || {}).filter(([, bytes]) => bytes > 0);
    const parts = lines_of.map(([key, bytes], i) => ({ name: capital(words(key)), colour: kMemory[i % kMemory.length], values: [bytes] }));
    stacked_bars(parent, "Memory of an accelerator", "memory", [{ name: "memory", high: doc.memory_capacity_bytes }], parts, { height: 96 });
    parent.append(table([{ title: "Of the fullest stage" }, { title: "size", right: true }, { title: "share", right: true }],
      [...lines_of.map(([key], i) => [[el("span", { class: "swatch", style: { background: `var(--${parts[i].colour})` } }), parts[i].name],
        num(doc, `/memory/${key}`, "memory"), ratio(doc, `/memory/${key}`, "/memory_capacity_bytes")]),
      { class: "total", cells: ["In all", num(doc, "/memory_per_accelerator_bytes", "memory"),
        ratio(doc, "/memory_per_accelerator_bytes", "/memory_capacity_bytes")] },
      { class: "muted", cells: ["Of an accelerator", num(doc, "/memory_capacity_bytes", "memory"), ""] },
      { class: "muted", cells: ["Reserved, as nvidia-smi shows it", num(doc, "/memory_reserved_bytes", "memory"),
        ratio(doc, "/memory_reserved_bytes", "/memory_capacity_bytes")] }]));
  }

  /// Causes of the run's time with their words and colours, in the order of the results.
  const kinds_of_run = () => records("run.").filter(({ color }) => color).map((one) => ({ ...one, key: one.path.slice("run.".length) }));
  const run_causes = (run) => kinds_of_run().filter(({ key }) => run[key] > 0);

  /// The whole run by cause. `at_run` is where its numbers are: "" or "/jobs/2".
  function run_table(doc, at_run) {
    const run = at(doc, `${at_run}/run`);
    return table([{ title: "The run" }, { title: "time", right: true }, { title: "share", right: true }],
      [...run_causes(run).map(({ key, word, color }) => [[el("span", { class: "swatch", style: { background: `var(--${color})` } }), capital(word)],
        num(doc, `${at_run}/run/${key}`, "s"), ratio(doc, `${at_run}/run/${key}`, `${at_run}/training_time_s`)]),
      { class: "total", cells: ["In all", num(doc, `${at_run}/training_time_s`, "s"), ""] }]);
  }

  function run(parent, doc) {
    const causes_of_run = run_causes(doc.run);
    const columns = el("div", { class: "two" });
    const [left, right] = [el("div"), el("div")];
    columns.append(left, right);
    stacked_bars(parent, "Where the time of the run goes", "s",
      [{ name: "the run", low: doc.training_time_low_s, high: doc.training_time_high_s }],
      causes_of_run.map(({ key, word, color }) => ({ name: word, colour: color, values: [doc.run[key]] })), { height: 96 });
    parent.append(columns);
    left.append(run_table(doc, ""));
    const facts = records("run.").filter(({ color }) => !color).map((one) => fact(doc, one)).filter(Boolean);
    if (has(doc, "/run/mean_time_to_interruption_s")) right.append(table([{ title: "Failures" }, { title: "", right: true }], facts));
    else right.append(el("p", { class: "note" }, "No failures: the scenario names no reliability data."));
  }

  /// A row of a table: what a number is called, and the number; null where the document has none.
  function fact(doc, { path, word, format }, at_result = "") {
    const pointer = `${at_result}/${path.replaceAll(".", "/")}`;
    return has(doc, pointer) ? [capital(word), num(doc, pointer, format)] : null;
  }

  /// Numbers of the storage; `at_run` as in run_table.
  function storage_table(doc, at_run) {
    const rows = records("storage.").map((one) => fact(doc, one, at_run)).filter(Boolean);
    const half = Math.ceil(rows.length / 2);
    return el("div", { class: "two" }, [rows.slice(0, half), rows.slice(half)].map((some) =>
      table([{ title: "Storage" }, { title: "", right: true }], some)));
  }

  /// Reads and writes over time, and the operations. The document's `storage.load_over_time`.
  function load(parent, doc) {
    const over_time = at(doc, "/storage/load_over_time");
    if (!over_time || !over_time.time_s) {
      parent.append(el("p", { class: "note" }, "Nothing runs that storage would see."));
      return;
    }
    const x = over_time.time_s;
    const shade = positive(doc, "/training_time_high_s") && doc.training_time_high_s > doc.training_time_low_s
      ? [{ from: doc.training_time_low_s, to: doc.training_time_high_s }] : [];
    const line = (name, key, colour, more = {}) => ({ name, colour, x, y: over_time[key], stepped: true, ...more });
    lines(parent, "Reads and writes of the storage over time", () => [
      line("writes", "write_bytes_per_s", "series-2", { fill: "origin", width: 1.2 }),
      line("reads", "read_bytes_per_s", "series-1", { fill: "origin", width: 1.2 }),
      line("writes, highest in the bin", "peak_write_bytes_per_s", "series-2", { faint: true, width: 1 }),
      line("reads, highest in the bin", "peak_read_bytes_per_s", "series-1", { faint: true, width: 1 })],
    { x: "s", y: "bytes_per_s", height: 280, shade, zoom: true });
    parent.append(el("p", { class: "note" }, "Filled: the mean of a bin of time. Faint: the highest rate within it.",
      shade.length ? " The grey band is where the run ends, in nine runs of ten." : ""));
    const more = el("details", {}, el("summary", {}, "Operations, processors and capacity over time"));
    parent.append(more);
    more.addEventListener("toggle", () => {
      if (!more.open || more.dataset.drawn) return;
      more.dataset.drawn = "yes";
      lines(more, "Operations a second", () => [line("operations a second", "peak_operations_per_s", "series-3")], { x: "s", y: "count", y_title: "operations/s", height: 180 });
      lines(more, "Load of the processors", () => [line("load of the processors", "peak_processor_load", "series-4")], { x: "s", y: "percent", y_title: "processors", height: 180 });
      lines(more, "Bytes of files", () => [line("used", "used_bytes", "series-6")], { x: "s", y: "bytes", y_title: "used", height: 180 });
    });
  }

  const layout_words = (key) => record(`layout.${key}`).word || { cp: "context parallel", ep: "expert parallel" }[key] || words(key);

  /// What was run: size and division of the work.
  function work(parent, doc) {
    const rows = [["Method", doc.method === "simulate" ? "simulated, event by event" : "estimated, in closed form"],
      ["Accelerators", num(doc, "/num_accelerators", "count")], ["Parameters", num(doc, "/num_parameters", "big")],
      ["Samples a step", num(doc, "/samples_per_step", "count")], ["Tokens a step", num(doc, "/tokens_per_step", "count")],
      ["Micro-batches of a replica", num(doc, "/num_microbatches", "count")],
      ...Object.keys(doc.layout || {}).map((key) => [capital(layout_words(key)), num(doc, `/layout/${key}`, "count")])]
      .filter(([, value]) => !(value instanceof Element && value.classList.contains("none")));
    parent.append(table([{ title: "The job" }, { title: "", right: true }], rows));
  }

  /// Parts with their counts, of the document's `parts`. `at_result` is where the result is.
  function parts(parent, doc, at_result = "") {
    parent.append(table([{ title: "Part" }, { title: "kind" }, { title: "count", right: true }],
      (at(doc, `${at_result}/parts`) || []).map((part, i) => [part.name, words(part.kind), num(doc, `${at_result}/parts/${i}/count`, "count")])));
  }

  const kNodeParts = ["accelerators_w", "hosts_w", "nics_w", "fans_w", "power_supplies_w"];

  function power(parent, doc, at_result = "") {
    const keys = Object.keys(at(doc, `${at_result}/power/mean`) || {})
      .filter((key) => positive(doc, `${at_result}/power/peak/${key}`) && !kNodeParts.includes(key));
    parent.append(table([{ title: "Power" }, { title: "mean", right: true }, { title: "peak", right: true }],
      [...keys.map((key) => [capital(words(key)), num(doc, `${at_result}/power/mean/${key}`, "w"), num(doc, `${at_result}/power/peak/${key}`, "w")]),
        { class: "total", cells: ["In all", num(doc, `${at_result}/power/mean_power_w`, "w"), num(doc, `${at_result}/power/peak_power_w`, "w")] }]));
    parent.append(el("details", {}, el("summary", {}, "The nodes by their parts"), table([{ title: "Part" }, { title: "mean", right: true }, { title: "peak", right: true }],
      kNodeParts.map((key) => [capital(words(key)), num(doc, `${at_result}/power/mean/${key}`, "w"), num(doc, `${at_result}/power/peak/${key}`, "w")]))));
  }

  /// Power over a traced step.
  function power_over_step(parent, doc) {
    const series = doc.power.over_step;
    railwright.charts.lines(parent, "Power over a step", () => [{ name: "power", colour: "series-4", x: series.time_s, y: series.power_w, stepped: true }],
      { x: "s", y: "w", height: 220 });
    parent.append(el("p", { class: "note" }, "It swings by ", num(doc, "/power/step_swing_w", "w"), ", up to ", num(doc, "/power/step_ramp_w_per_s", "w_per_s"),
      "; where training stops for a checkpoint or a failure it falls by ", num(doc, "/power/stop_swing_w", "w"), "."));
  }

  function cost(parent, doc, at_result = "") {
    if (!at(doc, `${at_result}/cost`)) return;
    parent.append(table([{ title: "Cost" }, { title: "", right: true }], records("cost.").map((one) => fact(doc, one, at_result)).filter(Boolean)));
    const prices = at(doc, `${at_result}/cost/prices`);
    if (prices) parent.append(el("p", { class: "note" }, "Prices: ", prices, "."));
    const unpriced = at(doc, `${at_result}/cost/unpriced`) || [];
    if (unpriced.length) {
      parent.append(el("p", { class: "note" }, "Without a price, and not in these sums: ", unpriced.map((one) => one.name).join(", "), "."));
    }
  }

  /// What one thing better or worse would change; `place` is where the explanation is.
  function what_if(parent, doc, place = "/explanation") {
    const made = at(doc, place);
    if (!made) {
      parent.append(el("p", { class: "note" }, "Left out for a cluster of this size, where it takes minutes. ",
        el("span", { class: "path" }, "simulate --explain --report"), " puts it here."));
      return;
    }
    if (!made.feasible) return;
    if (made.next_limit) {
      parent.append(el("p", {}, "Were ", el("span", { class: "path" }, made.next_limit.lifted.join(" and ")), " no limit, a step would take ",
        num(doc, `${place}/next_limit/step_time_s`, "s"), " (", ratio(doc, `${place}/next_limit/step_time_s`, `${place}/step_time_s`, "change"), "); the next bottleneck is then ",
        el("span", { class: "path" }, made.next_limit.next || "nothing"), "."));
    }
    const most = Math.max(...made.elasticities.map((one) => Math.abs(one.elasticity)));
    parent.append(el("h3", {}, "Which rate or latency matters"),
      el("p", { class: "note" }, "Elasticity: the share of a step that follows this rate or latency. All of them together come to ",
        num(doc, `${place}/sum_of_elasticities`, "factor"), "."),
      table([{ title: "Rate or latency", class: "path" }, { title: "", class: "bar-cell" }, { title: "elasticity", right: true },
        { title: "1 % better saves", right: true }, { title: "1 % worse adds", right: true }],
      made.elasticities.map((one, i) => [one, i]).filter(([one]) => Math.abs(one.elasticity) >= 5e-4).map(([one, i]) => [one.path,
        el("span", { class: "bar", style: { width: `${100 * Math.abs(one.elasticity) / most}%` } }),
        num(doc, `${place}/elasticities/${i}/elasticity`, "factor"),
        num(doc, `${place}/elasticities/${i}/gain_of_1_percent`, "fine_percent"),
        num(doc, `${place}/elasticities/${i}/loss_of_1_percent`, "fine_percent")])));
    for (const note of [made.tie_note, made.sum_note]) {
      if (note) parent.append(el("p", { class: "note" }, note));
    }
    parent.append(el("h3", {}, "One piece of equipment down"), table([{ title: "What if" }, { title: "step", right: true }, { title: "", right: true },
      { title: "training", right: true }, { title: "", right: true }, { title: "" }],
    made.outages.map((outage, i) => {
      const down = `${place}/outages/${i}`;
      if (!outage.feasible) return [outage.what, "-", "", "-", "", [el("span", { class: "badge no" }, "stops"), " ", outage.why_not]];
      return [outage.what, num(doc, `${down}/step_time_s`, "s"), ratio(doc, `${down}/step_time_s`, `${place}/step_time_s`, "change"),
        num(doc, `${down}/training_time_s`, "s"), ratio(doc, `${down}/training_time_s`, `${place}/training_time_s`, "change"), ""];
    })));
    if (made.method === "estimate") parent.append(el("p", { class: "note" }, "By the estimate in closed form."));
  }

  return { answer, headline, tiles, reasons, breakdown, memory, run, run_table, kinds_of_run, storage_table, load, work, parts, power, power_over_step, cost,
    what_if, limit, layout_words, step_band, causes, has, positive, escaped };
})();
