// SPDX-License-Identifier: Apache-2.0
#include "post_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "post_training_keys.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxRlScriptBytes = std::size_t{4} << 20U;

/// Beginnings of keys without an effect on time or memory.
constexpr auto kRlIgnored =
    std::to_array<std::string_view>({"algorithm.",
                                     "data.",
                                     "trainer.",
                                     "logger.",
                                     "checkpointing.",
                                     "env.",
                                     "loss_fn.",
                                     "grpo.",
                                     "actor_rollout_ref.actor.optim.",
                                     "actor_rollout_ref.actor.clip",
                                     "reward_model.reward_manager",
                                     "actor_rollout_ref.actor.kl",
                                     "actor_rollout_ref.actor.entropy",
                                     "policy.optimizer.",
                                     "actor_rollout_ref.actor.loss_agg",
                                     "policy.scheduler",
                                     "policy.tokenizer",
                                     "custom_reward",
                                     "actor_rollout_ref.rollout.val_kwargs",
                                     "actor_rollout_ref.rollout.temperature",
                                     "actor_rollout_ref.rollout.top_",
                                     "reward.custom_reward_function",
                                     "reward.reward_manager",
                                     "reward.num_workers",
                                     "defaults",
                                     "actor_learning_rate",
                                     "use_wandb",
                                     "critic_learning_rate",
                                     "prompt_data",
                                     "input_key",
                                     "apply_chat_template",
                                     "save_path",
                                     "ckpt_path",
                                     "save_steps",
                                     "logging_steps",
                                     "eval_steps",
                                     "wandb",
                                     "normalize_reward"});

/// Writes words such as "data.train_batch_size=64" as options, which a shell's reader finds.
std::string with_rl_options(std::string_view text) {
  static constexpr auto kSections = std::to_array<std::string_view>(
      {"actor_rollout_ref.", "data.", "trainer.", "algorithm.", "critic.", "reward_model.",
       "reward.", "rollout.", "async_training.", "custom_reward_function."});
  constexpr std::size_t kMostOfKey = 4096;  // characters up to '='
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool starts =
        at == 0 || std::string_view(" \n\t\"'(+").find(text[at - 1]) != std::string_view::npos;
    const bool is_key = starts && std::ranges::any_of(kSections, [&](std::string_view section) {
                          return text.substr(at).starts_with(section);
                        });
    const std::string_view word = is_key ? text.substr(at, kMostOfKey) : std::string_view();
    if (word.substr(0, word.find_first_of(" \n\t")).find('=') != std::string_view::npos) {
      while (!result.empty() && result.back() == '+') result.pop_back();
      result += "--";
    }
    result += text[at];
  }
  return result;
}

/// Names of OpenRLHF's options since 2026, and before.
struct RenamedOption {
  std::string_view now;
  std::string_view before;
};
constexpr auto kRenamed = std::to_array<RenamedOption>({
    {"rollout.batch_size", "rollout_batch_size"},
    {"rollout.n_samples_per_prompt", "n_samples_per_prompt"},
    {"rollout.max_new_tokens", "generate_max_len"},
    {"train.batch_size", "train_batch_size"},
    {"train.micro_batch_size", "micro_train_batch_size"},
    {"train.max_epochs", "max_epochs"},
    {"train.colocate_all", "colocate_all_models"},
    {"actor.num_nodes", "actor_num_nodes"},
    {"actor.num_gpus_per_node", "actor_num_gpus_per_node"},
    {"actor.model_name_or_path", "pretrain"},
    {"actor.gradient_checkpointing_enable", "gradient_checkpointing"},
    {"reward.model_name_or_path", "reward_pretrain"},
    {"vllm.tensor_parallel_size", "vllm_tensor_parallel_size"},
    {"vllm.gpu_memory_utilization", "vllm_gpu_memory_utilization"},
    {"ds.zero_stage", "zero_stage"},
    {"ds.lora.rank", "lora_rank"},
    {"ds.enable_sleep", "deepspeed_enable_sleep"},
    {"algo.kl.init_coef", "init_kl_coef"},
    {"algo.advantage.estimator", "advantage_estimator"},
    {"algo.dynamic_filtering_enable", "dynamic_filtering"},
    {"train.async_enable", "async_train"},
});

std::string name_before(const std::string& option) {
  const auto renamed = std::ranges::find(kRenamed, option, &RenamedOption::now);
  return renamed == kRenamed.end() ? option : std::string(renamed->before);
}

/// Fills in "${policy.model_name}" with what the file has there.
void fill_references(core::Node& node, const core::Node& root) {
  for (core::Entry& entry : node.entries) {
    core::Node& value = entry.value;
    const std::string& text = value.text;
    const bool is_reference = value.is_scalar() && text.starts_with("${") && text.back() == '}' &&
                              text.find_first_of(":$ ", 2) == std::string::npos;
    if (is_reference) {
      const core::Node* found = find_given(root, text.substr(2, text.size() - 3));
      if (found != nullptr && found->is_scalar() && found->text.find('$') == std::string::npos) {
        value.text = std::string(found->text);
      }
    }
    fill_references(value, root);
  }
}

class RlReading {
 public:
  RlReading(TrainingPart& part, const RlStack& stack)
      : part_(part), stack_(stack), findings_(part.findings()), values_(part.values()) {}

  void all() {
    require_decisive();
    samples();
    model();
    cluster();
    if (&stack_ == &kVerl) verl();
    if (&stack_ == &kOpenRlhf) open_rlhf();
    if (&stack_ == &kNemoRl) nemo_rl();
    rollout();
    for (const char* path : {"inference.prompt_tokens", "inference.output_tokens"}) {
      findings_.unknown(path, "a script tells at most how long they are");
    }
    part_.rest(kRlIgnored);
  }

 private:
  void require_decisive() {
    const bool has_prompts =
        values_.has(stack_.prompts.key) || part_.is_outside(stack_.prompts.key);
    if (has_prompts || values_.has(stack_.model) || values_.has(stack_.rollout_tp.key)) return;
    findings_.problem_in_file(fmt::format("no key of {} that decides something", stack_.name),
                              fmt::format("{}, {}, {} ... are looked for", stack_.prompts.key,
                                          stack_.model, stack_.rollout_tp.key));
    findings_.throw_if_any();
  }

  /// Reads a number and adds it at a path, if there is one.
  std::optional<std::int64_t> count(const RlCount& one, std::string_view path) {
    if (!one.key.empty() && part_.is_outside(one.key)) {
      values_.find(one.key);
      return {};
    }
    const core::Node* node = one.key.empty() ? nullptr : values_.find(one.key);
    if (node != nullptr && node->text == "0") {
      findings_.outside(path.empty() ? one.key : path,
                        fmt::format("{} 0: answers are generated without steps", one.key));
      return {};
    }
    const auto told =
        one.key.empty() ? std::nullopt : values_.whole(one.key, 1, std::int64_t{1} << 30U);
    const auto value = told ? told : one.otherwise;
    if (!value) {
      if (!path.empty()) findings_.outside(path, fmt::format("no {}", one.key));
      return {};
    }
    if (!path.empty()) {
      findings_.say(told.has_value(), path, *value,
                    told ? std::string(one.key)
                         : fmt::format("no {}: the default of {}", one.key, stack_.name));
    }
    return value;
  }

  bool on(std::string_view key, bool otherwise = false) {
    return part_.yes(key).value_or(otherwise);
  }

  void samples() {
    const auto prompts = count(stack_.prompts, "post_training.prompts");
    const auto each = count(stack_.samples, "post_training.samples_per_prompt");
    count(stack_.max_output, "post_training.max_output_tokens");
    const auto epochs = stack_.epochs.key.empty() ? stack_.epochs.otherwise
                                                  : count(stack_.epochs, "post_training.epochs");
    auto batch = count(stack_.batch, "");
    const bool is_open = !batch || (stack_.batch_in_prompts && !each);
    if (is_open) {
      if (!part_.is_outside(stack_.batch.key)) {
        findings_.outside("workload.global_batch", fmt::format("no {}", stack_.batch.key));
      }
    } else {
      if (stack_.batch_in_prompts) *batch *= *each;
      findings_.say(values_.has(stack_.batch.key), "workload.global_batch", *batch,
                    stack_.batch_in_prompts
                        ? fmt::format("{} prompts with {} answers each", *batch / *each, *each)
                        : std::string(stack_.batch.key));
    }
    steps(prompts, each, batch, epochs);
  }

  /// Optimizer steps: those of all samples of each step of the loop.
  void steps(std::optional<std::int64_t> prompts, std::optional<std::int64_t> each,
             std::optional<std::int64_t> batch, std::optional<std::int64_t> epochs) {
    const auto rounds = stack_.steps.empty()
                            ? std::nullopt
                            : values_.whole(stack_.steps, 1, std::int64_t{1} << 30U);
    const bool is_told = rounds && prompts && each && batch && epochs;
    if (!is_told) {
      findings_.unknown("workload.steps", "the epochs of a data set whose size is not told");
      return;
    }
    constexpr double kMostSteps = 1e12;  // of `workload.steps`
    const std::int64_t batches = std::max<std::int64_t>(1, *prompts * *each / *batch);
    const double all =
        static_cast<double>(batches) * static_cast<double>(*epochs) * static_cast<double>(*rounds);
    if (all > kMostSteps) {
      findings_.unknown("workload.steps", "more than 1e12");
      return;
    }
    const std::int64_t per_round = batches * *epochs;
    findings_.know(
        "workload.steps", *rounds * per_round,
        fmt::format("{} {}, with {} optimizer steps each", stack_.steps, *rounds, per_round));
  }

  void model() {
    part_.model(stack_.model);
    const auto name = values_.text(stack_.model);
    if (!name) return;
    const std::string known = catalogue_name(*name);
    if (!known.empty()) {
      findings_.assume("inference.model", known,
                       fmt::format("the catalogue's name for {}", shown(*name)));
    }
  }

  void cluster() {
    count(stack_.nodes, "cluster.nodes");
    count(stack_.accelerators, "cluster.node.num_accelerators");
  }

  void micro() {
    if (const auto size = values_.whole(stack_.micro, 1, 1 << 20)) {
      findings_.know("workload.micro_batch", *size, stack_.micro);
    } else if (!part_.is_outside(stack_.micro)) {
      findings_.outside("workload.micro_batch", fmt::format("no {}", stack_.micro));
    }
  }

  /// Returns a switch as told or by default; nothing for one from outside.
  std::optional<bool> switch_of(std::string_view key, bool otherwise) {
    if (!values_.has(key)) return part_.is_outside(key) ? std::nullopt : std::optional(otherwise);
    const auto is_on = part_.yes(key);
    if (!is_on) findings_.outside(key, "neither true nor false");
    return is_on;
  }

  void recompute(std::string_view key, bool otherwise) {
    const auto is_on = switch_of(key, otherwise);
    if (!is_on) return;
    const bool is_told = values_.has(key);
    findings_.say(
        is_told, "software.recompute", std::string(*is_on ? "full" : "none"),
        is_told ? std::string(key) : fmt::format("no {}: the default of {}", key, stack_.name));
  }

  /// The reference model of verl, which either key asks for.
  void reference() {
    const std::string in_loss = "actor_rollout_ref.actor.use_kl_loss";
    const std::string in_reward = "algorithm.use_kl_in_reward";
    const auto loss = switch_of(in_loss, false);
    const auto reward = switch_of(in_reward, false);
    const bool is_on = loss.value_or(false) || reward.value_or(false);
    if (!is_on && !(loss && reward)) return;
    const bool is_told = values_.has(in_loss) || values_.has(in_reward);
    findings_.say(is_told, "post_training.reference_model", is_on,
                  is_told ? "use_kl_loss and use_kl_in_reward"
                          : "no use_kl_loss and no use_kl_in_reward: the default of verl");
  }

  void recompute_of_megatron(const std::string& key) {
    const auto word = part_.lower(key);
    if (word == "full" || word == "selective") {
      findings_.know("software.recompute", *word, key);
    } else {
      findings_.unknown("software.recompute", fmt::format("no {}", key));
    }
  }

  void rollout() {
    count(stack_.rollout_tp, "inference.tp");
    if (!stack_.rollout_pp.empty()) {
      const auto stages = values_.whole(stack_.rollout_pp, 1, 1024);
      if (stages.value_or(1) > 1) findings_.know("inference.pp", *stages, stack_.rollout_pp);
    }
    if (const auto share = values_.number(stack_.memory_share, 0.0, 1.0)) {
      findings_.know("inference.memory_share", *share, stack_.memory_share);
    }
  }

  void engine(std::string_view key, std::string_view otherwise) {
    const auto word = part_.lower(key);
    const std::string name = word.value_or(std::string(otherwise));
    if (name == "vllm" || name == "sglang") {
      findings_.say(word.has_value(), "inference.engine.model", name,
                    word ? std::string(key) : "the stack's own");
    } else {
      findings_.outside("inference.engine.model",
                        name.empty()
                            ? fmt::format("no {}", key)
                            : fmt::format("'{}' is none that railwright has", shown(name)));
    }
  }

  void critic(const std::optional<std::string>& estimator, std::string_view key) {
    if (estimator && *estimator != "gae") return;
    findings_.outside(key, "a critic trains beside the model, which is left out");
  }

  void verl() {
    auto config = part_.lower("config_name");
    if (config && config->ends_with(".yaml")) config->resize(config->size() - 5);
    if (config && *config != "ppo_trainer" && *config != "ppo_megatron_trainer") {
      findings_.outside("config_name",
                        fmt::format("{}: a configuration of its own, whose values are not defaults",
                                    shown(*config)));
    }
    values_.ignore({"config_path"});
    const std::string actor = "actor_rollout_ref.actor.";
    const bool is_megatron =
        part_.lower(actor + "strategy") == "megatron" || (config && contains(*config, "megatron"));
    if (on(actor + "use_dynamic_bsz")) {
      values_.ignore({stack_.micro});
      findings_.not_expressed("use_dynamic_bsz: micro-batches of as many tokens, not sequences");
      values_.ignore({"actor_rollout_ref.actor.ppo_max_token_len_per_gpu"});
    } else {
      micro();
    }
    if (is_megatron) {
      degrees(actor + "megatron.", {"tensor_model_parallel_size", "pipeline_model_parallel_size",
                                    "context_parallel_size", "expert_model_parallel_size"});
      propose_software(findings_, "megatron-core-0.12", "verl on Megatron, by its newest profile");
    } else {
      const auto ulysses = values_.whole(actor + "ulysses_sequence_parallel_size", 1, 1024);
      if (ulysses.value_or(1) > 1) {
        findings_.outside("parallelism.cp",
                          fmt::format("ulysses_sequence_parallel_size {}: heads are exchanged, "
                                      "which a scenario cannot say",
                                      *ulysses));
      }
      findings_.assume("software.zero_stage", 3, "FSDP shards parameters");
      findings_.unknown("software",
                        "the catalogue has no profile of verl: name the nearest, such "
                        "as torchtitan");
    }
    offload(actor + (is_megatron ? "megatron." : "fsdp_config."));
    const std::string checkpoints = "actor_rollout_ref.model.enable_gradient_checkpointing";
    if (is_megatron) {
      recompute_of_megatron(actor + "megatron.override_transformer_config.recompute_granularity");
      values_.ignore({checkpoints});
    } else {
      recompute(checkpoints, true);
    }
    adapters("actor_rollout_ref.model.lora_rank");
    reference();
    critic(part_.lower("algorithm.adv_estimator"), "algorithm.adv_estimator");
    engine("actor_rollout_ref.rollout.name", "");
    if (values_.whole("actor_rollout_ref.rollout.data_parallel_size", 1, 1 << 16).value_or(1) > 1) {
      findings_.outside("inference.tp", "rollout.data_parallel_size: ranks that share experts");
    }
    rollout_limits();
    other_parts();
  }

  /// Parts of a step that a scenario cannot say.
  void other_parts() {
    if (on("algorithm.filter_groups.enable")) {
      findings_.outside("algorithm.filter_groups",
                        "prompts are answered again until enough groups differ");
    }
    if (on("reward_model.enable") || on("reward.reward_model.enable")) {
      findings_.outside("reward_model", "a model on accelerators rates the answers");
    }
    if (values_.has("rollout.nnodes") || part_.is_outside("rollout.nnodes")) {
      findings_.forget("cluster.nodes");
      findings_.outside("post_training.rollout_nodes",
                        "rollout.nnodes: trainer and rollout have nodes of their own");
    }
  }

  void rollout_limits() {
    const std::string rollout = "actor_rollout_ref.rollout.";
    if (const auto most = values_.whole(rollout + "max_num_seqs", 1, 1 << 20)) {
      findings_.know("inference.engine.max_batch", *most, "max_num_seqs");
    }
    if (const auto most = values_.whole(rollout + "max_num_batched_tokens", 1, 1 << 24)) {
      findings_.know("inference.engine.max_tokens", *most, "max_num_batched_tokens");
    }
    if (on(rollout + "enforce_eager")) {
      findings_.know("inference.engine.max_graph_batch", 0, "enforce_eager");
    }
  }

  /// Whether the trainer's state leaves the accelerators while they generate.
  void offload(const std::string& section) {
    const bool parameters = on(section + "param_offload");
    const bool moments = on(section + "optimizer_offload");
    values_.find(section + "grad_offload");
    if (part_.is_outside(section + "param_offload") ||
        part_.is_outside(section + "optimizer_offload")) {
      return;
    }
    if (parameters != moments) {
      findings_.not_expressed(
          fmt::format("only {} lie in host memory while the accelerators generate",
                      parameters ? "parameters" : "moments"));
    }
    findings_.know("post_training.offload_trainer", parameters && moments,
                   "param_offload and optimizer_offload");
  }

  void degrees(const std::string& section, const std::array<const char*, 4>& keys) {
    static constexpr auto kPaths = std::to_array<std::string_view>(
        {"parallelism.tp", "parallelism.pp", "parallelism.cp", "parallelism.ep"});
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i][0] == '\0') continue;
      const std::string key = section + keys[i];
      if (&stack_ != &kNemoRl || values_.has(key)) {
        part_.degree(key, kPaths[i]);
      } else if (!part_.is_outside(key)) {
        findings_.outside(kPaths[i], fmt::format("no {}", key));
      }
    }
  }

  void adapters(std::string_view key) {
    const auto rank = values_.whole(key, 0, 65536);
    if (rank.value_or(0) > 0) findings_.know("workload.lora.rank", *rank, key);
  }

  void open_rlhf() {
    micro();
    engine("", "vllm");
    const auto stage = values_.whole("zero_stage", 0, 3);
    if (!part_.is_outside("zero_stage")) {
      findings_.say(stage.has_value(), "software.zero_stage", stage.value_or(2),
                    stage ? "zero_stage" : "no zero_stage: the default of OpenRLHF");
    }
    findings_.unknown("software",
                      "the catalogue has no profile of OpenRLHF: name the nearest, "
                      "such as deepspeed-zero3");
    recompute("gradient_checkpointing", false);
    adapters("lora_rank");
    const auto weight = values_.number("init_kl_coef", 0.0, 1e6);
    if (!part_.is_outside("init_kl_coef")) {
      findings_.say(weight.has_value(), "post_training.reference_model",
                    weight.value_or(0.01) > 0.0,
                    weight ? "init_kl_coef" : "init_kl_coef 0.01: the default of OpenRLHF");
    }
    critic(part_.lower("advantage_estimator"), "advantage_estimator");
    if (values_.has("reward_pretrain") || part_.is_outside("reward_pretrain")) {
      findings_.outside("reward_pretrain", "a model on accelerators rates the answers");
    }
    if (on("dynamic_filtering")) {
      findings_.outside("dynamic_filtering",
                        "prompts are answered again until enough groups differ");
    }
    if (on("async_train")) {
      findings_.outside("async_train", "how far the trainer is ahead of the rollout");
    }
    const auto is_together = switch_of("colocate_all_models", false);
    const auto sleeps = switch_of("deepspeed_enable_sleep", false);
    if (is_together && sleeps) {
      findings_.say(values_.has("colocate_all_models"), "post_training.offload_trainer",
                    *is_together && *sleeps, "colocate_all_models and deepspeed_enable_sleep");
    }
    if (is_together.value_or(false)) return;
    findings_.forget("cluster.nodes");
    findings_.outside("post_training.rollout_nodes",
                      "models lie on accelerators of their own: vllm_num_engines, ref_num_nodes");
  }

  void nemo_rl() {
    micro();
    if (part_.values().find("defaults") != nullptr) {
      findings_.outside("defaults", fmt::format("{}: it tells the rest; import it first",
                                                shown(core::to_yaml(*values_.find("defaults")))));
    }
    const std::string megatron = "policy.megatron_cfg.";
    const std::string dtensor = "policy.dtensor_cfg.";
    const auto on_megatron = part_.yes(megatron + "enabled");
    const auto on_dtensor = part_.yes(dtensor + "enabled");
    if (on_megatron.value_or(false)) {
      if (const auto splits = part_.yes(megatron + "sequence_parallel")) {
        findings_.know("parallelism.sequence_parallel", *splits, megatron + "sequence_parallel");
      }
      degrees(megatron, {"tensor_model_parallel_size", "pipeline_model_parallel_size",
                         "context_parallel_size", "expert_model_parallel_size"});
      propose_software(findings_, "megatron-bridge-26.06",
                       "NeMo RL on Megatron-Bridge, by its newest profile");
    } else if (on_dtensor.value_or(false) || on_megatron) {
      degrees(dtensor, {"tensor_parallel_size", "", "context_parallel_size", ""});
    } else {
      findings_.outside("parallelism", "whether Megatron or DTensor trains is not in the file");
    }
    const std::string checkpoints =
        (on_megatron.value_or(false) ? megatron : dtensor) + "activation_checkpointing";
    if (part_.yes(checkpoints)) recompute(checkpoints, false);
    for (const std::string& section :
         {megatron + "fp8_cfg.", dtensor + "cpu_", megatron + "peft.", dtensor + "lora_cfg."}) {
      const std::string key = section + (section.ends_with("cpu_") ? "offload" : "enabled");
      if (on(key)) findings_.outside(key, "a way to train that is not read");
    }
    const auto weight = values_.number("loss_fn.reference_policy_kl_penalty", 0.0, 1e6);
    if (weight) {
      findings_.know("post_training.reference_model", *weight > 0.0, "reference_policy_kl_penalty");
    }
    engine("policy.generation.backend", values_.has("policy.generation.vllm_cfg") ? "vllm" : "");
    apart();
  }

  /// Nodes that generate alone, and how far the trainer may be ahead of them.
  void apart() {
    const std::string section = "policy.generation.colocated.";
    const auto together = part_.yes(section + "enabled");
    if (!together || *together) return;
    const auto nodes = values_.whole(section + "resources.num_nodes", 1, 65536);
    if (nodes) {
      findings_.know("post_training.rollout_nodes", *nodes, "colocated.resources.num_nodes");
    } else {
      findings_.outside("post_training.rollout_nodes", "no colocated.resources.num_nodes");
    }
    if (!on("grpo.async_grpo.enabled")) return;
    const auto age = values_.whole("grpo.async_grpo.max_trajectory_age_steps", 0, 64);
    findings_.say(age.has_value(), "post_training.max_staleness", age.value_or(1),
                  "max_trajectory_age_steps");
  }

  TrainingPart& part_;
  const RlStack& stack_;
  Findings& findings_;
  TreeValues& values_;
};

bool is_of_nemo_rl(std::string_view text) {
  return has_line(text, "grpo:") && has_line(text, "policy:");
}

bool is_of_open_rlhf(std::string_view text) {
  return contains(text, "train_ppo_ray") &&
         (contains(text, "--rollout_batch_size") || contains(text, "--rollout.batch_size"));
}

}  // namespace

bool is_post_training(std::string_view head) {
  if (is_json_object(head)) return false;
  return is_of_nemo_rl(head) || is_of_open_rlhf(head) ||
         (contains(head, "actor_rollout_ref.") && contains(head, "data.train_batch_size="));
}

Imported import_post_training(std::string_view text, const std::string& file,
                              const core::Node& known) {
  Findings findings(file);
  if (text.size() > kMaxRlScriptBytes) {
    throw core::ConfigError({{{file}, "", "more than 4 MiB, which is no script", ""}});
  }
  core::Node root;
  std::vector<UnsetOption> unset;
  const RlStack* stack = &kNemoRl;
  if (is_of_nemo_rl(text)) {
    root = parse_foreign_yaml(text, file);
    const core::Node whole = root;
    fill_references(root, whole);
    unset = take_out_templates(root);
  } else {
    stack = is_of_open_rlhf(text) ? &kOpenRlhf : &kVerl;
    ShellOptions options =
        shell_options(stack == &kVerl ? with_rl_options(text) : std::string(text), file);
    if (stack == &kOpenRlhf) {
      for (core::Entry& entry : options.options.entries) entry.key = name_before(entry.key);
      for (UnsetOption& one : options.unset) one.name = name_before(one.name);
    }
    root = nested(options.options);
    unset = std::move(options.unset);
    add_shell_notes(options, findings);
  }
  TrainingPart part(root, std::move(unset), known, stack->name, findings);
  RlReading(part, *stack).all();
  return findings.take();
}

}  // namespace railwright::importers
