// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/text/offer_text.hpp"

#include <fmt/format.h>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using validation::CheckedClaim;
using validation::CheckedOffer;
using validation::OfferVerdict;

const char* color_of(OfferVerdict verdict) {
  if (verdict == OfferVerdict::kHolds) return "1;32";
  return verdict == OfferVerdict::kDependsOn ? "1;33" : "1;31";
}

std::string counts_text(const CheckedOffer& offer, const TextStyle& style) {
  const int refuted = offer.count(OfferVerdict::kCannotHold);
  const int depending = offer.count(OfferVerdict::kDependsOn);
  const std::string all = plural(static_cast<std::int64_t>(offer.claims.size()), "claim");
  if (refuted + depending == 0) {
    const char* hold = offer.claims.size() == 1 ? "the claim holds" : "all claims hold";
    return strong(hold, style, "1;32");
  }
  std::string text = fmt::format("of {}", all);
  const auto add = [&](int count, const char* one, const char* many, OfferVerdict verdict) {
    if (count == 0) return;
    text += text.ends_with(all) ? " " : ", ";
    text += strong(fmt::format("{} {}", count, count == 1 ? one : many), style, color_of(verdict));
  };
  add(refuted, "cannot hold", "cannot hold", OfferVerdict::kCannotHold);
  add(depending, "depends on what is not stated", "depend on what is not stated",
      OfferVerdict::kDependsOn);
  add(offer.count(OfferVerdict::kHolds), "holds", "hold", OfferVerdict::kHolds);
  return text;
}

/// `before` is the claim above, whose reason is not repeated.
std::string claim_text(const CheckedClaim& claim, const CheckedClaim* before,
                       const TextStyle& style) {
  const std::string computed = claim.computed.empty() ? std::string("it does not fit")
                                                      : fmt::format("{} computed", claim.computed);
  std::string text =
      fact(to_string(claim.verdict),
           fmt::format("{}: {} claimed, {}", strong(claim.words, style, color_of(claim.verdict)),
                       claim.says, computed));
  const bool is_same =
      before != nullptr && before->why == claim.why && claim.why.starts_with("does not fit");
  if (!claim.why.empty()) text += fact("", is_same ? "for the same reason" : claim.why);
  return text;
}

}  // namespace

std::string to_text(const CheckedOffer& offer, const TextStyle& style) {
  std::string text = title(offer.name, 1, style) + fact("verdict", counts_text(offer, style));
  for (const OfferVerdict verdict :
       {OfferVerdict::kCannotHold, OfferVerdict::kDependsOn, OfferVerdict::kHolds}) {
    const CheckedClaim* before = nullptr;
    for (const CheckedClaim& claim : offer.claims) {
      if (claim.verdict != verdict) continue;
      text += claim_text(claim, before, style);
      before = &claim;
    }
  }
  for (const planner::Chosen& one : offer.not_stated) {
    text += fact(&one == offer.not_stated.data() ? "not stated" : "",
                 fmt::format("{}, taken as {}: {}", one.key, one.value, one.why));
  }
  return text;
}

}  // namespace railwright::output
