// SPDX-License-Identifier: Apache-2.0
// Defines how a suite of published figures is written in YAML.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "claims.hpp"
#include "document_figures.hpp"
#include "error_groups.hpp"
#include "fit_numbers.hpp"
#include "holdout_split.hpp"
#include "kernel_rows.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::validation {

/// Figures of one kind, each in a row: id, figure, half of its last digit (or null), and a value
/// for each column. A column is the path of a setting, `product`, or `source`, which adds the row's
/// place to the table's source. A null leaves the scenario unchanged.
struct ClaimTable {
  std::string group;
  std::string quantity;
  std::string source;
  std::optional<ClaimRole> role;
  std::string scenario;
  std::vector<std::string> set;
  std::string output;
  std::vector<std::string> columns;
  std::vector<core::Node> rows;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("group", &ClaimTable::group, "Rows shown together."),
        field("quantity", &ClaimTable::quantity, "What kind of figures they are."),
        field("source", &ClaimTable::source, "Where they stand."),
        field("role", &ClaimTable::role,
              "What its rows are for, in place of a draw: calibrate, if a constant was fitted to "
              "them alone, or validate. A fit of the suite leaves them out."),
        field("scenario", &ClaimTable::scenario, "Which of the suite's scenarios they are about."),
        field("set", &ClaimTable::set, "Settings of all rows, laid over the scenario.", optional),
        field("output", &ClaimTable::output, "Which output of simulate predicts them."),
        field("columns", &ClaimTable::columns,
              "What is set: paths of the scenario, `product` or `source`."),
        field("rows", &ClaimTable::rows, "Lists of id, figure, rounding and a value a column."));
  }
};

/// NotRun as an entry of a suite.
struct NotRunEntry : NotRun {
  static constexpr auto fields() {
    using core::field;
    return core::field_list(field("id", &NotRunEntry::id, "Name of the record."),
                            field("group", &NotRunEntry::group, "Records of the same source."),
                            field("missing", &NotRunEntry::missing, "What it does not say."));
  }
};

struct Suite {
  std::string list = "cases";  ///< the key of its claims in messages; no key of its own
  std::string name;
  std::string description;
  simulation::Method method = simulation::Method::kSimulate;
  std::map<std::string, core::Node> scenarios;
  std::vector<Claim> cases;
  std::vector<Series> series;
  std::vector<ClaimTable> tables;
  std::vector<KernelTable> kernels;
  std::optional<Draw> draw;
  std::optional<FitPlan> fit;
  std::vector<Target> targets;
  std::vector<NotRunEntry> not_run;
  std::vector<std::string> not_covered;
  std::map<std::string, Document> documents;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("suite", &Suite::name, "Name of the suite."),
        field("description", &Suite::description, "The suite in words."),
        field("method", &Suite::method, "How training steps are predicted.", optional),
        field("scenarios", &Suite::scenarios, "Complete scenarios by name.", optional),
        field("cases", &Suite::cases, "The claims.", optional),
        field("series", &Suite::series, "Collectives measured at many sizes.", optional),
        field("tables", &Suite::tables, "Figures of one kind, a row each.", optional),
        field("kernels", &Suite::kernels, "Measured times of single kernels.", optional),
        field("draw", &Suite::draw,
              "Which training steps and products calibrate; their own role where absent."),
        field("fit", &Suite::fit, "Which numbers they may be fitted by."),
        field("targets", &Suite::targets, "What their errors are held against.", optional),
        field("not_run", &Suite::not_run, "Records that no scenario can be made of.", optional),
        field("not_covered", &Suite::not_covered, "What no public record covers, each in words.",
              optional),
        field("documents", &Suite::documents, "Documents of which every number has a row.",
              optional));
  }
};

/// Reads a suite; series and tables become claims. Problems go to `reader`.
Suite read_suite(const core::Node& tree, core::Reader& reader);

/// Runs a suite that was read; `where` is its place, whose folder holds its tables of kernels.
ValidationResult run_suite(Suite suite, const core::Location& where,
                           const core::Catalogue& catalogue, const ValidationOptions& options = {});

/// Returns the scenario of a claim: `scenario` with the claim's settings and then `further` ones.
core::Node scenario_of(const core::Node& scenario, const Claim& claim,
                       const std::vector<std::string>& further);

}  // namespace railwright::validation
