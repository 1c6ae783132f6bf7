// SPDX-License-Identifier: Apache-2.0
#include "curves_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::output {

namespace {

/// Prices of one more piece, as shares of a node's price, for the table of break-even places.
constexpr std::array kPrices = {0.0025, 0.005, 0.01, 0.02, 0.04};

/// Draws a block for each started two percent, at most 30 blocks.
std::string worth_bar(double worth) {
  return bar(static_cast<std::size_t>(std::clamp(std::ceil(50.0 * worth), 0.0, 30.0)));
}

class CurveText {
 public:
  CurveText(const planner::ComparisonResult& comparison, const planner::CurveResult& curve)
      : comparison_(comparison), curve_(curve) {}

  [[nodiscard]] std::string text(const TextStyle& style) const {
    std::string text = curve_.name + "\n\n";
    for (std::size_t value = 1; value < comparison_.values.size(); ++value) {
      text += places_table(value, style) + "\n" + prices_table(value, style);
    }
    return text;
  }

 private:
  [[nodiscard]] const planner::CurveLine& base() const { return curve_.lines.front(); }

  [[nodiscard]] std::string against(std::size_t value) const {
    return fmt::format("{} {} against {}", short_key(comparison_.key), comparison_.values[value],
                       comparison_.values.front());
  }

  static std::string step_text(const planner::CurvePoint& point) {
    return point.feasible() ? core::to_text(point.step_time) : "does not fit";
  }

  static std::string worth_text(const planner::CurveLine& line, std::size_t place,
                                std::size_t value) {
    const auto worth = line.worth(place, value);
    return worth ? signed_percent(*worth) : "-";
  }

  [[nodiscard]] std::string places_table(std::size_t value, const TextStyle& style) const {
    std::vector<std::string> header = {short_key(curve_.key),
                                       "step with " + comparison_.values.front(),
                                       "with " + comparison_.values[value], "worth"};
    for (std::size_t i = 1; i < curve_.lines.size(); ++i) header.push_back(curve_.lines[i].variant);
    header.emplace_back("");
    Table table(header);
    table.align_left(header.size() - 1);
    for (std::size_t place = 0; place < curve_.along.size(); ++place) {
      const auto& points = base().places[place];
      std::vector<std::string> row = {curve_.along[place], step_text(points.front()),
                                      step_text(points[value])};
      for (const planner::CurveLine& line : curve_.lines)
        row.push_back(worth_text(line, place, value));
      row.push_back(worth_bar(base().worth(place, value).value_or(0.0)));
      table.add_row(std::move(row));
    }
    return fmt::format("{}: what a cluster may cost more for it\n\n", against(value)) +
           table.text(style) + reasons(value);
  }

  /// Explains why points of the unchanged scenario do not fit.
  [[nodiscard]] std::string reasons(std::size_t value) const {
    std::string text;
    for (std::size_t place = 0; place < curve_.along.size(); ++place) {
      for (const std::size_t i : {std::size_t{0}, value}) {
        const planner::CurvePoint& point = base().places[place][i];
        if (point.feasible()) continue;
        text += fmt::format("{} {} with {}: {}\n", short_key(curve_.key), curve_.along[place],
                            comparison_.values[i], point.why_not);
      }
    }
    return text;
  }

  [[nodiscard]] std::string prices_table(std::size_t value, const TextStyle& style) const {
    const double pieces = curve_.extra_pieces[value];
    const bool has_pieces = pieces > 0.0;
    std::vector<std::string> header = {has_pieces ? "price of each one more" : "price",
                                       "pays from"};
    for (std::size_t i = 1; i < curve_.lines.size(); ++i) header.push_back(curve_.lines[i].variant);
    Table table(header);
    for (const double price : kPrices) {
      std::vector<std::string> row = {fmt::format("{:g} % of a node", 100.0 * price)};
      for (const planner::CurveLine& line : curve_.lines) {
        const auto from = line.pays_from(value, price * (has_pieces ? pieces : 1.0));
        row.push_back(from ? curve_.along[*from] : "never");
      }
      table.add_row(std::move(row));
    }
    return fmt::format(
               "From how many {} on it pays, everything that comes with it in its price:\n\n",
               short_key(curve_.key)) +
           table.text(style);
  }

  const planner::ComparisonResult& comparison_;
  const planner::CurveResult& curve_;
};

}  // namespace

std::string curves_text(const planner::ComparisonResult& comparison, const TextStyle& style) {
  std::string text;
  for (const planner::CurveResult& curve : comparison.curves) {
    text += fmt::format("\n{}", CurveText(comparison, curve).text(style));
  }
  return text;
}

}  // namespace railwright::output
