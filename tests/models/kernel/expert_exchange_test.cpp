// SPDX-License-Identifier: Apache-2.0
// Dispatch and combine against the same sums in another language, by hand, and what must be
// monotone.
#include "railwright/models/kernel/expert_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "devices.hpp"
#include "railwright/models/kernel/direct_all_reduce.hpp"

namespace railwright::models {
namespace {

using core::Bandwidth;
using core::Duration;
using Kernel = ExpertExchangeKernel;
using Op = ExpertExchangeOp;
using test::us;

constexpr auto kAdapter = Bandwidth::from_base(50e9);

core::Accelerator exchange_h100() {
  core::Accelerator device;
  device.scale_up_bandwidth.value = Bandwidth::from_base(450e9);
  device.num_multiprocessors.value = 132;
  return device;
}

/// Those of an H100.
core::ExpertExchangeConstants constants() {
  return {.dispatch = {.start = us(24.8),
                       .fill = us(0.355),
                       .token = us(0.378),
                       .copy = us(0.0504),
                       .copy_kib = us(0.0357),
                       .node = us(0.541)},
          .combine = {.start = us(25.4),
                      .fill = us(1.52),
                      .copy = us(0.0347),
                      .copy_kib = us(0.0474),
                      .sum_kib = us(0.161),
                      .node = us(1.26),
                      .between_nodes = 1.42},
          .network_start = us(33.0),
          .crowding = 0.0042,
          .scale_up_share = 0.681,
          .network_share = 0.885,
          .wide_network_share = 0.442,
          .low_latency_dispatch = {us(8.47), us(0.016), us(2.23), 0.639},
          .low_latency_combine = {us(10.3), us(0.00623), us(0.0), 0.55},
          .low_latency_network_start = us(13.5),
          .low_latency_network_share = 0.947,
          .scale_up_dispatch = {us(14.7), us(0.268), us(0.0079), 0.761},
          .scale_up_combine = {us(15.4), us(0.536), us(0.0031), 0.744}};
}

ExpertExchangeShape tokens(std::int64_t num_tokens, std::int64_t num_nodes = 1) {
  return {.num_tokens = num_tokens,
          .token_bytes = 7392,
          .top_k = 8,
          .num_experts = 256,
          .num_nodes = num_nodes,
          .network = kAdapter};
}

double seconds(const ExpertExchangeShape& shape, Op op = Op::kDispatch,
               Kernel kernel = Kernel::kThroughput,
               const core::Accelerator& device = exchange_h100()) {
  return expert_exchange_time(device, constants(), kernel, op, shape).base();
}

// In the order of the table's columns: padding costs nothing here.
struct Row {  // NOLINT(clang-analyzer-optin.performance.Padding)
  Kernel kernel;
  Op op;
  std::int64_t num_tokens;
  std::int64_t token_bytes;
  std::int64_t top_k;
  std::int64_t num_experts;
  std::int64_t num_nodes;
  std::int64_t per_node;
  std::int64_t num_multiprocessors;
  std::int64_t top_groups;  ///< of a group a node; 0: all
  bool is_balanced;
  double seconds;
};

// clang-format off
constexpr Row kReference[] = {
    {Kernel::kThroughput, Op::kDispatch, 4096, 7392, 8, 256, 1, 8, 20, 0, false, 0.0005204527167358583},
    {Kernel::kThroughput, Op::kCombine, 4096, 14336, 8, 256, 1, 8, 24, 0, false, 0.0009493698602938994},
    {Kernel::kThroughput, Op::kDispatch, 4096, 7392, 8, 256, 4, 8, 24, 0, false, 0.0019486362336500235},
    {Kernel::kThroughput, Op::kCombine, 4096, 14336, 8, 256, 4, 8, 24, 0, false, 0.0037188595222876616},
    {Kernel::kThroughput, Op::kDispatch, 4096, 7392, 8, 256, 8, 8, 24, 4, false, 0.0022992760251913285},
    {Kernel::kThroughput, Op::kDispatch, 4096, 7392, 8, 256, 8, 8, 24, 0, false, 0.006473459696019546},
    {Kernel::kThroughput, Op::kCombine, 8192, 14336, 8, 256, 2, 8, 12, 0, false, 0.006519628244471982},
    {Kernel::kThroughput, Op::kDispatch, 2048, 4224, 22, 512, 1, 8, 4, 0, false, 0.0010054627647004897},
    {Kernel::kThroughput, Op::kCombine, 1024, 10240, 1, 16, 1, 8, 8, 0, false, 0.0002536069366952848},
    {Kernel::kThroughput, Op::kDispatch, 16384, 7392, 8, 256, 6, 8, 20, 0, false, 0.015062904285107984},
    {Kernel::kThroughput, Op::kCombine, 131072, 4096, 8, 128, 1, 8, 16, 0, false, 0.010682055267582462},
    {Kernel::kLowLatency, Op::kDispatch, 128, 7392, 8, 256, 1, 8, 20, 0, false, 3.8889797607240664e-05},
    {Kernel::kLowLatency, Op::kCombine, 128, 14336, 8, 256, 1, 8, 20, 0, false, 7.120826989898989e-05},
    {Kernel::kLowLatency, Op::kDispatch, 256, 7392, 8, 256, 4, 8, 20, 0, false, 0.00026585717212496206},
    {Kernel::kLowLatency, Op::kCombine, 256, 14336, 8, 288, 8, 8, 20, 0, false, 0.0005681520435903061},
    {Kernel::kLowLatency, Op::kDispatch, 512, 4224, 2, 8, 1, 8, 20, 0, false, 0.00015131800027164396},
    {Kernel::kScaleUp, Op::kDispatch, 2048, 4032, 8, 256, 1, 4, 20, 0, true, 8.989856105566323e-05},
    {Kernel::kScaleUp, Op::kCombine, 2048, 14336, 8, 256, 1, 32, 20, 0, true, 0.0007529905228071548},
    {Kernel::kScaleUp, Op::kDispatch, 16384, 7168, 8, 256, 1, 64, 20, 0, false, 0.0028592322516462227},
    {Kernel::kScaleUp, Op::kCombine, 64, 14336, 8, 256, 1, 8, 20, 0, false, 3.238558157935928e-05},
    {Kernel::kScaleUp, Op::kCombine, 4096, 14336, 8, 256, 1, 72, 20, 0, false, 0.0015167529884464997},
};
// clang-format on

TEST(ExpertExchange, EqualsItsReference) {
  for (const Row& row : kReference) {
    const ExpertExchangeShape shape{.num_tokens = row.num_tokens,
                                    .token_bytes = row.token_bytes,
                                    .top_k = row.top_k,
                                    .num_experts = row.num_experts,
                                    .num_nodes = row.num_nodes,
                                    .per_node = row.per_node,
                                    .num_multiprocessors = row.num_multiprocessors,
                                    .groups = row.top_groups > 0 ? row.num_nodes : 1,
                                    .top_groups = std::max<std::int64_t>(1, row.top_groups),
                                    .is_balanced = row.is_balanced,
                                    .network = kAdapter};
    EXPECT_NEAR(seconds(shape, row.op, row.kernel) / row.seconds, 1.0, 1e-9)
        << row.num_tokens << " tokens on " << row.num_nodes << " nodes";
  }
}

TEST(ExpertExchange, PlacesAreThoseOfADraw) {
  // Two of four experts on two places: one third of the pairs share a place.
  EXPECT_DOUBLE_EQ(expected_places(2.0, 2.0, 4.0), 2.0 * (1.0 - (2.0 / 4.0) * (1.0 / 3.0)));
  EXPECT_DOUBLE_EQ(expected_places(8.0, 1.0, 16.0), 1.0);
  EXPECT_DOUBLE_EQ(expected_places(2.0, 16.0, 16.0), 2.0);
  EXPECT_DOUBLE_EQ(expected_places(1.0, 8.0, 256.0), 1.0);
}

TEST(ExpertExchange, ATokenGoesToANodeOnceAndIsLimitedByTheRouter) {
  const auto of = [](const ExpertExchangeShape& shape) {
    return expert_exchange(exchange_h100(), constants(), Kernel::kThroughput, Op::kDispatch, shape);
  };
  ExpertExchangeShape shape = tokens(4096, 4);
  const double once = 4096.0 * 7392.0;
  EXPECT_DOUBLE_EQ(of(shape).network_bytes, once * expected_places(4.0, 8.0, 256.0) * 0.75);
  EXPECT_LT(of(shape).network_bytes, 3.0 * once);
  EXPECT_EQ(of(tokens(4096)).network_bytes, 0.0);
  shape.num_nodes = 16;
  const double free = of(shape).network_bytes;
  shape.groups = 16;
  shape.top_groups = 4;
  EXPECT_LT(of(shape).network_bytes, 0.7 * free);
  EXPECT_LE(of(shape).network_bytes, 4.0 * once);
  EXPECT_LT(of(shape).time, of(tokens(4096, 16)).time);
}

/// Draws the groups and then the experts, as the router does.
double drawn_places(std::int64_t places, const ExpertExchangeShape& shape) {
  std::mt19937_64 random(7);
  std::vector<std::int64_t> groups(static_cast<std::size_t>(shape.groups));
  std::iota(groups.begin(), groups.end(), 0);
  const std::int64_t in_group = shape.num_experts / shape.groups;
  constexpr int kDraws = 2'000;
  double sum = 0.0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::ranges::shuffle(groups, random);
    std::vector<std::int64_t> experts;
    for (std::int64_t g = 0; g < shape.top_groups; ++g) {
      for (std::int64_t e = 0; e < in_group; ++e) {
        experts.push_back(groups[static_cast<std::size_t>(g)] * in_group + e);
      }
    }
    std::ranges::shuffle(experts, random);
    std::set<std::int64_t> reached;
    for (std::int64_t k = 0; k < shape.top_k; ++k) {
      reached.insert(experts[static_cast<std::size_t>(k)] * places / shape.num_experts);
    }
    sum += static_cast<double>(reached.size());
  }
  return sum / kDraws;
}

TEST(ExpertExchange, GroupsLimitThePlacesAsInADraw) {
  ExpertExchangeShape shape = tokens(1);
  shape.groups = 8;
  for (const std::int64_t top_groups : {1, 4, 8}) {
    shape.top_groups = top_groups;
    for (const std::int64_t places : {1, 4, 8, 64}) {
      EXPECT_NEAR(expected_places(static_cast<double>(places), shape) / drawn_places(places, shape),
                  1.0, 0.02)
          << places << " places, " << top_groups << " groups";
    }
    if (top_groups < 8) continue;
    EXPECT_NEAR(expected_places(4.0, shape), expected_places(4.0, 8.0, 256.0), 1e-12);
  }
}

TEST(ExpertExchange, FourNodesAreBoundByTheAdapters) {
  const ExpertExchange call = expert_exchange(exchange_h100(), constants(), Kernel::kThroughput,
                                              Op::kDispatch, tokens(8192, 4));
  const double wire = call.network_bytes / (0.885 * 50e9);
  EXPECT_GT((call.time - call.latency).base(), wire);
  EXPECT_LT((call.time - call.latency).base(), 1.1 * wire);
}

// What the README of DeepEP prints for H800, which nothing was fitted to: GB/s of the bytes that go
// to nodes, a token's own counted; at most four nodes a token. [@deepep]
TEST(ExpertExchange, IsNearDeepEpsOwnTable) {
  core::Accelerator h800 = exchange_h100();
  h800.scale_up_bandwidth.value = Bandwidth::from_base(200e9);
  const struct {
    std::int64_t nodes;
    double dispatch;
    double combine;
  } kTable[] = {{2, 43e9, 43e9}, {4, 58e9, 57e9}, {8, 51e9, 50e9}};
  for (const auto& row : kTable) {
    ExpertExchangeShape shape = tokens(4096, row.nodes);
    shape.groups = row.nodes;
    shape.top_groups = std::min<std::int64_t>(row.nodes, 4);
    const auto chosen = static_cast<double>(shape.top_groups);
    const double reached =
        expected_places(chosen, 8.0, 256.0 * chosen / static_cast<double>(row.nodes));
    const double bytes = 4096.0 * 7392.0 * reached;
    EXPECT_NEAR(bytes / seconds(shape, Op::kDispatch, Kernel::kThroughput, h800) / row.dispatch,
                1.0, 0.08)
        << row.nodes << " nodes";
    shape.token_bytes = 14336;
    EXPECT_NEAR(4096.0 * 14336.0 * reached /
                    seconds(shape, Op::kCombine, Kernel::kThroughput, h800) / row.combine,
                1.0, 0.08)
        << row.nodes << " nodes";
  }
}

TEST(ExpertExchange, MoreOfAnythingIsNoFaster) {
  for (const Kernel kernel : {Kernel::kThroughput, Kernel::kLowLatency, Kernel::kScaleUp}) {
    for (const Op op : {Op::kDispatch, Op::kCombine}) {
      const double least = seconds(tokens(1024), op, kernel);
      ExpertExchangeShape shape = tokens(1025);
      EXPECT_GT(seconds(shape, op, kernel), least);
      shape = tokens(1024);
      shape.token_bytes += 1;
      EXPECT_GT(seconds(shape, op, kernel), least);
      shape = tokens(1024);
      shape.top_k += 1;
      EXPECT_GT(seconds(shape, op, kernel), least);
      shape = tokens(1024);
      shape.num_multiprocessors = 24;
      EXPECT_LE(seconds(shape, op, kernel), least);
      if (kernel == Kernel::kScaleUp) continue;
      EXPECT_GT(seconds(tokens(1024, 2), op, kernel), least);
    }
  }
}

TEST(ExpertExchange, AFasterDeviceOrAdapterIsNoSlower) {
  core::Accelerator faster = exchange_h100();
  faster.scale_up_bandwidth.value = Bandwidth::from_base(900e9);
  ExpertExchangeShape shape = tokens(4096, 4);
  for (const Op op : {Op::kDispatch, Op::kCombine}) {
    for (const Kernel kernel : {Kernel::kThroughput, Kernel::kLowLatency, Kernel::kScaleUp}) {
      EXPECT_LE(seconds(shape, op, kernel, faster), seconds(shape, op, kernel));
    }
    ExpertExchangeShape wider = shape;
    wider.network = Bandwidth::from_base(100e9);
    EXPECT_LT(seconds(wider, op), 0.97 * seconds(shape, op));
  }
}

TEST(ExpertExchange, NoTokensTakeALatency) {
  const ExpertExchange call = expert_exchange(exchange_h100(), constants(), Kernel::kThroughput,
                                              Op::kDispatch, tokens(0, 4));
  EXPECT_EQ(call.time, call.latency);
  EXPECT_NEAR(call.latency.base(), 24.8e-6 + 0.355e-6 * 7392.0 / 1024.0 + 66e-6, 1e-12);
}

TEST(ExpertExchange, AScaleOfFourBytesStandsForEach128Values) {
  EXPECT_EQ(fp8_token_bytes(7168), 7392);
  EXPECT_EQ(fp8_token_bytes(1), 5);
}

TEST(DirectAllReduce, IsTheFasterOfOneShotAndTwo) {
  const core::DirectAllReduceConstants h100_constants{
      .start = us(2.58),
      .rank = us(0.08),
      .spread = us(0.02),
      .share = 0.62,
      .two_shot_start = us(12.6),
      .two_shot_share = 0.41,
      .largest = core::DataSize::from_base(8388608.0)};
  const auto time = [&](double bytes, int members) {
    return direct_all_reduce_time(exchange_h100(), h100_constants, core::DataSize::from_base(bytes),
                                  members)
        .base();
  };
  const auto start = [](double bytes, int members) {
    return 1e-6 * (2.58 + 0.08 * members + 0.02 * bytes / (bytes + 16384.0));
  };
  EXPECT_NEAR(time(65536.0, 8), start(65536.0, 8) + 7.0 * 65536.0 / (0.62 * 450e9), 1e-12);
  EXPECT_NEAR(time(2097152.0, 8), start(2097152.0, 8) + 12.6e-6 + 1.75 * 2097152.0 / (0.41 * 450e9),
              1e-12);
  EXPECT_EQ(time(1024.0, 1), 0.0);
  EXPECT_TRUE(std::isinf(time(8388609.0, 8)));
  for (int power = 10; power < 22; ++power) {
    const double bytes = std::exp2(power);
    EXPECT_LT(time(bytes, 8), time(2.0 * bytes, 8));
    EXPECT_LT(time(bytes, 4), time(bytes, 8));
  }
}

}  // namespace
}  // namespace railwright::models
