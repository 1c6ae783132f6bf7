// SPDX-License-Identifier: Apache-2.0
// Files of a service on storage: the start of replicas, and prompts whose first part lies there.
#include <gtest/gtest.h>

#include "../../support/inference.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/offload/tier.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

/// Three F600 Prime of 10 GB/s each; `more` follows.
InferenceResult with_storage(const Settings& more) {
  Settings settings{
      "cluster.storage={node: powerscale-f600p, count: 3, switch: s5232f-on}",
      "cluster.storage.node.latency={value: 0 s, source: test}",
      "inference.tp=1",
  };
  settings.insert(settings.end(), more.begin(), more.end());
  return simulate(test::inference(settings));
}

TEST(ServiceFiles, AReplicaStartsWithItsWeights) {
  const InferenceResult result = with_storage({"inference.start_up=60 s"});
  ASSERT_TRUE(result.files);
  // One stream leads to one storage node.
  EXPECT_NEAR(result.files->start_of_one.base(), 60 + result.weights.base() / 10e9, 1e-6);
}

TEST(ServiceFiles, AStreamIsMovedByOneCore) {
  const InferenceResult result = with_storage({"cluster.storage.mount={processor_rate: 1 GB/s}"});
  EXPECT_NEAR(result.files->start_of_one.base(), result.weights.base() / 1e9, 1e-6);
  EXPECT_EQ(result.files->limit, "readers");
}

TEST(ServiceFiles, AllReplicasAtOnceShareTheStorage) {
  const auto start = [](const Settings& more) {
    Settings settings{"inference.load={requests: 100, arrivals: at_once, replicas: 12}"};
    settings.insert(settings.end(), more.begin(), more.end());
    return with_storage(settings);
  };
  const InferenceResult result = start({});
  ASSERT_EQ(result.num_replicas, 12);
  EXPECT_NEAR(result.files->start_of_all.base(), 12 * result.weights.base() / 30e9, 1e-6);
  // From slow drives once for all, if the storage nodes keep it.
  const Settings slow{"cluster.storage.node.cache={value: 0 B, source: test}"};
  EXPECT_EQ(start(slow).files->start_of_all, result.files->start_of_all)
      << "nodes are as fast as drives";
}

TEST(ServiceFiles, APrefixOnStorageIsWaitedForInPlaceOfItsPass) {
  // Eight heads of keys in place of 32.
  const Settings conversation{"inference.model=llama-3.1-8b", "inference.prompt_tokens=8000",
                              "inference.prefix_hit_rate=0.75", "inference.requests_per_s=2"};
  Settings on_storage = conversation;
  on_storage.emplace_back("inference.prefix_on_storage=true");
  Settings anew = conversation;
  anew.emplace_back("inference.prefix_hit_rate=0");
  const InferenceResult in_memory = with_storage(conversation);
  const InferenceResult files = with_storage(on_storage);
  const double bytes = 6000 * files.kv_cache_per_token.base();
  EXPECT_DOUBLE_EQ(files.files->prefix.base(), bytes);
  EXPECT_DOUBLE_EQ(files.files->read.base(), 2 * bytes);
  EXPECT_NEAR((files.time_to_first_token() - in_memory.time_to_first_token()).base(),
              files.files->prefix_read.base(), 1e-9);
  EXPECT_LT(files.time_to_first_token(), with_storage(anew).time_to_first_token());
  EXPECT_FALSE(in_memory.files->prefix.base() > 0.0);
}

TEST(ServiceFiles, ReadsWaitForOneAnother) {
  const auto read = [](const std::string& rate) {
    return with_storage({"inference.prompt_tokens=8000", "inference.model.context=16384",
                         "inference.prefix_hit_rate=0.75", "inference.prefix_on_storage=true",
                         "inference.requests_per_s=" + rate, "cluster.nodes=400",
                         "inference.redundant_nodes=0"})
        .files.value();
  };
  const ServiceFiles few = read("0.001");
  const ServiceFiles many = read("2");
  EXPECT_GT(many.busy_fraction, 0.1);
  EXPECT_NEAR(many.prefix_read / few.prefix_read,
              (1.0 - few.busy_fraction) / (1.0 - many.busy_fraction), 1e-9);
}

TEST(ServiceFiles, MoreThanStorageTakesDoesNotFit) {
  const InferenceResult result =
      with_storage({"inference.prompt_tokens=8000", "inference.model.context=16384",
                    "inference.prefix_hit_rate=0.75", "inference.prefix_on_storage=true",
                    "inference.requests_per_s=1000"});
  ASSERT_FALSE(result.feasible());
  EXPECT_NE(result.infeasible.back().find("storage nodes are overloaded"), std::string::npos)
      << result.infeasible.back();
}

TEST(ServiceFiles, ASimulatedRunWaitsToo) {
  const auto first = [](const std::string& on_storage) {
    return with_storage({"inference.prompt_tokens=8000", "inference.model.context=16384",
                         "inference.prefix_hit_rate=0.75", "inference.requests_per_s=1",
                         "inference.prefix_on_storage=" + on_storage,
                         "inference.load={requests: 200, arrivals: poisson, replicas: 8}"});
  };
  const InferenceResult files = first("true");
  const InferenceResult memory = first("false");
  const double read = files.files->prefix_read.base();
  EXPECT_NEAR((files.run->time_to_first_token.p99 - memory.run->time_to_first_token.p99).base(),
              read, 1e-9);
  EXPECT_NEAR((files.run->latency.p50 - memory.run->latency.p50).base(), read, 1e-9);
}

// Half of what the nodes read is taken by a training beside: weights take twice as long, and so
// does a prefix, which waits for what is under way.
TEST(ServiceFiles, OthersLeaveTheRest) {
  const Settings prefixes{"inference.prompt_tokens=8000",    "inference.model.context=16384",
                          "inference.prefix_hit_rate=0.75",  "inference.prefix_on_storage=true",
                          "inference.requests_per_s=0.0001", "inference.redundant_nodes=0"};
  Settings beside = prefixes;
  beside.emplace_back("inference.others_read=15 GB/s");
  const ServiceFiles alone = with_storage(prefixes).files.value();
  const ServiceFiles half = with_storage(beside).files.value();
  EXPECT_NEAR(half.busy_fraction - alone.busy_fraction, 0.5, 1e-9);
  EXPECT_NEAR(half.start_of_one / alone.start_of_one, 2.0, 1e-9);
  EXPECT_NEAR(half.prefix_read / alone.prefix_read, 2.0, 1e-3);
  const InferenceResult none = with_storage({"inference.others_write=90 GB/s"});
  ASSERT_FALSE(none.feasible());
  EXPECT_NE(none.infeasible.back().find("storage nodes are overloaded"), std::string::npos);
}

TEST(ServiceFiles, APrefixInHostMemoryComesOverPcie) {
  const auto on_host = [](const std::string& rate, const Settings& more) {
    Settings settings{"inference.prompt_tokens=8000",   "inference.model.context=16384",
                      "inference.prefix_hit_rate=0.75", "inference.tp=1",
                      "inference.redundant_nodes=0",    "cluster.nodes=400",
                      "inference.prefix_on_host=true",  "inference.requests_per_s=" + rate};
    settings.insert(settings.end(), more.begin(), more.end());
    return simulate(test::inference(settings));
  };
  const InferenceResult few = on_host("0.0001", {});
  ASSERT_TRUE(few.host_cache);
  const double bytes = 6000 * few.kv_cache_per_token.base();
  EXPECT_DOUBLE_EQ(few.host_cache->prefix.base(), bytes);
  const CheckedInference checked = test::inference();
  const core::ComputeNode& node = checked.cluster.cluster.node;
  const double of_node = models::host_link_rate(node).base();
  EXPECT_NEAR(few.host_cache->prefix_read.base(), bytes / (of_node / 4), 1e-6);
  const InferenceResult in_memory = on_host("0.0001", {"inference.prefix_on_host=false"});
  EXPECT_NEAR((few.time_to_first_token() - in_memory.time_to_first_token()).base(),
              few.host_cache->prefix_read.base(), 1e-9);
  const InferenceResult many = on_host("20", {});
  EXPECT_GT(many.host_cache->busy_fraction, few.host_cache->busy_fraction);
  EXPECT_GT(many.host_cache->prefix_read, few.host_cache->prefix_read);
}

}  // namespace
}  // namespace railwright::simulation
