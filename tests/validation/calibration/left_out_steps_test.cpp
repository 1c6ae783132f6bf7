// SPDX-License-Identifier: Apache-2.0
// What the catalogue's record says of errors, against the steps that it was made of: computed here
// anew, from each step's ratio of published to predicted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/track_record.hpp"

namespace railwright::test {
namespace {

using simulation::FamilyErrors;
using simulation::StepClass;

struct Step {
  std::string family;
  std::string of;
  int differences = 0;
  bool is_bare = false;  ///< predicted with its recipe taken away
  double ratio = 1.0;    ///< published over predicted
  double faster = 0.0;   ///< spread by settings that nobody stated, as a logarithm
  double slower = 0.0;
};

/// Reads the steps as they were published and, after these, with their recipes taken away.
std::vector<Step> read_steps() {
  std::ifstream file(std::string(RAILWRIGHT_SOURCE_DIR) + "/validation/data/left_out_steps.csv");
  std::vector<Step> steps;
  std::vector<Step> bare;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line,
            "id,family,class,differences,ratio,faster,slower,bare_ratio,bare_faster,bare_slower");
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string id;
    std::string differences;
    std::string ratio;
    std::string faster;
    std::string slower;
    Step step;
    std::getline(cells, id, ',');
    std::getline(cells, step.family, ',');
    std::getline(cells, step.of, ',');
    std::getline(cells, differences, ',');
    std::getline(cells, ratio, ',');
    std::getline(cells, faster, ',');
    std::getline(cells, slower, ',');
    step.differences = std::stoi(differences);
    step.ratio = std::stod(ratio);
    step.faster = std::stod(faster);
    step.slower = std::stod(slower);
    steps.push_back(step);
    std::getline(cells, ratio, ',');
    if (ratio.empty()) continue;  // does not fit without its recipe
    std::getline(cells, faster, ',');
    std::getline(cells, slower, ',');
    step.is_bare = true;
    step.ratio = std::stod(ratio);
    step.faster = std::stod(faster);
    step.slower = std::stod(slower);
    bare.push_back(step);
  }
  steps.insert(steps.end(), bare.begin(), bare.end());
  return steps;
}

/// The value below which a share of the steps lies, where each family counts the same.
double quantile(const std::vector<Step>& steps, double share,
                const std::function<double(const Step&)>& value) {
  std::map<std::string, int> sizes;
  for (const Step& step : steps) ++sizes[step.family];
  std::vector<std::pair<double, double>> weighted;
  for (const Step& step : steps) {
    weighted.emplace_back(value(step),
                          1.0 / sizes[step.family] / static_cast<double>(sizes.size()));
  }
  std::ranges::sort(weighted);
  double reached = 0.0;
  for (const auto& [at, weight] : weighted) {
    reached += weight;
    if (reached >= share - 1e-9) return at;
  }
  return weighted.back().first;
}

/// The interval that an answer has by its class alone.
bool is_in_class(const Step& step, const FamilyErrors& errors,
                 const simulation::TrackRecord& record) {
  const double wide = std::sqrt(1.0 + record.difference_growth * step.differences);
  return std::pow(errors.low, wide) <= step.ratio && step.ratio <= std::pow(errors.high, wide);
}

/// The interval of an answer whose unstated settings were tried.
bool is_in_own(const Step& step, const FamilyErrors& errors,
               const simulation::TrackRecord& record) {
  const double wide = std::sqrt(1.0 + record.difference_growth * step.differences);
  const double faster =
      std::hypot(wide * std::log(errors.stated_low), record.unstated_weight * step.faster);
  const double slower =
      std::hypot(wide * std::log(errors.stated_high), record.unstated_weight * step.slower);
  return -faster <= std::log(step.ratio) && std::log(step.ratio) <= slower;
}

/// The mean over families of the share of their steps that their intervals hold.
template <class IsIn>
double held(const std::vector<Step>& steps, const FamilyErrors& errors,
            const simulation::TrackRecord& record, const IsIn& is_in) {
  std::map<std::string, std::pair<int, int>> families;
  for (const Step& step : steps) {
    auto& [inside, all] = families[step.family];
    ++all;
    inside += is_in(step, errors, record);
  }
  double sum = 0.0;
  for (const auto& [name, counts] : families) {
    sum += static_cast<double>(counts.first) / counts.second;
  }
  return sum / static_cast<double>(families.size());
}

class LeftOutSteps : public testing::Test {
 protected:
  [[nodiscard]] static std::vector<Step> of(const std::string& name, bool is_bare = false) {
    std::vector<Step> steps = read_steps();
    std::erase_if(steps,
                  [&](const Step& step) { return step.of != name || step.is_bare != is_bare; });
    return steps;
  }
  /// Steps of a class as they were published and bare.
  [[nodiscard]] static std::vector<Step> of_both(const std::string& name) {
    std::vector<Step> steps = of(name);
    const std::vector<Step> bare = of(name, true);
    steps.insert(steps.end(), bare.begin(), bare.end());
    return steps;
  }
  std::shared_ptr<const simulation::TrackRecord> record_ =
      simulation::track_record(source_catalogue());
};

/// The error that an answer names is that of the steps of its class.
TEST_F(LeftOutSteps, HaveTheErrorsThatAnswersName) {
  ASSERT_EQ(record_->families_left_out.size(), 5U);
  const auto error = [](const Step& step) { return std::abs(1.0 / step.ratio - 1.0); };
  for (const FamilyErrors& errors : record_->families_left_out) {
    const std::string name(core::to_string(errors.of));
    const std::vector<Step> steps = of(name);
    ASSERT_EQ(static_cast<int>(steps.size()), errors.steps) << name;
    const double median = quantile(steps, 0.5, error);
    const double nine_in_ten = quantile(steps, 0.9, error);
    EXPECT_LT(std::abs(std::log(errors.median_error / median)), std::log(1.25)) << name;
    EXPECT_LT(std::abs(std::log(errors.percentile_90 / nine_in_ten)), std::log(1.25)) << name;
  }
}

/// Four fifths of the steps of each class lie within their interval, each family with the same
/// weight, as they were published and with their recipes taken away. The interval is made so that a
/// family to come is held as often, so of the few families that it is made of it holds more: of
/// mixtures, which are four, and of new devices, of which a family of one step is nine points.
TEST_F(LeftOutSteps, LieWithinTheIntervalThatAnswersHave) {
  for (const FamilyErrors& errors : record_->families_left_out) {
    const std::string name(core::to_string(errors.of));
    const bool has_few = errors.families <= 4 || errors.of == StepClass::kNewDevice;
    const double by_class = held(of_both(name), errors, *record_, is_in_class);
    EXPECT_GE(by_class, 0.75) << name;
    EXPECT_LE(by_class, has_few ? 0.91 : 0.85) << name;
    for (const bool is_bare : {false, true}) {
      const double own = held(of(name, is_bare), errors, *record_, is_in_own);
      EXPECT_GE(own, 0.75) << name << is_bare;
      EXPECT_LE(own, has_few ? 0.92 : 0.89) << name << is_bare;
    }
  }
}

/// Over all classes it is four fifths, and some more of the families that it was made of.
TEST_F(LeftOutSteps, LieWithinTheIntervalInFourOfFiveFamilies) {
  double sum = 0.0;
  int num_families = 0;
  for (const FamilyErrors& errors : record_->families_left_out) {
    const std::string name(core::to_string(errors.of));
    sum += errors.families * held(of_both(name), errors, *record_, is_in_own);
    num_families += errors.families;
  }
  EXPECT_GT(sum / num_families, 0.78);
  EXPECT_LT(sum / num_families, 0.87);
}

/// What nobody says spreads a step, and the interval grows with it: without what it adds, the steps
/// without their recipes would be held less often than the others.
TEST_F(LeftOutSteps, WithoutTheirRecipesHaveAWiderInterval) {
  simulation::TrackRecord narrow = *record_;
  narrow.unstated_weight = 0.0;
  double published = 0.0;
  double bare = 0.0;
  double bare_narrow = 0.0;
  for (const FamilyErrors& errors : record_->families_left_out) {
    const std::string name(core::to_string(errors.of));
    published += errors.families * held(of(name), errors, *record_, is_in_own);
    bare += errors.families * held(of(name, true), errors, *record_, is_in_own);
    bare_narrow += errors.families * held(of(name, true), errors, narrow, is_in_own);
  }
  EXPECT_GT(bare / published, 0.93);
  EXPECT_LT(bare_narrow / published, 0.87);
}

/// What nobody stated is part of the error: without it the interval is narrower.
TEST_F(LeftOutSteps, HaveANarrowerIntervalWithTheirRecipeStated) {
  EXPECT_GT(record_->unstated_weight, 0.0);
  for (const FamilyErrors& errors : record_->families_left_out) {
    const std::string name(core::to_string(errors.of));
    EXPECT_LE(std::log(errors.stated_high / errors.stated_low), std::log(errors.high / errors.low))
        << name;
  }
}

/// Devices that nobody published are predicted worse than those that somebody did.
TEST_F(LeftOutSteps, OfNewDevicesAreTheWorst) {
  const auto median = [&](StepClass of) {
    return simulation::family_errors(of, source_catalogue()).value().median_error;
  };
  EXPECT_GT(median(StepClass::kNewDevice), median(StepClass::kLikePublished));
  EXPECT_GT(median(StepClass::kNewDevice), median(StepClass::kNewStack));
  EXPECT_GT(median(StepClass::kChanged), median(StepClass::kLikePublished));
}

}  // namespace
}  // namespace railwright::test
