// SPDX-License-Identifier: Apache-2.0
// Imports the command line that starts a serving engine: vLLM, SGLang or TensorRT-LLM.
// [@vllm_arguments] [@sglang_arguments] [@tensorrt_llm_serve]
#include "serving_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "../common/checkpoint_name.hpp"
#include "../common/looks_like.hpp"
#include "../common/manifest.hpp"
#include "../common/shell_words.hpp"
#include "../common/tree_values.hpp"
#include "launch_command.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/workloads/serving/launch.hpp"
#include "serving_values.hpp"

namespace railwright::importers {

namespace {

using simulation::LaunchArguments;

constexpr std::size_t kMaxCommandBytes = std::size_t{4} << 20U;

/// Other names of an argument.
struct Alias {
  std::string_view other;
  std::string_view name;
};
constexpr auto kAliases = std::to_array<Alias>({{"tp", "tp_size"},
                                                {"tensor_parallel_size", "tp_size"},
                                                {"dp", "dp_size"},
                                                {"data_parallel_size", "dp_size"},
                                                {"ep", "ep_size"},
                                                {"expert_parallel_size", "ep_size"},
                                                {"pp", "pp_size"},
                                                {"pipeline_parallel_size", "pp_size"},
                                                {"attention_data_parallel_size", "attn_dp_size"},
                                                {"cuda_graph_max_bs", "cuda_graph_max_bs_decode"},
                                                {"q", "quantization"},
                                                {"model", "model_path"}});
constexpr auto kShortNames = std::to_array<std::string_view>({"-tp", "-dp", "-pp", "-ep", "-q"});

/// Arguments that change neither time nor memory.
constexpr auto kIgnored = std::to_array<std::string_view>({"host",
                                                           "port",
                                                           "api_key",
                                                           "served_model_name",
                                                           "tokenizer",
                                                           "download_dir",
                                                           "trust_remote_code",
                                                           "log_level",
                                                           "seed",
                                                           "chat_template",
                                                           "tool_call_parser",
                                                           "reasoning_parser",
                                                           "node_rank",
                                                           "dist_init_addr",
                                                           "master_addr",
                                                           "master_port",
                                                           "load_format",
                                                           "revision",
                                                           "backend",
                                                           "gpus",
                                                           "ipc",
                                                           "shm_size",
                                                           "rm",
                                                           "name",
                                                           "runtime",
                                                           "volume",
                                                           "env",
                                                           "enable_auto_tool_choice",
                                                           "enable_metrics"});

/// A text that the commands of one engine have, and those of others do not.
struct Mark {
  std::string_view text;
  std::string_view engine;
};
constexpr auto kMarks = std::to_array<Mark>({{"vllm serve", "vllm"},
                                             {"vllm.entrypoints", "vllm"},
                                             {"/vllm-openai", "vllm"},
                                             {"sglang.launch_server", "sglang"},
                                             {"sglang serve", "sglang"},
                                             {"lmsysorg/sglang", "sglang"},
                                             {"trtllm-serve", "tensorrt-llm"},
                                             {"dynamo.vllm", "vllm"},
                                             {"dynamo.sglang", "sglang"},
                                             {"dynamo.trtllm", "tensorrt-llm"}});

/// "8k" is 8,000 and "8K" is 8,192: both engines read them so.
std::string in_digits(const std::string& text) {
  static constexpr std::string_view kSmall = "kmg";
  static constexpr std::string_view kLarge = "KMG";
  if (text.size() < 2) return text;
  const double number = core::number_of(text.substr(0, text.size() - 1));
  const auto power = [&](std::string_view suffixes) { return suffixes.find(text.back()) + 1; };
  double value = std::nan("");
  if (power(kSmall) > 0) value = number * std::pow(1000.0, static_cast<double>(power(kSmall)));
  if (power(kLarge) > 0) value = number * std::pow(1024.0, static_cast<double>(power(kLarge)));
  return std::isfinite(value) ? fmt::format("{:.0f}", value) : text;
}

/// Names that argparse completes: "--tensor-parallel 8" is "--tensor-parallel-size 8".
constexpr auto kCompleted = std::to_array<std::string_view>(
    {"tensor_parallel_size", "pipeline_parallel_size", "max_num_seqs", "max_num_batched_tokens",
     "max_model_len", "gpu_memory_utilization", "kv_cache_dtype"});

std::string renamed(std::string_view name) {
  constexpr std::size_t kShortest = 11;  // "max_num_" begins several
  if (name.size() >= kShortest) {
    const auto whole = std::ranges::find_if(
        kCompleted, [&](std::string_view full) { return full.starts_with(name); });
    if (whole != kCompleted.end()) name = *whole;
  }
  const auto alias = std::ranges::find(kAliases, name, &Alias::other);
  return std::string(alias == kAliases.end() ? name : alias->name);
}

/// One name for each argument, and numbers in digits.
core::Node tidied(core::Node options) {
  for (core::Entry& entry : options.entries) {
    entry.key = renamed(entry.key);
    if (entry.value.is_scalar()) entry.value.text = in_digits(entry.value.text);
  }
  return options;
}

const LaunchArguments& engine_of(std::string_view text, const std::string& file) {
  const LaunchArguments* engine = nullptr;
  for (const Mark& mark : kMarks) {
    if (text.find(mark.text) == std::string_view::npos) continue;
    const LaunchArguments* found = simulation::launch_arguments(mark.engine);
    if (engine != nullptr && found != engine) {
      throw core::ConfigError({{{file},
                                "",
                                fmt::format("starts both {} and {}", engine->engine, found->engine),
                                "leave one command in the file"}});
    }
    engine = found;
  }
  if (engine == nullptr) {
    throw core::ConfigError(
        {{{file},
          "",
          "starts no serving engine that is known",
          "'vllm serve', 'sglang.launch_server' and 'trtllm-serve' are looked for"}});
  }
  return *engine;
}

/// Options that name a file with more options, such as the tensor parallelism.
constexpr auto kFileOptions =
    std::to_array<std::string_view>({"extra_llm_api_options", "extra_engine_args", "config"});

bool names_a_file(TreeValues& arguments) {
  return std::ranges::any_of(kFileOptions,
                             [&](std::string_view name) { return arguments.has(name); });
}

class Launch {
 public:
  /// `arguments` are the options by one name each.
  Launch(const LaunchArguments& engine, const core::Node& arguments, const ShellOptions& options,
         Findings& findings)
      : engine_(engine),
        options_(arguments),
        arguments_(arguments, findings),
        operands_(options.operands),
        unset_(options.unset),
        findings_(findings) {
    std::set<std::string, std::less<>> names;
    for (const UnsetOption& one : unset_) names.insert(one.name);
    arguments_.set_outside(std::move(names));
  }

  void all() {
    throw_if_nothing_decides();
    findings_.know("inference.engine.model", std::string(engine_.engine), "the command");
    const CheckpointName name = model();
    division();
    limits();
    formats(name);
    drafts();
    for (const char* path : {"inference.prompt_tokens", "inference.output_tokens"}) {
      const auto most = whole(engine_.max_length);
      findings_.unknown(path, most ? fmt::format("prompt and answer have {} tokens at most", *most)
                                   : "a launch line tells no requests");
    }
    rest();
  }

 private:
  std::optional<std::int64_t> whole(std::string_view name, std::int64_t most = 1 << 20) {
    return name.empty() ? std::nullopt : arguments_.whole(renamed(name), 1, most);
  }
  /// Throws ConfigError for a command that names neither a model nor a number.
  void throw_if_nothing_decides() {
    const auto has = [&](std::string_view name) {
      return !name.empty() && arguments_.has(renamed(name));
    };
    if (!find_checkpoint().empty() ||
        std::ranges::any_of(
            std::to_array({engine_.tp, engine_.dp, engine_.max_batch, engine_.max_tokens,
                           engine_.kv_cache, engine_.quantization}),
            has)) {
      return;
    }
    throw core::ConfigError(
        {{{findings_.file()},
          "",
          fmt::format("no model and no option of {} in the command", engine_.engine),
          "they may stand in another file, such as a script in the image"}});
  }

  [[nodiscard]] bool is_outside(std::string_view name) const {
    return arguments_.is_outside(renamed(name));
  }
  std::optional<std::string> text(std::string_view name) {
    return name.empty() ? std::nullopt : arguments_.text(name);
  }
  /// Returns the word behind the command; "" where it is not among these.
  static std::string behind_command(const std::vector<std::string>& words) {
    for (std::size_t at = 0; at + 1 < words.size(); ++at) {
      const bool leads = words[at] == "serve" || words[at].ends_with("trtllm-serve");
      if (leads && words[at + 1] != "serve") return words[at + 1];
    }
    return "";
  }

  /// Returns the checkpoint. The command may stand behind the options of a container.
  std::string find_checkpoint() {
    if (auto named = arguments_.text("model_path")) return *named;
    std::string found = behind_command(operands_);
    for (const core::Entry& option : options_.entries) {
      std::vector<std::string> words;
      for (const core::Node& word : option.value.items) words.push_back(word.text);
      if (found.empty()) found = behind_command(words);
    }
    return found;
  }

  CheckpointName model() {
    const std::string checkpoint = find_checkpoint();
    if (checkpoint.empty() || checkpoint.find('$') != std::string::npos) {
      findings_.outside("inference.model", checkpoint.empty()
                                               ? "no checkpoint in the command"
                                               : shown(checkpoint) + " is set nowhere in the file");
      return {};
    }
    CheckpointName name = checkpoint_name(checkpoint);
    findings_.assume("inference.model", name.model,
                     fmt::format("the catalogue's name for {}", shown(checkpoint)));
    return name;
  }

  void division() {
    const std::int64_t tp = whole(engine_.tp).value_or(1);
    const std::int64_t dp = whole(engine_.dp).value_or(1);
    const bool spreads = engine_.ep_is_flag && arguments_.truth(engine_.ep).value_or(false);
    const bool beside = engine_.ep_is_flag && spreads && dp > 1;
    std::int64_t attention = whole(engine_.attention_dp).value_or(1);
    if (arguments_.truth("enable_dp_attention").value_or(false))
      attention = std::max(attention, dp);
    if (beside) attention = dp;
    const std::int64_t size = beside ? tp * dp : tp;
    if (attention > 1 && attention != size) {
      findings_.outside("inference.tp",
                        fmt::format("attention of {} accelerators is divided by {} and repeated "
                                    "{} times: only all of one or the other can be said",
                                    size, size / std::max<std::int64_t>(attention, 1), attention));
      return;
    }
    if (is_outside(engine_.tp) || is_outside(engine_.dp)) {
      if (!is_outside(engine_.ep)) experts(engine_.ep_is_flag ? std::nullopt : whole(engine_.ep));
      return stages();
    }
    const bool is_said = arguments_.has(renamed(engine_.tp)) || beside;
    if (!is_said && names_a_file(arguments_)) {
      findings_.outside("inference.tp", "the command names a file of options that may tell it");
      return stages();
    }
    findings_.say(is_said, "inference.tp", size,
                  beside    ? std::string(engine_.dp)
                  : is_said ? std::string(engine_.tp)
                            : "one accelerator unless told");
    findings_.say(attention > 1, "inference.attention_dp", attention > 1,
                  attention > 1 ? "data-parallel attention" : "not asked for");
    experts(spreads ? std::optional(size) : engine_.ep_is_flag ? std::nullopt : whole(engine_.ep));
    if (dp > 1 && attention == 1) {
      findings_.not_expressed(
          fmt::format("{} {}: whole replicas, of which a scenario has as many as its load needs",
                      engine_.dp, dp));
    }
    stages();
  }

  void experts(std::optional<std::int64_t> ep) {
    if (ep && *ep > 1) findings_.know("inference.ep", *ep, engine_.ep);
  }

  void stages() {
    const auto stages = whole(engine_.pp, 1024);
    if (stages.value_or(1) > 1) findings_.know("inference.pp", *stages, engine_.pp);
    if (const auto nodes = arguments_.whole("nnodes", 1, 65536); nodes.value_or(1) > 1) {
      findings_.not_expressed(
          fmt::format("nnodes {}: a replica fills the nodes that its accelerators need", *nodes));
    }
  }

  void limits() {
    if (const auto batch = whole(engine_.max_batch)) {
      findings_.know(
          engine_.batch_of_replica ? "inference.max_batch" : "inference.engine.max_batch", *batch,
          engine_.max_batch);
    }
    if (const auto tokens = whole(engine_.max_tokens, 1 << 24)) {
      findings_.know("inference.engine.max_tokens", *tokens, engine_.max_tokens);
    }
    if (arguments_.truth("enable_mixed_chunk").value_or(false)) {
      findings_.know("inference.engine.mixes_prompts", true, "enable_mixed_chunk");
    }
    if (const auto interval = whole(engine_.receive_interval)) {
      findings_.know("inference.engine.receive_interval", *interval, engine_.receive_interval);
    }
    if (!engine_.memory_share.empty()) {
      if (const auto share = arguments_.number(engine_.memory_share, 0.0, 1.0)) {
        findings_.know("inference.memory_share", *share, engine_.memory_share);
      }
    }
    for (const char* name : {"mem_fraction_static", "kv_cache_free_gpu_memory_fraction"}) {
      if (const auto share = arguments_.number(name, 0.0, 1.0)) {
        findings_.not_expressed(
            fmt::format("{} {}: a share of another part of the memory than inference.memory_share",
                        name, *share));
      }
    }
    const bool eager = arguments_.truth("enforce_eager").value_or(false) ||
                       arguments_.truth("disable_cuda_graph").value_or(false);
    const auto graphs = whole(engine_.max_graph_batch);
    if (eager || graphs) {
      findings_.know("inference.engine.max_graph_batch", eager ? 0 : *graphs,
                     eager ? "no CUDA graphs" : engine_.max_graph_batch);
    }
    const bool waits = arguments_.truth("disable_overlap_schedule").value_or(false) ||
                       arguments_.truth("no_async_scheduling").value_or(false);
    if (waits || arguments_.truth("async_scheduling").value_or(false)) {
      findings_.know("inference.engine.overlaps_host", !waits,
                     waits ? "the host's schedule is not overlapped" : "async_scheduling");
    }
  }

  /// Tokens drafted for a step: SGLang counts steps of its draft, vLLM tokens.
  void drafts() {
    const std::string path = "inference.speculative.draft_tokens";
    const auto algorithm = arguments_.text("speculative_algorithm");
    const auto steps = arguments_.whole("speculative_num_steps", 0, 64);
    const auto width = arguments_.whole("speculative_eagle_topk", 1, 64);
    arguments_.ignore({"speculative_num_draft_tokens"});
    if (algorithm) {
      if (!steps || width.value_or(1) != 1) {
        findings_.outside(path, width.value_or(1) != 1
                                    ? "speculative_eagle_topk: a tree of drafts"
                                    : "speculative_algorithm without speculative_num_steps");
      } else if (*steps > 0) {
        findings_.know(path, *steps, "speculative_num_steps");
      }
      return;
    }
    const core::Node* config = arguments_.find("speculative_config");
    if (config == nullptr && !arguments_.has("speculative_config.num_speculative_tokens")) return;
    std::optional<std::int64_t> tokens =
        arguments_.whole("speculative_config.num_speculative_tokens", 1, 64);
    arguments_.ignore({"speculative_config"});
    if (!tokens && config != nullptr && config->is_scalar()) tokens = tokens_of(*config);
    if (tokens) {
      findings_.know(path, *tokens, "num_speculative_tokens");
    } else {
      findings_.outside(path, "speculative_config without num_speculative_tokens");
    }
  }

  /// Reads {"method": "mtp", "num_speculative_tokens": 3}.
  static std::optional<std::int64_t> tokens_of(const core::Node& config) {
    const std::size_t key = config.text.find("num_speculative_tokens");
    const std::size_t digit =
        key == std::string::npos ? key : config.text.find_first_of("0123456789$", key);
    if (digit == std::string::npos) return {};
    const double number = core::number_of(
        config.text.substr(digit, config.text.find_first_not_of("0123456789", digit) - digit));
    const bool is_count = number >= 1.0 && number <= 64.0;
    return is_count ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
  }

  void formats(const CheckpointName& name) {
    weights(name);
    const auto cache = text(engine_.kv_cache);
    if (!cache) return;
    const bool is_fp8 = cache->starts_with("fp8");
    if (is_fp8 || cache->find("bf") == 0) {
      findings_.know("inference.kv_cache", std::string(is_fp8 ? "fp8" : "bf16"), engine_.kv_cache);
    } else if (cache->find("fp4") != std::string::npos) {
      findings_.know("inference.kv_cache", std::string("fp4"), engine_.kv_cache);
    } else {
      findings_.unknown("inference.kv_cache",
                        fmt::format("'{}' is none that railwright has", shown(*cache)));
    }
  }

  void weights(const CheckpointName& name) {
    const auto quantization = text(engine_.quantization);
    const auto dtype = text(engine_.dtype);
    const auto put = [&](const char* format, std::string_view origin) {
      findings_.know("inference.weights", std::string(format), origin);
    };
    if (quantization) {
      if (quantization->find("fp4") != std::string::npos) return put("fp4", engine_.quantization);
      if (quantization->find("fp8") != std::string::npos) return put("fp8", engine_.quantization);
      if (quantization->starts_with("awq") || quantization->starts_with("gptq")) {
        findings_.assume("inference.weights", std::string("int4"),
                         fmt::format("{}: four bits a weight", *quantization));
        return;
      }
      findings_.unknown("inference.weights", fmt::format("'{}': its config.json tells the format",
                                                         shown(*quantization)));
      return;
    }
    if (name.weights) {
      findings_.assume("inference.weights", std::string(core::to_string(*name.weights)),
                       "the checkpoint's name");
      return;
    }
    if (dtype == "bfloat16") return put("bf16", engine_.dtype);
    if (dtype == "half" || dtype == "float16") return put("fp16", engine_.dtype);
    if (dtype == "float" || dtype == "float32") return put("fp32", engine_.dtype);
    findings_.unknown("inference.weights", "the checkpoint's own format");
  }

  void outside() {
    for (const std::string& name : arguments_.asked_outside()) {
      const auto one = std::ranges::find(unset_, name, &UnsetOption::name);
      findings_.outside(one->option, why_unset(*one));
    }
  }

  void rest() {
    outside();
    static constexpr auto kApart =
        std::to_array<std::string_view>({"kv_transfer_config", "disaggregation_mode",
                                         "extra_llm_api_options", "extra_engine_args", "config"});
    for (const std::string_view name : kApart) {
      if (const core::Node* node = arguments_.find(name)) {
        findings_.not_expressed(fmt::format("{} {}", name, shown(core::to_yaml(*node))));
        arguments_.ignore({name});
      }
    }
    arguments_.ignore(kIgnored);
    for (const std::string& name : arguments_.unasked()) {
      findings_.not_expressed(shown(name) + ": passed over");
    }
  }

  const LaunchArguments& engine_;
  const core::Node& options_;
  TreeValues arguments_;
  const std::vector<std::string>& operands_;
  const std::vector<UnsetOption>& unset_;
  Findings& findings_;
};

bool starts_engine(std::string_view command) {
  return std::ranges::any_of(kMarks,
                             [&](const Mark& mark) { return contains(command, mark.text); });
}

/// Whether a container starts an engine: its command does, or its image with options or a
/// checkpoint alone.
bool starts_engine_in(const Container& one) {
  return std::ranges::any_of(kMarks, [&](const Mark& mark) {
    const std::size_t at = one.command.find(mark.text);
    if (at == std::string::npos) return false;
    if (!contains(mark.text, "/")) return true;
    const std::size_t end = std::min(one.command.find(' ', at), one.command.size());
    const auto words = core::words_of(std::string_view(one.command).substr(end));
    if (words.empty()) return false;
    const std::string_view first = words.front();
    return first == "serve" || first[0] == '-' || first[0] == '$' ||
           (first[0] != '/' && contains(first, "/"));
  });
}

/// Whether a container starts a replica for prompts alone, by its options or its name.
bool is_for_prompts(const Container& one) {
  std::string name = one.name;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (contains(name, "prefill") && !contains(name, "decode")) return true;
  for (const std::string_view words :
       {"--disaggregation-mode prefill", "--disaggregation-mode=prefill", "--is-prefill-worker",
        "kv_producer"}) {
    if (contains(one.command, words)) return true;
  }
  return false;
}

/// The containers of a manifest that start engines: one, or one for prompts and one for answers.
struct EngineContainers {
  Container answers;
  std::optional<Container> prompts;
};

EngineContainers engines_of(const Manifest& manifest, const std::string& file) {
  std::vector<Container> engines;
  for (const Container& one : manifest.containers) {
    const bool is_new = std::ranges::count(engines, one.command, &Container::command) == 0;
    if (is_new && starts_engine_in(one)) engines.push_back(one);
  }
  std::ranges::stable_sort(engines, {}, is_for_prompts);
  if (engines.empty()) return {};
  const auto prompts = std::ranges::count_if(engines, is_for_prompts);
  if (engines.size() == 1) return {engines.front(), {}};
  if (engines.size() == 2 && prompts == 1) return {engines.front(), engines.back()};
  std::string names;
  for (const Container& one : engines) {
    names += fmt::format("{}{}", names.empty() ? ": " : ", ",
                         one.name.empty() ? shown(one.command) : shown(one.name));
  }
  throw core::ConfigError(
      {{{file},
        "",
        fmt::format("{} containers start engines, each in its own way{}", engines.size(), names),
        "leave one, or one for prompts and one for answers"}});
}

void tell_manifest(const Manifest& manifest, const EngineContainers& engines, Findings& findings) {
  if (engines.answers.replicas && !engines.prompts) {
    findings.not_expressed(fmt::format("replicas {}: a scenario has as many as its load needs",
                                       *engines.answers.replicas));
  }
  if (manifest.accelerators) {
    findings.not_expressed(
        fmt::format("{} accelerators a container: inference.tp and its node say "
                    "how many a replica takes",
                    *manifest.accelerators));
  }
}

/// Adds the replicas for prompts: their accelerators, and how many there are of both.
void add_prompts(const EngineContainers& engines, const std::string& file, Findings& findings) {
  const Container& prompts = *engines.prompts;
  const LaunchArguments& engine = engine_of(prompts.command, file);
  ShellOptions options = shell_options(prompts.command, file, kShortNames);
  const core::Node arguments = tidied(std::move(options.options));
  TreeValues values(arguments, findings);
  const std::string tp = renamed(engine.tp);
  const bool is_outside = std::ranges::any_of(
      options.unset, [&](const UnsetOption& one) { return renamed(one.name) == tp; });
  if (is_outside || names_a_file(values)) {
    findings.outside("inference.disaggregated.prefill_tp",
                     "the command for prompts leaves it open");
  } else {
    const auto size = values.whole(tp, 1, 1 << 20);
    // vLLM's experts go over the data-parallel ranks too.
    const std::int64_t ranks = values.whole(renamed(engine.dp), 1, 1 << 20).value_or(1);
    const bool spreads = engine.ep_is_flag && values.truth(engine.ep).value_or(false);
    findings.say(size.has_value() || (spreads && ranks > 1), "inference.disaggregated.prefill_tp",
                 size.value_or(1) * (spreads ? ranks : 1),
                 size ? "of the replica for prompts" : "one accelerator unless told");
    if (ranks > 1 && !spreads) {
      findings.not_expressed(fmt::format("{} {} of the replica for prompts", engine.dp, ranks));
    }
  }
  if (prompts.replicas) {
    findings.know("inference.disaggregated.prefill_replicas", *prompts.replicas, "replicas");
  }
  if (engines.answers.replicas) {
    findings.know("inference.disaggregated.decode_replicas", *engines.answers.replicas, "replicas");
  }
}

/// Says that a script trains too, where the engine is a part of what it starts.
void note_training(std::string_view text, Findings& findings) {
  static constexpr auto kTrainers =
      std::to_array<std::string_view>({"train.py", "train_async.py", "main_ppo"});
  for (const std::string_view word : core::words_of(text)) {
    if (std::ranges::none_of(kTrainers, [&](std::string_view end) { return word.ends_with(end); }))
      continue;
    findings.outside("inference", shown(word) + " trains as well: the engine alone is read");
    return;
  }
}

}  // namespace

bool is_serving_launch(std::string_view head) {
  if (is_json_object(head)) return false;
  return starts_engine(head) || is_serving_values(head) ||
         (is_manifest(head) && starts_engine(joined_words(head)));
}

std::optional<std::string> chosen_launch(std::string_view text, const std::string& file,
                                         const ImportChoices& choices) {
  if (!is_manifest(text) && !is_serving_values(text)) return with_variables(text, file, choices);
  return with_chosen_values(text, choices);
}

Imported import_serving_launch(std::string_view text, const std::string& file,
                               const core::Node& /*known*/) {
  if (text.size() > kMaxCommandBytes) {
    throw core::ConfigError({{{file}, "", "more than 4 MiB, which is no script", ""}});
  }
  Findings findings(file);
  std::string command(text);
  EngineContainers engines;
  if (is_serving_values(text) || is_manifest(text)) {
    const Manifest manifest =
        is_serving_values(text) ? read_serving_values(text, file) : read_manifest(text, file);
    engines = engines_of(manifest, file);
    tell_manifest(manifest, engines, findings);
    command = engines.answers.command;
  } else {
    command = without_other_commands(text, starts_engine);
  }
  const LaunchArguments& engine = engine_of(command, file);
  ShellOptions options = shell_options(command, file, kShortNames);
  for (UnsetOption& one : options.unset) one.name = renamed(one.name);
  for (const std::string& one : options.outside) {
    findings.not_expressed(one + ": options that are set nowhere in the file");
  }
  for (const std::string& one : options.doubled) {
    findings.not_expressed(one + ": the latter is taken");
  }
  note_training(text, findings);
  const core::Node arguments = tidied(std::move(options.options));
  Launch(engine, arguments, options, findings).all();
  if (engines.prompts) add_prompts(engines, file, findings);
  return findings.take();
}

}  // namespace railwright::importers
