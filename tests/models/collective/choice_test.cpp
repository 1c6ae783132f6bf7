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

/// What an all-gather over the first ranks of B200 nodes goes by.
CollectiveProtocol on_b200(const char* library, int ranks, double bytes) {
  const test::BuiltScenario b200({std::string("software.collectives=") + library,
                                  "cluster.node.accelerator=b200-sxm", "cluster.nodes=32",
                                  "workload.global_batch=256"});
  std::vector<int> members(static_cast<std::size_t>(ranks));
  std::iota(members.begin(), members.end(), 0);
  const Communicator some(b200.built.fabric, members, b200.checked.scenario.software.collectives);
  return some.choice(CollectiveOp::kAllGather, bytes).protocol;
}

// On eight B200, in NCCL's own model: 16 MiB take 14 + 7 * 1.9 + 14.7 MB / rate us with LL128 and
// 8.4 + 7 * 3.4 + 14.7 MB / 720 GB/s = 52.6 with Simple. At 16 channels of 34.5 GB/s (2.29.2) LL128
// is 53.9, at 0.92 of the bus (73.4 GB/s a channel, 2.28.9) 49.5. Measured: 104 and 53 us.
// [@aiconfigurator]
TEST(Release, LimitsOfAChannelDecideBetweenLl128AndSimple) {
  EXPECT_EQ(on_b200("nccl-2.29", 8, 16.0 * kMebibyte), CollectiveProtocol::kSimple);
  EXPECT_EQ(on_b200("nccl-2.28", 8, 16.0 * kMebibyte), CollectiveProtocol::kLL128);
  for (const char* library : {"nccl-2.28", "nccl-2.29"}) {
    EXPECT_EQ(on_b200(library, 8, 64.0 * kMebibyte), CollectiveProtocol::kSimple) << library;
    EXPECT_EQ(on_b200(library, 8, 4.0 * kMebibyte), CollectiveProtocol::kLL) << library;
  }
}

// 224 steps inside nodes and 31 between: 1.9 and 4 us each with LL128, 3.4 and 14 with Simple.
TEST(Release, LongRingsGoByLl128) {
  for (const char* library : {"nccl-2.28", "nccl-2.29", "nccl-2.30"}) {
    EXPECT_EQ(on_b200(library, 256, 268e6), CollectiveProtocol::kLL128) << library;
  }
}

TEST_F(Choice, TreesAreForSmallBuffersBetweenNodes) {
  EXPECT_EQ(of(16, 1024.0).algorithm, CollectiveAlgorithm("tree"));
  EXPECT_EQ(of(16, 1024.0).protocol, CollectiveProtocol::kLL);
}

}  // namespace
}  // namespace railwright::models
