// SPDX-License-Identifier: Apache-2.0
// A measured run as written in a file, and how it is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/validation/measurements/runs.hpp"

namespace railwright::validation {

struct RunEntry {
  core::Node name;
  std::vector<core::Node> set;  ///< each with its place
  std::optional<core::Duration> step_time;
  std::optional<core::Duration> standard_error;
  std::optional<core::Node> log;
  std::string source;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    using core::positive;
    return core::field_list(
        field("name", &RunEntry::name, "The run in a few words."),
        field("set", &RunEntry::set, "Settings `path=value`, laid over the scenario.", optional),
        field("step_time", &RunEntry::step_time, "Measured time of an optimizer step.", positive),
        field("standard_error", &RunEntry::standard_error, "Of the step time.", positive),
        field("log", &RunEntry::log, "A training log to take both from, relative to this file."),
        field("source", &RunEntry::source, "Where the measurement comes from.", optional));
  }
};

/// The file with the runs, and further folders whose files it may name.
struct RunsPlace {
  std::string file;
  std::vector<std::string> include_folders;
};

/// Applies each run's settings to `base` and reads the scenario. Problems go to `reader`, those of
/// a setting with its place.
std::vector<MeasuredRun> measured_runs(const std::vector<RunEntry>& entries, const core::Node& base,
                                       const RunsPlace& place, const std::string& source,
                                       const core::Catalogue& catalogue, core::Reader& reader);

/// Returns the tree that runs change: the command line's, else the one that the file names.
core::Node base_tree(const BaseScenario& base, const core::Node* named, const std::string& file);

}  // namespace railwright::validation
