// SPDX-License-Identifier: Apache-2.0
// All designs that were tried for a goal, as points: hover names one, a click opens it.
"use strict";

railwright.goal_chart = (() => {
  const { el, kinds, colour } = railwright.page;
  const { scatter } = railwright.charts;

  /// Points of clusters: days over accelerators. series: [{name, colour, points: [{nodes, accelerators, time}]}].
  function clusters(parent, series, deadline, open) {
    const sets = series.map((one) => ({ label: one.name, colour: one.colour, shape: "circle", line: true,
      data: one.points.map((point) => ({ x: point.accelerators, y: point.time, name: `${point.nodes} x ${one.name}`, design: { ...point, series: one } })) }));
    const most = Math.max(...sets.flatMap((set) => set.data.map(({ x }) => x)));
    if (deadline) sets.push({ label: "deadline", colour: "bad", shape: "line", line: true, data: [{ x: 0, y: deadline, name: "deadline" }, { x: most, y: deadline, name: "deadline" }] });
    scatter(parent, "Training time over accelerators", { title: "accelerators", kind: "count" }, { title: "training time, closed form", kind: "s" }, sets,
      (point) => { if (point.design) open(point.design); });
  }

  /// Points of a service: output tokens/s of an accelerator over those of a user.
  function services(parent, front, answer, open) {
    const point = (one) => ({ x: one.user_tokens_per_s, y: one.accelerator_tokens_per_s, design: one,
      name: `${one.settings.map((text) => text.replace(/^.*\./, "")).join(", ")}: ${one.num_nodes} nodes` });
    const kept = front.filter((one) => one.meets_latencies);
    const missed = front.filter((one) => !one.meets_latencies);
    // What comes first lies on top.
    const sets = [{ label: "the answer", colour: "bad", shape: "rectRot", data: answer ? [{ x: answer.user, y: answer.accelerator, name: "the answer" }] : [] },
      { label: "within the latencies", colour: "accent", shape: "circle", data: kept.map(point) },
      { label: "too slow for a user", colour: "muted", shape: "circle", data: missed.map(point) }];
    scatter(parent, "Designs of the service", { title: "output tokens/s of a user", kind: "plain" }, { title: "output tokens/s of an accelerator", kind: "plain" },
      sets.filter(({ data }) => data.length), (point_) => { if (point_.design) open(point_.design); });
  }

  /// What a click on a design of a service tells.
  const card = (one) => el("p", { class: "design" }, `${kinds.plain(one.user_tokens_per_s)} output tokens/s for a user, ${kinds.plain(one.accelerator_tokens_per_s)} of an accelerator; `,
    `${kinds.count(one.num_accelerators)} accelerators on ${kinds.count(one.num_nodes)} nodes carry the load. `,
    el("span", { class: "path" }, one.settings.map((text) => `--set ${text}`).join(" ")));

  return { clusters, services, card, colour };
})();
