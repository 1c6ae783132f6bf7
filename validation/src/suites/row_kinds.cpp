// SPDX-License-Identifier: Apache-2.0
#include "row_kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace railwright::validation {

namespace {

/// Quantities that are sums and products of a document's inputs, however long a step takes.
constexpr std::array<std::string_view, 5> kArithmeticQuantities{"count", "memory", "capacity",
                                                                "checkpoint_bytes", "data_bytes"};

bool has_unit(const core::Exponents& exponents) {
  return std::ranges::any_of(exponents, [](int exponent) { return exponent != 0; });
}

/// Relative difference that rounding of printed figures explains.
constexpr double kSame = 0.005;

/// Whether `tree` holds the figure, as printed.
bool holds_figure(const core::Node& tree, const RunClaim& claim) {
  if (tree.is_scalar()) {
    core::QuantityError error;
    const auto quantity = core::parse_quantity(tree.text, error);
    return quantity && quantity->exponents == claim.exponents &&
           std::abs(quantity->base - claim.published) <=
               std::max(claim.rounding, kSame * std::abs(claim.published));
  }
  const auto holds = [&](const core::Node& node) { return holds_figure(node, claim); };
  return std::ranges::any_of(tree.items, holds) ||
         std::ranges::any_of(tree.entries,
                             [&](const core::Entry& entry) { return holds(entry.value); });
}

}  // namespace

RowKind kind_of(const RunClaim& claim, const ValidationCase& c) {
  if (c.role == ClaimRole::kCalibrate) return RowKind::kCalibrated;
  if (claim.claim->kind) return *claim.claim->kind;
  if (claim.claim->bound != Bound::kEqual) return RowKind::kBound;
  if (claim.claim->combine != Combine::kNone) return RowKind::kDerived;
  if (has_unit(claim.exponents) && holds_figure(core::parse_yaml(c.scenario, c.id), claim)) {
    return RowKind::kIdentity;
  }
  const bool is_arithmetic =
      std::ranges::find(kArithmeticQuantities, c.quantity) != kArithmeticQuantities.end();
  return is_arithmetic ? RowKind::kArithmetic : RowKind::kPrediction;
}

}  // namespace railwright::validation
