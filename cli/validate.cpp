// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/suites/validate.hpp"

#include <algorithm>

#include "common.hpp"
#include "railwright/core/units/nearest.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::cli {

namespace {

int show(const validation::ValidationResult& result, const std::string& id, Streams& streams) {
  const auto found = std::ranges::find(result.cases, id, &validation::ValidationCase::id);
  if (found == result.cases.end()) {
    std::vector<std::string> ids;
    for (const auto& one : result.cases) ids.push_back(one.id);
    const std::string near = core::nearest(id, ids);
    throw core::ConfigError(
        {{{"--show " + id},
          "",
          "no case of this id in the suite",
          near.empty() ? "`railwright validate` lists them" : "did you mean '" + near + "'?"}});
  }
  if (found->scenario.empty()) {
    const std::string_view verdict = to_string(validation::verdict_of(*found));
    streams.out << found->about << ": " << (found->is.empty() ? verdict : found->is) << '\n';
    return kOk;
  }
  streams.out << found->scenario;
  if (!found->scenario.ends_with('\n')) streams.out << '\n';
  return kOk;
}

int run_validate(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto result = validation::validate(load_suite(options.text("--suite")), catalogue,
                                           {.ignore_memory = options.flag("--ignore-memory"),
                                            .without_recipe = options.flag("--without-recipe")});
  const std::string id = options.text("--show");
  if (!id.empty()) return show(result, id, streams);
  if (wants_json(options)) {
    streams.out << output::to_json(result);
  } else if (options.flag("--summary")) {
    put_text(streams, output::summary_text(result, streams.style));
  } else {
    put_text(streams, output::to_text(result, streams.style));
  }
  return result.feasible() ? kOk : kInfeasible;
}

}  // namespace

Verb validate_verb() {
  return {.name = "validate",
          .help = "Published figures against what the same scenarios predict",
          .options = {{.name = "--suite",
                       .kind = OptionKind::kValue,
                       .value = "NAME|FILE",
                       .help = "Which set of published figures, or a file with one",
                       .fallback = "documents"},
                      {.name = "--show",
                       .kind = OptionKind::kValue,
                       .value = "ID",
                       .help = "Print the scenario that the case of this id ran"},
                      {.name = "--summary",
                       .kind = OptionKind::kFlag,
                       .help = "The errors in sum, without a line for each case"},
                      {.name = "--ignore-memory",
                       .kind = OptionKind::kFlag,
                       .help = "Predict training as if accelerators had room for it"},
                      {.name = "--without-recipe",
                       .kind = OptionKind::kFlag,
                       .help = "Predict training as if nobody had stated its recipe"},
                      format_option(),
                      catalogue_option()},
          .run = run_validate};
}

}  // namespace railwright::cli
