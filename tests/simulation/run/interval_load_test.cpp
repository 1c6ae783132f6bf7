// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/interval_load.hpp"

#include <gtest/gtest.h>

#include "whole_seconds.hpp"

namespace railwright::simulation::replication {
namespace {

TEST(IntervalLoad, CountsWhatAReadMoved) {
  // 600 units of 1000, at two bytes each, in 3 s over four nodes, one of which has half more.
  ActiveFlow flow{.id = 0, .size = 1000, .bytes_per_unit = 2.0, .request = 10.0};
  flow.busiest_node = 1.5;
  IntervalLoad load(at(2), at(5), 4, 77.0);
  load.add(flow, 400.0, 9.0);
  EXPECT_EQ(load.sample().read_bytes, 1200.0);
  EXPECT_EQ(load.sample().written_bytes, 0.0);
  EXPECT_EQ(load.sample().operations, 120.0);
  EXPECT_EQ(load.sample().peak_node_read, 1200.0 / 3 / 4 * 1.5);
  EXPECT_EQ(load.sample().peak_write, 0.0);
  EXPECT_EQ(load.sample().used, 77.0);
  EXPECT_EQ(load.sample().start, at(2));
  EXPECT_EQ(load.sample().end, at(5));
}

TEST(IntervalLoad, WritersPauseTogether) {
  ActiveFlow flow{.id = 0, .size = 1000, .request = 100.0, .is_write = true};
  IntervalLoad load(at(0), at(2), 5, 0.0);
  load.add(flow, 0.0, 3.0);
  EXPECT_EQ(load.sample().written_bytes, 1000.0);
  EXPECT_EQ(load.sample().operations, 10.0);
  EXPECT_EQ(load.sample().peak_write, 1500.0);
  EXPECT_DOUBLE_EQ(load.sample().peak_node_write, 300.0);
  EXPECT_EQ(load.sample().read_bytes, 0.0);
}

TEST(IntervalLoad, IntervalsAddUpToTheFlow) {
  ActiveFlow flow{.id = 0, .size = 1000, .request = 1.0};
  double bytes = 0.0;
  std::int64_t second = 0;
  for (const double left : {900.0, 250.0, 250.0, 0.0}) {
    IntervalLoad load(at(second), at(second + 1), 0, 0.0);
    load.add(flow, left, 1.0);
    bytes += load.sample().read_bytes;
    ++second;
  }
  EXPECT_EQ(bytes, 1000.0);
  EXPECT_EQ(flow.sampled, 1000.0);
}

TEST(IntervalLoad, FlowsAddUp) {
  ActiveFlow first{.id = 0, .size = 100};
  ActiveFlow second{.id = 1, .size = 300};
  IntervalLoad load(at(0), at(1), 2, 0.0);
  load.add(first, 0.0, 1.0);
  load.add(second, 100.0, 1.0);
  EXPECT_EQ(load.sample().read_bytes, 300.0);
  EXPECT_EQ(load.sample().peak_node_read, 150.0);
}

}  // namespace
}  // namespace railwright::simulation::replication
