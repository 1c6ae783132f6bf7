// SPDX-License-Identifier: Apache-2.0
// What storage is said to see of random jobs: within what its parts and its clients can do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {
namespace {

struct DrawnJob {
  std::string text;
  int nodes = 1;
};

DrawnJob drawn_job(core::RandomStream& random, int number) {
  const int nodes = 1 + static_cast<int>(random.below(4));
  const bool is_async = random.uniform() < 0.4;
  return {
      .text = fmt::format(
          "  - {{name: job {}, nodes: {}, start: {} s, software: nemo-23.11, workload: {{model: "
          "llama-2-7b, sequence_length: 4096, global_batch: 96, micro_batch: 1, steps: 60}}, "
          "parallelism: {{tp: {}, pp: 2, sequence_parallel: true}}, "
          "checkpoint: {{interval_steps: {}, mode: {}}}, run: {{step_time: {} s}}}}\n",
          number, nodes, random.below(20), 1 << random.below(3), 2 + random.below(8),
          is_async ? "asynchronous" : "synchronous", 1 + random.below(4)),
      .nodes = nodes};
}

/// Two to four jobs on three to eight storage nodes, some of which talk to one node each.
struct DrawnCluster {
  CheckedJobs checked;
  int num_clients = 0;
};

DrawnCluster drawn_cluster(std::uint64_t seed) {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  core::RandomStream random(seed);
  std::string jobs;
  int clients = 0;
  const int num_jobs = 2 + static_cast<int>(random.below(3));
  for (int job = 1; job <= num_jobs; ++job) {
    const DrawnJob one = drawn_job(random, job);
    jobs += one.text;
    clients += one.nodes;
  }
  const std::string text = fmt::format(
      "name: drawn\n"
      "cluster:\n"
      "  nodes: {}\n"
      "  node: {{model: xe9680-h100, nics: {{nic: connectx-7, count: 4}}}}\n"
      "  fabric: {{topology: single_switch, switch: qm9790}}\n"
      "  storage: {{node: {}, count: {}, switch: s5232f-on, num_switches: 2{}}}\n"
      "jobs:\n{}",
      clients, random.uniform() < 0.5 ? "powerscale-f600p" : "powerscale-f710", 3 + random.below(6),
      random.uniform() < 0.3 ? ", mount: {all_nodes: false}" : "", jobs);
  return {.checked = read_jobs(core::parse_yaml(text, "j.yaml"), kCatalogue),
          .num_clients = clients};
}

TEST(JobsStorageLoad, KeepsWithinWhatNodesPortsAndClientsDo) {
  int num_at_most = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const DrawnCluster drawn = drawn_cluster(seed);
    const topologies::StorageCluster& storage = *drawn.checked.storage();
    const JobsResult result = simulate(drawn.checked);
    ASSERT_TRUE(result.feasible()) << result.infeasible.front().what;
    const double of_node = models::client_burst_write_rate(storage.node, storage.count).base();
    const double of_ports = storage.node.num_front_end_ports.value *
                            storage.node.front_end_port_rate.value.base() *
                            storage.node.front_end_efficiency.value;
    const double of_clients = drawn.num_clients * storage.mount.largest_write_rate().base();
    const double most = std::min(of_node, of_ports) * (1 + 1e-6);
    const StorageRun& run = result.run.storage;
    EXPECT_LE(run.peak_node_write.base(), most);
    EXPECT_LE(run.peak_write.base(), std::min(storage.count * most, of_clients * (1 + 1e-6)));
    EXPECT_GE(run.peak_node_write.base(), run.peak_write.base() / storage.count * (1 - 1e-9));
    num_at_most += run.peak_node_write.base() > most * (1 - 1e-5) ? 1 : 0;
    double written = 0.0;
    double read = 0.0;
    for (const LoadBin& bin : run.bins) {
      EXPECT_LE(bin.peak_node_write, most);
      EXPECT_LE(bin.written_bytes, bin.peak_write * run.bin_width.base() * (1 + 1e-6));
      EXPECT_LE(bin.read_bytes, bin.peak_read * run.bin_width.base() * (1 + 1e-6));
      EXPECT_LE(bin.peak_node_read, storage.node.read_rate.value.base() * (1 + 1e-6));
      written += bin.written_bytes;
      read += bin.read_bytes;
    }
    double of_jobs = 0.0;
    double read_by_jobs = 0.0;
    for (const JobRun& job : result.run.jobs) {
      of_jobs += job.bytes_written;
      read_by_jobs += job.bytes_read;
    }
    EXPECT_NEAR(written / of_jobs, 1.0, 1e-9);
    EXPECT_NEAR(read / read_by_jobs, 1.0, 1e-6);
  }
  EXPECT_GT(num_at_most, 5) << "nodes are the limit of some";
}

}  // namespace
}  // namespace railwright::simulation
