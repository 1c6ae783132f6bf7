// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/plain_vector.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace railwright::core {
namespace {

PlainVector<int> triples(int count) {
  PlainVector<int> vector;
  for (int i = 0; i < count; ++i) vector.push_back(3 * i);
  return vector;
}

TEST(PlainVector, KeepsItsElementsWhileItGrows) {
  const PlainVector<int> vector = triples(100'000);
  ASSERT_EQ(vector.size(), 100'000U);
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(vector[static_cast<std::size_t>(i)], 3 * i);
}

TEST(PlainVector, TakesAnElementOfItsOwnWhileItGrows) {
  PlainVector<int> vector;
  vector.push_back(7);
  for (int i = 0; i < 10'000; ++i) vector.push_back(vector[0]);
  for (const int element : vector) ASSERT_EQ(element, 7);
}

TEST(PlainVector, CopiesAndMoves) {
  PlainVector<int> original = triples(5);
  PlainVector<int> copy = original;
  original[2] = -1;
  EXPECT_EQ(copy[2], 6);
  const PlainVector<int> moved = std::move(original);
  EXPECT_EQ(moved[2], -1);
  copy = moved;
  EXPECT_EQ(copy[2], -1);
  copy.clear();
  EXPECT_TRUE(copy.empty());
  const PlainVector<int> copy_of_nothing = copy;
  EXPECT_EQ(copy_of_nothing.size(), 0U);
}

TEST(PlainVector, Appends) {
  PlainVector<int> vector = triples(2);
  const std::array more{5, 6};
  vector.append(more.data(), more.size());
  vector.pop_back();
  EXPECT_EQ(vector.size(), 3U);
  EXPECT_EQ(vector.back(), 5);
}

}  // namespace
}  // namespace railwright::core
