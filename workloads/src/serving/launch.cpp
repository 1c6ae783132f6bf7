// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/serving/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "railwright/core/arithmetic.hpp"

namespace railwright::simulation {

namespace {

constexpr std::array<LaunchArguments, 3> kEngines{{
    {.engine = "vllm",
     .command = "vllm serve",
     .tp = "tensor_parallel_size",
     .pp = "pipeline_parallel_size",
     .dp = "data_parallel_size",
     .ep = "enable_expert_parallel",
     .ep_is_flag = true,
     .max_batch = "max_num_seqs",
     .max_tokens = "max_num_batched_tokens",
     .max_graph_batch = "max_cudagraph_capture_size",
     .memory_share = "gpu_memory_utilization",
     .dtype = "dtype",
     .quantization = "quantization",
     .kv_cache = "kv_cache_dtype",
     .max_length = "max_model_len",
     .role = "kv_transfer_config",
     .prompts = R"('{"kv_connector": "NixlConnector", "kv_role": "kv_producer"}')",
     .answers = R"('{"kv_connector": "NixlConnector", "kv_role": "kv_consumer"}')"},
    {.engine = "sglang",
     .command = "python -m sglang.launch_server --model-path",
     .tp = "tp_size",
     .pp = "pp_size",
     .dp = "dp_size",
     .attention_dp = "attn_dp_size",
     .ep = "ep_size",
     .max_batch = "max_running_requests",
     .batch_of_replica = true,
     .max_tokens = "chunked_prefill_size",
     .max_graph_batch = "cuda_graph_max_bs_decode",
     .mixes_prompts = "enable_mixed_chunk",
     .receive_interval = "scheduler_recv_interval",
     .dtype = "dtype",
     .quantization = "quantization",
     .kv_cache = "kv_cache_dtype",
     .max_length = "context_length",
     .role = "disaggregation_mode",
     .prompts = "prefill",
     .answers = "decode"},
    // Attention's data parallelism and the cache's format stand in a file of their own.
    {.engine = "tensorrt-llm",
     .command = "trtllm-serve",
     .joint = '_',
     .tp = "tp_size",
     .pp = "pp_size",
     .ep = "ep_size",
     .max_batch = "max_batch_size",
     .max_tokens = "max_num_tokens",
     .max_length = "max_seq_len"},
}};

/// A command line that grows by an argument at a time.
struct Line {
  const LaunchArguments& engine;
  std::string text;

  template <class T>
  void add(std::string_view name, const T& value) {
    if (name.empty()) return;
    flag(name);
    text += fmt::format(" {}", value);
  }
  void flag(std::string_view name) {
    if (name.empty()) return;
    std::string written(name);
    std::ranges::replace(written, '_', engine.joint);
    text += " --" + written;
  }
};

void add_division(const models::ReplicaLayout& layout, bool has_experts, Line& line) {
  const LaunchArguments& engine = line.engine;
  // vLLM counts data-parallel ranks beside tp, the others within it.
  const bool beside = engine.attention_dp.empty() && !engine.dp.empty();
  line.add(engine.tp, beside ? layout.tp() : layout.size);
  if (layout.pp > 1) line.add(engine.pp, layout.pp);
  if (layout.attention_dp) line.add(beside ? engine.dp : engine.attention_dp, layout.dp());
  if (!has_experts || layout.ep == 1) return;
  if (engine.ep_is_flag) {
    line.flag(engine.ep);
  } else {
    line.add(engine.ep, layout.ep);
  }
}

void add_formats(const models::Inference& inference, Line& line) {
  const LaunchArguments& engine = line.engine;
  switch (inference.weights) {
    case core::Precision::kFp4:
      line.add(engine.quantization, "modelopt_fp4");
      break;
    case core::Precision::kInt4:
      line.add(engine.quantization, "awq");
      break;
    case core::Precision::kFp8:
      line.add(engine.quantization, "fp8");
      break;
    case core::Precision::kBf16:
      line.add(engine.dtype, "bfloat16");
      break;
    case core::Precision::kFp16:
      line.add(engine.dtype, "float16");
      break;
    case core::Precision::kFp32:
    case core::Precision::kTf32:
      line.add(engine.dtype, "float32");
      break;
  }
  if (inference.kv_cache == core::Precision::kFp8) line.add(engine.kv_cache, "fp8_e4m3");
  if (inference.kv_cache == core::Precision::kFp4) line.add(engine.kv_cache, "nvfp4");
}

/// Adds the file that TensorRT-LLM reads beside its arguments.
void add_options_file(const models::Inference& inference, const models::ReplicaLayout& layout,
                      Line& line) {
  std::string options;
  const auto put = [&](std::string_view option) {
    options += fmt::format("{}{}", options.empty() ? "" : ", ", option);
  };
  if (layout.attention_dp) put("enable_attention_dp: true");
  if (inference.kv_cache == core::Precision::kFp8) put("kv_cache_config: {dtype: fp8}");
  if (inference.kv_cache == core::Precision::kFp4) put("kv_cache_config: {dtype: nvfp4}");
  if (options.empty()) return;
  line.text += fmt::format(" --extra_llm_api_options <(echo '{{{}}}')", options);
}

}  // namespace

std::span<const LaunchArguments> launch_arguments() { return kEngines; }

const LaunchArguments* launch_arguments(std::string_view engine) {
  const auto found = std::ranges::find(kEngines, engine, &LaunchArguments::engine);
  return found == kEngines.end() ? nullptr : &*found;
}

std::string launch_line(const models::Inference& inference, const models::ReplicaLayout& layout,
                        std::int64_t batch, LaunchRole role) {
  const LaunchArguments* engine = launch_arguments(inference.engine.name);
  if (engine == nullptr) return "";
  const bool is_partly_spread = layout.ep != 1 && layout.ep != layout.size;
  if (engine->ep_is_flag && is_partly_spread) return "";
  Line line{.engine = *engine, .text = fmt::format("{} MODEL", engine->command)};
  add_division(layout, inference.model.experts.has_value(), line);
  const std::int64_t shares = engine->batch_of_replica ? 1 : layout.dp();
  line.add(engine->max_batch, core::ceil_div(batch, shares));
  line.add(engine->max_tokens, inference.engine.max_tokens.value);
  if (inference.engine.mixes_prompts.value) line.flag(engine->mixes_prompts);
  if (inference.engine.receive_interval.value > 1) {
    line.add(engine->receive_interval, inference.engine.receive_interval.value);
  }
  line.add(engine->memory_share, inference.memory_share.value);
  add_formats(inference, line);
  if (engine->kv_cache.empty()) add_options_file(inference, layout, line);
  if (role == LaunchRole::kPrompts) line.add(engine->role, engine->prompts);
  if (role == LaunchRole::kAnswers) line.add(engine->role, engine->answers);
  return line.text;
}

}  // namespace railwright::simulation
