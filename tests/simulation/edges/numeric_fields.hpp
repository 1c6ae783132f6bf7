// SPDX-License-Identifier: Apache-2.0
// The numbers that a scenario can be given, and values from one end of their ranges to the other.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::test {

/// One number by its path, as `--set` takes it.
struct NumericField {
  std::string path;
  core::Description::Kind kind = core::Description::Kind::kNumber;
  core::Exponents exponents{};
  double low = 0.0;  ///< the ends of what is drawn, in base units: both within the range
  double high = 0.0;

  [[nodiscard]] std::string setting(double value) const;
};

/// All numbers that may be set in `tree`: those of structures that the tree lacks and that have
/// required keys are left out. Durations reach from 1 ns to 10 years, sizes from 1 B to 1 EB, rates
/// from 1 B/s to 1 EB/s, counts from 1 to 1,000,000, each as far as the field's own range allows.
std::vector<NumericField> numeric_fields(const core::Description& description,
                                         const core::Node& tree);

/// Log-uniform between the ends, one of the ends every third time.
double draw(const NumericField& field, core::RandomStream& random);

}  // namespace railwright::test
