// SPDX-License-Identifier: Apache-2.0
// Bytes of a whole simulated step on every NIC and scale-up port, against a count over ranks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/ranks.hpp"
#include "../../support/scenario.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::BuiltScenario;
using test::Ranks;
using test::Wires;

enum class Exchange { kReduceScatter, kAllGather, kAllReduce, kTree };

/// A job as its paper describes it; nothing here comes from the planner.
struct Job {
  int nodes, nics, tp, pp, v;
  bool sequence_parallel;
  double hidden, kv_width, ffn, layers;
  int microbatches_total = 144;

  [[nodiscard]] int dp() const { return nodes * 8 / tp / pp; }
  [[nodiscard]] int microbatches() const { return microbatches_total / dp(); }
  [[nodiscard]] int rank(int tensor, int data, int stage) const {
    return stage * dp() * tp + data * tp + tensor;
  }
  [[nodiscard]] double activation() const { return 4096 * hidden * 2; }
  /// Parameters of a rank: matrices divided by tp, norms whole.
  [[nodiscard]] double parameters(int stage) const {
    const double matrices = 2 * hidden * hidden + 2 * hidden * kv_width + 3 * hidden * ffn;
    double sum = layers / pp * (matrices / tp + 2 * hidden);
    if (stage == 0) sum += 32000 * hidden / tp;
    if (stage == pp - 1) sum += 32000 * hidden / tp + hidden;
    return sum;
  }
};

constexpr Job llama_7b(int nodes, int nics) {
  return {nodes, nics, 2, 1, 1, false, 4096, 4096, 11008, 32};
}
constexpr Job llama_70b(int nics) { return {6, nics, 4, 4, 20, true, 8192, 1024, 28672, 80}; }

void exchange(Wires& wires, const Job& job, const std::vector<int>& members, Exchange what,
              double bytes) {
  if (members.size() < 2) return;
  Wires own(job.nodes, 8, job.nics);
  Ranks ranks(members, own);
  if (what == Exchange::kReduceScatter) ranks.reduce_scatter();
  if (what == Exchange::kAllGather) ranks.all_gather();
  if (what == Exchange::kAllReduce) ranks.all_reduce();
  if (what == Exchange::kTree) ranks.tree_all_reduce();
  wires.add(own, bytes / static_cast<double>(ranks.buffer_size()));
}

void count_data_parallel(Wires& wires, const Job& job, const std::vector<Exchange>& gradient) {
  for (int stage = 0; stage < job.pp; ++stage) {
    for (int tensor = 0; tensor < job.tp; ++tensor) {
      std::vector<int> members;
      for (int data = 0; data < job.dp(); ++data) members.push_back(job.rank(tensor, data, stage));
      for (const Exchange what : gradient) {
        const double width = what == Exchange::kAllGather ? 2 : 4;
        exchange(wires, job, members, what, width * job.parameters(stage));
      }
    }
  }
}

/// Two all-reduces a layer forward and two backward, one behind the embedding, one before the head.
void count_tensor_parallel(Wires& wires, const Job& job) {
  for (int stage = 0; stage < job.pp; ++stage) {
    double all_reduces = 4 * job.layers / job.pp;
    if (stage == 0) all_reduces += 1;
    if (stage == job.pp - 1) all_reduces += 1;
    for (int data = 0; data < job.dp(); ++data) {
      std::vector<int> members;
      for (int tensor = 0; tensor < job.tp; ++tensor) {
        members.push_back(job.rank(tensor, data, stage));
      }
      exchange(wires, job, members, Exchange::kAllReduce,
               all_reduces * job.microbatches() * job.activation());
    }
  }
}

/// Every micro-batch crosses p v - 1 boundaries forward and as many backward.
void count_pipeline(Wires& wires, const Job& job) {
  const double bytes = job.activation() / (job.sequence_parallel ? job.tp : 1);
  for (int boundary = 0; boundary + 1 < job.pp * job.v; ++boundary) {
    for (int microbatch = 0; microbatch < job.microbatches(); ++microbatch) {
      for (int data = 0; data < job.dp(); ++data) {
        for (int tensor = 0; tensor < job.tp; ++tensor) {
          const int here = job.rank(tensor, data, boundary % job.pp);
          const int next = job.rank(tensor, data, (boundary + 1) % job.pp);
          wires.move(here, next, bytes);
          wires.move(next, here, bytes);
        }
      }
    }
  }
}

BuiltScenario built(const Job& job, const test::Settings& more = {}) {
  test::Settings settings = job.pp > 1
                                ? test::llama_2_70b()
                                : test::Settings{"cluster.nodes=" + std::to_string(job.nodes)};
  settings.push_back("cluster.node.nics.count=" + std::to_string(job.nics));
  return BuiltScenario(test::join(settings, more));
}

const std::vector<Exchange> kZero1{Exchange::kReduceScatter, Exchange::kAllGather};

std::string disagreement(const Job& job, const std::vector<Exchange>& gradient,
                         const test::Settings& more = {}) {
  Wires wires(job.nodes, 8, job.nics);
  count_data_parallel(wires, job, gradient);
  count_tensor_parallel(wires, job);
  count_pipeline(wires, job);
  const BuiltScenario system = built(job, more);
  return wires.difference(system.built.fabric, simulate_step(system.costs).link_bytes, 1e-10);
}

TEST(StepBytes, MatchACountOverRanksForLlama7b) {
  for (const int nodes : {2, 4, 6}) {
    for (const int nics : {8, 4}) {
      EXPECT_EQ(disagreement(llama_7b(nodes, nics), kZero1), "") << nodes << " " << nics;
      EXPECT_EQ(disagreement(llama_7b(nodes, nics), kZero1, test::overlaps(false)), "");
    }
  }
}

TEST(StepBytes, MatchACountOverRanksForLlama70b) {
  for (const int nics : {8, 4}) {
    EXPECT_EQ(disagreement(llama_70b(nics), kZero1), "") << nics;
    EXPECT_EQ(disagreement(llama_70b(nics), kZero1, test::overlaps(false)), "") << nics;
  }
}

TEST(StepBytes, MatchACountOverRanksForWholeGradients) {
  const test::Settings whole{"software.zero_stage={value: 0, source: test}"};
  const test::Settings ring =
      test::join(whole, {"software.collectives.all_reduce_algorithm={value: ring, source: test}"});
  const test::Settings tree =
      test::join(whole, {"software.collectives.all_reduce_algorithm={value: tree, source: test}"});
  for (const Job& job : {llama_7b(4, 8), llama_7b(6, 4), llama_70b(8)}) {
    EXPECT_EQ(disagreement(job, {Exchange::kAllReduce}, ring), "");
    EXPECT_EQ(disagreement(job, {Exchange::kTree}, tree), "");
  }
}

TEST(StepBytes, SomeNodesOf70bCarryTwiceTheBytesOfOthers) {
  BuiltScenario system = built(llama_70b(8));
  system.costs.send_bytes = 0;  // without transfers between stages
  const StepResult step = simulate_step(system.costs);
  const auto links = system.built.fabric.links();
  std::vector<double> out(6, 0.0);
  for (std::size_t link = 0; link < links.size(); ++link) {
    const auto& from = system.built.fabric.vertices()[static_cast<std::size_t>(links[link].from)];
    if (links[link].tier == core::Tier::kInjection && from.role == core::Role::kNic) {
      out[static_cast<std::size_t>(from.node)] += step.link_bytes[link];
    }
  }
  const Job job = llama_70b(8);
  // A group of three on two nodes puts 2/3 of its buffer on each of the two; 4 + 2 bytes a
  // parameter.
  const auto bytes = [&](int stage) { return 4 * 2.0 / 3 * 6 * job.parameters(stage); };
  const double expected[] = {bytes(0), bytes(0) + bytes(1), bytes(1),
                             bytes(2), bytes(2) + bytes(3), bytes(3)};
  for (std::size_t node = 0; node < 6; ++node) {
    EXPECT_NEAR(out[node] / expected[node], 1.0, 1e-9) << node;
  }
  EXPECT_NEAR(out[1] / out[0], 2.0, 0.03);
  EXPECT_NEAR(out[4] / out[3], 2.0, 0.03);
}

}  // namespace
}  // namespace railwright::simulation
