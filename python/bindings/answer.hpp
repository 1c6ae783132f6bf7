// SPDX-License-Identifier: Apache-2.0
// The answer of a verb: its JSON text, and on request the JSON of a report and the program's words.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "inputs.hpp"
#include "railwright/output/json/chosen_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/mixes_json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/output/text/chosen_text.hpp"
#include "railwright/output/text/mixes_text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/output/words/lines.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"
#include "railwright/simulation/scenario/data_path.hpp"

namespace railwright::python {

struct Answer {
  std::string json;
  std::function<std::string()> report_json;
  /// The verdict, with or without the tables, in lines of so many columns; 0 does not break them.
  std::function<std::string(bool tables, std::size_t width)> summary;
};

/// `filled` is the scenario of the result, `roots` are the folders of its catalogue.
template <class Result>
Answer answer_of(Result result, planner::Filled filled, const Strings& roots) {
  auto kept = std::make_shared<const Result>(std::move(result));
  std::string json = output::with_chosen(output::to_json(*kept), filled.chosen);
  auto report = [kept, tree = std::move(filled.tree), roots] {
    const core::Catalogue catalogue(simulation::catalogue_roots(roots));
    return output::with_verdict(output::report_json(*kept, {tree, catalogue}),
                                output::verdict(*kept));
  };
  auto summary = [kept, chosen = std::move(filled.chosen)](bool tables, std::size_t width) {
    const output::TextStyle style{.width = width};
    std::string text = output::verdict(*kept, style);
    if (tables) text += '\n' + output::to_text(*kept, style);
    return output::wrapped(text + output::chosen_text(chosen), width);
  };
  return {.json = std::move(json), .report_json = std::move(report), .summary = std::move(summary)};
}

}  // namespace railwright::python
