// SPDX-License-Identifier: Apache-2.0
#include "shape_part.hpp"

#include <fmt/format.h>

#include "model_part.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::importers {

namespace {

void add_parts(const models::Transformer& model, std::string_view program, Findings& findings) {
  const std::string key = "workload.model.";
  findings.know(key + "num_layers", model.num_layers, program);
  findings.know(key + "hidden_size", model.hidden_size, program);
  findings.know(key + "num_heads", model.num_heads, program);
  findings.know(key + "num_kv_heads", model.num_kv_heads, program);
  findings.know(key + "head_size", model.head_size, program);
  findings.know(key + "ffn_size", model.ffn_size, program);
  findings.know(key + "gated_ffn", model.gated_ffn, program);
  findings.know(key + "experts", model.experts, program);
  findings.know(key + "tied_embeddings", model.tied_embeddings, program);
  findings.know(key + "positions", model.positions, program);
  findings.know(key + "biases", model.biases, program);
  findings.unknown(key + "vocabulary_size", "the tokenizer tells it");
}

}  // namespace

void add_shape(const TransformerShape& shape, std::string_view program, Findings& findings) {
  models::Transformer model = shape.model;
  const core::Location here{findings.file()};
  if (model.hidden_size % model.num_heads != 0 && !model.head_size) {
    findings.problem(
        here, "workload.model.num_heads",
        fmt::format("{} heads do not divide a width of {}", model.num_heads, model.hidden_size));
    return;
  }
  const auto problems = models::find_problems(model);
  for (const core::Problem& problem : problems) {
    findings.problem(here, "workload.model." + problem.key, problem.message, problem.hint);
  }
  if (!problems.empty()) return;
  if (!is_countable(model)) {
    findings.problem(here, "workload.model", "more parameters than can be counted");
    return;
  }
  if (!shape.has_vocabulary) return add_parts(model, program, findings);
  if (model.name.empty()) {
    model.name = fmt::format("{}-layers-of-{}", model.num_layers, model.hidden_size);
  }
  model.description = fmt::format("A transformer read from a configuration of {}", program);
  model.source = shown(findings.file());
  const std::string parameters = in_words(models::num_parameters(model));
  findings.say(shape.assumption.empty(), "workload.model", complete_node(model),
               shape.assumption + parameters);
}

}  // namespace railwright::importers
