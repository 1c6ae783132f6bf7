// SPDX-License-Identifier: Apache-2.0
#include "model_part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::importers {

core::Node complete_node(const models::Transformer& model) {
  core::Node node;
  node.kind = core::Node::Kind::kMapping;
  core::for_each_field<models::Transformer>([&](const auto& field) {
    core::add_entry(node, field.name, core::to_node(model.*(field.member)));
  });
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
