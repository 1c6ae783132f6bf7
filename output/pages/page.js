// SPDX-License-Identifier: Apache-2.0
// Elements, numbers and words that all pages share. A number that is shown names the place in the
// document that it comes from (a JSON pointer); all text of the user's goes through textContent.
"use strict";

const railwright = {};

railwright.page = (() => {
  /// el("p", {class: "note"}, "text", child, ...); nothing is ever parsed as HTML.
  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (name === "style") Object.assign(element.style, value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    add(element, children);
    return element;
  }

  function add(element, children) {
    for (const child of children.flat(Infinity)) {
      if (child === undefined || child === null || child === false) continue;
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }

  /// The value at a JSON pointer, undefined where there is none.
  function at(doc, pointer) {
    let value = doc;
    for (const key of pointer.split("/").slice(1)) {
      if (value === undefined || value === null) return undefined;
      value = value[key.replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    return value;
  }

  const escaped = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

  /// Three digits that count, grouped by thousands: 9.38, 78.2, 62,853.
  function digits(value) {
    const size = Math.abs(value);
    if (size === 0) return "0";
    if (size >= 999.5) return Math.round(value).toLocaleString("en-US");
    if (size < 1e-4) return value.toExponential(1);
    const three = Number(value.toPrecision(3));
    return three.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.abs(three)) + 1e-9)));
  }

  function scaled(value, steps) {
    const size = Math.abs(value);
    for (const [unit, name] of steps) {
      if (size >= unit * 0.9995) return `${digits(value / unit)} ${name}`;
    }
    const [unit, name] = steps[steps.length - 1];
    return `${digits(value / unit)} ${name}`;
  }

  const thousands = (name) =>
    [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]]
      .map(([unit, prefix]) => [unit, prefix + name]);
  const kTimes = [[172800, "d", 86400], [7200, "h", 3600], [300, "min", 60], [1, "s", 1],
    [1e-3, "ms", 1e-3], [1e-6, "us", 1e-6], [1e-9, "ns", 1e-9]];

  const unit_of_time = (value) => kTimes.find(([from]) => Math.abs(value) >= from * 0.9995);

  function time(value) {
    if (value === 0) return "0 s";
    const [, name, unit] = unit_of_time(value) || [];
    return unit ? `${digits(value / unit)} ${name}` : `${value.toExponential(1)} s`;
  }

  /// Never "-0.0".
  const fixed = (value, places) => value.toFixed(places).replace(/^-(?=[0.]*$)/, "");

  const kinds = {
    s: time,
    bytes: (v) => scaled(v, thousands("B")),
    memory: (v) => scaled(v, [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]]),
    bytes_per_s: (v) => scaled(v, thousands("B/s")),
    flops: (v) => scaled(v, thousands("FLOP/s")),
    w: (v) => scaled(v, thousands("W").slice(2)),
    j: (v) => (Math.abs(v) >= 3.6e6 ? scaled(v / 3.6e6, [[1e6, "GWh"], [1e3, "MWh"], [1, "kWh"]]) : `${digits(v)} J`),
    w_per_s: (v) => `${kinds.w(v)}/s`,
    kg: (v) => scaled(v, [[1000, "t"], [1, "kg"]]),
    usd: (v) => (Math.abs(v) >= 1e6 ? `${digits(v / 1e6)} million USD` : `${Math.abs(v) < 100 ? v.toFixed(2) : Math.round(v).toLocaleString("en-US")} USD`),
    count: (v) => (Number.isInteger(v) ? v.toLocaleString("en-US") : digits(v)),
    big: (v) => scaled(v, [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"], [1, ""]]).trim(),
    percent: (v) => `${fixed(100 * v, 1)} %`,
    change: (v) => (Math.abs(v) < 5e-4 ? "0.0 %" : `${v > 0 ? "+" : ""}${(100 * v).toFixed(1)} %`),
    difference: (v) => (v > 0 ? "+" : "") + time(v),
    fine_percent: (v) => `${fixed(100 * v, 3)} %`,
    factor: (v) => String(Math.round(v * 1e4) / 1e4),
    plain: digits,
  };

  // Times without their unit, which stands behind an interval: kinds.in_min.
  for (const [, name, unit] of kTimes) kinds[`in_${name}`] = (v) => digits(v / unit);

  /// The same on an axis: "5 s", not "5.00 s".
  const on_axis = (kind) => (value) => kinds[kind](value).replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, "");

  function shown(text, attributes, title) {
    return el("span", { class: "num", title, ...attributes }, text);
  }

  /// A number of the document as a person reads it.
  function num(doc, pointer, kind = "plain") {
    const value = at(doc, pointer);
    if (typeof value !== "number") return el("span", { class: "none" }, "-");
    return shown(kinds[kind](value), { "data-at": pointer, "data-kind": kind }, String(value));
  }

  /// One number of the document over another: a share, or with `minus` how much more it is.
  function ratio(doc, pointer, over, kind = "percent") {
    const [value, whole] = [at(doc, pointer), at(doc, over)];
    if (typeof value !== "number" || !whole) return el("span", { class: "none" }, "-");
    const result = value / whole - (kind === "change" ? 1 : 0);
    return shown(kinds[kind](result), { "data-at": pointer, "data-over": over, "data-kind": kind },
      `${value} / ${whole}`);
  }

  /// What one number of the document has more than another.
  function difference(doc, pointer, minus, kind = "difference") {
    const [value, other] = [at(doc, pointer), at(doc, minus)];
    if (typeof value !== "number" || typeof other !== "number") return el("span", { class: "none" }, "-");
    return shown(kinds[kind](value - other), { "data-at": pointer, "data-minus": minus, "data-kind": kind }, `${value} - ${other}`);
  }

  /// "from 8.45 s to 11.9 s"
  /// An interval in the unit of its lower end, unless the ends lie far apart.
  function range(doc, low, high, kind) {
    const unit = kind === "s" && at(doc, low) * 100 > at(doc, high) && unit_of_time(at(doc, low));
    return unit ? [num(doc, low, `in_${unit[1]}`), " to ", num(doc, high, `in_${unit[1]}`), ` ${unit[1]}`]
      : [num(doc, low, kind), " to ", num(doc, high, kind)];
  }

  const kLabel = 16;  // columns of a label in the program's verdicts

  /// A verdict of the program as [label, text] rows, without its title.
  function facts(verdict) {
    const rows = [];
    const lines = verdict.trimEnd().split("\n");
    // Above the facts stands a title, and of a comparison a line on its site; or nothing.
    const begin = lines[0].startsWith("verdict") ? 0 : lines.indexOf("") + 1 || 1;
    for (const line of lines.slice(begin)) {
      const label = line.slice(0, kLabel).trim();
      const text = line.slice(kLabel).trim();
      if (label || !rows.length) rows.push([label, text]);
      else rows.at(-1)[1] += `; ${text}`;
    }
    return rows.filter(([label, text]) => label || text);
  }

  /// Without the unit, which its number has; what it is a rate of stays.
  const words = (key) => key.replace(/_(bytes_per_s|w_per_s|(?<!_per_)(?<!per_)(s|bytes|w|j|kg|usd))$/, "").replaceAll("_", " ");
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  /// A card with a heading, and what it says in a sentence.
  function section(parent, id, title, lead) {
    const body = el("section", { id, "aria-labelledby": `${id}-title` },
      el("h2", { id: `${id}-title` }, title), lead && el("p", { class: "lead" }, lead));
    parent.append(body);
    return body;
  }

  /// A key that may break after its dots and underscores, not within a word.
  const breakable = (key) => key.split(/(?<=[._])/).flatMap((part) => [el("wbr"), part]).slice(1);

  /// columns: [{title, right}]; rows: lists of cells, or {cells, class}.
  function table(columns, rows, attributes) {
    const head = el("tr", {}, columns.map((column) =>
      el("th", { class: column.right ? "right" : null, scope: "col" }, column.title)));
    const body = rows.map((row) => {
      const cells = Array.isArray(row) ? row : row.cells;
      return el("tr", { class: Array.isArray(row) ? null : row.class }, cells.map((cell, i) =>
        el("td", { class: [columns[i].right ? "right" : "", columns[i].class || ""].join(" ").trim() || null },
          columns[i].class === "path" && typeof cell === "string" ? breakable(cell) : cell)));
    });
    return el("div", { class: "scroll", tabindex: "0" },
      el("table", attributes, el("thead", {}, head), el("tbody", {}, body)));
  }

  /// Saves what is at an address as a file with a name of plain letters.
  function save(name, ending, address) {
    const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60);
    el("a", { href: address, download: `${plain}.${ending}` }).click();
  }

  /// Rows of words and numbers as a file for spreadsheets.
  function save_csv(name, rows) {
    const cell = (value) => (/[",\n]/.test(String(value ?? "")) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
    save(name, "csv", `data:text/csv;charset=utf-8,${encodeURIComponent(rows.map((row) => row.map(cell).join(",")).join("\n"))}\n`);
  }

  /// A table that can be saved, with each number whole.
  function saved_table(name, columns, rows) {
    const made = table(columns, rows);
    const button = el("button", { type: "button", class: "save", "aria-label": `${name} as CSV` }, "CSV");
    const text = (cell) => cell.querySelector(".num")?.title ?? cell.textContent;
    button.addEventListener("click", () => save_csv(name, [...made.querySelectorAll("tr")].map((row) => [...row.cells].map(text))));
    return el("div", {}, made, el("div", { class: "saves" }, button));
  }

  const tile = (what, big, ...more) =>
    el("div", { class: "tile" }, el("div", { class: "what" }, what), el("div", { class: "big" }, big),
      more.length ? el("div", { class: "more" }, more) : null);

  /// What the numbers of results and the causes of a step are called and how they are drawn: the
  /// program's own table (`numbers_json`).
  const known = { numbers: [], by_path: new Map(), causes: new Map(), labelled: {} };
  const is_dark = matchMedia("(prefers-color-scheme: dark)");

  function paint() {
    for (const cause of known.causes.values()) {
      document.documentElement.style.setProperty(`--${cause.name}`, is_dark.matches ? cause.dark_color : cause.color);
    }
  }
  is_dark.addEventListener("change", paint);

  function know({ numbers, causes, of_kind }) {
    known.numbers = numbers;
    known.labelled = of_kind;
    known.by_path = new Map(numbers.map((number) => [number.path, number]));
    known.causes = new Map(causes.map((cause) => [cause.name, cause]));
    paint();
  }

  /// The record of the number at a dotted path; one without words for a path that has none.
  const record = (path) => known.by_path.get(path) || { path, word: null, format: "plain", color: null };
  /// Records of numbers that have a word, of those whose path begins so.
  const records = (prefix) => known.numbers.filter(({ path, word }) => word && path.startsWith(prefix));
  /// Records of the numbers that have these columns in a sweep: those of one kind of scenario.
  const of_columns = (columns) => [known.numbers, ...Object.values(known.labelled)]
    .map((numbers) => columns.map((column) => numbers.find((one) => one.column === column))).find((found) => found.every(Boolean)) || [];
  /// Records of the numbers of a kind of scenario, by its key, that have a word, with their places.
  const labelled = (kind) => known.labelled[kind].filter(({ word }) => word)
    .map((one) => ({ ...one, pointer: `/${one.path.replaceAll(".", "/")}` }));
  /// Rows of those of them that any of the places in a document has, or of the wanted ones alone.
  const labelled_rows = (kind, doc, places, is_wanted = () => true) =>
    labelled(kind).filter(is_wanted).filter(({ pointer }) => places.some((place) => typeof at(doc, place + pointer) === "number"))
      .map(({ word, pointer, format }) => [capital(word), ...places.map((place) => num(doc, place + pointer, format))]);
  const cause_words = (cause) => known.causes.get(cause)?.words || words(cause);

  /// What a prediction rests on (its `basis`): validated, calibrated or estimated, and in a sentence.
  function rests_on(doc, place = "", with_sentence = true) {
    const basis = at(doc, `${place}/basis`);
    if (!basis || !basis.kind) return null;
    return [el("span", { class: `badge ${basis.kind}` }, basis.kind), with_sentence ? ` ${basis.says}` : ""];
  }

  /// That something does not fit, and why.
  const refusal = (what, ...why) => el("div", { class: "reasons", role: "alert" }, el("strong", {}, what), why);
  /// A line of an answer: "What limits it: ..."
  const remark = (label, ...what) => el("p", { class: "limit" }, el("strong", {}, `${label}: `), what);
  /// Columns of numbers.
  const right = (...titles) => titles.map((title) => ({ title, right: true }));

  /// How full something is; over its end in red.
  function meter(share) {
    return el("div", { class: `meter${share > 1 ? " over" : ""}` },
      el("i", { style: { width: `${Math.min(100, Math.max(0, 100 * share))}%` } }));
  }

  /// A colour of the style sheet, of the theme that is on.
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888888";

  return { el, add, at, escaped, save, save_csv, saved_table, kinds, num, ratio, difference, range, words, capital, facts, section, table, tile, meter, refusal, remark, right, rests_on, colour, digits, on_axis,
    know, record, records, of_columns, labelled, labelled_rows, cause_words };
})();
