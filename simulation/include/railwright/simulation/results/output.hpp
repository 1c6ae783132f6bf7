// SPDX-License-Identifier: Apache-2.0
// One number of a result, by its path.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace railwright::simulation {

/// A number by its dotted path in the JSON; the name's suffix is its unit in SI.
struct Output {
  std::string path;
  std::variant<std::int64_t, double> value;

  [[nodiscard]] double number() const;
  /// "/run/steps_s" of "run.steps_s".
  [[nodiscard]] std::string json_pointer() const;
};

}  // namespace railwright::simulation
