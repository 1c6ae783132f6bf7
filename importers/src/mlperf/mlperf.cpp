// SPDX-License-Identifier: Apache-2.0
#include "mlperf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

/// A benchmark by a word of the file's path, and the length of sequences that it fixes.
struct MlperfBenchmark {
  std::string_view mark;
  std::string_view model;
  int sequence_length;
};
constexpr auto kMlperfBenchmarks =
    std::to_array<MlperfBenchmark>({{"llama31_405b", "llama-3.1-405b", 8192},
                                    {"llama31_8b", "llama-3.1-8b", 8192},
                                    {"llama2_70b", "llama-2-70b", 8192},
                                    {"gpt3", "gpt-3-175b", 2048}});

/// Benchmarks of other models, by a word of the file's path.
constexpr auto kOtherBenchmarks = std::to_array<std::string_view>(
    {"stable_diffusion", "bert", "dlrm", "ssd", "retinanet", "rgat", "gnn", "flux"});

/// Beginnings of variables without an effect on the time or memory of a step.
constexpr auto kMlperfIgnored = std::to_array<std::string_view>(
    {"WALLTIME",   "DGXSYSTEM", "LR",       "VAL_",     "SKIP_EVALS",  "HYDRA",      "HANG_",
     "LOG",        "EXTRA",     "POSSIBLE", "VBOOST",   "CUBLAS",      "CUDNN",      "UCX",
     "TORCH_",     "CUDA_",     "JSON",     "DATE",     "NEXP",        "WARMUP",     "CHECK_",
     "LOAD_",      "SEED",      "APILOG",   "HPCG",     "MEM_DUMP",    "DGXHT",      "DGXNSOCKET",
     "DGXSOCKET",  "MAXQ",      "MINEDP",   "SBATCH",   "CONT",        "EVAL",       "NEMO_",
     "TRAIN_ONLY", "NUMBA",     "TRIM",     "OVERRIDE", "INIT_GLOBAL", "MODEL_",     "README",
     "OMP",        "PYTHON",    "HF_",      "MLPERF",   "TARGET",      "SHARE_",     "FP8_AMAX",
     "FP8_REDUCE", "NPY",       "USE_SYN",  "MOUNT",    "XLA",         "LOCAL_",     "ID",
     "MALLOC",     "LD_",       "GPU_",     "HSA",      "ROC",         "NCCL_DEBUG", "NVTE_DEBUG"});

class MlperfReading {
 public:
  MlperfReading(TrainingPart& part, std::string_view text)
      : part_(part), findings_(part.findings()), text_(text) {}

  void all() {
    sourced();
    degrees();
    batches();
    model();
    stack();
    part_.rest(kMlperfIgnored);
  }

 private:
  /// Names the files that this one takes in: what it lacks may stand there.
  void sourced() {
    for (const std::string_view line : core::lines_of(text_)) {
      const auto words = core::words_of(line);
      if (words.size() < 2 || words.front() != "source") continue;
      const std::string_view name = words.back();
      findings_.not_expressed(
          fmt::format("source {}: import it too, before this file", shown(name)));
      sources_ = true;
    }
  }

  std::optional<std::int64_t> told(std::initializer_list<std::string_view> keys, const char* path,
                                   const char* what) {
    const std::string key = part_.key_of(keys);
    if (const auto value = key.empty() ? std::nullopt : part_.values().whole(key, 1, 10'000'000)) {
      findings_.know(path, *value, key);
      return value;
    }
    if (!key.empty() && part_.is_outside(key)) return {};
    const std::string reason = fmt::format("no {} in this file", what);
    if (sources_) {
      findings_.outside(path, reason);
    } else {
      findings_.unknown(path, reason);
    }
    return {};
  }

  void degrees() {
    nodes_ = told({"DGXNNODES"}, "cluster.nodes", "DGXNNODES");
    if (const auto gpus = part_.values().whole("DGXNGPU", 1, 1024)) {
      gpus_ = gpus;
      findings_.assume("cluster.node.num_accelerators", *gpus,
                       "DGXNGPU: a rank on each accelerator");
    }
    tp_ = told({"TENSOR_MODEL_PARALLEL", "TP"}, "parallelism.tp", "TP");
    pp_ = told({"PIPELINE_MODEL_PARALLEL", "PP"}, "parallelism.pp", "PP");
    const std::string cp = part_.key_of({"CONTEXT_PARALLEL", "CP"});
    cp_ = cp.empty() ? std::optional<std::int64_t>(1) : part_.values().whole(cp, 1, 65536);
    if (cp_ && !cp.empty()) findings_.know("parallelism.cp", *cp_, cp);
    const std::string chunks = part_.key_of({"INTERLEAVED_PIPELINE", "VP"});
    const bool is_none = !chunks.empty() && part_.lower(chunks) == "null";
    if (const auto value = chunks.empty() ? std::nullopt
                           : is_none      ? std::optional<std::int64_t>(1)
                                          : part_.values().whole(chunks, 0, 10'000)) {
      findings_.know("parallelism.virtual_stages", std::max<std::int64_t>(1, *value), chunks);
    }
    const std::string sp = part_.key_of({"SEQ_PARALLEL", "SP"});
    if (const auto value = sp.empty() ? std::nullopt : part_.yes(sp)) {
      findings_.know("parallelism.sequence_parallel", *value, sp);
    }
  }

  void batches() {
    told({"MICRO_BATCH_SIZE", "MBS"}, "workload.micro_batch", "MICRO_BATCH_SIZE");
    const auto steps = part_.values().whole("MAX_STEPS", -1);
    if (steps.value_or(0) > 0) {
      findings_.know("workload.steps", *steps, "MAX_STEPS");
    } else if (!part_.is_outside("MAX_STEPS")) {
      findings_.unknown("workload.steps", "no MAX_STEPS");
    }
    const auto each = part_.values().whole("MINIBS", 1, 1'000'000);
    const std::int64_t ranks = nodes_.value_or(0) * gpus_.value_or(8);
    const std::int64_t shards = tp_.value_or(0) * pp_.value_or(0) * cp_.value_or(0);
    if (each && ranks > 0 && shards > 0 && ranks % shards == 0) {
      findings_.assume("workload.global_batch", *each * ranks / shards,
                       fmt::format("MINIBS {} on {} data-parallel ranks of {} accelerators", *each,
                                   ranks / shards, ranks));
    } else if (!part_.is_outside("MINIBS")) {
      findings_.unknown("workload.global_batch",
                        each ? fmt::format("MINIBS {} times the data-parallel ranks", *each)
                             : std::string("no MINIBS"));
    }
  }

  void model() {
    const auto known = std::ranges::find_if(kMlperfBenchmarks, [&](const MlperfBenchmark& one) {
      return findings_.file().find(one.mark) != std::string::npos;
    });
    if (known == kMlperfBenchmarks.end()) {
      findings_.outside("workload.model",
                        "the benchmark: no folder of this file's path names one of llama31_405b, "
                        "llama31_8b, llama2_70b and gpt3");
      return;
    }
    const std::string why = fmt::format("{} in the file's path", known->mark);
    findings_.assume("workload.model", std::string(known->model), why);
    findings_.assume("workload.sequence_length", known->sequence_length, why);
    if (known->mark == "llama2_70b") {
      findings_.assume("workload.lora.rank", 16, "the rules of the benchmark");
      findings_.assume("workload.lora.targets", std::string("attention"),
                       "the rules of the benchmark");
    }
  }

  void flag(const char* key, const char* path) {
    if (const auto value = part_.yes(key)) findings_.know(path, *value, key);
  }

  void stack() {
    if (part_.yes("FP4").value_or(false)) {
      findings_.know("software.precision", std::string("fp4"), "FP4");
    } else if (part_.yes("FP8").value_or(false) || part_.yes("FP8_HYBRID").value_or(false)) {
      findings_.know("software.precision", std::string("fp8"), "FP8");
    } else if (!sources_) {
      findings_.unknown("software.precision", "no FP8 in this file");
    }
    flag("ASYM_PP_EMBED", "parallelism.embedding_as_layer");
    flag("ASYM_PP_LOSS", "parallelism.loss_as_layer");
    flag("TP_COMM_OVERLAP", "software.overlap_tensor_parallel");
    flag("OVERLAP_GRAD_REDUCE", "software.overlap_gradient_reduce");
    flag("OVERLAP_PARAM_GATHER", "software.overlap_parameter_gather");
    if (const auto sharded = part_.yes("USE_DIST_OPTIMIZER")) {
      findings_.know("software.zero_stage", *sharded ? 1 : 0, "USE_DIST_OPTIMIZER");
    }
    for (const char* key : {"FP8_PARAMS", "FP8_PARAM_GATHER"}) {
      if (part_.yes(key).value_or(false)) {
        findings_.know("software.parameter_gather_bytes", 1, key);
      }
    }
    if (const auto graphs = part_.yes("LAYER_CUDA_GRAPH")) {
      findings_.know("software.cuda_graphs", std::string(*graphs ? "partial" : "none"),
                     "LAYER_CUDA_GRAPH");
    }
    if (part_.yes("NVTE_FUSED_ATTN").value_or(false)) {
      findings_.assume("software.attention", std::string("fused_native"),
                       "NVTE_FUSED_ATTN: cuDNN's, written for the device");
    } else if (part_.yes("NVTE_FLASH_ATTN").value_or(false)) {
      findings_.know("software.attention", std::string("fused"), "NVTE_FLASH_ATTN");
    }
    const std::string& file = findings_.file();
    if (file.find("nemo") == std::string::npos) return;
    const bool is_new = file.find("ngc25") != std::string::npos;
    propose_software(
        findings_, is_new ? "nemo-25.02" : "nemo-24.09",
        is_new ? "NeMo in a container of 2025, by the file's path" : "NeMo, by the file's path");
  }

  TrainingPart& part_;
  Findings& findings_;
  std::string_view text_;
  bool sources_ = false;
  std::optional<std::int64_t> nodes_;
  std::optional<std::int64_t> gpus_;
  std::optional<std::int64_t> tp_;
  std::optional<std::int64_t> pp_;
  std::optional<std::int64_t> cp_;
};

}  // namespace

bool is_mlperf(std::string_view head) {
  if (is_json_object(head) || contains(head, "--num-layers")) return false;
  return contains(head, "DGXNNODES=") || contains(head, "DGXSYSTEM=") ||
         (contains(head, "export ") &&
          (contains(head, "MINIBS=") || contains(head, "TP_COMM_OVERLAP=") ||
           contains(head, "USE_DIST_OPTIMIZER=")));
}

Imported import_mlperf(std::string_view text, const std::string& file, const core::Node& known) {
  constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;
  if (text.size() > kMaxBytes) {
    throw core::ConfigError({{{file}, "", "more than 4 MiB, which is no script", ""}});
  }
  Findings findings(file);
  ShellOptions options = shell_options(text, file);
  add_shell_notes(options, findings);
  TrainingPart part(options.variables, std::move(options.unset_variables), known, "MLPerf",
                    findings);
  if (part.key_of({"TENSOR_MODEL_PARALLEL", "TP", "PIPELINE_MODEL_PARALLEL", "PP", "MINIBS",
                   "TP_COMM_OVERLAP", "USE_DIST_OPTIMIZER"})
          .empty()) {
    findings.problem_in_file("no configuration of a language model",
                             "TENSOR_MODEL_PARALLEL or TP, PP and MINIBS are looked for");
    findings.throw_if_any();
  }
  for (const std::string_view other : kOtherBenchmarks) {
    if (!file.empty() && file.find(fmt::format("{}/", other)) != std::string::npos) {
      findings.problem_in_file(fmt::format("no language model but {}", other));
    }
  }
  findings.throw_if_any();
  MlperfReading(part, text).all();
  return findings.take();
}

}  // namespace railwright::importers
