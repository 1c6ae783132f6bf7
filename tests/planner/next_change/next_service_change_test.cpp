// SPDX-License-Identifier: Apache-2.0
// The change of a service to try next: what is printed is what `simulate` gives with its settings.
#include "railwright/planner/next_change/next_service_change.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../support/inference.hpp"
#include "../../support/source_tree.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/next_change/next_change.hpp"

namespace railwright::planner {
namespace {

using simulation::InferenceResult;
using Settings = std::vector<std::string>;

const core::Catalogue& catalogue_of_parts() {
  static const core::Catalogue kParts = test::source_catalogue();
  return kParts;
}

/// Services of parts of the catalogue.
std::string service_text(const std::string& inference, const std::string& node, int nodes) {
  return "name: service\ninference: {library: nccl-2.30, redundant_nodes: 0, " + inference +
         "}\ncluster: {nodes: " + std::to_string(nodes) + ", node: " + node +
         ", fabric: {topology: rail_optimized, switch: qm9790}}\n";
}

core::Node with(core::Node tree, const Settings& settings) {
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

core::Node tree_of(const Settings& settings) {
  return with(core::parse_yaml(test::inference_text(), "i.yaml"), settings);
}

InferenceResult simulated(const core::Node& tree) {
  return simulate(simulation::read_inference(tree, catalogue_of_parts()));
}

ServiceChangesTried tried_for(const core::Node& tree) {
  return next_service_change(tree, catalogue_of_parts(), simulated(tree));
}

/// Checks the contract of an advice: it holds when run, and needs no more.
void check_holds(const core::Node& tree, const NextServiceChange& best) {
  const InferenceResult own = simulated(tree);
  const InferenceResult again = simulated(with(tree, best.settings));
  ASSERT_TRUE(again.feasible());
  EXPECT_EQ(again.num_nodes, best.result.num_nodes);
  EXPECT_EQ(again.num_accelerators, best.result.num_accelerators);
  EXPECT_EQ(again.accelerator_tokens_per_s, best.result.accelerator_tokens_per_s);
  EXPECT_LE(again.num_nodes, own.num_nodes);
  if (best.gain != ServiceGain::kThroughput) {
    EXPECT_LE(again.num_accelerators, own.num_accelerators);
  }
  if (!again.run) return;
  EXPECT_EQ(again.run->time_to_first_token.p99, best.result.run->time_to_first_token.p99);
  EXPECT_EQ(again.run->time_per_output_token.p99, best.result.run->time_per_output_token.p99);
}

TEST(NextServiceChange, WithoutALoadRaisesWhatAnAcceleratorAnswers) {
  const Settings own{"inference.tp=1", "inference.max_batch=4"};
  const ServiceChangesTried tried = tried_for(tree_of(own));
  EXPECT_FALSE(tried.has_load);
  ASSERT_TRUE(tried.best);
  EXPECT_EQ(tried.best->gain, ServiceGain::kThroughput);
  EXPECT_EQ(tried.best->settings, Settings{"inference.max_batch=16"})
      << "decode steps read weights for four";
  check_holds(tree_of(own), *tried.best);
  Settings changed = own;
  changed.insert(changed.end(), tried.best->settings.begin(), tried.best->settings.end());
  EXPECT_DOUBLE_EQ(tried.best->share, simulated(tree_of(changed)).accelerator_tokens_per_s /
                                              simulated(tree_of(own)).accelerator_tokens_per_s -
                                          1.0);
}

TEST(NextServiceChange, LeavesOutWhatIsTooLate) {
  const Settings own{"inference.tp=1", "inference.max_batch=4"};
  const double now = simulated(tree_of(own)).time_per_output_token().base();
  Settings in_time = own;
  in_time.push_back("inference.time_per_output_token=" + std::to_string(now * 1.001) + " s");
  const ServiceChangesTried tried = tried_for(tree_of(in_time));
  if (!tried.best) return;
  EXPECT_LE(tried.best->result.time_per_output_token().base(), now * 1.001);
}

TEST(NextServiceChange, ForALoadNeedsFewerAccelerators) {
  const core::Node tree =
      tree_of({"inference.tp=1", "inference.max_batch=4", "inference.requests_per_s=12"});
  const ServiceChangesTried tried = tried_for(tree);
  EXPECT_TRUE(tried.has_load);
  ASSERT_TRUE(tried.best);
  EXPECT_LE(tried.best->gain, ServiceGain::kAccelerators);
  check_holds(tree, *tried.best);
  EXPECT_LT(tried.best->result.num_accelerators, simulated(tree).num_accelerators);
}

TEST(NextServiceChange, NeverSpendsASecondReplicaOnThroughput) {
  // Prompts apart answer more on an accelerator, and take two of them for a load that one carries.
  const core::Node tree = with(
      core::parse_yaml(
          service_text("model: llama-2-70b, weights: fp16, kv_cache: fp8, prompt_tokens: 4096, "
                       "output_tokens: 64, requests_per_s: 0.5, time_per_output_token: 50 ms, "
                       "tp: 1, speculative: {draft_tokens: 5, acceptance: 0.5}, "
                       "load: {requests: 1}",
                       "dgx-b200", 4),
          "s.yaml"),
      {"inference.model.context=8192"});
  const ServiceChangesTried tried = tried_for(tree);
  EXPECT_GT(tried.num_tried, 2);
  if (!tried.best) return;
  check_holds(tree, *tried.best);
  EXPECT_EQ(tried.best->result.num_accelerators, 1);
}

TEST(NextServiceChange, PromisesNothingOfBatchesThatRequestsDoNotFill) {
  // Two requests are under way in the mean: a largest batch of eight is never reached.
  const core::Node tree = core::parse_yaml(
      service_text("model: llama-3.3-70b, weights: fp8, kv_cache: fp8, prompt_tokens: 4096, "
                   "output_tokens: 64, requests_per_s: 2, time_per_output_token: 50 ms, "
                   "max_batch: 4, engine: sglang, load: {requests: 50, replicas: 1, seed: 47}",
                   "dgx-h100", 4),
      "s.yaml");
  const ServiceChangesTried tried = tried_for(tree);
  EXPECT_GT(tried.num_simulated, 0);
  if (!tried.best) return;
  EXPECT_EQ(tried.best->gain, ServiceGain::kLatency);
  check_holds(tree, *tried.best);
}

TEST(NextServiceChange, OfRequestsOneByOneIsWhatTheirRunSays) {
  const core::Node tree = core::parse_yaml(
      service_text("model: llama-2-70b, weights: fp8, prompt_tokens: 64, output_tokens: 16, "
                   "requests_per_s: 10, time_to_first_token: 2 s, time_per_output_token: 20 ms, "
                   "max_batch: 64, engine: sglang, load: {requests: 300, arrivals: gamma, "
                   "prompt_spread: 2, output_spread: 2, percentile: 0.999, seed: 28}",
                   "dgx-h100", 4),
      "s.yaml");
  const ServiceChangesTried bursts = tried_for(tree);
  EXPECT_GT(bursts.num_simulated, 0);
  if (bursts.best) check_holds(tree, *bursts.best);

  const core::Node wide =
      tree_of({"inference.tp=4", "inference.requests_per_s=5",
               "inference.time_per_output_token=30 ms", "inference.load={requests: 200}"});
  const ServiceChangesTried narrower = tried_for(wide);
  ASSERT_TRUE(narrower.best);
  EXPECT_EQ(narrower.best->gain, ServiceGain::kAccelerators);
  ASSERT_TRUE(narrower.best->result.run);
  check_holds(wide, *narrower.best);
}

TEST(NextServiceChange, FindsThePairThatOnlyActsTogether) {
  // Alone, prompts apart or data-parallel attention change little; both carry the load on one rack.
  const core::Node tree = core::parse_yaml(
      service_text("model: deepseek-r1, weights: fp4, kv_cache: fp8, prompt_tokens: 4000, "
                   "output_tokens: 1000, requests_per_s: 120, time_to_first_token: 2 s, "
                   "time_per_output_token: 30 ms",
                   "gb200-nvl72", 8),
      "s.yaml");
  const InferenceResult own = simulated(tree);
  ASSERT_EQ(own.num_nodes, 2);
  const ServiceChangesTried tried = tried_for(tree);
  ASSERT_TRUE(tried.best);
  EXPECT_EQ(tried.best->settings.size(), 2U);
  EXPECT_EQ(tried.best->gain, ServiceGain::kNodes);
  EXPECT_EQ(tried.best->result.num_nodes, 1);
  EXPECT_LE(tried.best->result.num_accelerators, own.num_accelerators / 2);
  check_holds(tree, *tried.best);
}

TEST(NextServiceChange, OfRequestsAtOnceShortensThem) {
  const core::Node tree =
      tree_of({"inference.tp=4", "inference.load={requests: 400, arrivals: at_once}"});
  const ServiceChangesTried tried = tried_for(tree);
  ASSERT_TRUE(tried.best);
  EXPECT_EQ(tried.best->gain, ServiceGain::kDuration);
  EXPECT_LT(tried.best->result.run->duration, simulated(tree).run->duration);
  check_holds(tree, *tried.best);
}

TEST(NextServiceChange, IsALineOfTheVerdict) {
  const Settings own{"inference.tp=1", "inference.max_batch=4"};
  const InferenceResult result = simulated(tree_of(own));
  const auto text = output::verdict(result, tried_for(tree_of(own)));
  EXPECT_NE(text.find("try next        --set inference.max_batch=16: "), std::string::npos) << text;
  EXPECT_EQ(output::verdict(result, {}).find("try next"), std::string::npos);
  Settings loaded = own;
  loaded.emplace_back("inference.requests_per_s=12");
  const auto needs = output::verdict(simulated(tree_of(loaded)), tried_for(tree_of(loaded)));
  EXPECT_NE(needs.find(" in place of "), std::string::npos) << needs;
}

TEST(NextServiceChange, OfWhatDoesNotFitIsNothing) {
  EXPECT_EQ(tried_for(tree_of({"inference.model=bloom-1.2t"})).num_tried, 0);
}

}  // namespace
}  // namespace railwright::planner
