// SPDX-License-Identifier: Apache-2.0
// `size` of a service, against trying every number of nodes.
#include "railwright/planner/size/service_size.hpp"

#include <gtest/gtest.h>

#include "../../support/inference.hpp"

namespace railwright::planner {
namespace {

using Settings = std::vector<std::string>;

const core::Catalogue& all_parts() {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return kCatalogue;
}

core::Node service_tree(const Settings& settings) {
  core::Node tree = core::parse_yaml(test::inference_text(), "i.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

const simulation::InferenceResult& service_of(const SizedScenario& sized) {
  return std::get<simulation::InferenceResult>(sized.result);
}

TEST(ServiceSize, IsThatOfTheBestDivisionOnAsManyNodesAsItNeeds) {
  for (const char* load : {"3", "40", "300"}) {
    const core::Node tree =
        service_tree({std::string("inference.requests_per_s=") + load,
                      "inference.time_per_output_token=30 ms", "cluster.nodes=1"});
    const SizedScenario sized = size_service(tree, all_parts());
    ASSERT_TRUE(sized.feasible()) << load;
    EXPECT_EQ(sized.settings.front(),
              "cluster.nodes=" + std::to_string(service_of(sized).num_nodes));
    // No division and batch of those that `simulate` would take does with a node less.
    for (const int tp : {1, 2, 4}) {
      const auto one = simulation::simulate(test::inference(
          {std::string("inference.requests_per_s=") + load, "inference.time_per_output_token=30 ms",
           "inference.tp=" + std::to_string(tp),
           "cluster.nodes=" + std::to_string(service_of(sized).num_nodes - 1)}));
      EXPECT_FALSE(one.feasible()) << load << ", tp " << tp;
    }
  }
}

TEST(ServiceSize, SaysHowManyNodesTheFabricTakes) {
  const auto why = [](const Settings& settings) {
    const SizedScenario sized = size_service(service_tree(settings), all_parts());
    EXPECT_FALSE(sized.feasible());
    return service_of(sized).infeasible.front();
  };
  const std::string one_switch = "cluster.fabric.topology=single_switch";
  const std::string many = why({one_switch, "inference.requests_per_s=1e5"});
  EXPECT_NE(many.find(" that the fabric takes: "), std::string::npos) << many;
  const std::string too_many = why({one_switch, "inference.requests_per_s=1e9"});
  EXPECT_NE(too_many.find(" that the fabric takes: "), std::string::npos) << too_many;
}

TEST(ServiceSize, SaysWhatANodeLessMisses) {
  const SizedScenario sized =
      size_service(service_tree({"inference.requests_per_s=300"}), all_parts());
  ASSERT_GT(service_of(sized).nodes_for_load, 1);
  EXPECT_TRUE(sized.smaller.starts_with("one node less: ")) << sized.smaller;
  EXPECT_NE(sized.smaller.find("fewer than the 300 wanted"), std::string::npos) << sized.smaller;
}

TEST(ServiceSize, NamesTheLimitThatIsThere) {
  const Settings asked{"inference.requests_per_s=40", "inference.time_per_output_token=30 ms",
                       "search.disaggregated=false"};
  const SizedScenario sized = size_service(service_tree(asked), all_parts());
  EXPECT_TRUE(service_of(sized).limit.starts_with("time per output token limits a replica to "))
      << service_of(sized).limit;
  for (const std::string& setting : sized.settings) {
    EXPECT_FALSE(setting.starts_with("inference.max_batch=")) << setting;
  }
  Settings small = asked;
  small.emplace_back("search.batch=[4]");
  const SizedScenario chosen = size_service(service_tree(small), all_parts());
  EXPECT_EQ(service_of(chosen).cycle.batch, 4.0);
  EXPECT_TRUE(service_of(chosen).limit.starts_with("search.batch limits a replica to 4 requests"))
      << service_of(chosen).limit;
  Settings own = asked;
  own.emplace_back("inference.max_batch=4");
  EXPECT_TRUE(service_of(size_service(service_tree(own), all_parts()))
                  .limit.starts_with("max_batch limits a replica to 4 requests"));
}

TEST(ServiceSize, OfRequestsOneByOneHoldsTheirLatencies) {
  const SizedScenario sized =
      size_service(service_tree({"inference.requests_per_s=40", "inference.load={requests: 2000}",
                                 "inference.time_to_first_token=500 ms",
                                 "inference.time_per_output_token=30 ms"}),
                   all_parts());
  ASSERT_TRUE(sized.feasible());
  ASSERT_TRUE(service_of(sized).run);
  EXPECT_GE(service_of(sized).run->within_latencies, 0.99);
  EXPECT_FALSE(sized.smaller.empty());
}

TEST(ServiceSize, OfUsersIsWhatTheirRunCounts) {
  const Settings asked{"inference.load={requests: 1500, users: 300, think_time: 5 s}",
                       "inference.time_to_first_token=1 s", "inference.time_per_output_token=30 ms",
                       "inference.tp=2"};
  Settings one_node = asked;
  one_node.emplace_back("cluster.nodes=1");
  const SizedScenario sized = size_service(service_tree(one_node), all_parts());
  ASSERT_TRUE(sized.feasible());
  const simulation::InferenceResult& result = service_of(sized);
  EXPECT_EQ(sized.settings.front(), "cluster.nodes=" + std::to_string(result.num_nodes));
  EXPECT_GE(result.run->within_latencies, 0.99);
  EXPECT_TRUE(result.throughput) << "an interval";
  EXPECT_GE(result.num_nodes_high, result.num_nodes);
  // One replica less is too few.
  ASSERT_GT(result.num_replicas, 1);
  EXPECT_FALSE(sized.smaller.empty());
  EXPECT_EQ(sized.smaller.find("would do too"), std::string::npos) << sized.smaller;
}

// A key of the engine that is meant where none is named leaves its others as they are.
TEST(ServiceSize, HasAnIntervalWhereTheSearchSetsTokens) {
  const SizedScenario sized = size_service(
      service_tree({"inference.requests_per_s=40", "inference.engine.max_tokens=4096"}),
      all_parts());
  EXPECT_TRUE(service_of(sized).throughput);
  EXPECT_GT(service_of(sized).num_nodes_high, 0);
}

TEST(ServiceSize, SaysWhatKeepsAServiceFromBeing) {
  const SizedScenario sized = size_service(
      service_tree({"inference.requests_per_s=3", "inference.time_per_output_token=1 us"}),
      all_parts());
  EXPECT_FALSE(sized.feasible());
  EXPECT_NE(service_of(sized).infeasible.front().find("each further token takes"),
            std::string::npos);
  EXPECT_THROW(size_service(service_tree({}), all_parts()), core::ConfigError);
}

}  // namespace
}  // namespace railwright::planner
