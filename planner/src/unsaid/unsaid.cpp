// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/unsaid/unsaid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "../search/recipe_space.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/planner/search/automatic_division.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/pools_of_kinds.hpp"

namespace railwright::planner {

namespace {

/// Tokens of a step of which Llama 2 was trained (arXiv:2307.09288, section 2.2).
constexpr std::int64_t kTokensOfBatch = std::int64_t{4} << 20;
/// Longest sequence that is chosen: of Llama 3's pre-training (arXiv:2407.21783, section 3.4).
constexpr int kLongestSequence = 8192;
/// Tokens of a service that names none: an estimate after Azure's conversations, whose median is
/// 1,020 and 129 tokens [@patel2024splitwise].
constexpr int kPromptTokens = 1024;
constexpr int kOutputTokens = 256;

/// Reads a part of a scenario alone; nothing where it is missing or wrong.
template <class T>
std::optional<T> read_alone(const core::Node* node, const core::Catalogue& catalogue) {
  if (node == nullptr) return std::nullopt;
  core::Reader reader(&catalogue);
  T value;
  try {
    reader.read(*node, "", value);
  } catch (const core::ConfigError&) {
    return std::nullopt;
  }
  if (!reader.diagnostics().empty()) return std::nullopt;
  return value;
}

bool is_amd(const core::ComputeNode& node) {
  const core::Generation generation = node.accelerator.generation.value;
  return generation == core::Generation::kCdna2 || generation == core::Generation::kCdna3 ||
         generation == core::Generation::kCdna4 || generation == core::Generation::kCdna5;
}

/// Returns the last entry whose name is `stem` with a version: those sort by age. Empty if none.
std::string newest(const core::Catalogue& catalogue, std::string_view kind, std::string_view stem) {
  std::string found;
  for (const std::string& name : catalogue.names(kind)) {
    const bool is_version = name.starts_with(stem) && name.size() > stem.size() + 1 &&
                            name[stem.size()] == '-' && name[stem.size() + 1] >= '0' &&
                            name[stem.size() + 1] <= '9';
    if (is_version || (name == stem && found.empty())) found = name;
  }
  return found;
}

/// Returns the switch whose ports fit the NIC's, with the most ports among those of its rate; of a
/// higher rate where three tiers of these have too few ports for `hosts` (a fat tree of switches
/// with k ports has k^3 / 4). Nothing if none does.
std::optional<core::Switch> switch_for(const core::NicSet& nics, double hosts,
                                       const core::Catalogue& catalogue) {
  std::optional<core::Switch> best;
  for (const std::string& name : catalogue.names("switches")) {
    const core::Node node = core::text_node(name);
    auto model = read_alone<core::Switch>(&node, catalogue);
    if (!model || !model->link_protocol) continue;
    if (std::ranges::find(nics.transport.link_protocols, model->link_protocol->value) ==
        nics.transport.link_protocols.end()) {
      continue;
    }
    const core::Bandwidth rate = model->port_rate.value;
    const double ports = model->num_ports.value;
    if (rate < nics.nic.line_rate.value || ports * ports * ports / 4.0 < hosts) continue;
    const bool is_better =
        !best || rate < best->port_rate.value ||
        (rate == best->port_rate.value && model->num_ports.value > best->num_ports.value);
    if (is_better) best = std::move(model);
  }
  return best;
}

class Filling {
 public:
  Filling(core::Node tree, const core::Catalogue& catalogue, Asked asked)
      : filled_{std::move(tree), {}}, catalogue_(catalogue), asked_(asked) {}

  Filled training() {
    choose_node();
    choose_nodes();
    choose_software();
    choose_batch();
    const bool has_steps = !is_missing("workload.steps");
    const std::optional<double> tokens = number("goals.tokens");
    if (!has_steps) drop_goal_without_deadline();
    if (!has_steps) core::set_path(filled_.tree, "workload.steps=1");
    choose_fabric();
    choose_name("workload.model");
    choose_division();
    choose_space();
    if (!has_steps) choose_steps(tokens);
    return std::move(filled_);
  }

  Filled fabric() {
    if (!is_missing("cluster.pools")) return std::move(filled_);  // each pool has its own
    choose_node();
    choose_fabric();
    if (node_) put_name(node_->name);
    return std::move(filled_);
  }

  Filled service() {
    choose_node();
    choose_nodes();
    const bool amd = node_ && is_amd(*node_);
    choose("inference.prompt_tokens", std::to_string(kPromptTokens),
           "about what people ask in Azure's conversations: an estimate");
    choose("inference.output_tokens", std::to_string(kOutputTokens),
           "about what they are answered there: an estimate");
    choose("inference.library", newest(catalogue_, "collective_libraries", amd ? "rccl" : "nccl"),
           "the newest");
    choose_fabric();
    choose_name("inference.model");
    return std::move(filled_);
  }

 private:
  [[nodiscard]] bool is_missing(std::string_view key) const {
    return core::find_path(filled_.tree, key) == nullptr;
  }

  void choose(const std::string& key, const std::string& value, std::string why) {
    if (value.empty() || !is_missing(key)) return;
    core::set_path(filled_.tree, fmt::format("{}={}", key, value));
    core::find_path(filled_.tree, key)->where = {fmt::format("chosen for {}", key), 0, 0};
    filled_.chosen.push_back({key, value, std::move(why)});
  }

  /// Names the node, beside keys of it that are said.
  void choose_node() {
    const core::Node* said = core::find_path(filled_.tree, "cluster.node");
    const bool has_keys = said != nullptr && said->is_mapping();
    if (!has_keys) {
      choose("cluster.node", std::string(kDefaultNode), "no node was named");
    } else if (said->find("model") == nullptr && said->find("accelerator") == nullptr) {
      choose("cluster.node.model", std::string(kDefaultNode), "no node was named");
    }
    node_ =
        read_alone<core::ComputeNode>(core::find_path(filled_.tree, "cluster.node"), catalogue_);
  }

  void choose_nodes() {
    if (asked_ == Asked::kSize) choose("cluster.nodes", "1", "`size` says how many");
  }

  /// Names the stack, beside keys of it that are said.
  void choose_software() {
    const core::Node* said = filled_.tree.find("software");
    const bool has_keys = said != nullptr && said->is_mapping();
    const bool is_whole = said != nullptr && (!has_keys || said->find("model") != nullptr ||
                                              said->find("name") != nullptr);
    if (!node_ || is_whole) return;
    const char* const key = has_keys ? "software.model" : "software";
    const std::string bridge = newest(catalogue_, "software", "megatron-bridge");
    if (!is_amd(*node_)) return choose(key, bridge, "NVIDIA's newest training stack");
    const std::string primus = newest(catalogue_, "software", "primus-megatron");
    choose(key, primus.empty() ? bridge : primus, "the newest stack for the device");
  }

  void choose_batch() {
    model_ = read_alone<models::Transformer>(core::find_path(filled_.tree, "workload.model"),
                                             catalogue_);
    if (!model_) return;
    const int context = models::longest_context(*model_);
    const int sequence = context > 0 ? std::min(context, kLongestSequence) : kLongestSequence;
    choose("workload.sequence_length", std::to_string(sequence),
           context > 0 && context < kLongestSequence ? "the model's context"
                                                     : "as Llama 3 was trained first");
    const std::optional<double> length = number("workload.sequence_length");
    if (!length || *length < 1.0) return;
    const auto batch =
        std::max<std::int64_t>(1, kTokensOfBatch / static_cast<std::int64_t>(*length));
    choose("workload.global_batch", std::to_string(batch),
           "four million tokens a step, as Llama 2 was trained");
  }

  /// Replaces the one step that a division was chosen for.
  void choose_steps(std::optional<double> tokens) {
    std::string steps = "1000";
    std::string why = "no length was named";
    const std::optional<double> length = number("workload.sequence_length");
    const std::optional<double> batch = number("workload.global_batch");
    if (tokens && length && batch) {
      steps = fmt::format("{:.0f}", std::max(1.0, std::ceil(*tokens / (*length * *batch))));
      why = "the tokens in steps of that batch";
    } else if (core::find_path(filled_.tree, "goals.find") != nullptr) {
      why = "`size` takes as many as there is time for";
    }
    core::set_path(filled_.tree, "workload.steps=" + steps);
    filled_.chosen.push_back({"workload.steps", steps, std::move(why)});
  }

  /// Tokens without a deadline only say how many steps there are.
  void drop_goal_without_deadline() {
    const core::Node* goals = filled_.tree.find("goals");
    if (goals == nullptr || asked_ == Asked::kSize) return;
    if (goals->find("deadline") != nullptr || goals->find("by") != nullptr) return;
    std::erase_if(filled_.tree.entries, [](const core::Entry& one) { return one.key == "goals"; });
  }

  /// Names topology and switch, beside keys of them that are said.
  void choose_fabric() {
    const core::Node* said = core::find_path(filled_.tree, "cluster.fabric");
    const bool has_keys = said != nullptr && said->is_mapping();
    const bool is_whole = said != nullptr && (!has_keys || said->find("model") != nullptr ||
                                              said->find("topology") != nullptr);
    if (!node_ || is_whole) return;
    const double nics = node_->nics.count * node_->nics.nic.num_ports;
    const double nodes = number("cluster.nodes").value_or(1.0);
    const std::optional<core::Switch> model = switch_for(node_->nics, nics * nodes, catalogue_);
    if (!model) return;
    const bool in_rails =
        asked_ != Asked::kSize && nics > 1 && nics * nodes > model->num_ports.value;
    const std::string topology = in_rails ? "rail_optimized" : "fat_tree";
    const std::string why = "of switches with the most ports at the rate of the NICs";
    if (has_keys) {
      choose("cluster.fabric.topology", topology, "as where no fabric is named");
      choose("cluster.fabric.switch", model->name, why);
      return;
    }
    choose("cluster.fabric", fmt::format("{{topology: {}, switch: {}}}", topology, model->name),
           "without oversubscription, " + why);
  }

  void choose_name(std::string_view model_key) {
    const core::Node* model = core::find_path(filled_.tree, model_key);
    if (model == nullptr || !is_missing("name")) return;
    const core::Node* name = model->is_mapping() ? model->find("model") : model;
    if (name == nullptr && model->is_mapping()) name = model->find("name");
    if (name != nullptr && name->is_scalar()) put_name(name->text);
  }

  void put_name(const std::string& name) {
    if (!is_missing("name")) return;
    core::Node text = core::text_node(name);
    filled_.tree.entries.insert(filled_.tree.entries.begin(), {"name", {}, std::move(text), 0});
  }

  /// Whether a division has to be chosen: a search has its own, unless its batch has none.
  [[nodiscard]] bool wants_division() const {
    if (!model_ || asked_ == Asked::kSize || !is_missing("parallelism") || !is_missing("sweep"))
      return false;
    if (asked_ == Asked::kDesign) return true;
    try {
      simulation::read_scenario(filled_.tree, catalogue_);
      return false;
    } catch (const core::ConfigError&) {
      return true;
    }
  }

  void choose_division() {
    if (!wants_division()) return;
    std::optional<Division> division;
    try {
      division = automatic_division(filled_.tree, catalogue_);
    } catch (const core::ConfigError&) {
      return;  // what reads the scenario says what is wrong with it
    }
    if (!division) return;
    filled_.tree = with_division(std::move(filled_.tree), *division);
    const std::string why = "the fastest in closed form of the divisions that recipes have";
    if (const core::Node* parallelism = filled_.tree.find("parallelism")) {
      filled_.chosen.push_back({"parallelism", core::to_yaml(*parallelism), why});
    }
    for (const std::string& setting : division->settings) {
      const std::size_t at = setting.find('=');
      const std::string key = setting.substr(0, at);
      if (key.starts_with("parallelism.")) continue;
      if (key != "workload.global_batch") {
        filled_.chosen.push_back({key, setting.substr(at + 1), "goes with that division"});
      } else if (division->global_batch != division->wanted_batch) {
        round_batch(division->global_batch);
      }
    }
  }

  /// Lets a question of nodes take smaller batches than the one that was chosen for it, and
  /// divisions of published recipes alone.
  void choose_space() {
    if (chosen_batch() == filled_.chosen.end() || asked_ != Asked::kSize || !is_missing("search") ||
        !is_missing("parallelism")) {
      return;
    }
    core::Node space;
    space.kind = core::Node::Kind::kMapping;
    try {
      for (const std::string& setting :
           recipe_space(simulation::read_scenario(filled_.tree, catalogue_).scenario)) {
        if (!setting.starts_with("search.variants=")) core::set_path(space, setting);
      }
    } catch (const core::ConfigError&) {
      return;  // what reads the scenario says what is wrong with it
    }
    core::set_path(space, "search.cp=[1]");
    choose("search", core::to_yaml(*space.find("search")), "divisions that published recipes have");
    choose("goals.max_global_batch", core::find_path(filled_.tree, "workload.global_batch")->text,
           "smaller batches serve as well");
  }

  void round_batch(std::int64_t batch) {
    const auto chosen = chosen_batch();
    const std::string why = "the nearest that the accelerators divide";
    if (chosen == filled_.chosen.end()) {
      filled_.chosen.push_back({"workload.global_batch", std::to_string(batch), why});
    } else {
      chosen->value = std::to_string(batch);
      chosen->why += "; " + why;
    }
  }

  std::vector<Chosen>::iterator chosen_batch() {
    return std::ranges::find(filled_.chosen, "workload.global_batch", &Chosen::key);
  }

  [[nodiscard]] std::optional<double> number(std::string_view key) const {
    return read_alone<double>(core::find_path(filled_.tree, key), catalogue_);
  }

  Filled filled_;
  const core::Catalogue& catalogue_;
  Asked asked_;
  std::optional<core::ComputeNode> node_;
  std::optional<models::Transformer> model_;  ///< nothing for other kinds of models
};

/// Returns what to ask in place of a training job on nodes of several kinds; empty for one design.
std::string instead_of_pools(Asked asked) {
  if (asked == Asked::kSize) {
    return "list the kinds to choose from as goals.parts.nodes, with one node, one fabric and no "
           "pools in cluster";
  }
  return asked == Asked::kSearch ? "ask about one pool: its nodes, node and fabric in cluster" : "";
}

}  // namespace

Filled fill_in(core::Node tree, const core::Catalogue& catalogue, Asked asked) {
  if (!tree.is_mapping()) return {std::move(tree), {}};
  if (asked == Asked::kFabric) return Filling(std::move(tree), catalogue, asked).fabric();
  simulation::check_kind_has_pools(tree, instead_of_pools(asked));
  const simulation::ScenarioKind& kind = simulation::kind_of(tree);
  const bool is_service = kind.facts.key == "inference";
  const bool is_job = simulation::is_training(kind) && tree.find("workload") != nullptr;
  if (!is_service && !is_job) return {std::move(tree), {}};
  const std::string model = is_service ? "inference.model" : "workload.model";
  const bool has_nodes = asked == Asked::kSize || core::find_path(tree, "cluster.nodes") != nullptr;
  if (!has_nodes || core::find_path(tree, model) == nullptr) return {std::move(tree), {}};
  Filling filling(std::move(tree), catalogue, asked);
  return is_service ? filling.service() : filling.training();
}

}  // namespace railwright::planner
