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
#include "railwright/simulation/scenario/provenance.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Name that stands for all families in turn, where one is named that is left out.
inline constexpr std::string_view kEachFamily = "each";

/// A step as the fit without its family predicts it.
struct LeftOutStep {
  std::string id;
  std::string family;
  simulation::StepClass of{};
  double ratio = 1.0;  ///< published / predicted
};

/// Steps of all families of which the same is known.
struct LeftOutClass {
  simulation::StepClass of{};
  int num_families = 0;
  ErrorStatistics errors;
  /// Tenths of published / predicted, each family counting alike.
  Band band;
  /// Share of rows within the band of the other families, as rows and with each family alike; 0 of
  /// a single family.
  double held_rows = 0.0;
  double held_families = 0.0;
};

struct LeftOutFamily {
  std::string family;
  ErrorStatistics errors;
};

struct LeftOutFamilies {
  std::string suite;
  std::vector<LeftOutStep> steps;
  std::vector<LeftOutFamily> families;
  std::vector<LeftOutClass> classes;
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

/// Groups steps into classes, without those that have no step.
std::vector<LeftOutClass> left_out_classes(const std::vector<LeftOutStep>& steps);

}  // namespace railwright::validation
