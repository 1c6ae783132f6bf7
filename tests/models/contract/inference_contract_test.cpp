// SPDX-License-Identifier: Apache-2.0
// What must hold of every decoder of the catalogue that answers requests, in every number format on
// every accelerator; and of every node that is asked to. All come from their lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "../../support/pass_time.hpp"
#include "entries.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/inference/passes.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::models {
namespace {

std::vector<Transformer> decoders() {
  const core::Catalogue catalogue = test::catalogue();
  std::vector<Transformer> list;
  for (const std::string& name : catalogue.names(Transformer::kKind)) {
    const auto model = test::entry<Model>(catalogue, name);
    const auto* decoder = std::get_if<Transformer>(&model);
    const bool writes = decoder != nullptr && decoder->encoder_layers == 0 && decoder->causal;
    if (writes) list.push_back(*decoder);
  }
  return list;
}

class InferenceContract : public testing::TestWithParam<Transformer> {
 protected:
  /// Calls `check` in each format on each accelerator by itself and as one of eight.
  template <class Check>
  void for_each_device(Check check) {
    const auto devices = test::entries<core::Accelerator>();
    Inference inference;
    inference.model = GetParam();
    for (const auto& [name, precision] : core::kWordsOf<core::Precision>) {
      inference.weights = precision;
      inference.kv_cache = precision;
      for (const core::Accelerator& device : devices) {
        for (const int tp : {1, 8}) {
          if (inference.model.num_heads % tp != 0) continue;
          SCOPED_TRACE(device.name + " " + std::string(name) + " tp " + std::to_string(tp));
          check(device, inference, tp);
        }
      }
    }
  }
};

/// Tables of measured shapes may turn a small gain into a small loss, as kernels do.
constexpr double kTables = 0.9;

void expect_sound(const PassTime& time) {
  EXPECT_TRUE(std::isfinite(time.total().base()));
  for (const core::Duration part : {time.compute, time.bandwidth, time.gaps}) {
    EXPECT_GE(part.base(), 0.0);
  }
  EXPECT_GT(time.total().base(), 0.0);
}

TEST_P(InferenceContract, PrefillGrowsWithThePromptAndDecodeWithBatchAndContext) {
  for_each_device([](const core::Accelerator& device, const Inference& inference, int tp) {
    const auto time = [&](const TokenPass& pass) {
      const PassTime parts = pass_time(device, inference, {.size = tp}, pass);
      expect_sound(parts);
      return parts.total();
    };
    core::Duration before;
    for (const double prompt : {1.0, 100.0, 4096.0, 1e6}) {
      const core::Duration prefill = time(prefill_pass(prompt));
      EXPECT_GT(prefill, before * kTables) << prompt;
      before = prefill;
    }
    core::Duration step;
    double rate = 0.0;
    for (const double batch : {1.0, 2.0, 16.0, 256.0, 4096.0}) {
      const core::Duration decode = time(decode_pass(batch, 1024));
      EXPECT_GE(decode, step * kTables) << batch;
      EXPECT_GE(batch / decode.base(), rate * kTables) << batch;
      EXPECT_GE(time(decode_pass(batch, 65536)), decode) << batch;
      step = decode;
      rate = batch / decode.base();
    }
  });
}

TEST_P(InferenceContract, FasterDevicesAreNeverSlowerNorMoreThanTwiceAsFast) {
  for_each_device([](const core::Accelerator& device, const Inference& inference, int tp) {
    core::Accelerator bandwidth = device;
    bandwidth.memory_bandwidth.value *= 2.0;
    core::Accelerator rate = device;
    rate.bf16_rate.value *= 2.0;
    for (auto* narrow :
         {&rate.fp32_rate, &rate.tf32_rate, &rate.fp16_rate, &rate.fp8_rate, &rate.fp4_rate}) {
      if (*narrow) (*narrow)->value *= 2.0;
    }
    for (const TokenPass& pass : {prefill_pass(2048), decode_pass(1, 2048), decode_pass(512, 10)}) {
      const core::Duration once = pass_time(device, inference, {.size = tp}, pass).total();
      for (const core::Accelerator* faster : {&bandwidth, &rate}) {
        const core::Duration twice = pass_time(*faster, inference, {.size = tp}, pass).total();
        EXPECT_LE(twice, once * (1.0 + 1e-12));
        EXPECT_GE(twice, once * (0.5 - 1e-12));
      }
    }
  });
}

// Two operations a token and weight of the layers it passes, and one sequence reads all of these.
TEST_P(InferenceContract, NoPassIsShorterThanItsWorkOrItsWeights) {
  const double work = forward_work_per_token(GetParam(), 1).layers.base();
  ASSERT_GT(work, 0.0);
  for_each_device([&](const core::Accelerator& device, const Inference& inference, int tp) {
    const core::Precision format =
        device.peak_rate(inference.weights) ? inference.weights : core::Precision::kFp16;
    const core::Duration prefill =
        pass_time(device, inference, {.size = tp}, prefill_pass(1000)).total();
    EXPECT_GE(prefill.base(), 1000 * work / (device.peak_rate(format)->base() * tp));
    const core::Duration decode =
        pass_time(device, inference, {.size = tp}, decode_pass(1, 1)).total();
    const double bytes = work / 2.0 * core::bytes_of(inference.weights);
    EXPECT_GE(decode.base(), kTables * bytes / (device.memory_bandwidth.value.base() * tp));
  });
}

TEST_P(InferenceContract, MemoryAddsUp) {
  const Transformer& model = GetParam();
  const auto all = static_cast<double>(num_parameters(Model(model)));
  const auto weights = [&](int tp) {
    return weights_on_rank(model, {.size = tp}, core::Precision::kBf16).base() / 2.0;
  };
  EXPECT_NEAR(weights(1), all, 1e-9 * all);
  for (const int tp : {2, 4, 8}) {
    if (model.num_heads % tp != 0) continue;
    SCOPED_TRACE(tp);
    EXPECT_GE(weights(tp) * tp, all * (1.0 - 1e-12));
    EXPECT_LT(weights(tp), all);
    EXPECT_LE(largest_streamed_piece(model, {.size = tp}, core::Precision::kBf16).base() / 2.0,
              weights(tp));
    const auto of_token = [&](int ranks) {
      return kv_cache_per_token(model, ranks, core::Precision::kBf16).base();
    };
    EXPECT_GE(of_token(tp) * tp, of_token(1) * (1.0 - 1e-12));
    EXPECT_LE(of_token(tp), of_token(1));
  }
  for (const auto& [name, precision] : core::kWordsOf<core::Precision>) {
    const double kept = kept_tokens(model, 1e6) * kv_cache_per_token(model, 1, precision).base();
    EXPECT_GT(kept, 0.0) << name;
    EXPECT_GE(kept_tokens(model, 2e6), kept_tokens(model, 1e6)) << name;
  }
  EXPECT_GT(activations(model, {}, 200, 1, 2.0 * 200), activations(model, {}, 100, 1, 2.0 * 100));
  EXPECT_GT(activations(model, {}, 100, 2, 2.0 * 100), activations(model, {}, 100, 1, 2.0 * 100));
}

simulation::CheckedInference asked(const std::string& node, const std::string& model) {
  const auto protocols =
      test::entry<core::ComputeNode>(test::catalogue(), node).nics.transport.link_protocols;
  const bool is_ethernet = protocols == std::vector{core::LinkProtocol::kEthernet};
  core::Node tree = core::parse_yaml(R"(
name: contract
inference: {prompt_tokens: 512, output_tokens: 64, requests_per_s: 10, redundant_nodes: 0,
            weights: fp16, library: nccl-2.30}
cluster: {nodes: 1, fabric: {topology: single_switch, switch: {model: qm9790, num_ports: 1024}}}
)",
                                     "contract");
  if (is_ethernet) core::set_path(tree, "cluster.fabric.switch=z9664f-on");
  core::set_path(tree, "cluster.node=" + node);
  core::set_path(tree, "inference.model=" + model);
  return simulation::read_inference(tree, test::catalogue());
}

/// A fourth of the pairs: each model meets a fourth of the nodes, and each node a fourth of the
/// models.
bool are_paired(std::size_t node, const Transformer& model) {
  static const std::vector<Transformer> kAll = decoders();
  const auto place = std::ranges::find(kAll, model.name, &Transformer::name) - kAll.begin();
  return (node + static_cast<std::size_t>(place)) % 4 == 0;
}

// Whatever fits does so line by line, and memory that is faster never needs more accelerators.
TEST_P(InferenceContract, NodesAnswerWhatTheyHold) {
  using core::Precision;
  const std::vector<std::string> nodes = test::catalogue().names(core::ComputeNode::kKind);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!are_paired(i, GetParam())) continue;
    const std::string& node = nodes[i];
    simulation::CheckedInference checked;
    ASSERT_NO_THROW(checked = asked(node, GetParam().name)) << node;
    for (const Precision format : {Precision::kFp16, Precision::kFp8, Precision::kFp4}) {
      SCOPED_TRACE(node + " " + std::string(core::to_string(format)));
      checked.inference.weights = format;
      const simulation::InferenceResult result = simulation::simulate(checked);
      EXPECT_EQ(result.feasible(), result.num_nodes == 1);  // there is one
      double sum = 0.0;
      for (const MemoryLine& line : result.memory.lines) sum += line.size.base();
      EXPECT_DOUBLE_EQ(result.memory.total().base(), sum);
      EXPECT_EQ(result.memory.total() <= result.memory_capacity, result.num_nodes > 0);
      if (result.num_nodes == 0) continue;
      EXPECT_GE(result.cycle.batch, 1.0);
      EXPECT_GE(result.largest_batch, result.cycle.batch);
      const double per_s = result.cycle.requests_per_s();
      EXPECT_TRUE(std::isfinite(per_s));
      EXPECT_GE(per_s * static_cast<double>(result.num_replicas), 10.0 * (1.0 - 1e-12));
      EXPECT_LT(per_s * static_cast<double>(result.num_replicas - 1), 10.0);
      if (format != Precision::kFp8) continue;
      simulation::CheckedInference faster = checked;
      faster.cluster.cluster.node.accelerator.memory_bandwidth.value *= 2.0;
      EXPECT_LE(simulation::simulate(faster).num_accelerators, result.num_accelerators);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, InferenceContract, testing::ValuesIn(decoders()),
                         [](const auto& way) { return test::test_name(way.param.name); });

}  // namespace
}  // namespace railwright::models
