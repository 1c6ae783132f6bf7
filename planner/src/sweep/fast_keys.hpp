// SPDX-License-Identifier: Apache-2.0
// Keys of a scenario that are fields of a Configuration: varying them needs no new reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/estimator/estimator.hpp"

namespace railwright::planner {

/// A value of such a key.
class FastValue {
 public:
  /// Reads a value; nothing if the key is no field of a Configuration.
  static std::optional<FastValue> read(const std::string& key, const core::Node& value);

  void apply(simulation::Configuration& configuration) const { apply_(configuration, value_); }
  /// Problems of the value by itself.
  [[nodiscard]] const std::vector<core::Diagnostic>& problems() const { return problems_; }

 private:
  using Apply = void (*)(simulation::Configuration&, std::int64_t);

  template <std::size_t kKnob>
  static void read_knob(const core::Node& value, std::optional<FastValue>& made);

  Apply apply_ = nullptr;
  std::int64_t value_ = 0;
  std::vector<core::Diagnostic> problems_;
};

}  // namespace railwright::planner
