// SPDX-License-Identifier: Apache-2.0
// The samples are written after "Client/node and JSON output" and the normal output's fields in
// fio's documentation, cut down to what a reader needs and a little more.
#include "railwright/validation/measurements/fio.hpp"

#include <gtest/gtest.h>

#include <string>

#include "railwright/core/error.hpp"

namespace railwright::test {
namespace {

const std::string kFioSample = R"(fio: this platform does not support process shared mutexes
{
  "fio version" : "fio-3.36",
  "global options" : {"ioengine" : "libaio", "direct" : "1", "bs" : "1m"},
  "jobs" : [
    {
      "jobname" : "write-one",
      "groupid" : 0,
      "error" : 0,
      "job options" : {"rw" : "write", "numjobs" : "1", "iodepth" : "1"},
      "read" : {"io_bytes" : 0, "bw_bytes" : 0, "bw" : 0, "iops" : 0.0, "lat_ns" : {"mean" : 0.0}},
      "write" : {"io_bytes" : 63350767616, "bw_bytes" : 1055846126, "bw" : 1031099, "iops" : 1006.9,
                 "lat_ns" : {"min" : 400000, "max" : 9000000, "mean" : 992000.5, "stddev" : 1000.0}}
    }
  ]
}
)";

TEST(Fio, OneStreamIsAWriter) {
  const auto report = validation::read_fio(kFioSample, "fio.json");
  ASSERT_EQ(report.jobs.size(), 1U);
  EXPECT_EQ(report.jobs[0].name, "write-one");
  EXPECT_EQ(report.jobs[0].num_streams, 1);
  EXPECT_NEAR(report.jobs[0].write.latency.base(), 992000.5e-9, 1e-15);
  EXPECT_EQ(validation::settings_of(report),
            (std::vector<std::string>{"cluster.storage.mount.client_write_rate=1.056 GB/s",
                                      "software.checkpoint.writer_rate=1.056 GB/s"}));
}

TEST(Fio, ManyStreamsAreTheCeilingOfAMount) {
  std::string text = kFioSample;
  text.replace(text.find("\"numjobs\" : \"1\""), 15, "\"numjobs\" : \"16\"");
  const auto report = validation::read_fio(text, "fio.json");
  EXPECT_EQ(report.jobs[0].num_streams, 16);
  EXPECT_EQ(validation::settings_of(report),
            (std::vector<std::string>{"cluster.storage.mount.client_write_rate=1.056 GB/s"}));
}

TEST(Fio, JobsOfAClientAddUp) {
  const std::string text = R"({"jobs": [
    {"jobname": "a", "job options": {"iodepth": "8"}, "read": {"bw_bytes": 3000000000, "iops": 3.0}},
    {"jobname": "b", "job options": {"iodepth": "8"}, "read": {"bw_bytes": 2500000000, "iops": 3.0}}]})";
  EXPECT_EQ(validation::settings_of(validation::read_fio(text, "fio.json")),
            (std::vector<std::string>{"cluster.storage.mount.client_read_rate=5.5 GB/s"}));
}

TEST(Fio, ANumberBeyondAllIsRefused) {
  try {
    validation::read_fio(R"({"jobs": [{"read": {"bw_bytes": 1e400, "iops": 1.0}}]})", "fio.json");
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("larger than any"), std::string::npos);
  }
}

TEST(Fio, BrokenJsonIsPlaced) {
  try {
    validation::read_fio("{\n  \"jobs\" : [\n    {\"jobname\" : oops}]}\n", "fio.json");
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(core::to_string(error.diagnostics().at(0).where), "fio.json:3:18");
  }
}

TEST(Fio, EveryMissingNumberIsNamed) {
  try {
    validation::read_fio(R"({"jobs": [{"read": {"iops": 1.0}, "write": {"bw_bytes": "fast"}}]})",
                         "f");
    FAIL();
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 3U);
    EXPECT_EQ(core::to_string(error.diagnostics()[0]), "f: jobs.0.read.bw_bytes: missing");
    EXPECT_EQ(core::to_string(error.diagnostics()[1]),
              "f: jobs.0.write.bw_bytes: expected a number of at least 0");
    EXPECT_EQ(core::to_string(error.diagnostics()[2]), "f: jobs.0.write.iops: missing");
  }
}

}  // namespace
}  // namespace railwright::test
