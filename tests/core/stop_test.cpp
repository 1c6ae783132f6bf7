// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/stop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

#include "railwright/core/parallel_for.hpp"
#include "railwright/core/sim/engine.hpp"

namespace railwright::core {
namespace {

TEST(Stop, OnlyWorkUnderAScopeIsStopped) {
  const std::atomic<bool> set = true;
  EXPECT_NO_THROW(check_stop());
  {
    const StopScope scope(&set);
    EXPECT_THROW(check_stop(), Interrupted);
    const StopScope inner(nullptr);
    EXPECT_NO_THROW(check_stop());
  }
  EXPECT_EQ(stop_flag(), nullptr);
}

TEST(Stop, IsNoError) {
  const std::atomic<bool> set = true;
  const StopScope scope(&set);
  try {
    check_stop();
    FAIL();
  } catch (const std::runtime_error&) {
    FAIL() << "handlers of errors would take it for one";
  } catch (const Interrupted& interrupted) {
    EXPECT_STREQ(interrupted.what(), "interrupted");
  }
}

TEST(Stop, ThreadsOfParallelForLookToo) {
  for (const int num_threads : {1, 4}) {
    std::atomic<bool> flag = false;
    std::atomic<int> begun = 0;
    const StopScope scope(&flag);
    EXPECT_THROW(parallel_for(
                     1000,
                     [&](std::size_t) {
                       EXPECT_EQ(stop_flag(), &flag);
                       if (++begun == 10) flag = true;
                     },
                     num_threads),
                 Interrupted);
    EXPECT_GE(begun, 10);
    EXPECT_LT(begun, 10 + 4);
  }
}

TEST(Stop, TheEngineLooksNowAndThen) {
  std::atomic<bool> flag = false;
  const StopScope scope(&flag);
  Engine<StepTime> engine;
  EventId event = 0;
  int delivered = 0;
  engine.schedule(StepTime{1}, 0);
  try {
    while (engine.next(event)) {
      if (++delivered == 100) flag = true;
      engine.schedule(engine.now() + StepTime{1}, 0);
    }
    FAIL();
  } catch (const Interrupted&) {
    EXPECT_LT(delivered, 100 + 512);
  }
}

}  // namespace
}  // namespace railwright::core
