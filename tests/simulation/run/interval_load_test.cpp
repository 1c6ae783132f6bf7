// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/interval_load.hpp"

#include <gtest/gtest.h>

#include "whole_seconds.hpp"

namespace railwright::simulation::replication {
namespace {

using Uses = std::vector<core::LinkUse>;

TEST(IntervalLoad, CountsWhatAReadMoved) {
  // 600 units of 1000, at two bytes each, in 3 s; a quarter and three eighths to two nodes.
  const Uses shares{{0, 0.25}, {3, 0.375}};
  ActiveFlow flow{.id = 0, .size = 1000, .bytes_per_unit = 2.0, .request = 10.0};
  flow.node_shares = shares;
  IntervalLoad load(at(2), at(5), 77.0);
  load.add(flow, 400.0, 9.0);
  const LoadSample sample = load.sample();
  EXPECT_EQ(sample.read_bytes, 1200.0);
  EXPECT_EQ(sample.written_bytes, 0.0);
  EXPECT_EQ(sample.operations, 120.0);
  EXPECT_EQ(sample.peak_node_read, 1200.0 / 3 * 0.375);
  EXPECT_EQ(sample.peak_write, 0.0);
  EXPECT_EQ(sample.used, 77.0);
  EXPECT_EQ(sample.start, at(2));
  EXPECT_EQ(sample.end, at(5));
}

TEST(IntervalLoad, WritersPauseTogether) {
  const Uses shares{{0, 0.2}};
  ActiveFlow flow{.id = 0, .size = 1000, .request = 100.0, .node_shares = shares, .is_write = true};
  IntervalLoad load(at(0), at(2), 0.0);
  load.add(flow, 0.0, 3.0);
  const LoadSample sample = load.sample();
  EXPECT_EQ(sample.written_bytes, 1000.0);
  EXPECT_EQ(sample.operations, 10.0);
  EXPECT_EQ(sample.peak_write, 1500.0);
  EXPECT_DOUBLE_EQ(sample.peak_node_write, 300.0);
  EXPECT_EQ(sample.read_bytes, 0.0);
}

TEST(IntervalLoad, IntervalsAddUpToTheFlow) {
  ActiveFlow flow{.id = 0, .size = 1000, .request = 1.0};
  double bytes = 0.0;
  std::int64_t second = 0;
  for (const double left : {900.0, 250.0, 250.0, 0.0}) {
    IntervalLoad load(at(second), at(second + 1), 0.0);
    load.add(flow, left, 1.0);
    bytes += load.sample().read_bytes;
    ++second;
  }
  EXPECT_EQ(bytes, 1000.0);
  EXPECT_EQ(flow.sampled, 1000.0);
}

TEST(IntervalLoad, FlowsMeetAtTheNodesThatTheyShare) {
  const Uses first_node{{0, 1.0}};
  const Uses other_nodes{{0, 0.25}, {1, 0.75}};
  ActiveFlow first{.id = 0, .size = 100, .node_shares = first_node};
  ActiveFlow second{.id = 1, .size = 300, .node_shares = other_nodes};
  IntervalLoad load(at(0), at(1), 0.0);
  load.add(first, 0.0, 1.0);
  load.add(second, 100.0, 1.0);
  EXPECT_EQ(load.sample().read_bytes, 300.0);
  EXPECT_EQ(load.sample().peak_node_read, 150.0) << "150 and 150, not 100 and 150";
}

TEST(IntervalLoad, BurstsOfTwoJobsKeepWithinTheNodeOfBoth) {
  // A node takes 1,000 bytes a second; each job writes 400 in the mean and 800 by itself.
  const Uses node{{0, 1.0 / 1000}};
  const Uses shares{{0, 1.0}};
  const auto job = [&](core::FlowId id) {
    return ActiveFlow{
        .id = id, .size = 400, .burst_uses = node, .node_shares = shares, .is_write = true};
  };
  ActiveFlow first = job(0);
  ActiveFlow second = job(1);
  IntervalLoad load(at(0), at(1), 0.0);
  load.add(first, 0.0, 2.0);
  EXPECT_DOUBLE_EQ(load.sample().peak_write, 800.0);
  load.add(second, 0.0, 2.0);
  EXPECT_DOUBLE_EQ(load.sample().peak_write, 1000.0);
  EXPECT_DOUBLE_EQ(load.sample().peak_node_write, 1000.0);
  EXPECT_EQ(load.sample().written_bytes, 800.0);
}

}  // namespace
}  // namespace railwright::simulation::replication
