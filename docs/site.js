// SPDX-License-Identifier: Apache-2.0
// Search takes a word that begins with a dash as one to leave out; here it is an option: `--trace`.
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  if (typeof message?.data === "string") {
    message = { ...message, data: message.data.replace(/(^|\s)[-+]+/g, "$1") };
  }
  return post.call(this, message, ...more);
};

// For those who read by keyboard or by ear: the search has a name, no two lists of pages have the same, what scrolls
// can be reached, and entries of a reference follow their section without a level between.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".md-search[role=dialog]")?.setAttribute("aria-label", "Search");
  document.querySelectorAll("nav.md-nav nav.md-nav, .md-code__nav").forEach((nested, i) => {
    nested.removeAttribute("aria-labelledby");
    nested.setAttribute("aria-label", `List ${i + 1}`);
  });
  for (const wide of document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap")) wide.tabIndex = 0;
  let above = { tag: 1, level: 1 };
  for (const heading of document.querySelectorAll(".md-typeset :is(h1, h2, h3, h4)")) {
    const tag = Number(heading.tagName[1]);
    above = { tag, level: tag > above.tag ? above.level + 1 : Math.min(tag, above.level) };
    heading.setAttribute("aria-level", String(above.level));
  }
});
