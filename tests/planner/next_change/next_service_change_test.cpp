// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_service_change.hpp"

#include <gtest/gtest.h>

#include "../../support/inference.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/next_change/next_change.hpp"

namespace railwright::planner {
namespace {

using Settings = std::vector<std::string>;

const core::Catalogue& catalogue() {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return kCatalogue;
}

core::Node tree_of(const Settings& settings) {
  core::Node tree = core::parse_yaml(test::inference_text(), "i.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

double tokens_with(const Settings& settings) {
  return simulate(test::inference(settings)).accelerator_tokens_per_s;
}

TEST(NextServiceChange, IsWhatSimulateSaysWithTheSetting) {
  const Settings own{"inference.tp=1", "inference.max_batch=4", "inference.requests_per_s=1"};
  const ServiceChangesTried tried = next_service_change(tree_of(own), catalogue());
  ASSERT_TRUE(tried.best);
  EXPECT_EQ(tried.best->setting, "inference.max_batch=8") << "decode steps read weights for four";
  Settings changed = own;
  changed.push_back(tried.best->setting);
  EXPECT_EQ(tried.best->accelerator_tokens_per_s, tokens_with(changed));
  EXPECT_DOUBLE_EQ(tried.best->gain, tokens_with(changed) / tokens_with(own) - 1.0);
  EXPECT_GT(tried.num_tried, 2);
}

TEST(NextServiceChange, LeavesOutWhatIsTooLate) {
  const Settings own{"inference.tp=1", "inference.max_batch=4", "inference.requests_per_s=1"};
  const double now = simulate(test::inference(own)).time_per_output_token().base();
  Settings in_time = own;
  in_time.push_back("inference.time_per_output_token=" + std::to_string(now * 1.001) + " s");
  const ServiceChangesTried tried = next_service_change(tree_of(in_time), catalogue());
  EXPECT_FALSE(tried.best && tried.best->setting == "inference.max_batch=8" &&
               tried.best->gain > 0.5)
      << "a batch of eight would be later";
}

TEST(NextServiceChange, IsALineOfTheVerdict) {
  const Settings own{"inference.tp=1", "inference.max_batch=4", "inference.requests_per_s=1"};
  const simulation::InferenceResult result = simulate(test::inference(own));
  const auto text = output::verdict(result, next_service_change(tree_of(own), catalogue()));
  EXPECT_NE(text.find("try next        --set inference.max_batch=8: "), std::string::npos) << text;
  EXPECT_EQ(output::verdict(result, {}).find("try next"), std::string::npos);
}

TEST(NextServiceChange, OfWhatDoesNotFitIsNothing) {
  EXPECT_EQ(next_service_change(tree_of({"inference.model=bloom-1.2t"}), catalogue()).num_tried, 0);
}

}  // namespace
}  // namespace railwright::planner
