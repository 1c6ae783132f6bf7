// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/diagnose/diagnose.hpp"

#include <utility>
#include <vector>

#include "common.hpp"
#include "question.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"
#include "railwright/output/json/diagnosis_json.hpp"
#include "railwright/output/text/diagnosis_text.hpp"
#include "railwright/validation/measurements/training_log.hpp"
#include "railwright/validation/measurements/training_timers.hpp"

namespace railwright::cli {

namespace {

[[noreturn]] void refuse_measured(std::string where, std::string message, std::string hint) {
  throw core::ConfigError({{{std::move(where)}, "", std::move(message), std::move(hint)}});
}

/// A step, and its parts where a log times them.
struct Measured {
  core::Duration step_time;
  std::vector<planner::StepTimer> timers;
};

/// Returns the step time of --measured, or what the log tells.
Measured measured_of(const Options& options) {
  const std::string text = options.text("--measured");
  const std::string log = options.text("--log");
  if (text.empty() == log.empty()) {
    refuse_measured(
        text.empty() ? "diagnose" : "--measured " + text,
        text.empty() ? "needs the time that a step took" : "is given together with --log",
        "give one of --measured 25.3s and --log FILE");
  }
  if (!log.empty()) {
    const std::string lines = core::read_text_file(log);
    return {.step_time = validation::read_training_log(lines, log).step_time,
            .timers = validation::read_training_timers(lines)};
  }
  return {.step_time = planner::measured_time(text, "--measured " + text), .timers = {}};
}

int run_diagnose(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const Measured measured = measured_of(options);
  const core::Node tree = load_question(options, catalogue, planner::Asked::kDesign, streams);
  const auto made =
      planner::diagnose(tree, catalogue, measured.step_time, method_of(options), measured.timers);
  if (wants_json(options)) {
    streams.out << output::to_json(made);
  } else {
    put_text(streams, output::to_text(made, streams.chosen, streams.style));
  }
  return made.feasible() ? kOk : kInfeasible;
}

}  // namespace

Verb diagnose_verb() {
  Verb verb{.name = "diagnose",
            .help = "Why a step that was measured is slower or faster than predicted",
            .options = scenario_options(question_options()),
            .run = run_diagnose};
  verb.options.push_back({.name = "--measured",
                          .kind = OptionKind::kValue,
                          .value = "TIME",
                          .help = "How long a step took: 25.3s"});
  verb.options.push_back({.name = "--log",
                          .kind = OptionKind::kValue,
                          .value = "FILE",
                          .help = "Take it from a training log of Megatron-LM, NeMo, torchtitan, "
                                  "nanotron or DeepSpeed"});
  verb.options.push_back(threads_option());
  return verb;
}

}  // namespace railwright::cli
