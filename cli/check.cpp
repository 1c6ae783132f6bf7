// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"
#include "railwright/output/json/offer_json.hpp"
#include "railwright/output/text/offer_text.hpp"
#include "railwright/validation/offers/check_offer.hpp"

namespace railwright::cli {

namespace {

int run_check(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto checked = validation::check_offer(core::load_yaml(options.text("offer")), catalogue);
  if (wants_json(options)) {
    streams.out << output::to_json(checked);
  } else {
    put_text(streams, output::to_text(checked, streams.style));
  }
  return checked.feasible() ? kOk : kInfeasible;
}

}  // namespace

Verb check_verb() {
  return {.name = "check",
          .help = "Whether the claims of an offer hold, one by one",
          .options = {{.name = "offer",
                       .kind = OptionKind::kPositional,
                       .value = "FILE",
                       .help = "The offer, a YAML file: what is offered, and what is claimed of it",
                       .required = true},
                      format_option(),
                      catalogue_option()},
          .run = run_check};
}

}  // namespace railwright::cli
