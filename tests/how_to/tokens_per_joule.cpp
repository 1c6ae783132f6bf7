// SPDX-License-Identifier: Apache-2.0
#include "tokens_per_joule.hpp"

#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

std::vector<ResultNumber> tokens_per_joule() {
  return {{.path = "energy.tokens_per_j",
           .word = "tokens a joule",
           .column = "tokens_per_j",
           .beside = {"tokens a joule"},
           .text_part = TextPart::kAnswer,
           .line = "tokens a joule",
           .read = [](const NumberSource& of) {
             const std::optional<RunPower>& power = of.result->power;
             return power ? NumberValue(power->tokens / power->total_energy().base())
                          : NumberValue();
           }}};
}

}  // namespace railwright::simulation
