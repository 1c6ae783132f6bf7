// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/parallelism/shards.hpp"

#include <numeric>

#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

std::vector<double> parameters_by_layer(const Transformer& model, const Layout& layout, int stage) {
  std::vector<double> parameters;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    parameters.push_back(
        layer ? static_cast<double>(layer_parameters(model, layer_kind(model, *layer), layout.tp))
              : 0.0);
  }
  const double embedding = static_cast<double>(embedding_parameters(model)) / layout.tp;
  if (stage == 0) {
    parameters.front() += embedding + static_cast<double>(embedding_vector_parameters(model));
  }
  if (stage == layout.pp - 1) {
    const bool shares_embedding = model.tied_embeddings && layout.pp == 1;
    parameters.back() +=
        static_cast<double>(final_norm_parameters(model)) + (shares_embedding ? 0.0 : embedding);
  }
  return parameters;
}

double parameters_on_rank(const Transformer& model, const Layout& layout, int stage) {
  const auto parameters = parameters_by_layer(model, layout, stage);
  return std::accumulate(parameters.begin(), parameters.end(), 0.0);
}

}  // namespace railwright::models
