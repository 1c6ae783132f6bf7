// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/units/nearest.hpp"

#include <gtest/gtest.h>

#include "railwright/core/config/catalogue.hpp"

namespace railwright::core {
namespace {

TEST(Nearest, FindsTypos) {
  const std::vector<std::string> known{"bandwidth", "capacity", "count"};
  EXPECT_EQ(nearest("bandwith", known), "bandwidth");
  EXPECT_EQ(nearest("badnwidth", known), "bandwidth");
  EXPECT_EQ(nearest("Bandwidth", known), "bandwidth");
  EXPECT_EQ(nearest("coutn", known), "count");
  EXPECT_EQ(nearest("cont", known), "count");
}

TEST(Nearest, LeavesOtherWordsAlone) {
  EXPECT_EQ(nearest("latency", {"bandwidth", "count"}), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest("", {"bandwidth"}), "");
  EXPECT_EQ(nearest("ab", {"cd"}), "");
}

TEST(Nearest, CountsASwapAsOneChange) {
  EXPECT_EQ(nearest("nci", {"nic"}), "nic");
  EXPECT_EQ(nearest("icn", {"nic"}), "");
}

TEST(Nearest, PrefersSameCaseAndThenTheFirst) {
  EXPECT_EQ(nearest("Gbx", {"GB", "Gb"}), "Gb");
  EXPECT_EQ(nearest("cat", {"bat", "hat"}), "bat");
}

TEST(Nearest, CompletesAbbreviations) {
  EXPECT_EQ(nearest("h100", {"h100-sxm-80gb", "h100-pcie", "b200"}), "h100-pcie");
  EXPECT_EQ(nearest("h1", {"h100-sxm"}), "");
}

TEST(Nearest, IsQuickOnVeryLongWords) {
  EXPECT_EQ(nearest(std::string(4'000'000, 'x'), {"bandwidth"}), "");
}

}  // namespace
}  // namespace railwright::core
