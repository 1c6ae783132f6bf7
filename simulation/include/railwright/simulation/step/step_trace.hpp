// SPDX-License-Identifier: Apache-2.0
// Trace of a step: its operations, and the load of links over time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/fabric/tier.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

/// A row of the trace that runs one operation at a time.
enum class Stream : std::uint8_t {
  kCompute,       ///< kernels and the communication between them
  kBeside,        ///< communication that overlaps with kernels
  kSendForward,   ///< activations to the next stage
  kSendBackward,  ///< gradients to the previous stage
  kGradients,     ///< reduction of gradients, bucket by bucket
  kParameters,    ///< gathering of parameters, bucket by bucket
  kNorm,          ///< the norm of the gradients that all wait for
};
inline constexpr std::array<std::string_view, 7> kStreamNames{
    "compute",         "beside compute",   "send forward", "send backward",
    "gradient reduce", "parameter gather", "gradient norm"};

/// Names in the order of OpKind. The barrier stands for the norm of the gradients.
inline constexpr std::array<std::string_view, 10> kOpNames{
    "compute",           "tensor parallel", "expert parallel",  "context parallel",
    "pipeline transfer", "gradient reduce", "parameter gather", "optimizer",
    "gradient norm",     "gradient norm"};

/// Names of passes, indexed by OpPass.
inline constexpr std::array<std::string_view, 6> kPassNames{
    "", "forward", "backward", "input gradient", "weight gradient", "forward and backward"};

/// Ranks of one pipeline stage that do the same at the same time.
struct RankClass {
  int stage = 0;
  std::int64_t num_ranks = 0;
};

/// One operation of one rank class. It begins with `delay`: computation, or the latency of a
/// transfer.
struct Span {
  OpKind kind = OpKind::kCompute;
  PassMark mark{};
  Stream stream = Stream::kCompute;
  std::int32_t rank_class = 0;
  std::int32_t flow = -1;  ///< index into StepTrace::link_bytes; -1 without a transfer
  core::StepTime start;
  core::StepTime end;
  core::StepTime delay;
  std::int64_t bytes = 0;  ///< size of one rank's buffer
  models::ComputeCost compute;
};

/// The busiest link of a tier; StepTrace::carried holds its readings.
struct WatchedLink {
  core::Tier tier = core::Tier::kScaleUp;
  std::string name;
  double capacity = 0.0;  ///< bytes/s
};

struct StepTrace {
  std::vector<RankClass> rank_classes;
  std::vector<Span> spans;  ///< rank class by rank class, stream by stream, in order of time
  /// Bytes that a byte of each flow puts on all links of each tier, for all ranks of the class.
  std::vector<std::array<double, core::kNumTiers>> link_bytes;
  std::vector<WatchedLink> watched;
  std::vector<core::StepTime> at;  ///< times of the readings; see trace_step for rates in between
  std::vector<double> carried;     ///< bytes, watched.size() numbers for each reading
};

/// Simulates the step twice: to find the busiest link of each tier, then to watch it. Keeps at most
/// 4,096 readings: of more, it drops every second one, and the rate between two readings is then a
/// mean. Otherwise it is constant.
StepTrace trace_step(const StepCosts& costs, const core::Fabric& fabric,
                     Symmetry symmetry = Symmetry::kFolded);

}  // namespace railwright::simulation
