// SPDX-License-Identifier: Apache-2.0
// Scenarios with `inference` for tests: a base with settings laid over it.
#pragma once

#include <string>
#include <vector>

#include "railwright/workloads/serving/serving.hpp"

namespace railwright::test {

/// Llama 2 7B in bf16, prompts of 1000 and answers of 101 tokens, on four XE8640 of four H100 each.
inline std::string inference_text() {
  return "name: test\n"                                                  // 1
         "inference:\n"                                                  // 2
         "  model: llama-2-7b\n"                                         // 3
         "  prompt_tokens: 1000\n"                                       // 4
         "  output_tokens: 101\n"                                        // 5
         "  library: nccl-2.30\n"                                        // 6
         "cluster:\n"                                                    // 7
         "  nodes: 4\n"                                                  // 8
         "  node: {model: xe8640, nics: {nic: connectx-7, count: 1}}\n"  // 9
         "  fabric: {topology: single_switch, switch: qm9790}\n";        // 10
}

inline simulation::CheckedInference inference(const std::vector<std::string>& settings = {}) {
  core::Node tree = core::parse_yaml(inference_text(), "i.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return simulation::read_inference(tree,
                                    core::Catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"}));
}

}  // namespace railwright::test
