// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/json/offer_json.hpp"

#include <nlohmann/json.hpp>

#include "optional_json.hpp"

namespace railwright::output {

std::string to_json(const validation::CheckedOffer& offer) {
  using Json = nlohmann::ordered_json;
  Json json = {{"name", offer.name},
               {"feasible", offer.feasible()},
               {"num_holding", offer.count(validation::OfferVerdict::kHolds)},
               {"num_depending", offer.count(validation::OfferVerdict::kDependsOn)},
               {"num_refuted", offer.count(validation::OfferVerdict::kCannotHold)},
               {"claims", Json::array()},
               {"not_stated", Json::array()}};
  for (const validation::CheckedClaim& one : offer.claims) {
    const validation::ValidationCase& row = one.figures;
    json["claims"].push_back({{"id", row.id},
                              {"claim", one.words},
                              {"verdict", to_string(one.verdict)},
                              {"why", one.why},
                              {"settings", one.settings},
                              {"unit", row.unit},
                              {"published", row.published},
                              {"computed", optional_json(row.predicted)},
                              {"source", row.source},
                              {"scenario", row.scenario}});
  }
  for (const planner::Chosen& one : offer.not_stated) {
    json["not_stated"].push_back({{"key", one.key}, {"value", one.value}, {"why", one.why}});
  }
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
