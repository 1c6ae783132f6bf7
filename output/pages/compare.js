// SPDX-License-Identifier: Apache-2.0
// Sections of a comparison: the cases of a scenario with their published times, or designs side by side.
"use strict";

railwright.compare = (() => {
  const { el, at, num, range, ratio, difference, words, capital, table, tile, rests_on, cause_words, refusal } = railwright.page;
  const { stacked_bars, lines, legend } = railwright.charts;
  const { causes, limit } = railwright.simulate;
  const short = (key) => key.split(".").slice(-2).join(".");

  /// Everything that has a step, as {name, place of the result, the one it is held against}.
  function results(doc) {
    if (doc.designs) {
      return doc.designs.map((design, i) => ({ name: design.name, place: `/designs/${i}/result`, base: "/designs/0/result" }));
    }
    return (doc.rows || []).flatMap((row, r) => row.cells.map((cell, c) => ({ name: `${row.name}, ${cell.value}`, row, cell,
      place: `/rows/${r}/cells/${c}/result`, base: `/rows/${r}/cells/0/result` })));
  }

  const feasible = (doc, one) => at(doc, `${one.place}/feasible`);
  const why_not = (result) => (result.infeasible || []).join("; ");
  /// Those of {name, result} that do not fit, and why.
  const refused = (title, all) => refusal(title, el("ul", {}, all.filter(({ result }) => !result.feasible).map(({ name, result }) => el("li", {}, `${name}: ${why_not(result)}`))));
  const limit_of = (doc, place) => (at(doc, place).feasible ? limit(doc, place) : why_not(at(doc, place)));

  function headline_of_cases(doc) {
    const [first, last] = [doc.values[0], doc.values[doc.values.length - 1]];
    const pairs = doc.rows.map((row, r) => ({ r, share: at(row, `/cells/${row.cells.length - 1}/result/step_time_s`) / at(row, "/cells/0/result/step_time_s") }))
      .filter((pair) => Number.isFinite(pair.share)).sort((a, b) => a.share - b.share);
    if (!pairs.length) return null;
    const change = (pair) => ratio(doc, `/rows/${pair.r}/cells/${doc.values.length - 1}/result/step_time_s`, `/rows/${pair.r}/cells/0/result/step_time_s`, "change");
    const [least, most] = [pairs[0], pairs[pairs.length - 1]];
    return el("p", { class: "headline" }, `With ${last} in place of ${first} for ${short(doc.key)}, the step time changes by `,
      change(least), pairs.length > 1 ? [" to ", change(most)] : "", ", the most for ", doc.rows[most.r].name, ".");
  }

  function answer_of_cases(parent, doc) {
    parent.append(headline_of_cases(doc) || "");
    const c = doc.values.length - 1;
    const tiles = doc.rows.map((row, r) => tile(row.name, ratio(doc, `/rows/${r}/cells/${c}/result/step_time_s`, `/rows/${r}/cells/0/result/step_time_s`, "change"),
      num(doc, `/rows/${r}/cells/0/result/step_time_s`, "s"), " to ", num(doc, `/rows/${r}/cells/${c}/result/step_time_s`, "s"), " a step"));
    if (doc.errors && doc.errors.num_cells > 0) {
      tiles.push(tile("Error on published times", num(doc, "/errors/mean_absolute_error", "percent"), "mean of ", num(doc, "/errors/num_cells", "count"),
        " times that nothing was fitted to"), tile("Largest error", num(doc, "/errors/largest_absolute_error", "percent")));
    }
    parent.append(el("div", { class: "tiles" }, tiles));
  }

  function answer_of_designs(parent, doc) {
    const good = results(doc).filter((one) => feasible(doc, one));
    if (good.length) {
      const time = (one) => at(doc, `${one.place}/training_time_s`) || at(doc, `${one.place}/step_time_s`);
      const best = good.reduce((a, b) => (time(b) < time(a) ? b : a));
      parent.append(el("p", { class: "headline" }, best.name, " is the fastest: ", num(doc, `${best.place}/training_time_s`, "s"),
        best.place !== best.base && feasible(doc, { place: best.base })
          ? [" (", ratio(doc, `${best.place}/training_time_s`, `${best.base}/training_time_s`, "change"), " against ", doc.designs[0].name, ")"] : "", "."));
    }
    parent.append(el("div", { class: "tiles" }, results(doc).map((one) => (feasible(doc, one)
      ? tile(one.name, num(doc, `${one.place}/training_time_s`, "s"), num(doc, `${one.place}/step_time_s`, "s"), " a step")
      : tile(one.name, el("span", { class: "badge no" }, "does not fit"))))));
  }

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) parent.append(refused("Not every design fits.", results(doc).map(({ name, place }) => ({ name, result: at(doc, place) }))));
    if (doc.designs) answer_of_designs(parent, doc);
    else if (doc.rows && doc.rows.length) answer_of_cases(parent, doc);
    else if (doc.curves && doc.curves.length) answer_of_curves(parent, doc);
  }

  function band(doc, place) {
    const [low, high] = [at(doc, `${place}/step_time_low_s`), at(doc, `${place}/step_time_high_s`)];
    if (low === undefined) return "";
    return low === high ? "site measured" : range(doc, `${place}/step_time_low_s`, `${place}/step_time_high_s`, "s");
  }

  function cases_table(doc) {
    const published = doc.rows.some((row) => row.cells.some((cell) => cell.published_training_time_s !== null));
    const based = doc.rows.some((row) => row.cells.some((cell) => cell.result.basis));
    const rows = doc.rows.flatMap((row, r) => row.cells.map((cell, c) => {
      const place = `/rows/${r}/cells/${c}`;
      return [c === 0 ? [row.name, row.fitted ? " *" : ""] : "", cell.value, num(doc, `${place}/result/training_time_s`, "s"),
        ...(published ? [num(doc, `${place}/published_training_time_s`, "s"), num(doc, `${place}/relative_error`, "change")] : []),
        num(doc, `${place}/result/step_time_s`, "s"), band(doc, `${place}/result`),
        c === 0 ? "" : num(doc, `${place}/effect_s`, "difference"),
        c === 0 ? "" : ratio(doc, `${place}/result/step_time_s`, `/rows/${r}/cells/0/result/step_time_s`, "change"), ...(based ? [rests_on(doc, `${place}/result`, false) || ""] : []), limit_of(doc, `${place}/result`)];
    }));
    return [table([{ title: "Case", class: "name" }, { title: short(doc.key) }, { title: "training", right: true },
      ...(published ? [{ title: "published", right: true }, { title: "error", right: true }] : []), { title: "step", right: true }, { title: "band", right: true },
      { title: "effect", right: true }, { title: "", right: true }, ...(based ? [{ title: "rests on" }] : []), { title: "what limits", class: "wide" }], rows),
    doc.rows.some((row) => row.fitted) ? el("p", { class: "note" }, "* The installation was fitted to these times; their errors prove nothing.",
      " Published: ", [...new Set(doc.rows.map((row) => row.source).filter(Boolean))].join("; "), ".") : ""];
  }

  const has_published = (doc) => (doc.rows ?? []).some((row) => row.cells.some((cell) => typeof cell.published_training_time_s === "number"));

  /// Predicted beside published training times, of the cases that have one.
  function published(parent, doc) {
    const cells = doc.rows.flatMap((row) => row.cells.filter((cell) => typeof cell.published_training_time_s === "number").map((cell) => ({ name: `${row.name}, ${cell.value}`, cell })));
    railwright.charts.grouped_bars(parent, "Training time, published and predicted", "s", cells.map(({ name }) => name), [
      { label: "published", colour: "series-2", values: cells.map(({ cell }) => cell.published_training_time_s) },
      { label: "predicted", colour: "series-1", values: cells.map(({ cell }) => cell.result.training_time_s) }]);
  }

  function designs_table(doc) {
    const all = results(doc);
    const row = (title, cell) => [title, ...all.map((one) => (feasible(doc, one) ? cell(one) : "-"))];
    return table([{ title: "" }, ...all.map((one) => ({ title: one.name, right: true }))], [
      row("Training time", (one) => num(doc, `${one.place}/training_time_s`, "s")), row("Step time", (one) => num(doc, `${one.place}/step_time_s`, "s")),
      row("Band of the step", (one) => band(doc, one.place)),
      row("It rests on", (one) => rests_on(doc, one.place, false) || ""),
      row("Against the first", (one) => (one.place === one.base ? "" : ratio(doc, `${one.place}/step_time_s`, `${one.base}/step_time_s`, "change"))),
      row("Model FLOPs utilization", (one) => num(doc, `${one.place}/model_flops_utilization`, "percent")),
      row("Accelerators", (one) => num(doc, `${one.place}/num_accelerators`, "count")),
      row("Memory of an accelerator", (one) => num(doc, `${one.place}/memory_per_accelerator_bytes`, "memory")),
      row("Checkpoint written in", (one) => num(doc, `${one.place}/storage/checkpoint_time_s`, "s")),
      row("Power, mean", (one) => num(doc, `${one.place}/power/mean_power_w`, "w")), row("This run costs", (one) => num(doc, `${one.place}/cost/run_usd`, "usd"))]
      .filter((cells) => cells.slice(1).some((cell) => cell instanceof Element ? !cell.classList.contains("none") : cell !== "-" && cell !== "")));
  }

  /// All numbers side by side.
  function overview(parent, doc) {
    if (doc.designs) parent.append(designs_table(doc));
    else parent.append(...[cases_table(doc)].flat());
  }

  /// Whether a cause takes another time than in what it is held against, to a millionth of a step.
  const changed = (doc, one, cause) => Math.abs(at(doc, `${one.place}/breakdown/${cause}`) - at(doc, `${one.base}/breakdown/${cause}`)) >
    1e-6 * at(doc, `${one.base}/step_time_s`);

  /// Where the steps go, one bar each with its band, and what makes the difference.
  function breakdown(parent, doc) {
    const all = results(doc).filter((one) => feasible(doc, one));
    if (!all.length) return;
    const total = {};
    for (const one of all) {
      for (const cause of causes(at(doc, one.place))) total[cause] = (total[cause] || 0) + at(doc, `${one.place}/breakdown/${cause}`);
    }
    const kinds = Object.keys(total).sort((a, b) => total[b] - total[a]);
    const parts = kinds.map((cause) => ({ name: cause_words(cause), colour: cause, values: all.map((one) => at(doc, `${one.place}/breakdown/${cause}`)) }));
    parent.append(legend(parts));
    stacked_bars(parent, "Step time by cause", "s", all.map((one) => ({ name: one.name, low: at(doc, `${one.place}/step_time_low_s`),
      high: at(doc, `${one.place}/step_time_high_s`) })), parts, { title: "a step" });
    const differ = all.filter((one) => one.place !== one.base && at(doc, `${one.base}/feasible`));
    parent.append(el("p", { class: "note" }, "Whiskers: the band of the step time, where the site was not measured."));
    if (!differ.length) return;
    parent.append(el("h3", {}, "What makes the difference"), table([{ title: "Change of a step" }, ...differ.map((one) => ({ title: one.name, right: true }))],
      kinds.filter((cause) => differ.some((one) => changed(doc, one, cause))).map((cause) => [
        [el("span", { class: "swatch", style: { background: `var(--${cause})` } }), capital(cause_words(cause))],
        ...differ.map((one) => (changed(doc, one, cause) ? difference(doc, `${one.place}/breakdown/${cause}`, `${one.base}/breakdown/${cause}`) : ""))])));
  }

  /// The document's `assumptions`: each departs from the scenario in one thing.
  function assumptions(parent, doc) {
    const value = (row, c) => `${row.name}, ${row.cells[c].value}`;
    const columns = doc.rows.flatMap((row, r) => row.cells.map((_, c) => ({ r, c, name: value(row, c) })));
    parent.append(table([{ title: "Assumption", class: "wide" }, ...columns.map((one) => ({ title: one.name, right: true }))],
      doc.assumptions.map((made, a) => [made.name, ...columns.map(({ r, c }) => {
        const place = `/assumptions/${a}/as_installed/${r}/cells/${c}/result`;
        if (!at(doc, `${place}/feasible`)) return "does not fit";
        return ratio(doc, `${place}/step_time_s`, `/rows/${r}/cells/${c}/result/step_time_s`, "change");
      })])), el("p", { class: "note" }, "Change of the step at the same installation."));
    if (!doc.assumptions.some((made) => made.fit)) return;
    parent.append(el("h3", {}, "With the installation fitted again"), table([{ title: "Assumption", class: "wide" }, { title: "compute", right: true }, { title: "NIC", right: true },
      { title: "mean error", right: true }, { title: "largest", right: true }],
    doc.assumptions.map((made, a) => (made.fit ? [made.name, num(doc, `/assumptions/${a}/fit/compute_efficiency`, "factor"), num(doc, `/assumptions/${a}/fit/nic_efficiency`, "factor"),
      num(doc, `/assumptions/${a}/errors/mean_absolute_error`, "percent"), num(doc, `/assumptions/${a}/errors/largest_absolute_error`, "percent")]
      : [made.name, made.why_no_fit || "no fit", "", "", ""]))));
  }

  const kLines = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "overhead"];
  const numeric = (curve) => curve.lines[0].places.every((place) => Number.isFinite(Number(place.at)));
  const last_point = (place) => place.points.length - 1;

  function answer_of_curves(parent, doc) {
    const values = doc.values;
    parent.append(el("p", { class: "headline" }, `What ${values[values.length - 1]} in place of ${values[0]} for ${short(doc.key)} is worth: `,
      "how much more a cluster with it may cost and still train the most for its money."));
    parent.append(el("div", { class: "tiles" }, doc.curves.map((curve, k) => {
      const places = curve.lines[0].places;
      const end = places.reduce((best, place, i) => (typeof place.points[last_point(place)].worth === "number" ? i : best), 0);
      return tile(curve.name, num(doc, `/curves/${k}/lines/0/places/${end}/points/${last_point(places[end])}/worth`, "change"),
        `at ${short(curve.key)} ${places[end].at}`);
    })));
  }

  /// What more of a thing is worth along another: the document's `curves`.
  function curves(parent, doc) {
    doc.curves.forEach((curve, k) => {
      parent.append(el("h3", {}, curve.name));
      const points = (line, key) => line.places.map((place) => ({ at: Number(place.at), value: place.points[last_point(place)][key] })).filter((one) => typeof one.value === "number");
      const base = curve.lines[0].places.map((place) => ({ at: Number(place.at), ...place.points[last_point(place)] })).filter((one) => typeof one.worth_low === "number");
      const has_band = base.some((one) => one.worth_low < one.worth_high);
      const edge = (key, more) => ({ name: key === "worth_low" ? "band from" : "band to", colour: kLines[0], faint: true, width: 1, x: base.map((one) => one.at), y: base.map((one) => one[key]), ...more });
      const edges = has_band ? [edge("worth_low"), edge("worth_high", { fill: "-1" })] : [];
      const lines_of = (key) => () => curve.lines.map((line, i) => {
        const good = points(line, key);
        return { name: line.variant || "as the scenario", colour: kLines[i % kLines.length], width: i === 0 ? 3 : 1.5, points: true, x: good.map((one) => one.at), y: good.map((one) => one.value) };
      }).filter((line) => line.x.length).concat(edges);
      if (numeric(curve)) {
        const ticks = curve.lines[0].places.map((place) => Number(place.at));
        lines(parent, `Worth along ${curve.key}`, lines_of("worth"), { x: "count", y: "change", x_title: curve.key, y_title: "worth", logarithmic_x: ticks[ticks.length - 1] / ticks[0] > 5, x_ticks: ticks, height: 280 });
      }
      parent.append(el("details", {}, el("summary", {}, "The same in numbers"), table([{ title: short(curve.key), right: true },
        ...doc.values.map((value) => ({ title: `step, ${value}`, right: true })), ...curve.lines.flatMap((line, l) => [{ title: line.variant || "worth", right: true }, ...(l === 0 && has_band ? [{ title: "its band", right: true }] : [])])],
      curve.lines[0].places.map((place, p) => [place.at, ...doc.values.map((_, i) => num(doc, `/curves/${k}/lines/0/places/${p}/points/${i}/step_time_s`, "s")),
        ...curve.lines.flatMap((line, l) => {
          const place = `/curves/${k}/lines/${l}/places/${p}/points/${last_point(line.places[p])}`;
          return [num(doc, `${place}/worth`, "change"), ...(l === 0 && has_band ? [range(doc, `${place}/worth_low`, `${place}/worth_high`, "change")] : [])];
        })]))));
      if (curve.basis) parent.append(el("p", { class: "note" }, "It rests on constants that are ", rests_on(doc, `/curves/${k}`, false), has_band ? "." : "; its site was measured and has no band."));
    });
    parent.append(el("p", { class: "note" }, "Worth: throughput over that with the first value, less one. Shaded: the 80 % interval over sites, if the seconds between the two steps stay as they are and ",
      "the steps do not. A site where everything is slower by the same share has the same line; one where the network alone is slower has a line above it."));
  }

  return { answer, overview, refused, has_published, published, breakdown, assumptions, curves, results };
})();
