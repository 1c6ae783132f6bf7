// SPDX-License-Identifier: Apache-2.0
#include "deepspeed_zero.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace railwright::importers {

namespace {

constexpr double kDefaultBucket = 5e8;  ///< elements, runtime/zero/config.py

class Zero {
 public:
  Zero(TreeValues& config, const core::Node& known, const DeepSpeedElement& element,
       Findings& findings)
      : config_(config), known_(known), element_(element), findings_(findings) {}

  void all() {
    zero();
    offload("offload_optimizer", "optimizer");
    offload("offload_param", "parameters");
  }

 private:
  void zero() {
    const core::Node* zero = config_.find("zero_optimization");
    if (zero != nullptr && !zero->is_mapping()) {
      findings_.problem(zero->where, "zero_optimization", "expected keys with values");
    }
    if (zero == nullptr) {
      stage_ = 0;
      findings_.assume("software.zero_stage", 0, "no zero_optimization: DeepSpeed's default");
    } else if (const auto stage = config_.whole("zero_optimization.stage", 0, 3)) {
      stage_ = static_cast<int>(*stage);
      findings_.know("software.zero_stage", stage_, "zero_optimization.stage");
    } else if (!config_.has("zero_optimization.stage")) {
      findings_.assume("software.zero_stage", 0, "no zero_optimization.stage: DeepSpeed's default");
    } else if (config_.is_auto("zero_optimization.stage")) {
      findings_.unknown("software.zero_stage", "\"auto\"");
    }
    reduce_bytes();
    bucket();
    gather();
    overlap();
    if (const auto group = config_.whole("zero_optimization.mics_shard_size", -1, 1'000'000);
        group && *group > 0) {
      findings_.know("parallelism.zero_group", *group, "zero_optimization.mics_shard_size");
    }
    if (config_.whole("zero_optimization.zero_hpz_partition_size", 0).value_or(1) > 1) {
      findings_.not_expressed(
          "zero_optimization.zero_hpz_partition_size: a second copy of the weights within each "
          "group, from which the backward pass gathers");
    }
    for (const char* key : {"stage3_prefetch_bucket_size", "stage3_param_persistence_threshold",
                            "stage3_max_live_parameters", "stage3_max_reuse_distance",
                            "sub_group_size", "allgather_bucket_size"}) {
      const std::string path = std::string("zero_optimization.") + key;
      if (config_.has(path)) {
        findings_.not_expressed(path +
                                ": how far ahead and in what pieces parameters are gathered");
      }
    }
    if (const auto scatter = config_.truth("zero_optimization.reduce_scatter");
        scatter && !*scatter) {
      findings_.not_expressed(
          "zero_optimization.reduce_scatter false: gradients are all-reduced, twice the bytes");
    }
    config_.ignore(
        {"zero_optimization.contiguous_gradients", "zero_optimization.round_robin_gradients",
         "zero_optimization.gather_16bit_weights_on_model_save",
         "zero_optimization.stage3_gather_16bit_weights_on_model_save",
         "zero_optimization.stage3_gather_fp16_weights_on_model_save",
         "zero_optimization.load_from_fp32_weights", "zero_optimization.ignore_unused_parameters",
         "zero_optimization.elastic_checkpoint", "zero_optimization.allgather_partitions"});
  }

  void reduce_bytes() {
    const auto type = config_.text("communication_data_type");
    if (type) {
      const int bytes = *type == "fp32" || *type == "float32" ? 4 : 2;
      findings_.know("software.gradient_reduce_bytes", bytes, "communication_data_type");
      reduce_bytes_ = bytes;
    } else {
      reduce_bytes_ = element_.bytes;
      findings_.assume("software.gradient_reduce_bytes", element_.bytes,
                       element_.is_open ? "precision is \"auto\", taken as one of 16 bits"
                                        : "gradients go in the precision of the model");
    }
    if (config_.truth("zero_optimization.zero_quantized_gradients").value_or(false)) {
      findings_.not_expressed(
          "zero_optimization.zero_quantized_gradients: gradients go in 4 bits by all-to-all");
    }
  }

  void bucket() {
    constexpr std::string_view kKey = "zero_optimization.reduce_bucket_size";
    const auto say = [&](double elements, const std::string& why, bool is_known) {
      // For smaller buckets, railwright's collectives take latency only.
      const auto size = core::DataSize::from_base(std::max(1e6, elements * reduce_bytes_));
      const std::string origin = fmt::format("{} of {} bytes", why, reduce_bytes_);
      if (is_known) {
        findings_.know("software.bucket", size, origin);
      } else {
        findings_.assume("software.bucket", size, origin);
      }
    };
    if (config_.is_auto(kKey)) {
      const auto width = known_number(known_, "workload.model.hidden_size");
      if (width) {
        say(static_cast<double>(*width) * static_cast<double>(*width),
            fmt::format("reduce_bucket_size \"auto\": the Hugging Face trainer takes hidden_size "
                        "squared, {} elements",
                        *width * *width),
            false);
      } else {
        findings_.unknown("software.bucket",
                          "reduce_bucket_size is \"auto\", which the Hugging Face trainer makes "
                          "hidden_size squared: import the model's config.json too");
      }
      return;
    }
    if (const auto elements = config_.number(kKey, 1.0, 1e15)) {
      say(*elements, fmt::format("reduce_bucket_size, {:g} elements", *elements),
          config_.has("communication_data_type"));
    } else if (!config_.has(kKey) && stage_ > 0) {
      say(kDefaultBucket, "no reduce_bucket_size: DeepSpeed's default of 5e8 elements", false);
    }
  }

  void gather() {
    if (stage_ == 0) return;
    if (config_.truth("zero_optimization.zero_quantized_weights").value_or(false)) {
      findings_.know("software.parameter_gather_bytes", 1,
                     "zero_optimization.zero_quantized_weights");
      return;
    }
    findings_.assume("software.parameter_gather_bytes", element_.bytes,
                     "parameters are gathered in the precision of the model");
  }

  void overlap() {
    const auto overlap = config_.truth("zero_optimization.overlap_comm");
    if (overlap) {
      findings_.know("software.overlap_gradient_reduce", *overlap,
                     "zero_optimization.overlap_comm");
    } else {
      findings_.assume("software.overlap_gradient_reduce", stage_ == 3,
                       "no overlap_comm: DeepSpeed's default, on under stage 3 alone");
    }
    if (stage_ == 3) {
      const bool ahead =
          config_.number("zero_optimization.stage3_prefetch_bucket_size", 0.0, 1e15).value_or(1.0) >
          0.0;
      findings_.assume("software.overlap_parameter_gather", ahead,
                       "stage 3 gathers parameters ahead of their layer");
    } else if (stage_ > 0) {
      findings_.assume("software.overlap_parameter_gather", false,
                       "stages 1 and 2 gather parameters in the optimizer's step");
    }
  }

  void offload(const std::string& theirs, const std::string& ours) {
    const std::string path = fmt::format("zero_optimization.{}", theirs);
    const std::string key = fmt::format("software.offload.{}.", ours);
    const auto device = config_.text(path + ".device");
    config_.ignore({path});
    if (!device || *device == "none") return;
    const bool memory = *device == "cpu";
    if (!memory && *device != "nvme") {
      findings_.problem(config_.find(path + ".device")->where, path + ".device",
                        fmt::format("expected cpu, nvme or none, got '{}'", shown(*device)));
      return;
    }
    findings_.know(key + "medium", std::string(memory ? "memory" : "drives"),
                   path + ".device " + *device);
    findings_.unknown(key + "read_rate",
                      "how fast a node's accelerators read there; name a tier of the catalogue, "
                      "such as dgx-a100-memory or dgx-h100-nvme, beneath or with --set");
    if (memory) return;
    if (const auto block = config_.number("aio.block_size", 1.0, 1e12)) {
      findings_.know(key + "request", core::DataSize::from_base(*block), "aio.block_size");
    }
    const auto depth = config_.whole("aio.queue_depth", 1, 100'000);
    if (depth) {
      findings_.know(key + "num_requests",
                     *depth * config_.whole("aio.thread_count", 1, 1000).value_or(1),
                     "aio.queue_depth and thread_count");
    }
  }

  TreeValues& config_;
  const core::Node& known_;
  DeepSpeedElement element_;
  Findings& findings_;
  int reduce_bytes_ = 2;
  int stage_ = 0;
};

}  // namespace

void add_deepspeed_zero(TreeValues& config, const core::Node& known,
                        const DeepSpeedElement& element, Findings& findings) {
  Zero(config, known, element, findings).all();
}

std::optional<std::int64_t> known_number(const core::Node& known, std::string_view path) {
  const core::Node* node = find_given(known, path);
  if (node == nullptr || !node->is_scalar()) return {};
  std::int64_t value = 0;
  for (const char c : node->text) {
    if (c < '0' || c > '9' || value > 1'000'000'000) return {};
    value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace railwright::importers
