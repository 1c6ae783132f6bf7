// SPDX-License-Identifier: Apache-2.0
// Sections of a queue of jobs, and of mixes of jobs (queues, or jobs on one storage) side by side.
"use strict";

railwright.queue = (() => {
  const { el, at, num, ratio, table, tile, remark, labelled, labelled_rows } = railwright.page;
  const { reasons } = railwright.simulate;
  const { refused } = railwright.compare;
  /// Where the time of a job stands, of a training or of a load on the storage.
  const time_of_job = (doc, i, place = "") => `${place}/jobs/${i}/${at(doc, `${place}/jobs/${i}`).load ? "load/time_s" : "training_time_s"}`;
  const time_alone = (doc, i, place = "") => `${place}/jobs/${i}/${at(doc, `${place}/jobs/${i}`).load ? "load/time_alone_s" : "alone_training_time_s"}`;
  const is_one = (doc) => doc?.num_jobs !== undefined && doc?.jobs === undefined;

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) { reasons(parent, doc); return; }
    parent.append(el("p", { class: "headline" }, num(doc, "/num_jobs", "count"), " jobs on ", num(doc, "/num_accelerators", "count"), " accelerators wait ",
      num(doc, "/wait_mean_s", "s"), " in the mean; all are done in ", num(doc, "/duration_s", "s"), "."));
    parent.append(el("div", { class: "tiles" }, [
      tile("Wait, p90", num(doc, "/wait_p90_s", "s"), num(doc, "/wait_p99_s", "s"), " at p99"),
      tile("Accelerators occupied", num(doc, "/occupied_fraction", "percent"), num(doc, "/useful_fraction", "percent"), " without what failures and spreading cost"),
      tile("Interruptions", num(doc, "/num_interruptions", "count"), num(doc, "/down_fraction", "percent"), " of the nodes' time down"),
      tile("Power of the nodes", num(doc, "/mean_power_w", "w"), num(doc, "/peak_power_w", "w"), " at the peak"),
      tile("Most waiting at once", num(doc, "/most_waiting", "count"), "jobs")]));
    const slowest = doc.sizes.map((size, i) => ({ size, i })).sort((a, b) => b.size.wait_mean_s - a.size.wait_mean_s)[0];
    if (slowest) parent.append(remark("Who waits the longest", `jobs of ${slowest.size.name}: `, num(doc, `/sizes/${slowest.i}/wait_mean_s`, "s"), " in the mean."));
  }

  const series = (doc, key) => doc.over_time.map((bin) => bin[key]);

  /// Accelerators and power over the time of the queue.
  function over_time(parent, doc) {
    const x = series(doc, "time_s");
    const line = (name, key, colour, more = {}) => ({ name, colour, x, y: series(doc, key), ...more });
    parent.append(el("h3", {}, "Accelerators"));
    railwright.charts.lines(parent, "Accelerators with a job, and that waiting jobs want", () => [
      line("with a job", "occupied", "series-1", { fill: true }), line("that waiting jobs want", "wanted", "series-2")], { x: "s", y: "count", zoom: true });
    parent.append(el("h3", {}, "Jobs that wait"));
    railwright.charts.lines(parent, "Jobs that wait", () => [line("waiting", "waiting", "series-3", { fill: true })], { x: "s", y: "count", height: 180 });
    parent.append(el("h3", {}, "Power of the nodes"));
    railwright.charts.lines(parent, "Power of the nodes", () => [line("power", "power_w", "series-4")], { x: "s", y: "w", height: 180 });
  }

  function sizes(parent, doc) {
    parent.append(table([{ title: "Jobs of" }, { title: "number", right: true }, { title: "share of accelerator time", right: true }, { title: "mean wait", right: true },
      { title: "p50", right: true }, { title: "p90", right: true }, { title: "p99", right: true }],
    doc.sizes.map((size, i) => [size.name, num(doc, `/sizes/${i}/num_jobs`, "count"), num(doc, `/sizes/${i}/share_of_time`, "percent"),
      ...["wait_mean_s", "wait_p50_s", "wait_p90_s", "wait_p99_s"].map((key) => num(doc, `/sizes/${i}/${key}`, "s"))])));
  }

  /// Mixes side by side: queues by their wait, jobs on one storage by the longest.
  const places = (doc) => doc.designs.map((design, i) => ({ ...design, place: `/designs/${i}/result` }));
  const good = (doc) => places(doc).filter(({ result }) => result.feasible);
  const seconds_of = (job) => job.load?.time_s ?? job.training_time_s;
  const longest = ({ result }) => result.jobs.reduce((most, job, i) => (seconds_of(job) > seconds_of(result.jobs[most]) ? i : most), 0);
  const time_of = (one) => (is_one(one.result) ? "/wait_mean_s" : time_of_job(one.result, longest(one)));

  const designs = {
    answer(parent, doc) {
      parent.classList.toggle("infeasible", !good(doc).length);
      if (good(doc).length < doc.designs.length) parent.append(refused("Not every design fits.", doc.designs));
      const best = good(doc).find(({ name }) => name === doc.best);
      if (!best) return;
      parent.append(el("p", { class: "headline" }, best.name, is_one(best.result) ? " has the shortest mean wait: " : " has the shortest longest job: ", num(doc, best.place + time_of(best), "s"), "."));
      parent.append(el("div", { class: "tiles" }, good(doc).map((one) => tile(one.name, num(doc, one.place + time_of(one), "s"), is_one(one.result)
        ? [num(doc, `${one.place}/occupied_fraction`, "percent"), " of the accelerators occupied"] : one.result.jobs[longest(one)].name))));
    },
    overview(parent, doc) {
      const all = places(doc);
      const columns = [{ title: "" }, ...all.map(({ name }) => ({ title: name, right: true }))];
      if (is_one(all[0].result)) {
        parent.append(table(columns, labelled_rows("queue", doc, all.map(({ place }) => place))));
        return;
      }
      const jobs = (good(doc)[0] ?? all[0]).result.jobs ?? [];
      parent.append(table(columns, [
        ...jobs.map((job, i) => [job.name, ...all.map(({ place }) => [num(doc, time_of_job(doc, i, place), "s"), " (",
          ratio(doc, time_of_job(doc, i, place), time_alone(doc, i, place), "change"), ")"])]),
        ...labelled_rows("jobs", doc, all.map(({ place }) => place), ({ column }) => column)]),
      el("p", { class: "note" }, "In brackets: longer than with the cluster to itself."));
    },
    /// The time of each job, or the waits of each queue, as bars.
    chart(parent, doc) {
      const all = good(doc);
      const waits = labelled("queue").filter(({ path }) => path.startsWith("wait_"));
      const [label, names, values_of] = is_one(all[0].result)
        ? ["Waits", waits.map(({ word }) => word), (result) => waits.map(({ path }) => result[path])]
        : ["Time of each job", all[0].result.jobs.map((job) => job.name), (result) => result.jobs.map(seconds_of)];
      railwright.charts.grouped_bars(parent, label, "s", names,
        all.map(({ name, result }, i) => ({ label: name, colour: `series-${(i % 6) + 1}`, values: values_of(result) })));
    },
  };

  const is_mix = (result) => is_one(result) || Array.isArray(result?.jobs);

  return { is_one, is_mix, time_of_job, time_alone, answer, over_time, sizes, designs };
})();
