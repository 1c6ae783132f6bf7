// SPDX-License-Identifier: Apache-2.0
// Sections of a model that answers requests, and of several side by side.
"use strict";

railwright.service = (() => {
  const { el, at, num, range, table, tile, remark, labelled_rows } = railwright.page;
  const { has, reasons } = railwright.simulate;
  const { refused } = railwright.compare;
  const is_one = (doc) => doc?.memory_levels !== undefined || doc?.num_replicas !== undefined && doc?.jobs === undefined;

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) { reasons(parent, doc); return; }
    parent.append(el("p", { class: "headline" }, num(doc, "/num_nodes", "count"), " nodes carry it",
      doc.num_nodes_high > doc.num_nodes ? [", ", num(doc, "/num_nodes_high", "count"), " at the low end of what they reach"] : "", ": ",
      num(doc, "/time_to_first_token_s", "s"), " to the first token, then ", num(doc, "/time_per_output_token_s", "s"), " a token."));
    const throughput = has(doc, "/node_tokens_per_s_low") ? [range(doc, "/node_tokens_per_s_low", "/node_tokens_per_s_high", "count"), " (80 % interval)"] : "no interval for this engine";
    const tiles = [tile("Output tokens/s of a node", num(doc, "/node_tokens_per_s", "count"), throughput),
      tile("Requests at a time", num(doc, "/batch", "count"), num(doc, "/largest_batch", "count"), " fit into memory")];
    if (doc.run) {
      tiles.push(tile("First token, p99", num(doc, "/run/time_to_first_token/p99_s", "s"), num(doc, "/run/time_to_first_token/p50_s", "s"), " in half the answers"),
        tile("Each further token, p99", num(doc, "/run/time_per_output_token/p99_s", "s"), num(doc, "/run/time_per_output_token/p50_s", "s"), " in half the answers"));
      if (has(doc, "/run/within_latencies")) tiles.push(tile("Within the latencies", num(doc, "/run/within_latencies", "percent"), "of the requests"));
    }
    if (has(doc, "/power/mean_power_w")) tiles.push(tile("Power", num(doc, "/power/mean_power_w", "w"), num(doc, "/power/peak_power_w", "w"), " at the peak"));
    parent.append(el("div", { class: "tiles" }, tiles), remark("What limits it", doc.limit, "."));
  }

  const kQuantiles = ["p50_s", "p90_s", "p99_s"];

  /// How long requests wait, as bars of one kind of latency.
  function latencies(parent, doc) {
    for (const [key, title] of [["time_to_first_token", "To the first token"], ["time_per_output_token", "Each further token"], ["latency", "The whole answer"]]) {
      if (!at(doc, `/run/${key}`)) continue;
      parent.append(el("h3", {}, title));
      railwright.charts.bars(parent, title, "s", kQuantiles.map((quantile) => ({ name: quantile.replace("_s", ""), value: doc.run[key][quantile] })));
    }
  }

  const kParts = ["compute_s", "bandwidth_s", "communication_s", "gaps_s", "host_s", "stall_s"];
  const kPartNames = { compute_s: "arithmetic", bandwidth_s: "memory bandwidth", communication_s: "communication", gaps_s: "gaps between kernels", host_s: "the host", stall_s: "waiting" };

  function passes(parent, doc) {
    const rows = [["a prompt's pass", "prefill_breakdown"], ["a decode step", "decode_breakdown"]].filter(([, key]) => doc[key]);
    const parts = kParts.filter((part) => rows.some(([, key]) => doc[key][part] > 0))
      .map((part, i) => ({ name: kPartNames[part], colour: `series-${i + 1}`, values: rows.map(([, key]) => doc[key][part]) }));
    parent.append(railwright.charts.legend(parts));
    railwright.charts.stacked_bars(parent, "Where a pass goes", "s", rows.map(([name]) => ({ name })), parts, { title: "time" });
  }

  const numbers = (parent, doc) => parent.append(table([{ title: "" }, { title: "", right: true }], labelled_rows("inference", doc, [""])));

  /// Services side by side.
  const designs = {
    answer(parent, doc) {
      const good = doc.designs.map((design, i) => ({ ...design, place: `/designs/${i}/result` })).filter(({ result }) => result.feasible);
      parent.classList.toggle("infeasible", !good.length);
      if (good.length < doc.designs.length) parent.append(refused("Not every service carries its load.", doc.designs));
      const best = good.find(({ name }) => name === doc.best);
      if (!best) return;
      parent.append(el("p", { class: "headline" }, best.name, " needs the fewest nodes: ", num(doc, `${best.place}/num_nodes`, "count"), "."));
      parent.append(el("div", { class: "tiles" }, good.map(({ name, place }) => tile(name, [num(doc, `${place}/num_nodes`, "count"), " nodes"],
        num(doc, `${place}/time_to_first_token_s`, "s"), " to the first token, ", num(doc, `${place}/time_per_output_token_s`, "s"), " each further one"))));
    },
    overview(parent, doc) {
      parent.append(table([{ title: "" }, ...doc.designs.map(({ name }) => ({ title: name, right: true }))], labelled_rows("inference", doc, doc.designs.map((_, i) => `/designs/${i}/result`))));
    },
  };

  return { is_one, answer, latencies, passes, numbers, designs };
})();
