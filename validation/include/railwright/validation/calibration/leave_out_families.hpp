// SPDX-License-Identifier: Apache-2.0
// `calibrate --leave-out each`: what a fit says of families that it has not seen.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Name that stands for all families in turn, where one is named that is left out.
inline constexpr std::string_view kEachFamily = "each";

/// A step as the fit without its family predicts it.
struct LeftOutStep {
  std::string id;
  std::string family;
  double ratio = 1.0;  ///< published / predicted
};

struct LeftOutFamily {
  std::string family;
  ErrorStatistics errors;
};

struct LeftOutFamilies {
  std::string suite;
  std::vector<LeftOutStep> steps;
  std::vector<LeftOutFamily> families;
  ErrorStatistics all;
};

/// Fits the suite once for each family, to the drawn rows of the others, and predicts all steps of
/// the family. A device or stack that only this family ran has its start value, or the mean of the
/// other stacks. Takes as long as two fits for each family at most. Throws ConfigError for a suite
/// with nothing to fit. `tell`, which may be empty, is called with the number of fits done and of
/// all.
LeftOutFamilies leave_out_families(
    const core::Node& suite, const core::Catalogue& catalogue,
    const std::function<void(std::int64_t, std::int64_t)>& tell = {});

}  // namespace railwright::validation
