// SPDX-License-Identifier: Apache-2.0
// The answer of a verb: its JSON text, and on request the JSON of a report.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "inputs.hpp"
#include "railwright/output/json/chosen_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/mixes_json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"
#include "railwright/simulation/scenario/data_path.hpp"

namespace railwright::python {

struct Answer {
  std::string json;
  std::function<std::string()> report_json;
};

/// `filled` is the scenario of the result, `roots` are the folders of its catalogue.
template <class Result>
Answer answer_of(Result result, planner::Filled filled, const Strings& roots) {
  auto kept = std::make_shared<const Result>(std::move(result));
  std::string json = output::with_chosen(output::to_json(*kept), filled.chosen);
  return {.json = std::move(json), .report_json = [kept, tree = std::move(filled.tree), roots] {
            return output::report_json(*kept,
                                       {tree, core::Catalogue(simulation::catalogue_roots(roots))});
          }};
}

}  // namespace railwright::python
