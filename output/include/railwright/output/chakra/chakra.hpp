// SPDX-License-Identifier: Apache-2.0
// One optimizer step as execution traces of MLCommons Chakra, for other simulators to check.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace railwright::simulation {
struct CheckedScenario;
}  // namespace railwright::simulation

namespace railwright::output {

/// Limit on the nodes of all ranks together; a node takes about 150 bytes of a file.
inline constexpr std::int64_t kMaxChakraNodes = 5'000'000;

/// A simulated step as the computations and communication calls of each rank. A file is a sequence
/// of length-prefixed messages: metadata, then nodes. [@chakra_schema]
class ChakraStep {
 public:
  /// Simulates the step of a feasible scenario. Throws ConfigError if it has more than `max_nodes`.
  explicit ChakraStep(const simulation::CheckedScenario& checked,
                      std::int64_t max_nodes = kMaxChakraNodes);
  ChakraStep(ChakraStep&&) noexcept;
  ChakraStep& operator=(ChakraStep&&) noexcept;
  ~ChakraStep();

  [[nodiscard]] int num_ranks() const;
  /// Counts the nodes of all ranks.
  [[nodiscard]] std::int64_t num_nodes() const;
  /// Returns the file of one rank. It has data dependencies only. Times are whole microseconds;
  /// rounding errors of computations do not add up.
  [[nodiscard]] std::string file(int rank) const;
  /// Returns JSON with the numbered groups of ranks that collectives refer to.
  [[nodiscard]] std::string groups() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace railwright::output
