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
  EXPECT_EQ(nearest("powersc", {"powerscale-f710", "powerscale-f910-large"}), "powerscale-f710");
  EXPECT_EQ(nearest("h1", {"h100-sxm"}), "");
}

TEST(Nearest, TakesTheNewestOfWhatAWordMeans) {
  EXPECT_EQ(nearest("nemo", {"nemo-22.08", "nemo-23.11", "nemo-9.12"}), "nemo-23.11");
  EXPECT_EQ(nearest("megatron", {"megatron-core-0.12", "megatron-bridge-26.06"}),
            "megatron-bridge-26.06");
  EXPECT_EQ(nearest("NeMo-24.05", {"nemo-24.05", "nemo-26.01"}), "nemo-24.05");
}

TEST(Nearest, TakesAVersionForItsLaterOnes) {
  const std::vector<std::string> models{"gpt-3-13b",      "gpt-3.6b",      "llama-2-70b",
                                        "llama-3.1-405b", "llama-3.1-70b", "llama-3.3-70b"};
  EXPECT_EQ(nearest("llama-3-70b", models), "llama-3.3-70b");
  EXPECT_EQ(nearest("llama-3-405b", models), "llama-3.1-405b");
  EXPECT_EQ(nearest("llama_3.1_70b", models), "llama-3.1-70b");
  EXPECT_EQ(nearest("lama-2-70b", models), "llama-2-70b");
  EXPECT_EQ(nearest("gpt-3", models), "gpt-3-13b");
}

TEST(Nearest, TakesTheUsualModuleOfAnAccelerator) {
  const std::vector<std::string> known{"h100-nvl", "h100-pcie", "h100-sxm", "h100-sxm-kernels"};
  EXPECT_EQ(nearest("h100", known), "h100-sxm");
  EXPECT_EQ(nearest("H100-PCI", known), "h100-pcie");
}

/// A number in a name is no version: nothing says which server is meant.
TEST(Nearest, GuessesNoneOfSeveralThatAreMeantAlike) {
  const std::vector<std::string> nodes{"xe9680-b200", "xe9680-h100", "xe9680-h200",
                                       "xe9680-mi300x"};
  EXPECT_EQ(nearest("xe9680", nodes), "");
  EXPECT_EQ(nearest("xe9680-h10", nodes), "xe9680-h100");
  EXPECT_EQ(nearest("gpt-3", {"gpt-3-13b", "gpt-3-175b"}), "");
  EXPECT_EQ(nearest("mixtral-8x", {"mixtral-8x22b", "mixtral-8x7b"}), "mixtral-8x7b");
}

TEST(Nearest, NamesOfTheCatalogueByHowPeopleCallThem) {
  const Catalogue catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  const auto named = [&](std::string_view word, std::string_view kind) {
    return nearest(word, catalogue.names(kind));
  };
  EXPECT_EQ(named("h100", "accelerators"), "h100-sxm");
  EXPECT_TRUE(named("nemo", "software").starts_with("nemo-"));
  for (const std::string& profile : catalogue.names("software")) {
    if (!profile.starts_with("nemo-")) continue;
    EXPECT_LE(profile, named("nemo", "software"));
  }
  EXPECT_EQ(named("llama-3-70b", "workloads"), "llama-3.3-70b");
}

TEST(Nearest, IsQuickOnVeryLongWords) {
  EXPECT_EQ(nearest(std::string(4'000'000, 'x'), {"bandwidth"}), "");
}

}  // namespace
}  // namespace railwright::core
