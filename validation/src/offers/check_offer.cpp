// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/offers/check_offer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "../suites/suite.hpp"
#include "claim_judge.hpp"
#include "offer.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::validation {

namespace {

/// Returns half of the last digit of "3.32 min", in base units; 0 for a count without a fraction.
double half_of_last_digit(std::string_view text, const core::ParsedQuantity& figure) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string_view digits = text.substr(0, end);
  const std::size_t dot = digits.find('.');
  const bool has_unit = std::ranges::any_of(figure.exponents, [](int e) { return e != 0; });
  if (digits.empty() || (!has_unit && dot == std::string_view::npos)) return 0.0;
  double number = 0.0;
  for (const char digit : digits) {
    if (digit != '.') number = 10.0 * number + (digit - '0');
  }
  return number == 0.0 ? 0.0 : 0.5 * std::abs(figure.base) / number;
}

class OfferChecker {
 public:
  OfferChecker(const core::Node& tree, const core::Catalogue& catalogue)
      : catalogue_(catalogue), reader_(&catalogue), where_(tree.where) {
    reader_.read(tree, "", offer_);
    reader_.throw_if_any();
    if (offer_.claims.empty()) reader_.report(tree.where, "claims", "there is none to check");
    reader_.throw_if_any();
  }

  CheckedOffer run() {
    Suite suite{.list = "claims", .name = offer_.name};
    suite.scenarios = offer_.scenarios;
    for (std::size_t i = 0; i < offer_.claims.size(); ++i) {
      OfferedClaim& claim = offer_.claims[i];
      if (claim.id.empty()) claim.id = fmt::format("claim {}", i + 1);
      prepare(claim, suite);
    }
    reader_.throw_if_any();
    const std::map<std::string, core::Node> scenarios = suite.scenarios;
    const ValidationResult made =
        run_suite(std::move(suite), where_, catalogue_, {.skips_rows = false});
    CheckedOffer result{.name = offer_.name, .claims = {}, .not_stated = std::move(not_stated_)};
    for (const OfferedClaim& claim : offer_.claims) {
      const auto row = std::ranges::find(made.cases, claim.id, &ValidationCase::id);
      result.claims.push_back(judged_claim(claim, *row, scenarios, catalogue_));
    }
    return result;
  }

 private:
  void report(const OfferedClaim& claim, std::string message, std::string hint = {}) {
    reader_.report(claim.published.where, "claims." + claim.id, std::move(message),
                   std::move(hint));
  }

  void prepare(OfferedClaim& claim, Suite& suite) {
    if (claim.is.empty() == claim.output.empty()) {
      return report(claim, "needs either `output` or `is`", "output: step_time_s");
    }
    core::QuantityError error;
    const auto figure = core::parse_quantity(claim.published.text, error);
    if (!figure || !claim.published.is_scalar()) {
      return report(claim, figure ? "expected a quantity or a number" : error.message, error.hint);
    }
    claim.bound = claim.wanted.value_or(wanted_of(claim.output, figure->exponents));
    if (!claim.rounding) {
      claim.rounding = core::text_node(
          core::format_exact(half_of_last_digit(claim.published.text, *figure), figure->exponents));
    }
    if (claim.output.empty()) return add_statement(claim, suite);
    fill_scenario(claim, suite);
    suite.cases.push_back(claim);
    suite.cases.back().set.clear();  // they are in its scenario
  }

  void add_statement(const OfferedClaim& claim, Suite& suite) {
    Document& document = suite.documents["offer"];
    document.title = offer_.name;
    document.rows.push_back({.id = claim.id,
                             .at = claim.source,
                             .printed = {},
                             .about = name_of(claim),
                             .published = claim.published,
                             .rounding = claim.rounding,
                             .bound = claim.bound,
                             .is = claim.is});
  }

  /// Gives the claim a scenario with its settings and all that the offer does not say.
  void fill_scenario(OfferedClaim& claim, Suite& suite) {
    if (claim.scenario.empty() && offer_.scenarios.size() == 1) {
      claim.scenario = offer_.scenarios.begin()->first;
    }
    const auto base = offer_.scenarios.find(claim.scenario);
    if (base == offer_.scenarios.end()) {
      return report(claim, claim.scenario.empty()
                               ? "of which scenario is it?"
                               : fmt::format("no scenario '{}'", claim.scenario));
    }
    std::string name = base->first;
    for (const std::string& setting : claim.set) name += "\n" + setting;
    claim.scenario = name;
    if (!claim.set.empty() && suite.scenarios.contains(name)) return;
    planner::Filled filled = planner::fill_in(simulation::with_settings(base->second, claim.set),
                                              catalogue_, planner::Asked::kDesign);
    for (planner::Chosen& one : filled.chosen) {
      const bool is_known = std::ranges::any_of(not_stated_, [&](const planner::Chosen& other) {
        return other.key == one.key && other.value == one.value;
      });
      if (!is_known) not_stated_.push_back(std::move(one));
    }
    suite.scenarios.insert_or_assign(name, std::move(filled.tree));
  }

  const core::Catalogue& catalogue_;
  core::Reader reader_;
  core::Location where_;
  Offer offer_;
  std::vector<planner::Chosen> not_stated_;
};

}  // namespace

std::string_view to_string(OfferVerdict verdict) {
  switch (verdict) {
    case OfferVerdict::kHolds:
      return "holds";
    case OfferVerdict::kDependsOn:
      return "depends on";
    case OfferVerdict::kCannotHold:
      break;
  }
  return "cannot hold";
}

int CheckedOffer::count(OfferVerdict verdict) const {
  return static_cast<int>(std::ranges::count(claims, verdict, &CheckedClaim::verdict));
}

CheckedOffer check_offer(const core::Node& offer, const core::Catalogue& catalogue) {
  return OfferChecker(offer, catalogue).run();
}

}  // namespace railwright::validation
