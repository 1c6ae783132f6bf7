// SPDX-License-Identifier: Apache-2.0
// Samples are written after what the tools print, with made-up numbers.
#include "railwright/validation/measurements/storage_tools.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::test {
namespace {

using validation::read_storage_result;
using validation::settings_of;
using Settings = std::vector<std::string>;

constexpr double kMiBPerS = 1024.0 * 1024.0;

std::string refused(const std::string& text) {
  try {
    read_storage_result(text, "x");
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

const std::string kIorTable =
    "Summary of all tests:\n"
    "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)   "
    "#Tasks "
    "tPN\n";

TEST(StorageTools, IorGivesTheMeanOfEachClient) {
  const std::string text = core::read_text_file(RAILWRIGHT_SOURCE_DIR "/examples/measured/ior.txt");
  EXPECT_TRUE(validation::is_storage_result(text));
  const auto report = read_storage_result(text, "ior.txt");
  EXPECT_EQ(report.tool, "IOR");
  ASSERT_EQ(report.jobs.size(), 2U);
  EXPECT_EQ(report.jobs[0].num_streams, 16);
  EXPECT_EQ(report.jobs[0].num_clients, 2);
  EXPECT_NEAR(report.jobs[0].write.rate.base(), 3000.0 * kMiBPerS, 1.0);
  EXPECT_NEAR(report.jobs[1].read.operations_per_s, 1250.0, 1e-9);
  EXPECT_EQ(settings_of(report), (Settings{"cluster.storage.mount.client_read_rate=2.621 GB/s",
                                           "cluster.storage.mount.client_write_rate=1.573 GB/s"}));
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("of 2 clients"), std::string::npos);
}

/// 3,000 MiB/s of writes over one F710 are 3.146 GB/s, above the 2 GB/s that its range begins with;
/// 5,000 MiB/s of reads are 5.243 GB/s, below the 10 GB/s of theirs.
TEST(StorageTools, ANodeThatGaveMoreThanTheLeastOfItsRangeNarrowsIt) {
  const std::string text = core::read_text_file(RAILWRIGHT_SOURCE_DIR "/examples/measured/ior.txt");
  const auto narrowed = [&](const std::string& count) {
    auto report = read_storage_result(text, "ior.txt");
    narrow_rates(report,
                 core::parse_yaml(
                     "cluster: {storage: {node: powerscale-f710, count: " + count + "}}", "x.yaml"),
                 test::source_catalogue());
    return report.narrowed;
  };
  EXPECT_EQ(narrowed("1"),
            (Settings{"cluster.storage.node.write_rate={value: 3.146 GB/s, range: [3.146 GB/s, 5 "
                      "GB/s], source: measured by IOR}"}));
  EXPECT_TRUE(narrowed("2").empty());
}

TEST(StorageTools, IorOfOneTaskIsAWriter) {
  EXPECT_EQ(settings_of(
                read_storage_result(kIorTable + "write 1100 900 1000 100 275 225 250 1 1\n", "x")),
            (Settings{"cluster.storage.mount.client_write_rate=1.049 GB/s",
                      "software.checkpoint.writer_rate=1.049 GB/s"}));
}

TEST(StorageTools, IorSaysWhatIsWrong) {
  EXPECT_NE(refused(kIorTable).find("with a write or a read"), std::string::npos);
  EXPECT_NE(refused(kIorTable + "write 1100 900 -5 100 275 225 250 1 1\n").find("x:3:1: Mean(MiB)"),
            std::string::npos);
  EXPECT_NE(refused(kIorTable + "write 1100 900 1000 100 275 225 250 1\n").find("tPN"),
            std::string::npos);
}

TEST(StorageTools, IorAsJson) {
  const auto report = read_storage_result(R"({"Version": "4.0.0", "summary": [
      {"operation": "write", "API": "POSIX", "bwMeanMIB": 2000.0, "OPsMean": 500.0,
       "numTasks": 32, "tasksPerNode": 8}]})",
                                          "x");
  ASSERT_EQ(report.jobs.size(), 1U);
  EXPECT_EQ(report.jobs[0].num_clients, 4);
  EXPECT_EQ(settings_of(report), (Settings{"cluster.storage.mount.client_write_rate=0.5243 GB/s"}));
  EXPECT_NE(
      refused(R"({"summary": [{"operation": "write", "bwMeanMIB": "fast"}]})").find("bwMeanMIB"),
      std::string::npos);
}

TEST(StorageTools, MdtestHasRatesWithoutSettings) {
  const auto report = read_storage_result(
      "mdtest-4.1.0 was launched with 8 total task(s) on 2 node(s)\n"
      "SUMMARY rate (in ops/sec): (of 3 iterations)\n"
      "   Operation                     Max            Min           Mean        Std Dev\n"
      "   File creation                4100.0         3900.0         4000.0        100.0\n"
      "   File stat                 : 20000.0        20000.0        20000.0          0.0\n"
      "   File read                       0.0            0.0            0.0          0.0\n"
      "SUMMARY time (in ms/op): (of 3 iterations)\n"
      "   File creation                1.0         1.0         1.0        0.0\n",
      "x");
  ASSERT_EQ(report.jobs.size(), 2U);
  EXPECT_EQ(report.jobs[0].name, "File creation");
  EXPECT_NEAR(report.jobs[0].write.operations_per_s, 4000.0, 1e-9);
  EXPECT_NEAR(report.jobs[0].write.latency.base(), 2e-3, 1e-12);
  EXPECT_NEAR(report.jobs[1].read.operations_per_s, 20000.0, 1e-9);
  EXPECT_TRUE(settings_of(report).empty());
  EXPECT_NE(refused("mdtest-4.1.0\nSUMMARY rate\nFile creation 1 1 1 0\n  File creation 1 1 1 0\n")
                .find("was launched with"),
            std::string::npos);
}

const std::string kElbencho =
    "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE\n"
    "=========== ================    ==========   =========\n"
    "WRITE       Elapsed time     :    2m3.241s    2m5.755s\n"
    "            IOPS             :        3395        3352\n"
    "            Throughput MiB/s :        3395        3352\n"
    "            Total MiB        :      411570      419430\n";

TEST(StorageTools, ElbenchoGivesTheLastToEnd) {
  const auto report =
      read_storage_result("COMMAND LINE: \"elbencho\" \"-w\" \"-t\" \"96\"\n" + kElbencho, "x");
  ASSERT_EQ(report.jobs.size(), 1U);
  EXPECT_EQ(report.jobs[0].num_streams, 96);
  EXPECT_NEAR(report.jobs[0].write.rate.base(), 3352.0 * kMiBPerS, 1.0);
  EXPECT_EQ(settings_of(report), (Settings{"cluster.storage.mount.client_write_rate=3.515 GB/s"}));
}

TEST(StorageTools, ElbenchoOfUncountedHostsHasNoSetting) {
  const auto report = read_storage_result(
      "$ elbencho --hosts 192.168.0.[1,3,5] -w -t 96 /mnt/file[1-256]\n" + kElbencho, "x");
  EXPECT_TRUE(settings_of(report).empty());
  EXPECT_NE(report.notes.at(0).find("--csvfile"), std::string::npos);
}

TEST(StorageTools, ElbenchoAsCsv) {
  const auto report = read_storage_result(
      "ISO date,hosts,threads,IO depth,operation,IOPS [last],MiB/s [first],MiB/s [last],command\n"
      "2026-08-12,4,8,2,WRITE,1000,4100,4000,\"\"\"elbencho\"\" \"\"-w\"\"\"\n"
      "2026-08-12,4,8,2,RMFILES,1000,,,x\n",
      "x");
  ASSERT_EQ(report.jobs.size(), 1U);
  EXPECT_EQ(report.jobs[0].num_streams, 16);
  EXPECT_EQ(report.jobs[0].num_clients, 4);
  EXPECT_EQ(settings_of(report), (Settings{"cluster.storage.mount.client_write_rate=1.049 GB/s"}));
}

TEST(StorageTools, DlioSaysHowBusyItsAcceleratorsWere) {
  const auto report = read_storage_result(R"({"num_hosts": 2, "num_accelerators": 8, "metric": {
      "train_au_mean_percentage": 96.2, "train_io_mean_MB_per_second": 4000.0,
      "save_checkpoint_io_mean_GB_per_second": 8.0}})",
                                          "x");
  ASSERT_EQ(report.jobs.size(), 2U);
  EXPECT_EQ(settings_of(report), (Settings{"cluster.storage.mount.client_read_rate=2.097 GB/s",
                                           "cluster.storage.mount.client_write_rate=4.295 GB/s"}));
  EXPECT_NE(report.notes.at(0).find("busy 96 %"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
