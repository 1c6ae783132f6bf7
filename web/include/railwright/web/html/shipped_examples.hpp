// SPDX-License-Identifier: Apache-2.0
// The training jobs of the folder examples, embedded when railwright is built.
#pragma once

#include <string>
#include <vector>

namespace railwright::web {

struct ShippedExample {
  std::string name;   ///< "llama-2-70b-six-nodes", the file without its ending
  std::string title;  ///< the scenario's name
  std::string text;   ///< the scenario in one piece
};

/// Returns the examples that are one training job, by name.
std::vector<ShippedExample> shipped_examples();

}  // namespace railwright::web
