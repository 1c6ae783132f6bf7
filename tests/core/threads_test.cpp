// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "railwright/core/parallel_for.hpp"

namespace railwright::core {
namespace {

TEST(Threads, TheInnermostScopeCounts) {
  const int cores = default_num_threads();
  EXPECT_GE(cores, 1);
  {
    const ThreadsScope three(3);
    EXPECT_EQ(default_num_threads(), 3);
    const ThreadsScope all(0);
    EXPECT_EQ(default_num_threads(), cores);
  }
  EXPECT_EQ(default_num_threads(), cores);
}

TEST(Threads, WorkIsDoneByNoMoreThanTheScopeSays) {
  const ThreadsScope one(1);
  std::atomic<int> num_elsewhere = 0;
  const std::thread::id here = std::this_thread::get_id();
  parallel_for(50, [&](std::size_t) {
    if (std::this_thread::get_id() != here) ++num_elsewhere;
  });
  EXPECT_EQ(num_elsewhere, 0);
}

TEST(Threads, WorkersInheritTheScope) {
  const ThreadsScope two(2);
  std::atomic<int> num_others = 0;
  parallel_for(20, [&](std::size_t) { num_others += default_num_threads() == 2 ? 0 : 1; }, 4);
  EXPECT_EQ(num_others, 0);
}

}  // namespace
}  // namespace railwright::core
