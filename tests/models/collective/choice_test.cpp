// SPDX-License-Identifier: Apache-2.0
// What the library chooses, against what it was seen to choose.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/collective/communicator.hpp"

namespace railwright::models {
namespace {

constexpr double kMebibyte = 1048576.0;

class Choice : public testing::Test {
 protected:
  Choice() : system_({"software.collectives=nccl-2.30"}) {}
  [[nodiscard]] CollectiveChoice of(int ranks, double bytes,
                                    CollectiveOp op = CollectiveOp::kAllReduce) const {
    std::vector<int> members(static_cast<std::size_t>(ranks));
    std::iota(members.begin(), members.end(), 0);
    return Communicator(system_.built.fabric, members,
                        system_.checked.scenario.software.collectives)
        .choice(op, bytes);
  }
  test::BuiltScenario system_;
};

// github stas00/ml-engineering network/README.md: H200, LL up to 1 MiB, NVLS from 2 MiB, from five
// accelerators on.
TEST_F(Choice, IsRingWithLlUpToOneMebibyteAndNvlsAbove) {
  for (const double bytes : {32768.0, kMebibyte}) {
    EXPECT_EQ(of(8, bytes).algorithm, CollectiveAlgorithm("ring")) << bytes;
    EXPECT_EQ(of(8, bytes).protocol, CollectiveProtocol::kLL) << bytes;
  }
  for (const double mebibytes : {2.0, 64.0, 16384.0}) {
    EXPECT_EQ(of(8, mebibytes * kMebibyte).algorithm, CollectiveAlgorithm("nvls")) << mebibytes;
  }
}

TEST_F(Choice, NvlsNeedsFiveAccelerators) {
  EXPECT_EQ(of(4, 1e9).algorithm, CollectiveAlgorithm("ring"));
  EXPECT_EQ(of(5, 1e9).algorithm, CollectiveAlgorithm("nvls"));
}

TEST_F(Choice, OnlyAllReducesAreAddedInSwitches) {
  for (const CollectiveOp op : {CollectiveOp::kAllGather, CollectiveOp::kReduceScatter}) {
    EXPECT_EQ(of(8, 1e9, op).algorithm, CollectiveAlgorithm("ring"));
    EXPECT_EQ(of(16, 1e9, op).algorithm, CollectiveAlgorithm("ring"));
  }
}

/// An H100 with slow links is no older a device: NCCL goes by the architecture.
TEST_F(Choice, StaysThatOfTheArchitectureWhateverTheLinks) {
  const test::BuiltScenario slow({"software.collectives=nccl-2.30",
                                  "cluster.node.accelerator.scale_up_bandwidth={value: 55 GB/s, "
                                  "source: test}"});
  std::vector<int> members(8);
  std::iota(members.begin(), members.end(), 0);
  for (const double bytes : {32768.0, 1e9}) {
    const CollectiveChoice choice =
        Communicator(slow.built.fabric, members, slow.checked.scenario.software.collectives)
            .choice(CollectiveOp::kAllReduce, bytes);
    EXPECT_EQ(choice.algorithm, of(8, bytes).algorithm) << bytes;
    EXPECT_EQ(choice.protocol, of(8, bytes).protocol) << bytes;
  }
}

TEST(Generation, IsThatOfTheDevice) {
  const auto generation = [](const std::string& accelerator) {
    const auto checked = test::scenario(
        {"software.collectives=nccl-2.30", "cluster.node.accelerator=" + accelerator});
    return checked.scenario.software.collectives.generation()->name;
  };
  EXPECT_EQ(generation("h800-sxm"), "hopper");
  EXPECT_EQ(generation("a800-sxm-80gb"), "ampere");
  EXPECT_EQ(generation("b200-sxm"), "blackwell");
  EXPECT_EQ(generation("l40s"), "ada");
  EXPECT_THROW(test::scenario({"software.collectives=rccl"}), core::ConfigError);
}

// NCCL 2.23, 2.27.3 and 2.29.2 on B200 and GB200 go from LL to Simple at about 1 MiB a member.
// [@aiconfigurator]
TEST(Generation, BlackwellHasNoLl128) {
  const test::BuiltScenario b200(
      {"software.collectives=nccl-2.30", "cluster.node.accelerator=b200-sxm"});
  for (const int ranks : {2, 4, 8, 16}) {
    std::vector<int> members(static_cast<std::size_t>(ranks));
    std::iota(members.begin(), members.end(), 0);
    const Communicator some(b200.built.fabric, members, b200.checked.scenario.software.collectives);
    for (double bytes = 1024.0; bytes < 1e9; bytes *= 2.0) {
      EXPECT_NE(some.choice(CollectiveOp::kAllGather, bytes).protocol, CollectiveProtocol::kLL128)
          << ranks << " ranks, " << bytes << " B";
    }
    if (ranks > 8) continue;
    const auto protocol = [&](double mebibytes) {
      return some.choice(CollectiveOp::kAllGather, ranks * mebibytes * kMebibyte).protocol;
    };
    EXPECT_EQ(protocol(0.5), CollectiveProtocol::kLL) << ranks;
    EXPECT_EQ(protocol(3.0), CollectiveProtocol::kSimple) << ranks;
  }
}

TEST_F(Choice, TreesAreForSmallBuffersBetweenNodes) {
  EXPECT_EQ(of(16, 1024.0).algorithm, CollectiveAlgorithm("tree"));
  EXPECT_EQ(of(16, 1024.0).protocol, CollectiveProtocol::kLL);
}

}  // namespace
}  // namespace railwright::models
