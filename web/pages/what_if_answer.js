// SPDX-License-Identifier: Apache-2.0
// What the what-if page shows of an answer: never a time without whether it fits and what is least
// certain about it. Numbers come from the answer's document and name their place in it.
"use strict";

railwright.answer = (() => {
  const { el, at, kinds, num, ratio, range, words, cause_words, capital, tile, meter, rests_on } = railwright.page;

  const pair = (term, ...value) => [el("dt", {}, term), el("dd", {}, ...value)];
  const over = (answer) => answer.result.run?.checkpoint_stall_s / answer.result.training_time_s;

  /// "+3.3 %" against the baseline, in green where it is better; null without one.
  function delta(answer, baseline, pointer, less_is_better = true) {
    const [now, before] = [at(answer, pointer), baseline && at(baseline, pointer)];
    if (typeof now !== "number" || typeof before !== "number" || before === 0) return null;
    const change = now / before - 1;
    const is_better = Math.abs(change) < 0.0005 ? null : (change < 0) === less_is_better;
    const how = is_better === null ? "" : is_better ? " better" : " worse";
    return el("span", { class: `delta${how}`, "data-at": pointer, title: `${now} against ${before}` }, kinds.change(change));
  }

  /// The line on top: whether it fits, how it was computed, what can be done with it.
  function state_line(shown, actions) {
    const { answer, problems, working, lost } = shown;
    const verdict = lost ? el("span", { class: "badge no" }, "No answer")
      : problems ? el("span", { class: "badge estimated" }, "Cannot be built so")
        : !answer ? el("span", { class: "badge" }, "Asking")
          : answer.result.feasible ? el("span", { class: "badge yes" }, "Fits")
            : el("span", { class: "badge no" }, "Does not fit");
    verdict.id = "verdict";
    const how = !answer || problems || lost ? "" : answer.result.method === "simulate" ? "simulated"
      : working === "simulate" ? "closed form, simulating" : "closed form";
    const baseline = shown.baseline
      ? el("button", { type: "button", id: "unpin" }, "Clear baseline")
      : el("button", { type: "button", id: "pin", disabled: !answer?.result.feasible || Boolean(problems) }, "Compare from here");
    baseline.addEventListener("click", shown.baseline ? actions.unpin : actions.pin);
    return el("div", { class: `state${working ? " working" : ""}` }, verdict,
      el("span", { class: "how", id: "how" }, how ? [el("span", { class: "dot" }), how] : null),
      shown.baseline ? el("span", { id: "against" }, `against ${shown.baseline.title}`) : null,
      el("span", { class: "push" }, baseline));
  }

  /// The division that was chosen, and why.
  function division_line(division) {
    if (!division) return null;
    const batch = division.global_batch === division.wanted_batch ? []
      : [`, batch ${division.global_batch} in place of ${division.wanted_batch}`];
    const why = division.own_fails ? [` The scenario's own cannot be: ${division.own_fails}.`] : [];
    const settings = division.settings.filter((one) => !one.startsWith("workload.global_batch"));
    return el("p", { class: "doubt", id: "division" }, el("b", {}, "Division chosen. "),
      el("span", { class: "path" }, settings.join(" ") || "nothing divided"), ...batch, ".", ...why);
  }

  /// Buttons of changes that help, as the program says; null while it is being asked.
  function fix_buttons(fixes, actions) {
    if (!fixes) return el("div", { class: "fixes", id: "fixes", "data-state": "asking" }, "Looking for what would help");
    if (!fixes.length) return el("div", { class: "fixes", id: "fixes", "data-state": "none" }, "No single change of these settings helps.");
    const kIds = { division: "divide", memory: "fit" };
    return el("div", { class: "fixes", id: "fixes", "data-state": "found" }, el("span", {}, "Fix it: "), fixes.map((fix) => {
      const button = el("button", { type: "button", class: "fix", id: kIds[fix.kind] },
        el("span", { class: fix.kind === "memory" ? "path" : null }, fix.words), ` (${kinds.s(fix.outcome.training_time_s)})`);
      button.addEventListener("click", () => actions.take(fix.changes));
      return button;
    }));
  }

  function reasons(title, list, fixes, actions) {
    return el("div", { class: "reasons", id: "reasons" }, el("b", {}, title),
      el("ul", {}, list.map((reason) => el("li", {}, reason))), fix_buttons(fixes, actions));
  }

  /// Where the predicted time lies in its 80 % interval over sites.
  function band_track(low, time, high) {
    if (!(low < high)) return null;
    const [from, to] = [Math.min(low, time) * 0.9, Math.max(high, time) * 1.1];
    const place = (value) => `${(100 * (value - from)) / (to - from)}%`;
    return el("div", { class: "track", "aria-hidden": "true" },
      el("i", { style: { left: place(low), width: `${(100 * (high - low)) / (to - from)}%` } }),
      el("b", { style: { left: place(time) } }));
  }

  /// Says what the time is of: "to train 7.86 billion tokens, 10,000 steps".
  function work(result) {
    const per_step = result.tokens_per_step || result.samples_per_step;
    const what = result.tokens_per_step ? "tokens" : "samples";
    return el("span", { class: "band", id: "work" }, "to train ", kinds.big(result.steps * per_step), ` ${what}, `,
      kinds.count(result.steps), result.steps === 1 ? " step" : " steps");
  }

  function figure(answer, baseline) {
    const [low, high] = answer.training_time_band_s;
    return [
      el("div", { class: "figure" },
        el("span", { class: "time", id: "time" }, num(answer, "/result/training_time_s", "s")),
        delta(answer, baseline, "/result/training_time_s"),
        work(answer.result)),
      el("div", { class: "figure" },
        el("span", { class: "band", id: "band" }, low < high
          ? ["80 % interval: ", range(answer, "/training_time_band_s/0", "/training_time_band_s/1", "s")]
          : "no band")),
      band_track(low, answer.result.training_time_s, high),
    ];
  }

  const doubt = (answer) => el("p", { class: "doubt", id: "doubt" }, el("b", {}, "Least certain. "), answer.uncertainties[0].sentence);

  function summary(parent, shown, actions) {
    const { answer, problems, lost } = shown;
    const is_bad = answer && !problems && !answer.result.feasible;
    const body = el("section", { class: `answer${is_bad ? " infeasible" : ""}${problems || lost ? " problem" : ""}`, "aria-label": "The answer" },
      state_line(shown, actions));
    if (lost) {
      body.append(el("div", { class: "reasons" }, lost));
    } else if (problems) {
      const box = reasons("This cannot be answered:", problems.map((one) =>
        [one.path && el("span", { class: "path" }, `${one.path}: `), [one.message, one.hint].filter(Boolean).join("; ")]), shown.fixes, actions);
      box.classList.add("warn");
      body.append(box);
    } else if (answer && is_bad) {
      body.append(reasons("It does not fit:", answer.result.infeasible, shown.fixes, actions));
    } else if (answer) {
      body.append(...figure(answer, shown.baseline?.answer).filter(Boolean), doubt(answer));
      const chosen = division_line(answer.division);
      if (chosen) body.append(chosen);
      if (answer.added.length) body.append(el("p", { class: "doubt", id: "added" }, el("b", {}, "Added, for its ports. "), el("span", { class: "path" }, answer.added.join(" "))));
    }
    parent.replaceChildren(body);
  }

  function tiles(answer, baseline) {
    const r = "/result";
    const memory = answer.result.memory_per_accelerator_bytes / answer.result.memory_capacity_bytes;
    const made = el("div", { class: "tiles" });
    const put = (id, what, big, ...more) => {
      const box = tile(what, big, ...more);
      box.id = id;
      made.append(box);
    };
    if (answer.result.feasible) {
      put("step", "Step", [num(answer, `${r}/step_time_s`, "s"), " "], delta(answer, baseline, `${r}/step_time_s`));
      const rate = at(answer, `${r}/tokens_per_s`) === undefined ? "samples" : "tokens";
      put("rate", `${capital(rate)}/s an accelerator`, ratio(answer, `${r}/${rate}_per_s`, `${r}/num_accelerators`, "plain"),
        delta(answer, baseline, `${r}/${rate}_per_s`, false), " ", num(answer, `${r}/${rate}_per_s`, "count"), " in all");
      put("mfu", "Model FLOPs utilization", num(answer, `${r}/model_flops_utilization`, "percent"),
        delta(answer, baseline, `${r}/model_flops_utilization`, false));
      if (answer.result.storage?.checkpoint_bytes > 0) {
        put("stall", "Waiting for checkpoints", Number.isFinite(over(answer)) ? ratio(answer, `${r}/run/checkpoint_stall_s`, `${r}/training_time_s`) : "-",
          "of the time");
      }
    }
    put("memory", "Memory an accelerator", num(answer, `${r}/memory_per_accelerator_bytes`, "memory"),
      meter(memory), ratio(answer, `${r}/memory_per_accelerator_bytes`, `${r}/memory_capacity_bytes`), " of ",
      num(answer, `${r}/memory_capacity_bytes`, "memory"));
    put("size", "Accelerators", num(answer, `${r}/num_accelerators`, "count"),
      `tp ${answer.result.layout.tp} · pp ${answer.result.layout.pp} · dp ${answer.result.layout.dp}`);
    return made;
  }

  function stack(who, answer, causes, longest) {
    const parts = answer.result.breakdown;
    return el("div", { class: "stack-row" }, el("span", { class: "who" }, who),
      el("div", { class: "stack", role: "img", "aria-label": `A step of ${kinds.s(answer.result.step_time_s)} by cause` },
        causes.map((cause) => el("i", { title: `${cause_words(cause)}: ${kinds.s(parts[cause])}`,
          style: { width: `${(100 * parts[cause]) / longest}%`, background: `var(--${cause})` } }))),
      el("span", { class: "end" }, kinds.s(answer.result.step_time_s)));
  }

  function breakdown(answer, baseline) {
    const parts = answer.result.breakdown;
    const before = baseline?.result.feasible ? baseline : null;
    const causes = Object.keys(parts).filter((cause) => parts[cause] > 0 || before?.result.breakdown[cause] > 0);
    const longest = Math.max(answer.result.step_time_s, before?.result.step_time_s ?? 0);
    const largest = [...causes].sort((a, b) => parts[b] - parts[a]);
    const columns = [{ title: "" }, { title: "Time", right: true }, { title: "Share", right: true }];
    if (before) columns.push({ title: "Change", right: true });
    return el("section", { id: "breakdown" }, el("h2", {}, "Where a step goes"),
      el("p", { class: "lead", id: "limit" }, `${capital(answer.result.limit)}.`),
      before ? stack("baseline", before, causes, longest) : null, stack(before ? "now" : "a step", answer, causes, longest),
      railwright.page.table(columns, largest.map((cause) => [
        [el("span", { class: "swatch", style: { background: `var(--${cause})` } }), cause_words(cause)],
        num(answer, `/result/breakdown/${cause}`, "s"),
        ratio(answer, `/result/breakdown/${cause}`, "/result/step_time_s"),
        ...(before ? [kinds.difference(parts[cause] - (before.result.breakdown[cause] ?? 0))] : [])])));
  }

  function memory(answer) {
    const parts = Object.entries(answer.result.memory).filter(([, size]) => size > 0);
    return el("section", { id: "memory-lines" }, el("h2", {}, "Memory of an accelerator"),
      el("dl", {}, parts.map(([key]) => pair(words(key), num(answer, `/result/memory/${key}`, "memory"))),
        pair("together", num(answer, "/result/memory_per_accelerator_bytes", "memory")),
        pair("there is", num(answer, "/result/memory_capacity_bytes", "memory"))));
  }

  function storage(answer) {
    const s = "/result/storage";
    if (!(at(answer, `${s}/raw_capacity_bytes`) > 0) || !answer.result.feasible) return null;
    const rows = [["a checkpoint", num(answer, `${s}/checkpoint_bytes`, "bytes")],
      ["written in", num(answer, `${s}/checkpoint_time_s`, "s")],
      ["checkpoints", num(answer, `${s}/num_checkpoints`, "count")],
      ["training waits for them", num(answer, "/result/run/checkpoint_stall_s", "s")],
      ["read back in", num(answer, `${s}/restore_time_s`, "s")],
      ["peak of writes", num(answer, `${s}/run_peak_write_bytes_per_s`, "bytes_per_s")],
      ["peak of reads", num(answer, `${s}/run_peak_read_bytes_per_s`, "bytes_per_s")],
      ["most used", [num(answer, `${s}/max_used_bytes`, "bytes"), " of ", num(answer, `${s}/usable_capacity_bytes`, "bytes")]]];
    const section = el("section", { id: "storage" }, el("h2", {}, "What storage sees"),
      el("dl", {}, rows.map(([term, value]) => pair(term, value))));
    draw_load(section, answer.load_over_time);
    return section;
  }

  /// Reads and writes over time, where there is a chart library and something to draw.
  function draw_load(parent, load) {
    if (typeof Chart === "undefined" || !load?.time_s || load.time_s.length < 2) return;
    railwright.charts.lines(parent, "Bytes a second that storage reads and writes, over the run", () => [
      { name: "write", colour: "series-2", x: load.time_s, y: load.write_bytes_per_s, stepped: "after", fill: true },
      { name: "read", colour: "series-1", x: load.time_s, y: load.read_bytes_per_s, stepped: "after" },
      { name: "write, highest in the bin", colour: "series-2", x: load.time_s, y: load.peak_write_bytes_per_s, stepped: "after", faint: true, width: 1 },
      { name: "read, highest in the bin", colour: "series-1", x: load.time_s, y: load.peak_read_bytes_per_s, stepped: "after", faint: true, width: 1 },
    ], { x: "s", y: "bytes_per_s", height: 210 });
  }

  function certainty(answer) {
    if (!answer.uncertainties.length) return null;
    const basis = rests_on(answer, "/result");
    return el("section", { id: "uncertainties" }, el("h2", {}, "How sure this is"), basis ? el("p", { id: "basis" }, basis) : null,
      el("ol", {}, answer.uncertainties.map((one) => el("li", {}, one.sentence))));
  }

  function built(answer) {
    const wanted = answer.result.parts.filter((part) => part.kind !== "cable");
    const rows = [["power while it trains", "/result/power/mean_power_w", "w"], ["capital", "/result/cost/capital_usd", "usd"],
      ["this run, of all costs", "/result/cost/run_usd", "usd"]].filter(([, pointer]) => at(answer, pointer) !== undefined);
    return el("section", { id: "parts" }, el("h2", {}, "What is built"),
      el("dl", {}, rows.map(([term, pointer, kind]) => pair(term, num(answer, pointer, kind))), wanted.map((part) => pair(`${part.name}, ${words(part.kind)}`, part.count.toLocaleString("en-US")))));
  }

  /// Over the slider that was moved last.
  function curve(shown) {
    if (!shown.curve) return null;
    const box = el("div", {});
    railwright.stops.curve(box, shown.curve.spec, shown.curve.known, shown.curve.place);
    return box.firstChild;
  }

  function as_command(settings) {
    if (!settings.length) return null;
    const quoted = (setting) => (/^[\w.=:+-]+$/.test(setting) ? setting : `'${setting.replaceAll("'", "'\\''")}'`);
    return el("section", { id: "command" }, el("h2", {}, "The same on the command line"),
      el("div", { class: "command" }, ["railwright simulate SCENARIO", ...settings.map((one) => `--set ${quoted(one)}`)].join(" \\\n  ")));
  }

  /// The switches and links of what is simulated.
  function fabric(answer) {
    if (!answer.topology) return null;
    const is_late = answer.is_topology_late === true;
    const section = el("section", { id: "fabric", class: is_late ? "late" : null, "aria-busy": String(is_late) }, el("h2", {}, "The fabric"));
    railwright.fabric.topology(section, answer);
    return section;
  }

  function details(parent, shown, actions) {
    const { answer } = shown;
    if (!answer) return;
    const before = shown.baseline?.answer;
    const first = [railwright.designs.section(shown.designs, actions), tiles(answer, before), curve(shown), answer.result.feasible ? breakdown(answer, before) : null, fabric(answer)];
    const rest = el("div", { class: "columns" }, [storage(answer), memory(answer), certainty(answer), built(answer), as_command(shown.settings)]);
    for (const draw of [...railwright.charts.drawn]) railwright.charts.drawn.delete(draw);
    parent.replaceChildren(...first.filter(Boolean), rest);
    parent.classList.toggle("stale", Boolean(shown.problems || shown.lost));
  }

  return { summary, details };
})();
