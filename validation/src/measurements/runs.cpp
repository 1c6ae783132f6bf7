// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/runs.hpp"

#include <filesystem>

#include "railwright/core/config/include.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/scenario_fields.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/validation/measurements/training_log.hpp"
#include "run_entry.hpp"

namespace railwright::validation {

namespace {

struct RunsFile {
  std::optional<core::Node> scenario;
  std::vector<std::string> set;
  std::string source;
  std::vector<RunEntry> runs;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("scenario", &RunsFile::scenario, "The scenario that was run, relative to this file."),
        field("set", &RunsFile::set, "Settings of all runs.", optional),
        field("source", &RunsFile::source, "Where runs without their own come from.", optional),
        field("runs", &RunsFile::runs, "What was measured."));
  }
};

void check_not_empty(const core::Node& tree, const std::vector<RunEntry>& runs,
                     core::Reader& reader) {
  if (runs.empty() && reader.diagnostics().empty()) {
    reader.report(tree.where, "runs", "no runs");
  }
}

}  // namespace

std::vector<MeasuredRun> read_runs(const std::string& path, const BaseScenario& base,
                                   const core::Catalogue& catalogue) {
  const core::Node tree = core::load_yaml_with(base.include_folders, path);
  core::Reader reader(&catalogue);
  RunsFile file;
  if (tree.kind == core::Node::Kind::kSequence) {
    reader.read(tree, "", file.runs);
  } else {
    reader.read(tree, "", file);
  }
  check_not_empty(tree, file.runs, reader);
  const core::Node scenario = simulation::with_settings(
      base_tree(base, file.scenario ? &*file.scenario : nullptr, path), file.set);
  auto runs = measured_runs(file.runs, scenario, {path, base.include_folders}, file.source,
                            catalogue, reader);
  reader.throw_if_any();
  return runs;
}

std::vector<MeasuredRun> run_of_log(const std::string& path, const BaseScenario& base,
                                    const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  RunEntry entry;
  const std::filesystem::path file(path);
  entry.name = core::text_node(file.filename().string());
  entry.name.where = {path};
  entry.log = core::text_node(file.filename().string());
  entry.log->where = {path};
  auto runs =
      measured_runs({entry}, base_tree(base, nullptr, path), {path, {}}, {}, catalogue, reader);
  reader.throw_if_any();
  return runs;
}

}  // namespace railwright::validation
