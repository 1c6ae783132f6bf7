// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/shared_table.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace railwright::core {
namespace {

std::unique_ptr<std::uint64_t> entry(std::uint64_t value) {
  return std::make_unique<std::uint64_t>(value);
}

TEST(SharedTable, KeepsWhatItWasGivenWhileItGrows) {
  SharedTable<std::uint64_t> table;
  EXPECT_EQ(table.find(1), nullptr);
  table.put(1, [] { return entry(10); });
  const std::uint64_t* first = table.find(1);
  for (std::uint64_t key = 2; key <= 1000; ++key) table.put(key, [&] { return entry(10 * key); });
  EXPECT_EQ(table.size(), 1000U);
  EXPECT_EQ(table.find(1), first);
  for (std::uint64_t key = 1; key <= 1000; ++key) {
    ASSERT_NE(table.find(key), nullptr);
    EXPECT_EQ(*table.find(key), 10 * key);
  }
  EXPECT_EQ(table.find(1001), nullptr);
}

TEST(SharedTable, MakesEachKeyOnceHoweverManyThreadsWantIt) {
  constexpr std::uint64_t kNumKeys = 500;
  SharedTable<std::uint64_t> table;
  std::atomic<int> num_made = 0;
  std::atomic<int> num_wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (std::uint64_t key = 1; key <= kNumKeys; ++key) {
          table.put(key, [&] {
            ++num_made;
            return entry(key);
          });
          if (*table.find(key) != key) ++num_wrong;
        }
      });
    }
  }
  EXPECT_EQ(num_made, static_cast<int>(kNumKeys));
  EXPECT_EQ(num_wrong, 0);
}

TEST(SharedTable, LetsAnotherMakeWhatOneCouldNot) {
  SharedTable<std::uint64_t> table;
  const auto fails = []() -> std::unique_ptr<std::uint64_t> { throw std::runtime_error("no"); };
  EXPECT_THROW(table.put(7, fails), std::runtime_error);
  EXPECT_EQ(table.find(7), nullptr);
  table.put_unless_claimed(7, [] { return entry(70); });
  EXPECT_EQ(*table.find(7), 70U);
}

TEST(SharedTable, LeavesWhatAnotherThreadIsMaking) {
  SharedTable<std::uint64_t> table;
  table.put(7, [&] {
    std::jthread([&] { table.put_unless_claimed(7, [] { return entry(1); }); }).join();
    EXPECT_EQ(table.find(7), nullptr);
    return entry(2);
  });
  EXPECT_EQ(*table.find(7), 2U);
}

}  // namespace
}  // namespace railwright::core
