// SPDX-License-Identifier: Apache-2.0
// The arguments that start a serving engine with what a scenario says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "railwright/models/inference/inference.hpp"
#include "railwright/models/inference/replica_layout.hpp"

namespace railwright::simulation {

/// Names of an engine's arguments, without dashes in front and with underscores between words; ""
/// where it has none.
struct LaunchArguments {
  std::string_view engine;   ///< catalogue name
  std::string_view command;  ///< words in front of the model
  char joint = '-';          ///< between the words of an argument
  std::string_view tp;
  std::string_view pp;
  std::string_view dp;            ///< whole replicas, or attention's alone
  std::string_view attention_dp;  ///< in place of `dp`, within tp
  std::string_view ep;
  bool ep_is_flag = false;  ///< experts are spread over all accelerators, or over none
  std::string_view max_batch;
  bool batch_of_replica = false;  ///< counts the requests of all data-parallel accelerators
  std::string_view max_tokens;
  std::string_view max_graph_batch;
  std::string_view mixes_prompts;  ///< flag of an engine that does not unless asked to
  std::string_view receive_interval;
  std::string_view memory_share;
  std::string_view dtype;
  std::string_view quantization;
  std::string_view kv_cache;
  std::string_view max_length;
  std::string_view role;     ///< what a replica is for, where prompts and answers are apart
  std::string_view prompts;  ///< its value for prompts
  std::string_view answers;
};

/// Returns the arguments of all engines. [@vllm_arguments] [@sglang_arguments]
/// [@tensorrt_llm_serve]
std::span<const LaunchArguments> launch_arguments();
/// Returns the arguments of an engine; null for one that is not known.
const LaunchArguments* launch_arguments(std::string_view engine);

/// The work that a replica is started for.
enum class LaunchRole : std::uint8_t { kBoth, kPrompts, kAnswers };

/// Returns a command line that starts a replica with `batch` requests at a time, the checkpoint
/// called MODEL; "" if the engine's arguments are not known or cannot say the layout.
std::string launch_line(const models::Inference& inference, const models::ReplicaLayout& layout,
                        std::int64_t batch, LaunchRole role = LaunchRole::kBoth);

}  // namespace railwright::simulation
