// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "../../support/scenario.hpp"

namespace railwright::models {
namespace {

std::vector<CheckpointFile> files_of(const test::BuiltScenario& built) {
  return checkpoint_files(built.checked.scenario.cluster.node.num_accelerators.value,
                          built.checked.scenario.workload, built.checked.layout,
                          built.checked.scenario.software.checkpoint);
}

TEST(Checkpoint, HoldsFourteenBytesAParameter) {
  const auto checked = test::scenario(test::llama_2_70b());
  EXPECT_EQ(checkpoint_bytes(checked.scenario.workload, checked.scenario.software.checkpoint),
            14 * 68'976'648'192);
}

TEST(Checkpoint, FilesAddUpToTheByteAndDifferByOne) {
  for (const char* bytes : {"14", "13.7", "2.3333333", "0.1"}) {
    for (const char* model : {"llama-2-7b", "llama-2-70b", "gpt-3-175b"}) {
      const test::BuiltScenario built(
          {std::string("workload.model=") + model, "parallelism.tp=8", "parallelism.pp=2",
           std::string("software.checkpoint.bytes_per_parameter={value: ") + bytes +
               ", source: test}"});
      const auto files = files_of(built);
      ASSERT_EQ(files.size(), 16U);
      std::int64_t sum = 0;
      for (const CheckpointFile& file : files) sum += file.bytes;
      EXPECT_EQ(sum, checkpoint_bytes(built.checked.scenario.workload,
                                      built.checked.scenario.software.checkpoint))
          << model << " " << bytes;
      const auto [least, most] = std::ranges::minmax(files, {}, &CheckpointFile::bytes);
      EXPECT_LE(most.bytes - least.bytes, 1);
    }
  }
}

/// Stage s of the first replica sits at accelerators 12 s to 12 s + 3.
TEST(Checkpoint, FirstReplicaWritesOneFileAModelParallelRank) {
  const test::BuiltScenario built(test::llama_2_70b());
  std::map<int, int> files_by_node;
  for (const CheckpointFile& file : files_of(built)) ++files_by_node[file.node];
  EXPECT_EQ(files_by_node, (std::map<int, int>{{0, 4}, {1, 4}, {3, 4}, {4, 4}}));
}

}  // namespace
}  // namespace railwright::models
