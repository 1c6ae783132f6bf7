// SPDX-License-Identifier: Apache-2.0
#include "model_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::importers {

namespace {

/// Leaves out what a mixer has by default, of which it has much: a list is replaced as a whole.
void leave_out_defaults(core::Node& mixers) {
  const core::Node plain = core::to_node(models::Mixer{});
  for (core::Node& mixer : mixers.items) {
    std::erase_if(mixer.entries, [&](const core::Entry& entry) {
      const core::Node* known = plain.find(entry.key);
      return entry.key != "kind" && known != nullptr && known->text == entry.value.text;
    });
  }
}

}  // namespace

core::Node complete_node(const models::Transformer& model) {
  core::Node node;
  node.kind = core::Node::Kind::kMapping;
  core::for_each_field<models::Transformer>([&](const auto& field) {
    core::add_entry(node, field.name, core::to_node(model.*(field.member)));
  });
  if (core::Node* mixers = node.find("mixers")) leave_out_defaults(*mixers);
  return node;
}

bool is_countable(const models::Transformer& model) {
  const double hidden = model.hidden_size;
  const double heads = model.num_heads;
  const double head = model.head_size.value_or(model.hidden_size / std::max(1, model.num_heads));
  double ffn = model.ffn_size;
  if (model.experts) {
    ffn += static_cast<double>(model.experts->count) * model.experts->ffn_size +
           model.experts->shared_ffn_size;
  }
  double attention = 4.0 * heads * head;
  if (model.latent_attention) {
    const models::LatentAttention& latent = *model.latent_attention;
    attention += (heads * (head + latent.value_size + latent.rope_size) + hidden) *
                 (latent.query_rank + latent.kv_rank);
  }
  if (model.mamba) {
    const models::Mamba& mamba = *model.mamba;
    attention += 3.0 * static_cast<double>(mamba.inner()) +
                 (2.0 + mamba.conv_size) * static_cast<double>(mamba.states()) + mamba.num_heads;
  }
  for (const models::Mixer& mixer : model.mixers) {
    const double width = static_cast<double>(mixer.head_size) + mixer.value_size + mixer.rope_size;
    const double inner = (static_cast<double>(mixer.num_heads) + mixer.num_kv_heads) * width;
    attention += 4.0 * inner + static_cast<double>(mixer.index_heads) * mixer.index_size +
                 (heads * head + inner) * mixer.query_rank +
                 static_cast<double>(mixer.output_groups) * mixer.output_rank +
                 inner * mixer.state_size;
  }
  const double layers = models::total_layers(model) + model.mtp_layers;
  return (2.0 * layers * (attention + 4.0 * ffn) + model.vocabulary_size + model.positions) *
             hidden <
         1e18;
}

std::string in_words(std::int64_t parameters) {
  std::string digits = std::to_string(parameters);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  const bool is_large = parameters >= 1'000'000'000;
  return fmt::format("{:.3g} {} parameters ({})",
                     static_cast<double>(parameters) * (is_large ? 1e-9 : 1e-6),
                     is_large ? "billion" : "million", digits);
}

}  // namespace railwright::importers
