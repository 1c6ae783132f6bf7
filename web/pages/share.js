// SPDX-License-Identifier: Apache-2.0
// A command that opens the page where it stands, on any machine: without the token of this one.
"use strict";

railwright.share = (() => {
  const quoted = (text) => `'${text.replaceAll("'", "%27")}'`;

  /// `state`: what stands behind the token, "#..." or "goal#...".
  const command = (state) => (state ? `railwright serve --open --at ${quoted(state)}` : "railwright serve --open");

  /// Shows the command below the button, and copies it where the browser lets it.
  async function show(button, state) {
    const text = command(state);
    let said = document.getElementById("shared");
    if (!said) {
      said = railwright.page.el("output", { id: "shared", class: "shared" });
      button.closest("header").append(said);
    }
    let copied = false;
    try {
      await navigator.clipboard.writeText(text);
      copied = true;
    } catch {
      // it is shown, to be copied by hand
    }
    said.replaceChildren(copied ? "Copied. It opens this page on any machine with railwright: " : "This opens it on any machine with railwright: ",
      railwright.page.el("code", { class: "path" }, text));
  }

  return { command, show };
})();
