// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/parallelism/shards.hpp"

#include <numeric>

namespace railwright::models {

std::vector<double> parameters_by_layer(const Transformer& model, const Layout& layout, int stage) {
  const double tp = layout.tp;
  const double norms = 2.0 * model.hidden_size;
  const double layer = static_cast<double>(layer_matrix_parameters(model)) / tp + norms;
  std::vector<double> parameters;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    parameters.push_back(layout.has_layer(stage, place) ? layer : 0.0);
  }
  const double embedding = static_cast<double>(embedding_parameters(model)) / tp;
  if (stage == 0) parameters.front() += embedding;
  if (stage == layout.pp - 1) {
    const bool shares_embedding = model.tied_embeddings && layout.pp == 1;
    parameters.back() += model.hidden_size + (shares_embedding ? 0.0 : embedding);
  }
  return parameters;
}

double parameters_on_rank(const Transformer& model, const Layout& layout, int stage) {
  const auto parameters = parameters_by_layer(model, layout, stage);
  return std::accumulate(parameters.begin(), parameters.end(), 0.0);
}

}  // namespace railwright::models
