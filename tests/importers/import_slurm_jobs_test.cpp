// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "imported.hpp"
#include "railwright/workloads/queue/queue.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kJobs("slurm-jobs");

TEST(ImportSlurmJobs, MakesATrace) {
  const auto imported = import_sample(kJobs, "slurm/jobs.txt");
  const importers::ImportedValue* trace = find(imported, "queue.trace");
  ASSERT_NE(trace, nullptr);
  EXPECT_EQ(trace->value.text,
            "submit_s,accelerators,duration_s,limit_s\n"
            "0,1,2710,\n"
            "60,8,7200,14400\n"
            "90,64,109800,604800\n");
  EXPECT_NE(not_expressed(imported).find("1 steps of jobs"), std::string::npos);
  EXPECT_NE(not_expressed(imported).find("2 jobs without accelerators or time"), std::string::npos);
  EXPECT_EQ(importers::detect_import_kind(text_of(sample("slurm/jobs.txt"))), kJobs);
}

TEST(ImportSlurmJobs, IsAScenarioOverAQueue) {
  const auto parts = importers::import_files({{{}, sample("slurm/jobs.txt")}});
  const core::Node base =
      core::load_yaml(RAILWRIGHT_SOURCE_DIR "/examples/queue-month-2000-gpus.yaml");
  const core::Catalogue catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  EXPECT_TRUE(importers::import_problems(parts, base, catalogue).empty());
  const std::string text = importers::import_yaml(parts, parts.tree, "");
  EXPECT_EQ(core::to_yaml(core::parse_yaml(text, "out")), core::to_yaml(parts.tree)) << text;
}

TEST(ImportSlurmJobs, ReadsRawTimes) {
  const auto imported = importers::import_text(kJobs,
                                               "JobIDRaw|Submit|ElapsedRaw|TimelimitRaw|ReqTRES\n"
                                               "7|2024-02-29T23:59:59|30|2|gres/gpu=2\n"
                                               "8|2024-03-01T00:00:09|5|1|gres/gpu=4\n",
                                               "file");
  EXPECT_EQ(find(imported, "queue.trace")->value.text,
            "submit_s,accelerators,duration_s,limit_s\n0,2,30,120\n10,4,5,60\n");
}

TEST(ImportSlurmJobs, CountsTypedAccelerators) {
  const auto imported =
      importers::import_text(kJobs,
                             "JobID|Submit|Elapsed|AllocTRES\n"
                             "1|2026-10-01T00:00:00|00:01:00|cpu=8,gres/gpu:h100=8,mem=1T\n"
                             "2|2026-10-01T00:00:01|00:01:00|gres/gpu:a100=2,gres/gpu:h100=4\n"
                             "3|2026-10-01T00:00:02|00:01:00|gres/gpu:h100=4,gres/gpu=16\n"
                             "4|2026-10-01T00:00:03|00:01:00|gres/gpumem=80,cpu=4\n",
                             "file");
  EXPECT_EQ(find(imported, "queue.trace")->value.text,
            "submit_s,accelerators,duration_s,limit_s\n0,8,60,\n1,6,60,\n2,16,60,\n");
}

TEST(ImportSlurmJobs, RefusesImpossibleTimesAndColumnsTwice) {
  const std::string head = "JobID|Submit|Elapsed|AllocTRES\n";
  for (const std::string elapsed : {"00:61:00", "00:10:60", "1-24:00:00"}) {
    const std::string said =
        refusal(kJobs, head + "1|2026-10-01T00:00:00|" + elapsed + "|gres/gpu=1\n");
    EXPECT_NE(said.find("file:2:1: Elapsed"), std::string::npos) << elapsed << said;
  }
  EXPECT_NE(refusal(kJobs, head + "1|2026-10-01T25:17:00|00:01:00|gres/gpu=1\n").find("Submit"),
            std::string::npos);
  const std::string twice = refusal(kJobs, "Submit|Elapsed|AllocTRES|Submit\n");
  EXPECT_NE(twice.find("file:1:1: column Submit is given twice"), std::string::npos) << twice;
}

TEST(ImportSlurmJobs, SaysEveryMistakeWithItsPlace) {
  const std::string names = refusal(kJobs, "JobID|State\n1|x\n");
  EXPECT_NE(names.find("no column Submit"), std::string::npos) << names;
  EXPECT_NE(names.find("no column AllocTRES or ReqTRES"), std::string::npos);
  const std::string head = "JobID|Submit|Elapsed|AllocTRES\n";
  const std::string all = refusal(kJobs, head +
                                             "1|yesterday|00:01:00|gres/gpu=1\n"
                                             "2|2026-13-01T00:00:00|00:01:00|gres/gpu=1\n"
                                             "3|2026-10-01T00:00:00|soon|gres/gpu=1\n");
  EXPECT_NE(all.find("file:2"), std::string::npos) << all;
  EXPECT_NE(all.find("file:3"), std::string::npos);
  EXPECT_NE(all.find("file:4"), std::string::npos);
  EXPECT_NE(refusal(kJobs, head).find("no job"), std::string::npos);
}

TEST(ImportSlurmJobs, NamesTheOptionsThatSacctNeeds) {
  const std::string plain =
      "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n"
      "------------ ---------- ---------- ---------- ---------- ---------- -------- \n"
      "101                test      train       team        224  COMPLETED      0:0 \n";
  EXPECT_EQ(importers::detect_import_kind(plain), kJobs);
  EXPECT_NE(refusal(kJobs, plain).find("sacct -X --parsable2 -o JobID,Submit"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
