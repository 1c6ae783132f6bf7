// SPDX-License-Identifier: Apache-2.0
// Sections of `sweep`: a number of its points over what was varied, and a table of them.
"use strict";

railwright.sweep = (() => {
  const { el, num, words, capital, saved_table, tile, refusal } = railwright.page;
  const { grouped_bars, lines } = railwright.charts;

  const kMostLines = 6;
  const short = (key) => key.split(".").slice(-2).join(".");
  const settings = (list) => el("span", { class: "path" }, list.map((one) => `--set ${one}`).join(" "));

  const differs = (doc, column) => new Set(doc.table.map((row) => row[column]).filter((value) => typeof value === "number")).size > 1;

  /// The point with the least of the first number that differs, where all goals are alike.
  function least_tile(doc) {
    const { column, word, format } = most_telling(doc, numbers_of(doc));
    const of = (at) => doc.table[at][column];
    const at = doc.table.reduce((best, row, i) => (typeof row[column] === "number" && !(of(best) <= row[column]) ? i : best), 0);
    const value = (key) => (typeof doc.table[at][key] === "number" ? num(doc, `/table/${at}/${key}`, Number.isInteger(doc.table[at][key]) ? "count" : "plain") : `${doc.table[at][key]}`);
    const point = doc.keys.flatMap((key, i) => [i ? ", " : "", `${key} `, value(key)]);
    return tile(`Least ${word}`, num(doc, `/table/${at}/${column}`, format), el("span", { class: "path" }, ...point));
  }

  /// What a reader takes away in ten seconds.
  function answer(parent, doc) {
    parent.classList.toggle("infeasible", !doc.feasible);
    if (!doc.feasible) {
      const why = [...new Set(doc.table.map((row) => row.reason || row.error).filter(Boolean))];
      parent.append(refusal("No point fits.", el("ul", {}, why.slice(0, 8).map((one) => el("li", {}, one)))));
      return;
    }
    parent.append(el("p", { class: "headline" }, num(doc, "/feasible", "count"), " of ", num(doc, "/points_of_shard", "count"), " points fit",
      doc.errors ? [", ", num(doc, "/errors", "count"), " cannot be"] : "", "."));
    const tiles = doc.goals.filter(({ name, column }) => doc[name] && differs(doc, column))
      .map(({ name, words: what, column, format }) => tile(capital(what), num(doc, `/${name}/${column}`, format), settings(doc[name].settings)));
    parent.append(el("div", { class: "tiles" }, tiles.length ? tiles : least_tile(doc)));
  }

  /// The numbers that some point has, each {column, word, format}; those of the goals first.
  function numbers_of(doc) {
    const goals = doc.goals.map(({ column }) => column);
    const place = ({ column }) => (goals.includes(column) ? goals.indexOf(column) : goals.length);
    return railwright.page.of_columns(doc.numbers).filter(({ column }) => doc.table.some((row) => typeof row[column] === "number"))
      .map(({ column, word, format }) => ({ column, word: word || words(column), format })).sort((a, b) => place(a) - place(b));
  }

  const values_of = (doc, key) => [...new Set(doc.table.map((row) => row[key]))];
  const varies = (doc, key) => values_of(doc, key).length > 1;
  const is_number = (doc, key) => values_of(doc, key).every((value) => typeof value === "number");

  /// The key with most values, of those that are numbers if there are any.
  function widest(doc) {
    const rank = (key) => values_of(doc, key).length + (is_number(doc, key) && values_of(doc, key).length > 1 ? doc.table.length : 0);
    return doc.keys.reduce((best, key) => (rank(key) > rank(best) ? key : best));
  }

  /// The first number of the goals that differs between points, or of the others, or the first.
  const most_telling = (doc, numbers) => numbers.find(({ column }) => differs(doc, column)) || numbers[0];

  /// Points with the number and with the values that are kept, by those of all other keys that vary: [name, rows].
  function groups_of(doc, number, key, kept) {
    const others = doc.keys.filter((one) => one !== key && varies(doc, one) && !kept.has(one));
    const groups = new Map();
    const is_kept = (row) => [...kept].every(([one, value]) => one === key || row[one] === value);
    for (const row of doc.table.filter((one) => typeof one[number.column] === "number" && is_kept(one))) {
      const name = others.map((one) => (one === "case" ? row.case : `${short(one)} ${row[one]}`)).join(", ") || number.word;
      groups.set(name, [...(groups.get(name) || []), row]);
    }
    return [...groups];
  }

  /// Of each value of the key the point with the least number, or with the most.
  function at_end(doc, rows, number, key, is_better) {
    return values_of(doc, key).map((value) => rows.filter((row) => row[key] === value))
      .filter((some) => some.length).map((some) => some.reduce((best, row) => (is_better(row[number.column], best[number.column]) ? row : best)));
  }

  /// Draws the number over the key, a line or a bar for all other settings; of too many the least and the most. Returns the chart.
  function draw(parent, doc, number, key, kept) {
    let groups = groups_of(doc, number, key, kept);
    if (!groups.length) {
      parent.append(el("p", { class: "note" }, "None of these points fits."));
      return null;
    }
    if (groups.length > kMostLines) {
      const rows = groups.flatMap(([, some]) => some);
      groups = [["least", at_end(doc, rows, number, key, (a, b) => a < b)], ["most", at_end(doc, rows, number, key, (a, b) => a > b)]];
    }
    const label = `${capital(number.word)} over ${key}`;
    const colour = (i) => `series-${i + 1}`;
    if (is_number(doc, key)) {
      const all = groups.map(([name, rows], i) => {
        const sorted = [...rows].sort((a, b) => a[key] - b[key]);
        return { name, colour: colour(i), points: true, x: sorted.map((row) => row[key]), y: sorted.map((row) => row[number.column]) };
      });
      return lines(parent, label, () => all, { x: "count", y: number.format, x_title: key, y_title: number.word,
        x_ticks: values_of(doc, key).sort((a, b) => a - b), height: 300 });
    }
    const names = values_of(doc, key).filter((value) => groups.some(([, rows]) => rows.some((row) => row[key] === value)));
    return grouped_bars(parent, label, number.format, names.map(String), groups.map(([name, rows], i) => ({ label: name, colour: colour(i),
      values: names.map((value) => rows.find((row) => row[key] === value)?.[number.column] ?? null) })), { title: number.word });
  }

  /// A box to choose from; `choose` takes the place of what was chosen.
  function choice(label, names, chosen, choose) {
    const box = el("select", { "aria-label": label }, names.map((name, i) => el("option", { value: i }, name)));
    box.selectedIndex = chosen;
    box.addEventListener("change", () => choose(box.selectedIndex));
    return el("label", {}, `${label} `, box);
  }

  /// The chart, and the boxes that say what it shows: a number, the key across, and of which points.
  function chart(parent, doc) {
    const numbers = numbers_of(doc);
    let [number, key] = [most_telling(doc, numbers), widest(doc)];
    const kept = new Map();
    const drawing = el("div");
    let drawn = null;
    /// Of each key that varies, a box with its values.
    const boxes = new Map(doc.keys.filter((one) => varies(doc, one)).map((one) => [one, choice(short(one), ["all", ...values_of(doc, one).map(String)], 0, (i) => {
      kept.delete(one);
      if (i) kept.set(one, values_of(doc, one)[i - 1]);
      redraw();
    })]));
    const redraw = () => {
      for (const [one, box] of boxes) box.hidden = one === key;
      drawn?.forget();
      drawing.replaceChildren();
      drawn = draw(drawing, doc, number, key, kept);
    };
    parent.append(el("div", { class: "controls" },
      choice("Number", numbers.map(({ word }) => word), numbers.indexOf(number), (i) => { number = numbers[i]; redraw(); }),
      choice("over", doc.keys, doc.keys.indexOf(key), (i) => { key = doc.keys[i]; redraw(); }),
      [...boxes.values()]), drawing);
    redraw();
  }

  /// A row a point: what was varied, the numbers of the goals, and what does not fit.
  function points(parent, doc) {
    const numbers = numbers_of(doc);
    const shown = [...new Set([...numbers.slice(0, doc.goals.length), most_telling(doc, numbers)])].filter(Boolean);
    const has_why = doc.table.some((row) => !row.feasible);
    const cell = (row, i, key) => (typeof row[key] === "number" ? num(doc, `/table/${i}/${key}`, "count") : String(row[key] ?? "-"));
    parent.append(saved_table("points", [{ title: "Point", right: true }, ...doc.keys.map((key) => ({ title: key, right: is_number(doc, key) })),
      ...shown.map(({ word }) => ({ title: word, right: true })), ...(has_why ? [{ title: "what does not fit" }] : [])],
    doc.table.map((row, i) => [num(doc, `/table/${i}/point`, "count"), ...doc.keys.map((key) => cell(row, i, key)),
      ...shown.map(({ column, format }) => num(doc, `/table/${i}/${column}`, format)), ...(has_why ? [row.reason || row.error || ""] : [])])));
  }

  return { answer, chart, points };
})();
