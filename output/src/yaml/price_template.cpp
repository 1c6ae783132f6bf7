// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/yaml/price_template.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "railwright/core/config/block_yaml.hpp"
#include "railwright/core/config/writer.hpp"

namespace railwright::output {

namespace {

constexpr std::string_view kHow =
    "# Fill in the price of one piece behind each name, as 1000 USD; 0 USD where another price\n"
    "# includes it. Delete a line that you have no quote for: the answer then lists the part.\n"
    "#   railwright simulate mine.yaml --set prices=this-file.yaml\n";

/// Returns how to write what the nodes cost where they are rented.
std::string rent_lines(const planner::MissingPrices& missing) {
  std::string text;
  for (const models::Purchase& one : missing.pieces) {
    if (one.kind != "nodes") continue;
    if (text.empty()) text = "# rent:  # of a node, to compare with\n";
    text += fmt::format(
        "#   {}: {{on_demand: 10 USD/h, reserved: 10 USD/h, spot: 10 USD/h, spot_interruption: 10 "
        "d}}\n",
        core::comment_text(one.name));
  }
  return text;
}

}  // namespace

std::string price_template(const planner::MissingPrices& missing, const core::Catalogue& catalogue,
                           std::string_view date) {
  std::string text =
      fmt::format("# Prices that {} lacks.\n{}",
                  core::comment_text(missing.name.empty() ? "the scenario" : missing.name), kHow);
  if (missing.pieces.empty() && missing.has_prices) {
    return fmt::format("# Nothing of {} lacks a price.\n", core::comment_text(missing.name));
  }
  text += fmt::format("description: Quotes of {}\n", date);
  std::string_view section;
  std::vector<const models::Purchase*> unknown;
  for (const models::Purchase& one : missing.pieces) {
    if (one.kind == "cables" && !catalogue.contains(one.kind, one.name)) {
      unknown.push_back(&one);
      continue;
    }
    if (one.kind != section) text += fmt::format("{}:\n", one.kind);
    section = one.kind;
    text +=
        fmt::format("  {}:  # {} of them\n", core::to_yaml(core::text_node(one.name)), one.count);
  }
  if (!missing.has_prices) {
    text +=
        "electricity:  # of the energy that the building takes, as 0.1 USD/kWh\n"
        "ownership:  # how long the cluster is used, as 4 y\n"
        "# As far as they are paid, with your own numbers:\n"
        "# software: {support: 1000 USD/y}  # licences and support of an accelerator, named by "
        "you\n"
        "# labour: {nodes: 100 USD, cables: 10 USD}  # of putting up one piece, once\n"
        "# staff: 100000 USD/y  # people and rooms\n"
        "# maintenance: 0.1  # share of what was bought, a year\n"
        "# residual: 0.1  # share of what was bought that is left at the end\n";
    text += rent_lines(missing);
  }
  for (const models::Purchase* one : unknown) {
    text += fmt::format("# no product is known of {} x {}\n", one->count,
                        core::comment_text(one->name));
  }
  return text;
}

}  // namespace railwright::output
