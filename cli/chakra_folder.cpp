// SPDX-License-Identifier: Apache-2.0
#include "chakra_folder.hpp"

#include <fmt/format.h>

#include "output_folder.hpp"
#include "progress.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/stop.hpp"
#include "railwright/output/chakra/chakra.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/kinds.hpp"
#include "stop_on_signal.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kChakra = "--chakra";

[[noreturn]] void refuse_traces(const std::string& folder, std::string message,
                                std::string hint = {}) {
  throw core::ConfigError(
      {{{fmt::format("{} {}", kChakra, folder)}, "", std::move(message), std::move(hint)}});
}

output::ChakraStep step_of(const std::string& folder, const core::Node& tree,
                           const core::Catalogue& catalogue) {
  const simulation::CheckedScenario checked = simulation::read_training(tree, catalogue);
  try {
    return output::ChakraStep(checked);
  } catch (const core::ConfigError& error) {
    const core::Diagnostic& problem = error.diagnostics().front();
    refuse_traces(folder, problem.message, problem.hint);
  }
}

void fill(const output::ChakraStep& step, const WriteIntoFolder& write, Streams& streams) {
  Progress progress(streams.err);
  for (int rank = 0; rank < step.num_ranks(); ++rank) {
    core::check_stop();
    write(fmt::format("step.{}.et", rank), step.file(rank));
    progress.tell("ranks", rank + 1, step.num_ranks());
  }
  write("comm_groups.json", step.groups());
}

}  // namespace

OptionSpec chakra_option() {
  return {.name = kChakra,
          .kind = OptionKind::kValue,
          .value = "DIR",
          .help =
              "Writes the step as execution traces of MLCommons Chakra, a file a rank, into a "
              "new folder"};
}

void check_chakra(const Options& options, const core::Node& tree) {
  const std::string folder = options.text(kChakra);
  if (folder.empty()) return;
  if (options.flag("--estimate")) {
    refuse_traces(folder, "an estimate has no events to trace", "leave out --estimate");
  }
  if (!simulation::other_kind(tree).empty()) {
    refuse_traces(folder, "traces the step of one training job");
  }
  check_free(kChakra, folder);
}

bool write_chakra(const Options& options, const core::Node& tree, const core::Catalogue& catalogue,
                  Streams& streams) {
  const std::string folder = options.text(kChakra);
  if (folder.empty()) return true;
  const StopOnSignal signals;
  const core::StopScope stop(&StopOnSignal::flag());
  try {
    const output::ChakraStep step = step_of(folder, tree, catalogue);
    write_folder(kChakra, folder,
                 [&](const WriteIntoFolder& write) { fill(step, write, streams); });
    return true;
  } catch (const core::Interrupted&) {
    streams.err << fmt::format("interrupted; nothing of {} was written\n", folder);
    return false;
  }
}

}  // namespace railwright::cli
