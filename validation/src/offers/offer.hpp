// SPDX-License-Identifier: Apache-2.0
// Defines how an offer is written in YAML: the claims of a suite, with less that must be said.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../suites/claims.hpp"
#include "railwright/core/config/fields.hpp"

namespace railwright::validation {

/// A claim of an offer. A row of a suite's `cases` is one, too.
struct OfferedClaim : Claim {
  std::string words;
  std::optional<Bound> wanted;  ///< where absent, by what the figure is
  std::string is;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("claim", &OfferedClaim::words, "The claim in words.", optional),
        field("id", &OfferedClaim::id, "Name of the claim, for `checks` of others.", optional),
        field("published", &OfferedClaim::published, "The figure, with its unit where it has one."),
        field("rounding", &OfferedClaim::rounding,
              "How far it may be missed; half of its last digit where absent."),
        field("bound", &OfferedClaim::wanted,
              "Whether what is computed must equal the figure, or be at least or at most that; "
              "where absent, at least as good."),
        field("source", &OfferedClaim::source, "Where it stands: a page of the offer.", optional),
        field("scenario", &OfferedClaim::scenario,
              "Which of the offer's scenarios it is about; may be left out where there is one.",
              optional),
        field("set", &OfferedClaim::set, "Settings laid over the scenario.", optional),
        field("against", &OfferedClaim::against, "Further settings of the run to combine with.",
              optional),
        field("combine", &OfferedClaim::combine, "How the two runs make the prediction.", optional),
        field("output", &OfferedClaim::output, "Which output of simulate predicts it, or `racks`.",
              optional),
        field("is", &OfferedClaim::is,
              "In place of an output: what it is computed from, as in the documents of a suite.",
              optional),
        field("factor", &OfferedClaim::factor, "What the output is multiplied by.", optional),
        field("checks", &OfferedClaim::checks, "Checks that the claim must pass.", optional),
        field("group", &OfferedClaim::group, "Of a suite's row; not used.", optional),
        field("quantity", &OfferedClaim::quantity, "Of a suite's row; not used.", optional),
        field("role", &OfferedClaim::role, "Of a suite's row; not used.", optional),
        field("kind", &OfferedClaim::kind, "Of a suite's row; not used."));
  }
};

struct Offer {
  std::string name;
  std::string description;
  std::map<std::string, core::Node> scenarios;
  std::vector<OfferedClaim> claims;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("offer", &Offer::name, "Name of the offer."),
        field("description", &Offer::description, "Whose, and of when.", optional),
        field("scenarios", &Offer::scenarios, "What is offered, and the job on it, by name.",
              optional),
        field("claims", &Offer::claims, "What the offer claims."));
  }
};

}  // namespace railwright::validation
