// SPDX-License-Identifier: Apache-2.0
#include "tokens_per_joule.hpp"

#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

Numbers<SimulationResult> tokens_per_joule() {
  return {{.path = "energy.tokens_per_j",
           .word = "tokens a joule",
           .column = "tokens_per_j",
           .beside = {"tokens a joule"},
           .text_part = TextPart::kAnswer,
           .line = "tokens a joule",
           .read = [](const SimulationResult& of) {
             const std::optional<RunPower>& power = of.power;
             return power ? NumberValue(power->tokens / power->total_energy().base())
                          : NumberValue();
           }}};
}

}  // namespace railwright::simulation
