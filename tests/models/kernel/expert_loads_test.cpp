// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/expert_loads.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace railwright::models {
namespace {

double sum_of(const ExpertLoads& loads) {
  return std::accumulate(loads.tokens.begin(), loads.tokens.end(), 0.0) * loads.experts_of_class;
}

TEST(ExpertLoads, BalancedTokensAreDividedEvenly) {
  const ExpertLoads loads =
      expert_loads({.tokens = 1024, .top_k = 8, .num_experts = 256, .expert_parallel = 8});
  EXPECT_DOUBLE_EQ(loads.pairs, 1024.0);  // 1024 * 8 / 8
  for (const double tokens : loads.tokens) EXPECT_DOUBLE_EQ(tokens, 32.0);
  EXPECT_DOUBLE_EQ(loads.num_active(), 32.0);
}

TEST(ExpertLoads, FewTokensReachFewExperts) {
  const ExpertLoads loads = expert_loads({.tokens = 4, .top_k = 8, .num_experts = 256});
  EXPECT_DOUBLE_EQ(loads.pairs, 32.0);
  EXPECT_DOUBLE_EQ(loads.num_active(), 32.0);
  EXPECT_DOUBLE_EQ(loads.rows(0), 1.0);
}

TEST(ExpertLoads, TheBusiestRankHasAnExpertToCompute) {
  const ExpertLoads loads =
      expert_loads({.tokens = 1, .top_k = 8, .num_experts = 256, .expert_parallel = 64});
  EXPECT_DOUBLE_EQ(loads.pairs, 1.0);
}

TEST(ExpertLoads, SkewKeepsThePairsOfAGroupOfOneRank) {
  for (const std::int64_t tokens : {2, 31, 33, 512, 16384}) {
    const ExpertLoads loads =
        expert_loads({.tokens = tokens, .top_k = 8, .num_experts = 256, .skew = 1.2});
    EXPECT_NEAR(loads.pairs, 8.0 * static_cast<double>(tokens), 1e-6);
    EXPECT_NEAR(sum_of(loads) / loads.pairs, 1.0, 0.05) << tokens;
    EXPECT_LT(loads.num_active(), 256.0 + 1e-9);
  }
}

// Means of 1,500 to 4,000 draws of 128 to 512 loads from x^-1.2.
TEST(ExpertLoads, TheBusiestRankAgreesWithDraws) {
  struct Drawn {
    std::int64_t tokens;
    std::int64_t experts;
    std::int64_t ranks;
    double share;
  };
  for (const Drawn& drawn :
       {Drawn{250, 256, 8, 1.417}, Drawn{250, 128, 64, 4.680}, Drawn{2000, 256, 2, 1.113},
        Drawn{2000, 256, 32, 3.101}, Drawn{2000, 512, 64, 3.458}, Drawn{16250, 384, 8, 1.684},
        Drawn{16250, 256, 64, 6.656}, Drawn{16250, 128, 8, 2.266}}) {
    const ExpertLoads loads = expert_loads({.tokens = drawn.tokens,
                                            .top_k = 8,
                                            .num_experts = drawn.experts,
                                            .expert_parallel = drawn.ranks,
                                            .skew = 1.2});
    const double mean = 8.0 * static_cast<double>(drawn.tokens) / static_cast<double>(drawn.ranks);
    // No expert has a token twice: 2 experts of 16,250 tokens cannot hold 10 times the mean.
    const double most = static_cast<double>(drawn.tokens) *
                        std::min(8.0, static_cast<double>(drawn.experts / drawn.ranks));
    EXPECT_NEAR(loads.pairs / std::min(drawn.share * mean, most), 1.0, 0.11)
        << drawn.tokens << ' ' << drawn.experts << ' ' << drawn.ranks;
  }
}

TEST(ExpertLoads, LoadsRiseWithTheClassAndNoExpertHasATokenTwice) {
  const ExpertLoads loads = expert_loads(
      {.tokens = 4096, .top_k = 2, .num_experts = 8, .expert_parallel = 8, .skew = 1.2});
  for (std::size_t k = 1; k < loads.tokens.size(); ++k) {
    EXPECT_GE(loads.tokens[k], loads.tokens[k - 1]);
  }
  EXPECT_LE(loads.tokens.back(), 4096.0);
  EXPECT_LE(loads.pairs, 4096.0);
}

TEST(ExpertLoads, ExponentsThatAreSingularInTheIntegralsAreNone) {
  for (const double skew : {1.0, 2.0, 3.0}) {
    const auto pairs = [&](double near) {
      return expert_loads({.tokens = 2048,
                           .top_k = 4,
                           .num_experts = 128,
                           .expert_parallel = 8,
                           .skew = skew + near})
          .pairs;
    };
    EXPECT_NEAR(pairs(0.0) / pairs(1e-5), 1.0, 1e-3) << skew;
  }
}

/// Tokens, experts and ranks of a group.
const std::vector<ExpertRouting> kGroups{
    {.tokens = 4096, .top_k = 8, .num_experts = 256, .expert_parallel = 8},
    {.tokens = 16, .top_k = 8, .num_experts = 256, .expert_parallel = 64},
    {.tokens = 3, .top_k = 2, .num_experts = 8, .expert_parallel = 2},
    {.tokens = 100'000, .top_k = 4, .num_experts = 128, .expert_parallel = 128},
    {.tokens = 700, .top_k = 8, .num_experts = 128}};

ExpertLoads with_skew(ExpertRouting group, double skew) {
  group.skew = skew;
  return expert_loads(group);
}

// The busiest rank and its busiest expert never have less with more skew, over all legal values.
TEST(ExpertLoads, MoreSkewIsNeverMoreEven) {
  for (const ExpertRouting& group : kGroups) {
    ExpertLoads before = with_skew(group, 0.0);
    for (int step = 1; step <= 60; ++step) {
      const ExpertLoads now = with_skew(group, 0.05 * step);
      EXPECT_GE(now.pairs, before.pairs * (1.0 - 1e-12)) << group.tokens << ' ' << step;
      EXPECT_GE(now.tokens.back(), before.tokens.back() * (1.0 - 1e-12)) << step;
      before = now;
    }
  }
}

TEST(ExpertLoads, ALittleSkewChangesLittle) {
  for (const ExpertRouting& group : kGroups) {
    const ExpertLoads even = with_skew(group, 0.0);
    const ExpertLoads nearly = with_skew(group, 1e-9);
    EXPECT_NEAR(nearly.pairs / even.pairs, 1.0, 1e-6) << group.tokens;
    for (std::size_t k = 0; k < even.tokens.size(); ++k) {
      EXPECT_NEAR(nearly.tokens[k] / even.tokens[k], 1.0, 1e-6) << group.tokens << ' ' << k;
    }
  }
}

// No expert has more than all tokens; more skew than was measured loses hardly more pairs.
TEST(ExpertLoads, HardlyMorePairsAreLostThanWasMeasured) {
  for (const ExpertRouting& group : kGroups) {
    const ExpertLoads measured = with_skew(group, 1.2);
    for (const double skew : {0.0, 0.6, 1.2, 2.0, 3.0}) {
      const ExpertLoads loads = with_skew(group, skew);
      EXPECT_LE(loads.tokens.back(), static_cast<double>(group.tokens) * (1.0 + 1e-12));
      EXPECT_LE(sum_of(loads) / loads.pairs, 1.0 + 1e-9);
      EXPECT_GE(sum_of(loads) / loads.pairs, sum_of(measured) / measured.pairs * 0.9)
          << group.tokens << ' ' << skew;
    }
  }
}

}  // namespace
}  // namespace railwright::models
