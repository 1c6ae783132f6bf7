// SPDX-License-Identifier: Apache-2.0
// Sums of products of published figures, catalogue values and settings of scenarios.
#pragma once

#include <string>
#include <string_view>

#include "statements.hpp"

namespace railwright::planner {

/// What `is` comes to, and what it names.
struct TermsResult {
  double value = 0.0;  ///< base units
  core::Exponents exponents{};
  bool of_catalogue = false;
  bool of_scenario = false;
  std::string problem;  ///< "" where there is none
};

/// "2 * switches/qm9790:num_ports * switches/qm9790:port_rate": operands with * / + - between
/// spaces, products before sums. An operand is a quantity, `kind/entry:key` of the catalogue,
/// `@scenario.path` as written in the suite, or `#case`, the published figure of another row.
TermsResult evaluate_terms(std::string_view text, const StatementGround& ground);

}  // namespace railwright::planner
