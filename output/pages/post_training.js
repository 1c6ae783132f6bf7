// SPDX-License-Identifier: Apache-2.0
// Sections of post-training: rollout and trainer.
"use strict";

railwright.post_training = (() => {
  const { el, num, table, tile, remark, labelled, labelled_rows } = railwright.page;
  const { reasons } = railwright.simulate;
  const is_one = (doc) => doc?.updates_per_step !== undefined;

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) { reasons(parent, doc); return; }
    parent.append(el("p", { class: "headline" }, "A step of ", num(doc, "/samples_per_step", "count"), " samples on ", num(doc, "/num_accelerators", "count"),
      " accelerators takes ", num(doc, "/step_time_s", "s"), ", all ", num(doc, "/num_steps", "count"), " steps ", num(doc, "/total_time_s", "s"), "."));
    parent.append(el("div", { class: "tiles" }, [
      tile("Rollout", num(doc, "/breakdown/rollout_s", "s"), num(doc, "/rollout_idle_fraction", "percent"), " of a step idle"),
      tile("Updates", num(doc, "/breakdown/update_s", "s"), num(doc, "/trainer_idle_fraction", "percent"), " of a step idle"),
      tile("Generated tokens/s", num(doc, "/output_tokens_per_s", "plain"), num(doc, "/rollout/num_replicas", "count"), " replicas"),
      tile("Mean power", num(doc, "/mean_power_w", "w"), "of the cluster")]),
    remark("What limits it", `${doc.limit}.`));
  }

  /// The parts of a step as bars.
  function parts(parent, doc) {
    const all = labelled("post_training").filter(({ path }) => path.startsWith("breakdown."));
    railwright.charts.grouped_bars(parent, "Parts of a step", "s", all.map(({ word }) => word),
      [{ label: "time", colour: "series-1", values: all.map(({ path }) => doc.breakdown[path.slice("breakdown.".length)]) }]);
  }

  function numbers(parent, doc) {
    parent.append(table([{ title: "" }, { title: "", right: true }], labelled_rows("post_training", doc, [""])));
  }

  return { is_one, answer, parts, numbers };
})();
