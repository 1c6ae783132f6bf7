// SPDX-License-Identifier: Apache-2.0
// One optimizer step as execution traces of MLCommons Chakra, for other simulators to check.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::output {

/// On all ranks together; a node takes some 150 bytes of a file.
inline constexpr std::int64_t kMaxChakraNodes = 5'000'000;

/// The simulated step as what each rank computes and whom it calls. A file is a sequence of
/// messages with their length in front: metadata, then nodes. [@chakra_schema]
class ChakraStep {
 public:
  /// Simulates the step of a scenario that is feasible. Throws ConfigError where it has more than
  /// `max_nodes`.
  explicit ChakraStep(const simulation::CheckedScenario& checked,
                      std::int64_t max_nodes = kMaxChakraNodes);
  ChakraStep(ChakraStep&&) noexcept;
  ChakraStep& operator=(ChakraStep&&) noexcept;
  ~ChakraStep();

  [[nodiscard]] int num_ranks() const;
  /// Of all ranks.
  [[nodiscard]] std::int64_t num_nodes() const;
  /// The file of one rank: data dependencies alone, times in whole microseconds whose sum over
  /// computations is rounded once.
  [[nodiscard]] std::string file(int rank) const;
  /// JSON of numbered groups of ranks, which collectives name.
  [[nodiscard]] std::string groups() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace railwright::output
