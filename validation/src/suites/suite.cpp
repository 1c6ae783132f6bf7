// SPDX-License-Identifier: Apache-2.0
#include "suite.hpp"

#include <fmt/format.h>

#include "railwright/simulation/scenario/with_settings.hpp"
#include "series.hpp"

namespace railwright::validation {

namespace {

/// Cells of a row before its columns: id, figure, rounding.
constexpr std::size_t kNumLeading = 3;

std::string setting_of(const std::string& path, const core::Node& cell) {
  return path + "=" + (cell.is_scalar() ? cell.text : core::to_yaml(cell));
}

void add_claims(const ClaimTable& table, std::vector<Claim>& claims, core::Reader& reader) {
  for (const core::Node& row : table.rows) {
    if (row.items.size() != kNumLeading + table.columns.size()) {
      reader.report(row.where, "tables." + table.group,
                    fmt::format("expected a list of {} cells, got {}",
                                kNumLeading + table.columns.size(), row.items.size()));
      continue;
    }
    Claim claim;
    claim.id = row.items[0].text;
    claim.group = table.group;
    claim.quantity = table.quantity;
    claim.kind = RowKind::kPrediction;
    claim.published = row.items[1];
    if (row.items[2].is_scalar()) claim.rounding = row.items[2];
    claim.source = table.source;
    claim.keeps_role = table.role.has_value();
    claim.role = table.role.value_or(ClaimRole::kValidate);
    claim.scenario = table.scenario;
    claim.set = table.set;
    claim.output = table.output;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const core::Node& cell = row.items[kNumLeading + i];
      if (cell.kind == core::Node::Kind::kNull) continue;
      if (table.columns[i] == "source") {
        claim.source += ", " + cell.text;
      } else if (table.columns[i] == "product") {
        claim.product = cell.text;
      } else {
        claim.set.push_back(setting_of(table.columns[i], cell));
      }
    }
    claims.push_back(std::move(claim));
  }
}

}  // namespace

Suite read_suite(const core::Node& tree, core::Reader& reader) {
  Suite suite;
  reader.read(tree, "", suite);
  reader.throw_if_any();
  for (const Series& series : suite.series) add_claims(series, suite.cases);
  for (const ClaimTable& table : suite.tables) add_claims(table, suite.cases, reader);
  reader.throw_if_any();
  return suite;
}

core::Node scenario_of(const core::Node& scenario, const Claim& claim,
                       const std::vector<std::string>& further) {
  return simulation::with_settings(simulation::with_settings(scenario, claim.set), further);
}

}  // namespace railwright::validation
