// SPDX-License-Identifier: Apache-2.0
// What the library chooses, against what it was seen to choose.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "../../support/scenario.hpp"
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
    EXPECT_EQ(of(8, bytes).algorithm, CollectiveAlgorithm::kRing) << bytes;
    EXPECT_EQ(of(8, bytes).protocol, CollectiveProtocol::kLL) << bytes;
  }
  for (const double mebibytes : {2.0, 64.0, 16384.0}) {
    EXPECT_EQ(of(8, mebibytes * kMebibyte).algorithm, CollectiveAlgorithm::kNvls) << mebibytes;
  }
}

TEST_F(Choice, NvlsNeedsFiveAccelerators) {
  EXPECT_EQ(of(4, 1e9).algorithm, CollectiveAlgorithm::kRing);
  EXPECT_EQ(of(5, 1e9).algorithm, CollectiveAlgorithm::kNvls);
}

TEST_F(Choice, OnlyAllReducesAreAddedInSwitches) {
  for (const CollectiveOp op : {CollectiveOp::kAllGather, CollectiveOp::kReduceScatter}) {
    EXPECT_EQ(of(8, 1e9, op).algorithm, CollectiveAlgorithm::kRing);
    EXPECT_EQ(of(16, 1e9, op).algorithm, CollectiveAlgorithm::kRing);
  }
}

TEST_F(Choice, TreesAreForSmallBuffersBetweenNodes) {
  EXPECT_EQ(of(16, 1024.0).algorithm, CollectiveAlgorithm::kTree);
  EXPECT_EQ(of(16, 1024.0).protocol, CollectiveProtocol::kLL);
}

}  // namespace
}  // namespace railwright::models
