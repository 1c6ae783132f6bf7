// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace railwright::models {

/// A contradiction in the shape of a model, with its key under the model ("experts.top_k",
/// "blocks.2.layers.0.groups").
struct ShapeProblem {
  std::string key;
  std::string message;
};

}  // namespace railwright::models
