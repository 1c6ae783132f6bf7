// SPDX-License-Identifier: Apache-2.0
// Published training steps and memory.
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "railwright/planner/scenario/data_path.hpp"
#include "railwright/planner/verbs/validate.hpp"
#include "support.hpp"

namespace railwright::test {
namespace {

const planner::ValidationResult& published() {
  static const planner::ValidationResult result =
      planner::validate(core::load_yaml(planner::suite_path("published")), source_catalogue());
  return result;
}

/// Records by family, as the sources hold them: each is a row or says what is missing.
const std::map<std::string, std::size_t> kRecords{{"megatron_sc21", 23},
                                                  {"korthikanti2022", 20},
                                                  {"nemo_launcher_a100", 12},
                                                  {"dgxc", 119},
                                                  {"llm_foundry", 139},
                                                  {"mlperf_resnet50", 16},
                                                  {"resnet50_pytorch", 8},
                                                  {"vtrain_multi", 54},
                                                  {"bloom_176b", 68},
                                                  {"internevo", 22},
                                                  {"deepspeed_zero3", 4},
                                                  {"mt_nlg", 3},
                                                  {"opt", 1},
                                                  {"simumax_b200", 43},
                                                  {"primus_amd", 13},
                                                  {"jax_toolbox", 1},
                                                  {"colossalai", 1}};

/// Rows of the memory of a run stand beside the row of its step.
bool is_second_row(const std::string& id) { return id.ends_with("/memory"); }

TEST(ValidatePublished, EveryRecordIsARowOrSaysWhatIsMissing) {
  std::map<std::string, std::set<std::string>> ids;
  for (const planner::ValidationCase& c : published().cases) {
    if (is_second_row(c.id)) continue;
    EXPECT_TRUE(ids[c.group].insert(c.id).second) << c.id;
  }
  for (const planner::NotRun& record : published().not_run) {
    EXPECT_TRUE(ids[record.group].insert(record.id).second) << record.id;
    EXPECT_FALSE(record.missing.empty()) << record.id;
  }
  ASSERT_EQ(ids.size(), kRecords.size());
  for (const auto& [family, number] : kRecords) EXPECT_EQ(ids[family].size(), number) << family;
  EXPECT_LT(published().not_run.size(), 60U);
}

TEST(ValidatePublished, ActivationMemoryIsKorthikantis) {
  for (const planner::ValidationCase& c : published().cases) {
    if (c.quantity != "memory" || c.group != "korthikanti2022") continue;
    EXPECT_NEAR(*c.relative_error, 0.0, 0.01) << c.id;
  }
}

}  // namespace
}  // namespace railwright::test
