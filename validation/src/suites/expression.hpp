// SPDX-License-Identifier: Apache-2.0
// Evaluates sums of products of published figures, catalogue values and settings of scenarios.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "claims.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::validation {

/// Sources of the values in expressions.
struct ExpressionContext {
  const core::Catalogue& catalogue;
  const std::map<std::string, core::Node>& scenarios;
  const std::map<std::string, RunClaim>& claims;
};

/// Value of an expression, and the sources it uses.
struct ExpressionResult {
  double value = 0.0;  ///< in base units
  core::Exponents exponents{};
  bool of_catalogue = false;
  bool of_scenario = false;
  std::string problem;  ///< "" if there is none
};

/// Evaluates "2 * switches/qm9790:num_ports * switches/qm9790:port_rate": operands with * / + -
/// between spaces, products before sums. An operand is a quantity, `kind/entry:key` of the
/// catalogue, `@scenario.path` as written in the suite, or `#case`, the published figure of another
/// row.
ExpressionResult evaluate_expression(std::string_view text, const ExpressionContext& context);

}  // namespace railwright::validation
