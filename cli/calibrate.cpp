// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/out/text.hpp"
#include "railwright/planner/verbs/fit_suite.hpp"

namespace railwright::cli {

namespace {

int run(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto fit =
      planner::fit_suite(load_suite(options.text("suite")), catalogue, options.text("--leave-out"));
  streams.out << (wants_json(options) ? planner::to_json(fit)
                                      : planner::to_text(fit, streams.style));
  return kOk;
}

}  // namespace

Verb calibrate_verb() {
  using Kind = OptionSpec::Kind;
  return {.name = "calibrate",
          .help = "Fits the numbers that nobody publishes to a suite's rows that calibrate",
          .options = {{.name = "suite",
                       .kind = Kind::kPositional,
                       .value = "SUITE",
                       .help = "Which set of published figures",
                       .required = true},
                      {.name = "--leave-out",
                       .kind = Kind::kValue,
                       .value = "FAMILY",
                       .help = "A group of rows that is kept out of the fit and predicted by it"},
                      format_option(),
                      catalogue_option()},
          .run = run};
}

}  // namespace railwright::cli
