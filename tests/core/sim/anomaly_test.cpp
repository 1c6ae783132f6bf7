// SPDX-License-Identifier: Apache-2.0
// More bandwidth can make a whole slower: max-min sharing is fair, not wise.
#include <gtest/gtest.h>

#include <array>

#include "railwright/core/sim/engine.hpp"

namespace railwright::core {
namespace {

enum : EventId { kFirst = 1, kCritical = 2, kBehindFirst = 3, kWork = 4 };

/// Two links. `first` crosses link 0 alone; when it is done, a second transfer of its owner starts
/// on link 1, which a critical one of 10 GB crosses from the start at 10 GB/s. Ten seconds of work
/// wait for the critical one. When the work is done, in seconds.
double makespan(double first_link) {
  Engine<StepTime> engine;
  const std::array to_first{LinkUse{engine.network().add_link(first_link), 1.0}};
  const std::array to_second{LinkUse{engine.network().add_link(10e9), 1.0}};
  engine.start({.route = to_first, .size = 10'000'000'000}, kFirst);
  engine.start({.route = to_second, .size = 10'000'000'000}, kCritical);
  EventId event = 0;
  double end = 0.0;
  while (engine.next(event)) {
    if (event == kFirst) engine.start({.route = to_second, .size = 5'000'000'000}, kBehindFirst);
    if (event == kCritical) {
      engine.schedule({engine.now().count + 10'000'000'000'000}, kWork);
    }
    end = static_cast<double>(engine.now().count) * 1e-12;
  }
  return end;
}

/// With 10 GB/s the critical transfer is alone until it ends after 1 s: 11 s. With 20 GB/s the
/// other comes after 0.5 s, when 5 GB of it are left; they share the link, and it ends after 1.5
/// s: 11.5 s.
TEST(Anomaly, AFasterLinkMakesTheWholeSlower) {
  EXPECT_NEAR(makespan(10e9), 11.0, 1e-9);
  EXPECT_NEAR(makespan(20e9), 11.5, 1e-9);
}

}  // namespace
}  // namespace railwright::core
