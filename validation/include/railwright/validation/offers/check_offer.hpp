// SPDX-License-Identifier: Apache-2.0
// `check`: holds the claims of an offer, one by one, against what is computed for its scenarios.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

enum class OfferVerdict : std::uint8_t {
  kHolds,
  kDependsOn,   ///< holds at another value of what the offer leaves open
  kCannotHold,  ///< by the reason that is given
};

/// Returns "holds", "depends on" or "cannot hold".
std::string_view to_string(OfferVerdict verdict);

/// A claim and what became of it.
struct CheckedClaim {
  std::string words;     ///< the claim in words
  std::string says;      ///< its figure as written: "2.5 TB/s"
  std::string computed;  ///< what its scenario gives: "1.12 TB/s"; "" where it does not fit
  OfferVerdict verdict = OfferVerdict::kHolds;
  std::string why;                    ///< a sentence with the numbers; "" where it just holds
  std::vector<std::string> settings;  ///< as for `--set`, each of which makes it hold alone
  ValidationCase figures;             ///< in SI, with the scenario that it ran
};

struct CheckedOffer {
  std::string name;
  std::vector<CheckedClaim> claims;         ///< in the order of the file
  std::vector<planner::Chosen> not_stated;  ///< what was chosen for the offer, each key once

  [[nodiscard]] int count(OfferVerdict verdict) const;
  /// Whether no claim is refuted.
  [[nodiscard]] bool feasible() const { return count(OfferVerdict::kCannotHold) == 0; }
};

/// Checks an offer: `offer`, its name; `scenarios` by name, of which keys may be left out as in a
/// question; and `claims`, each a row as in the `cases` of a suite. A claim holds if what is
/// computed is at least as good as its figure, within half of the figure's last digit: no longer,
/// no more watts, racks, ports or money, no fewer bytes or tokens a second. Else everything that
/// the offer leaves open is tried. Throws ConfigError with every problem.
CheckedOffer check_offer(const core::Node& offer, const core::Catalogue& catalogue);

}  // namespace railwright::validation
