// SPDX-License-Identifier: Apache-2.0
// The report: sections in order, from the document that the page carries.
"use strict";

railwright.report = (() => {
  const { el, facts, at, num, words, capital, section, table, tile, rests_on, remark, right } = railwright.page;
  const { simulate, timeline, fabric, compare, size, search, sweep, explain, calibrate, service, queue, post_training, plain } = railwright;

  /// Results with a `basis`, each as {name, place}.
  function predictions(doc) {
    const all = doc.sized ? size.designs(doc).map((one) => ({ name: one.title, place: `${one.place}/result` }))
      : doc.designs || doc.rows ? compare.results(doc) : [{ name: "", place: "" }];
    (doc.curves || []).forEach((curve, k) => all.push({ name: curve.name, place: `/curves/${k}` }));
    return all.filter((one) => rests_on(doc, one.place));
  }

  /// What the models rest on: what measurements say of such steps, and where the constants come from.
  function basis(parent, doc) {
    const said = new Map();
    for (const one of predictions(doc)) {
      const { kind, says } = at(doc, `${one.place}/basis`);
      const alike = said.get(kind + says) || { place: one.place, names: [] };
      alike.names.push(one.name);
      said.set(kind + says, alike);
    }
    for (const { place, names } of said.values()) {
      parent.append(el("p", {}, said.size > 1 ? [el("strong", {}, names.join("; ")), ": "] : "", rests_on(doc, place)));
    }
    if (!doc.constants) return;
    const open = doc.constants.flatMap((entry) => entry.values.filter((value) => value.estimate && value.replaced_by === undefined).map((value) => ({ entry, value })));
    parent.append(el("p", {}, num(doc, "/constants_summary/num_estimates", "count"), " of the ", num(doc, "/constants_summary/num_values", "count"),
      " constants used are estimates or were fitted to measurements; the others stand below with where they come from."));
    if (!open.length) return;
    parent.append(el("details", {}, el("summary", {}, "Every estimate"),
      table([{ title: "Constant", class: "path" }, { title: "value", right: true }, { title: "", class: "wide" }],
        open.map(({ entry, value }) => [`${entry.entry} ${value.key}`, text_of(value), value.source]))));
    parent.append(el("p", { class: "note" }, el("span", { class: "path" }, "railwright validate"), " holds these models against published measurements."));
  }

  /// What the scenario states, and what it leaves to defaults.
  function assumptions(parent, doc) {
    const stated = doc.scenario.stated;
    parent.append(el("div", { class: "scroll" }, table([{ title: "Stated", class: "path" }, { title: "value" }, { title: "where" }],
      stated.map((one) => [one.path, one.text, one.where]))));
    if (doc.scenario.defaults.length) {
      parent.append(el("details", {}, el("summary", {}, "Left at its default"), table([{ title: "Key", class: "path" }, { title: "default" }, { title: "", class: "wide" }],
        doc.scenario.defaults.map((one) => [one.path, one.text, one.says]))));
    }
  }

  /// "4 GB/s (2 GB/s to 5 GB/s)" where the constant is known only within a range.
  const text_of = (value) => value.range === undefined ? value.text : `${value.text} (${value.range})`;

  /// Every constant with its source, entry by entry, to search.
  function constants(parent, doc) {
    const search = el("input", { type: "search", placeholder: "Search constants and sources", "aria-label": "Search constants and sources" });
    const groups = doc.constants.map((entry) => {
      const rows = entry.values.map((value) => ({ value, cells: [value.key, value.replaced_by === undefined ? text_of(value) : [el("s", {}, value.text), " ", value.replaced_by],
        value.replaced_by !== undefined ? el("span", { class: "badge" }, "stated in the scenario") : value.estimate ? el("span", { class: "badge estimate" }, "estimate") : "", value.source] }));
      const made = table([{ title: "Key", class: "path" }, { title: "value" }, { title: "" }, { title: "source", class: "wide" }], rows.map((row) => row.cells));
      const group = el("details", { class: "group" }, el("summary", {}, el("strong", {}, entry.entry), entry.description ? ` ${entry.description}` : ""),
        el("p", { class: "note" }, "Used as ", el("span", { class: "path" }, entry.used_as.join(", ")), entry.source ? [". Source of the entry: ", entry.source] : ""), made);
      return { entry, group, rows, lines: [...made.querySelectorAll("tbody tr")] };
    });
    search.addEventListener("input", () => {
      const wanted = search.value.toLowerCase();
      for (const { entry, group, rows, lines } of groups) {
        let found = 0;
        rows.forEach(({ value }, i) => {
          const fits = `${entry.entry} ${value.key} ${value.text} ${value.source}`.toLowerCase().includes(wanted);
          lines[i].hidden = !fits;
          found += fits ? 1 : 0;
        });
        group.hidden = found === 0;
        group.open = wanted !== "" && found > 0;
      }
    });
    parent.append(el("div", { class: "controls" }, search), groups.map(({ group }) => group).reduce((all, group) => (all.append(group), all), el("div")));
  }

  /// Several jobs on one storage.
  function jobs_answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) return simulate.reasons(parent, doc);
    const share = (i) => at(doc, queue.time_of_job(doc, i)) / at(doc, queue.time_alone(doc, i));
    const slowed = doc.jobs.map((job, i) => ({ i, share: share(i) })).sort((a, b) => b.share - a.share)[0];
    const [time, alone] = [queue.time_of_job(doc, slowed.i), queue.time_alone(doc, slowed.i)];
    parent.append(el("p", { class: "headline" }, `${doc.jobs[slowed.i].name} is slowed the most by the others: `,
      num(doc, time, "s"), " in place of ", num(doc, alone, "s"), " (", railwright.page.ratio(doc, time, alone, "change"), ")."));
    const storage = [["Reads, peak", "run_peak_read_bytes_per_s", "bytes_per_s"], ["Writes, peak", "run_peak_write_bytes_per_s", "bytes_per_s"],
      ["Processors of the storage, peak", "peak_processor_load", "percent"], ["Most used", "max_used_bytes", "bytes"]].filter(([, key]) => simulate.has(doc, `/storage/${key}`));
    parent.append(el("div", { class: "tiles" }, doc.jobs.every((job) => job.load) ? ""
      : tile("All jobs done in", num(doc, "/makespan_s", "s"), num(doc, "/mean_slowdown"), " times as long as alone, in the mean"),
    doc.jobs.map((job, i) => {
      if (job.load?.write_time_s !== undefined) return tile(`${job.name}, a write`, num(doc, `/jobs/${i}/load/write_time_s`, "s"), num(doc, `/jobs/${i}/load/write_time_alone_s`, "s"), " alone");
      if (job.load) return tile(`${job.name} reads`, num(doc, `/jobs/${i}/load/share_read`, "percent"), "of ", num(doc, `/jobs/${i}/load/read_bytes_per_s`, "bytes_per_s"));
      return tile(job.name, num(doc, queue.time_of_job(doc, i), "s"), num(doc, queue.time_alone(doc, i), "s"), " alone");
    }),
      simulate.has(doc, "/power/mean_power_w") ? tile("Power", num(doc, "/power/mean_power_w", "w"), num(doc, "/power/peak_power_w", "w"), " at the peak") : "", storage.map(([name, key, kind]) => tile(name, num(doc, `/storage/${key}`, kind)))));
    return undefined;
  }

  /// What each load asks for and gets.
  function loads_table(parent, doc) {
    const loads = doc.jobs.map((job, i) => ({ job, at: `/jobs/${i}/load` })).filter(({ job }) => job.load);
    const one = (place, key, kind) => (simulate.has(doc, `${place}/${key}`) ? num(doc, `${place}/${key}`, kind) : "");
    parent.append(table([{ title: "Load" }, ...right("writes", "every", "written in", "alone", "reads", "gets", "of its time busy")],
      loads.map(({ job, at: place }) => [job.name, one(place, "write_bytes", "bytes"), one(place, "every_s", "s"), one(place, "write_time_s", "s"),
        one(place, "write_time_alone_s", "s"), one(place, "read_bytes_per_s", "bytes_per_s"), one(place, "share_read", "percent"), one(place, "busy_share", "percent")])));
  }

  /// Two tables of the jobs, how long each takes and where its time goes, the latter as bars too.
  function jobs_table(parent, all) {
    if (all.jobs.some((job) => job.load)) loads_table(parent, all);
    const doc = { ...all, jobs: all.jobs.filter((job) => !job.load) };
    if (doc.jobs.length === 0) return;
    const of_time = (place, alone) => [num(doc, place, "s"), num(doc, alone, "s"), railwright.page.ratio(doc, place, alone, "change")];
    parent.append(table([{ title: "Job" }, ...right("5 to 95 % of runs", "time", "alone", "slowed by", "a step", "alone", "slowed by")],
      doc.jobs.map((job, i) => [job.name, railwright.page.range(doc, `/jobs/${i}/training_time_low_s`, `/jobs/${i}/training_time_high_s`, "s"),
        ...of_time(`/jobs/${i}/training_time_s`, `/jobs/${i}/alone_training_time_s`), ...of_time(`/jobs/${i}/step_time_s`, `/jobs/${i}/step_time_alone_s`)])));
    parent.append(el("h3", {}, "Where the time goes"), table([{ title: "Job" }, ...right("in steps", "waits for data", "for checkpoints", "interruptions")],
      doc.jobs.map((job, i) => [job.name,
        ...["steps_s", "data_stall_s", "checkpoint_stall_s"].map((key) => railwright.page.ratio(doc, `/jobs/${i}/run/${key}`, `/jobs/${i}/training_time_s`)),
        num(doc, `/jobs/${i}/run/num_interruptions`)])));
    const kinds = simulate.kinds_of_run().filter(({ key }) => doc.jobs.some((job) => job.run[key] > 0));
    const parts = kinds.map(({ key, word, color }) => ({ name: word, colour: color, values: doc.jobs.map((job) => job.run[key]) }));
    parent.append(railwright.charts.legend(parts));
    railwright.charts.stacked_bars(parent, "Where the time of each job goes", "s", doc.jobs.map((job) => ({ name: job.name, low: job.training_time_low_s, high: job.training_time_high_s })), parts,
      { title: "time of the job" });
    if (doc.jobs.some((job) => job.training_time_high_s > job.training_time_low_s)) {
      parent.append(el("p", { class: "note" }, "Whiskers: nine of ten of the runs that were simulated."));
    }
  }

  /// Power of all jobs together, and what draws it.
  function jobs_power(parent, doc) {
    const { time_s, power_w } = doc.power.over_time;
    railwright.charts.lines(parent, "Power of the cluster", () => [{ name: "power", colour: "series-4", x: time_s, y: power_w, stepped: true }], { x: "s", y: "w", height: 220 });
    parent.append(table([{ title: "Power" }, ...right("mean")], [...Object.keys(doc.power.mean).filter((key) => key !== "nodes_w" && doc.power.mean[key] > 0)
      .map((key) => [capital(words(key)), num(doc, `/power/mean/${key}`, "w")]), { class: "total", cells: ["In all", num(doc, "/power/mean_power_w", "w")] }]));
  }

  const kCollective = [["Size", "/size_bytes", "bytes"], ["Ranks", "/num_ranks", "count"], ["Time", "/time_s", "s"],
    ["Algorithm bandwidth", "/algorithm_bandwidth_bytes_per_s", "bytes_per_s"], ["Bus bandwidth", "/bus_bandwidth_bytes_per_s", "bytes_per_s"]];

  function collective_numbers(parent, doc) {
    parent.append(table([{ title: "" }, { title: "", right: true }], kCollective.filter(([, pointer]) => simulate.has(doc, pointer))
      .map(([word, pointer, kind]) => [word, num(doc, pointer, kind)])));
  }

  function collective_answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) { simulate.reasons(parent, doc); return; }
    parent.append(el("p", { class: "headline" }, `${capital(words(doc.op))} of `, num(doc, "/size_bytes", "bytes"), " over ", num(doc, "/num_ranks", "count"), " ranks takes ",
      num(doc, "/time_s", "s"), ": a bus bandwidth of ", num(doc, "/bus_bandwidth_bytes_per_s", "bytes_per_s"), "."),
    el("p", { class: "limit" }, `By ${words(doc.algorithm)}, protocol ${words(doc.protocol)}.`));
  }

  /// [id, title, what it says, draw, whether there is any]
  function of_simulation(doc) {
    const runs = doc.feasible;
    if (Array.isArray(doc.jobs)) {
      return [["answer", "The answer", "", jobs_answer, true],
        ["jobs", "The jobs", "Each job as it runs beside the others, and as it would run alone.", jobs_table, runs],
        ["run", "What happens when", "", timeline.run, doc.run_timeline],
        ["power", "Power over time", "Of the building, in the first of the runs that were simulated.", jobs_power, at(doc, "/power/over_time")],
        ["load", "Load of the storage over time", "What all jobs together read and write.", simulate.load, at(doc, "/storage/load_over_time")],
        ["storage", "Storage in numbers", "", (parent) => parent.append(simulate.storage_table(doc, "")), doc.storage]];
    }
    if (queue.is_one(doc)) {
      return [["answer", "The answer", "", queue.answer, true], ["over-time", "Over the time of the queue", "", queue.over_time, runs],
        ["sizes", "The jobs by their size", "", queue.sizes, runs]];
    }
    if (post_training.is_one(doc)) {
      return [["answer", "The answer", "", post_training.answer, true],
        ["parts", "Where a step goes", "", post_training.parts, runs],
        ["numbers", "In numbers", "", post_training.numbers, true]];
    }
    if (plain.is_one(doc)) {
      return [["answer", "The answer", "", plain.answer, true], ["numbers", "In numbers", "", plain.numbers, runs]];
    }
    if (doc.op !== undefined) {
      return [["answer", "The answer", "", collective_answer, true], ["numbers", "In numbers", "", collective_numbers, runs],
        ["links", "The busiest links", "", fabric.busiest, doc.busiest_links]];
    }
    if (service.is_one(doc)) {
      return [["answer", "The answer", "", service.answer, true],
        ["latencies", "How long requests take", "Of every simulated request.", service.latencies, doc.run],
        ["passes", "Where a pass goes", "", service.passes, doc.decode_breakdown],
        ["numbers", "In numbers", "", service.numbers, doc.num_replicas !== undefined],
        ["memory", "Memory of an accelerator", "", simulate.memory, doc.memory && doc.memory_capacity_bytes]];
    }
    return [["answer", "The answer", "", simulate.answer, true],
      ["breakdown", "Where the time of a step goes", "One optimizer step on the critical path.", simulate.breakdown, runs],
      ["run", "Where the time of the run goes", "From start-up to the last step, with checkpoints, failures and restarts.", simulate.run, runs],
      ["timeline", "A step, stage by stage", "", timeline.step, doc.timeline],
      ["power", "Power over a step", "", simulate.power_over_step, at(doc, "/power/over_step")],
      ["what-if", "What if", "The next bottleneck, what each rate is worth, and what a failed part costs.", simulate.what_if, runs],
      ["load", "Load of the storage over time", "What the run reads and writes, checkpoints and restarts included.", simulate.load, at(doc, "/storage/load_over_time")],
      ["storage", "Storage in numbers", "", (parent) => parent.append(simulate.storage_table(doc, "")),
        runs && (simulate.positive(doc, "/storage/raw_capacity_bytes") || simulate.positive(doc, "/storage/checkpoint_bytes"))],
      ["run-timeline", "What happens when", "", timeline.run, doc.run_timeline],
      ["memory", "Memory of an accelerator", "", simulate.memory, doc.memory],
      ["parts", "What it takes", "", (parent) => {
        const columns = [el("div"), el("div")];
        parent.append(el("div", { class: "two" }, columns));
        simulate.work(columns[0], doc);
        if (doc.power) simulate.power(columns[0], doc);
        simulate.parts(columns[1], doc);
        simulate.cost(columns[1], doc);
      }, true]];
  }

  /// The key of a kind whose designs have no page of their own; null for the others.
  function plain_kind(doc) {
    const known = doc.designs?.find(({ result }) => result.name !== undefined)?.result;
    if (plain.is_one(known)) return known.scenario_kind;
    if (post_training.is_one(known)) return "post_training";
    return known?.op !== undefined ? "benchmark" : null;
  }

  function of_comparison(doc) {
    const first = doc.designs?.[0].result;
    if (service.is_one(first)) {
      return [["answer", "The answer", "", service.designs.answer, true], ["overview", "Side by side", "", service.designs.overview, true]];
    }
    if (queue.is_mix(first)) {
      return [["answer", "The answer", "", queue.designs.answer, true], ["overview", "Side by side", "", queue.designs.overview, true],
        ["times", "Their times", "", queue.designs.chart, doc.feasible]];
    }
    const kind = plain_kind(doc);
    if (kind) {
      return [["answer", "The answer", "", plain.best, true], ["overview", "Side by side", "", (parent) => plain.overview(parent, doc, kind), true]];
    }
    return [["answer", "The answer", "", compare.answer, true],
      ["overview", "Side by side", "", compare.overview, doc.designs || (doc.rows && doc.rows.length)],
      ["published", "Published and predicted", "", compare.published, compare.has_published(doc)],
      ["curves", "What it is worth along the way", "", compare.curves, doc.curves],
      ["breakdown", "Where the steps go", "", compare.breakdown, compare.results(doc).length],
      ["what-if", "What if", "Each assumption departs from the scenario in what its name says.", compare.assumptions, doc.assumptions && doc.assumptions.length]];
  }

  function of_sizing(doc) {
    return [["answer", "The answer", "", size.answer, true],
      ["designs", "The designs", "", size.overview, doc.feasible], ["times", "Their times", "", size.times, doc.feasible],
      ["materials", "Bill of materials", "", size.materials, doc.feasible],
      ["what-if", "One step down", "Of each combination of parts the smallest cluster, and what a smaller one misses.", size.one_step_down, true],
      ["load", "Load of the storage over time", "Of the first design.", (parent) => simulate.load(parent, at(doc, `/sized/${doc.chosen}/result`)), doc.feasible]];
  }

  function of_search(doc) {
    return [["answer", "The answer", "", search.answer, true],
      ["best", "The best", "In order; columns in which all are alike are left out.", search.best, doc.feasible],
      ["front", "The Pareto front", "Configurations that none beats in both.", search.front, doc.front && doc.front.length],
      ["tried", "What was tried", "", search.tried, true]];
  }

  function of_sweep(doc) {
    return [["answer", "The answer", "", sweep.answer, true],
      ["chart", "Over what was varied", "A line or a bar for each combination of the other keys; of more than six the least and the most. Points that do not fit are left out.", sweep.chart, doc.feasible && doc.keys.length],
      ["points", "The points", "", sweep.points, doc.table.length]];
  }

  function of_explanation(doc) {
    return [["answer", "The answer", "", explain.answer, true],
      ["breakdown", "Where the time of a step goes", "One optimizer step on the critical path.", simulate.breakdown, doc.feasible],
      ["what-if", "What if", "The next bottleneck, what each rate is worth, and what a failed part costs.", (parent) => simulate.what_if(parent, doc, ""), doc.feasible]];
  }

  function of_topology() {
    return [["answer", "The answer", "", fabric.answer, true], ["materials", "Bill of materials", "", fabric.materials, true]];
  }

  function of_calibration(doc) {
    return [["answer", "The answer", "", calibrate.answer, true],
      ["runs", "Measured and predicted", "Each run as it was measured, as the fit has it, and as a fit without it would.", calibrate.runs, doc.runs.length]];
  }

  /// Sections of the two pages of a print; the others follow them as an appendix. Those of a run stand in two columns.
  const kPrinted = new Set(["answer", "breakdown", "parts", "jobs", "over-time", "sizes", "latencies", "passes", "overview", "published", "times", "curves", "designs", "materials", "best", "front", "chart", "runs"]);
  const kHalves = new Set(["breakdown", "run", "load", "memory"]);
  function printed_as(verb, id) {
    if (verb === "simulate" && kHalves.has(id)) return ["printed", "half"];
    return kPrinted.has(id) ? ["printed"] : ["appendix"];
  }

  /// What `size` found for a service, a queue or several jobs, before what it does.
  const sized = (doc) => doc.settings && el("p", { class: "headline" }, doc.verdict ? facts(doc.verdict)[0][1] : ["The fewest that do: ",
    el("span", { class: "path" }, doc.settings.join(" "))], doc.smaller ? `; ${doc.smaller}.` : ".");

  /// The answer line by line, as a terminal shows it, but for what tiles and remarks below it say.
  function in_words(body, doc) {
    const elsewhere = ["memory", "storage", "trust", ...(doc.settings ? ["verdict", "smaller"] : [])];
    const rows = el("dl", { class: "facts" }, facts(doc.verdict).filter(([label]) => !elsewhere.includes(label)).map(([label, text]) => [el("dt", {}, label), el("dd", {}, text)]));
    const head = [...body.querySelectorAll(":scope > .headline")].at(-1);
    if (head) head.after(rows);
    else body.append(rows);
  }

  /// Sections that draw what is predicted.
  const kCharted = new Set(["breakdown", "run", "timeline", "load", "topology", "memory"]);

  function draw(page, content) {
    const doc = content.document;
    railwright.page.know(content);
    const list = { simulate: of_simulation, compare: of_comparison, size: of_sizing, search: of_search, sweep: of_sweep, explain: of_explanation, topology: of_topology, calibrate: of_calibration }[content.verb](doc);
    list.push(["topology", "The fabric", doc.topology && doc.topology.has_load ? "And how loaded its links are over a step." : "", (parent) => {
      fabric.topology(parent, doc);
      if (doc.timeline) {
        parent.append(el("h3", {}, "The busiest link of each tier over a step"));
        timeline.links(parent, doc);
      }
    }, doc.drawing || typeof doc.topology === "object"]);
    list.push(["basis", "How far to trust it", "What the models rest on.", basis, doc.constants || doc.basis],
      ["assumptions", "Assumptions", content.verb === "compare" ? "What the scenario states; a case changes what its name says." : "What the scenario states, and what it leaves out.",
        assumptions, doc.scenario],
      ["constants", "Every constant with its source", "", constants, doc.constants]);
    const untitled = content.verb === "compare" ? "Designs side by side" : "Measured runs and their fit";
    const shown = list.filter(([, , , , any]) => any);
    document.title = doc.name ? `${doc.name} - railwright` : "railwright report";
    page.append(el("header", { class: "masthead" }, el("p", { class: "kind" }, `railwright ${content.version} ${doc.settings ? "size" : content.verb}`),
      el("h1", {}, doc.name || untitled)));
    const main = el("main");
    page.append(main);
    for (const [id, title, says, fill] of shown) {
      const body = section(main, id, title, says);
      if (id === "answer") body.append(...[sized(doc)].filter(Boolean));
      fill(body, doc);
      if (id === "answer" && doc.verdict) in_words(body, doc);
      body.classList.add(...printed_as(content.verb, id));
      if (id === "answer") {
        body.classList.add("answer");
        main.append(el("nav", { class: "contents", "aria-label": "Contents" }, shown.slice(1).map(([to, what]) => el("a", { href: `#${to}` }, what))));
      }
      if (kCharted.has(id) && doc.basis) body.append(el("p", { class: "note" }, "Rests on constants that are ", rests_on(doc, "", false), "."));
    }
    main.querySelector(".appendix")?.classList.add("first");
    const hashes = [content.scenario_hash && `scenario ${content.scenario_hash}`, content.catalogue_hash && `catalogue values ${content.catalogue_hash}`].filter(Boolean);
    page.append(el("footer", { class: "foot" }, content.command ? el("p", { class: "path" }, content.command) : null,
      el("p", {}, "Made by railwright ", content.version, content.date ? ` on ${content.date} (UTC)` : "", hashes.length ? `; hashes of its input: ${hashes.join(", ")}` : "", ". Numbers are rounded to three digits; each shows the whole one when pointed at, as ",
      el("span", { class: "path" }, "--format json"), " prints it in the same run. This page loads nothing."),
    el("details", {}, el("summary", {}, "Charts by Chart.js: its licence"), el("pre", {}, content.chart_licence))));
  }

  return { draw, basis, assumptions, constants };
})();

if (document.getElementById("document")) {
  railwright.report.draw(document.getElementById("report"), JSON.parse(document.getElementById("document").textContent));
}
