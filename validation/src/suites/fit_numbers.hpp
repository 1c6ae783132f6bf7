// SPDX-License-Identifier: Apache-2.0
// Defines the numbers that a suite lets be fitted, and how far they may move from their sources.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::validation {

/// A number of every device or of every stack. Its logarithm (of the part above `floor`) has a
/// normal prior around that of its start: the entry in `starts`, else `start`, else the catalogue's
/// value. If the catalogue holds fitted values, one of the first two is needed, or a second fit
/// would start from the first.
struct FreeNumber {
  std::string path;
  std::vector<std::string> of;
  std::string unit;
  double width = 0.1;
  double start = 0.0;
  std::map<std::string, double> starts;
  double floor = 0.0;
  double most = 1e30;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("path", &FreeNumber::path, "Path of the setting in a scenario."),
        field("of", &FreeNumber::of, "Entries that have it; all where absent.", optional),
        field("unit", &FreeNumber::unit, "Unit of start, floor and most.", optional),
        field("width", &FreeNumber::width, "Standard deviation of its logarithm before the fit.",
              core::positive),
        field("start", &FreeNumber::start, "Where the fit of an entry starts.", optional),
        field("starts", &FreeNumber::starts, "The same by entry, as its sources have it.",
              optional),
        field("floor", &FreeNumber::floor, "What its logarithm is counted from.", optional),
        field("most", &FreeNumber::most, "The largest it can be.", optional));
  }
};

struct FitPlan {
  double sigma = 0.05;
  double correlation = 0.0;
  double family_correlation = 0.0;
  std::vector<FreeNumber> device;
  std::vector<FreeNumber> stack;
  std::map<std::string, std::string> same_device;
  std::map<std::string, std::string> same_stack;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("sigma", &FitPlan::sigma, "Error of ln(predicted / published) that is expected.",
              core::positive, optional),
        field("correlation", &FitPlan::correlation,
              "Share of that error's square that all rows of a configuration (family, model, "
              "accelerator) have in common.",
              core::between(0.0, 1.0), optional),
        field("family_correlation", &FitPlan::family_correlation,
              "The same of all rows of a family, which one site ran.", core::between(0.0, 1.0),
              optional),
        field("device", &FitPlan::device, "Numbers of each accelerator, at most four."),
        field("stack", &FitPlan::stack, "Numbers of each software profile, at most six."),
        field("same_device", &FitPlan::same_device,
              "Accelerators by the one whose numbers they share.", optional),
        field("same_stack", &FitPlan::same_stack, "The same of stacks.", optional));
  }
};

/// Returns the entry whose numbers an entry of this name has.
std::string owner_of(const std::map<std::string, std::string>& same, const std::string& name);

/// Whether an entry has the number.
bool has_number(const FreeNumber& number, const std::string& owner);

/// Counts the numbers of the plan that the entries of a kind have.
int count_numbers(const std::vector<FreeNumber>& numbers,
                  const std::map<std::string, std::string>& same,
                  const std::set<std::string>& names);

inline constexpr std::size_t kMaxOfDevice = 4;
inline constexpr std::size_t kMaxOfStack = 6;

}  // namespace railwright::validation
