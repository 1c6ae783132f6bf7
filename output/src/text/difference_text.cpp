// SPDX-License-Identifier: Apache-2.0
#include "difference_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/saving_range.hpp"
#include "railwright/models/money/comparable_costs.hpp"
#include "railwright/models/money/exchange.hpp"

namespace railwright::output {

namespace {

/// Number of parts of a kind and name that one design has more than another.
struct Difference {
  std::string kind;
  std::string name;
  int count = 0;
};

void add_parts(const core::PartsList& list, int sign, std::vector<Difference>& differences) {
  for (const core::Part& part : list.parts) {
    const auto same = std::ranges::find_if(differences, [&](const Difference& one) {
      return one.kind == part.kind && one.name == part.name;
    });
    if (same != differences.end()) {
      same->count += sign * part.count;
    } else {
      differences.push_back({part.kind, part.name, sign * part.count});
    }
  }
}

/// Returns "8 more connectx-7, 8 more host link", shortened to the first few parts.
std::string listed(const std::vector<std::string>& parts) {
  constexpr std::size_t kMaxListed = 3;
  const std::size_t num_listed = std::min(parts.size(), kMaxListed);
  const char* others = parts.size() > num_listed ? " and others" : "";
  return fmt::format("{}{}",
                     fmt::join(parts.begin(), parts.begin() + static_cast<long>(num_listed), ", "),
                     others);
}

/// Returns "8 x connectx-7, 8 x ndr-dac", shortened to the first few.
std::string pieces(const std::vector<models::PricedPurchase>& all) {
  std::vector<std::string> named;
  for (const models::PricedPurchase& one : all) {
    named.push_back(fmt::format("{} x {}", grouped(one.purchase.count), one.purchase.name));
  }
  return listed(named);
}

std::string money_difference(core::Money of, core::Money than) {
  const bool is_more = than < of;
  const core::Money difference = is_more ? of - than : than - of;
  return fmt::format("{} {}", money(difference), is_more ? "more" : "less");
}

std::string parts_difference(const core::PartsList& of, const core::PartsList& than) {
  std::vector<Difference> differences;
  add_parts(of, 1, differences);
  add_parts(than, -1, differences);
  std::vector<std::string> more;
  std::vector<std::string> fewer;
  for (const Difference& one : differences) {
    if (one.count == 0) continue;
    const bool is_more = one.count > 0;
    (is_more ? more : fewer)
        .push_back(fmt::format("{} {} {}", grouped(std::abs(one.count)), is_more ? "more" : "fewer",
                               one.name));
  }
  if (more.empty() && fewer.empty()) return "the same";
  return listed(more) + (more.empty() || fewer.empty() ? "" : "; ") + listed(fewer);
}

/// Returns the difference in money if both are priced and comparable, else in parts.
std::string price_difference(const simulation::SimulationResult& of,
                             const simulation::SimulationResult& than) {
  const std::array costs{&of.cost->ownership, &than.cost->ownership};
  const auto unpriced = models::unpriced_that_decide(costs, models::CostBasis::kOwnership);
  if (!unpriced.empty()) {
    return not_comparable(unpriced) + "; " + parts_difference(of.parts, than.parts);
  }
  const auto of_run = models::unpriced_that_decide(costs, models::CostBasis::kWork);
  const bool is_partial = !of.cost->ownership.unpriced.empty();
  return fmt::format(
      "{} of ownership, {} for the run{}",
      money_difference(of.cost->ownership.total(), than.cost->ownership.total()),
      of_run.empty() ? money_difference(of.cost->run, than.cost->run) : not_comparable(of_run),
      is_partial && of_run.empty() ? "; parts without a price left out" : "");
}

}  // namespace

std::string not_comparable(const std::vector<std::string>& unpriced) {
  return "not comparable: no price of " + fmt::format("{}", fmt::join(unpriced, ", "));
}

std::string at_least(simulation::NumberFormat format, bool is_partial) {
  return is_partial && format == simulation::NumberFormat::kMoney ? "at least " : "";
}

std::string exchange_text(const simulation::SimulationResult& from,
                          const simulation::SimulationResult& to) {
  if (!from.cost || !to.cost) return {};
  const models::Exchange made = models::exchange(from.cost->ownership, to.cost->ownership);
  if (made.bought.empty() && made.left_over.empty() && made.unpriced.empty()) return {};
  std::string text = made.bought.empty()
                         ? "nothing with a price to buy"
                         : fmt::format("buy {} for {}", pieces(made.bought), money(made.price()));
  if (!made.left_over.empty()) {
    text += fmt::format("; left over {}, {} when new", pieces(made.left_over),
                        money(made.left_over_new()));
  }
  if (!made.unpriced.empty()) {
    text += fmt::format("; no price of {}", fmt::join(made.unpriced, ", "));
  }
  return text + fmt::format("; without labour{}",
                            made.left_over.empty() ? "" : " and what used parts bring");
}

std::string difference_fact(const simulation::SimulationResult& of,
                            const simulation::SimulationResult& than, std::string_view beside) {
  const bool is_priced = of.cost && than.cost;
  return fact(is_priced ? "price" : "parts",
              (is_priced ? price_difference(of, than) : parts_difference(of.parts, than.parts))
                  .append(beside));
}

std::string saving_interval(double saving, const simulation::SimulationResult& faster,
                            const simulation::SimulationResult& slower) {
  const std::optional<SavingRange> range = saving_range(saving, faster, slower);
  return range ? fmt::format("{} to {}", percent(range->low), percent(range->high)) : "";
}

}  // namespace railwright::output
