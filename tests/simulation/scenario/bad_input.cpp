// SPDX-License-Identifier: Apache-2.0
#include "bad_input.hpp"

#include <filesystem>
#include <sstream>

#include "../../support/temporary_folder.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::test {

namespace fs = std::filesystem;

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.name; }

std::string sound_scenario() {
  return "name: test\n"                                                        // 1
         "workload:\n"                                                         // 2
         "  model: llama-2-7b\n"                                               // 3
         "  sequence_length: 4096\n"                                           // 4
         "  global_batch: 144\n"                                               // 5
         "  micro_batch: 1\n"                                                  // 6
         "  steps: 500\n"                                                      // 7
         "parallelism:\n"                                                      // 8
         "  tp: 2\n"                                                           // 9
         "  pp: 1\n"                                                           // 10
         "cluster:\n"                                                          // 11
         "  nodes: 2\n"                                                        // 12
         "  node:\n"                                                           // 13
         "    model: xe9680-h100\n"                                            // 14
         "    nics: {nic: connectx-7, count: 8}\n"                             // 15
         "  fabric: {topology: single_switch, switch: qm9790}\n"               // 16
         "  storage: {node: powerscale-f600p, count: 3, switch: s5232f-on}\n"  // 17
         "software: nemo-23.11\n"                                              // 18
         "installation: neutral\n";                                            // 19
}

Lines problems_of(const BadInput& input) {
  std::string text = sound_scenario();
  for (const auto& [from, to] : input.edits) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) return {"the test's edit does not apply: " + from};
    text.replace(at, from.size(), to);
  }
  try {
    core::Node tree = core::parse_yaml(text, "s.yaml");
    for (const std::string& setting : input.settings) core::set_path(tree, setting);
    simulation::read_scenario(tree, small_catalogue());
  } catch (const core::ConfigError& error) {
    Lines lines;
    for (const auto& problem : error.diagnostics()) lines.push_back(core::to_string(problem));
    return lines;
  }
  return {};
}

TEST_P(BadInputTest, IsAnsweredWithEveryProblem) {
  EXPECT_EQ(problems_of(GetParam()), GetParam().expected);
}

const core::Catalogue& small_catalogue() {
  static const TemporaryFolder kFolder;
  static const core::Catalogue kCatalogue = [] {
    const fs::path from = fs::path(RAILWRIGHT_SOURCE_DIR) / "models" / "catalogue";
    for (const std::string entry : {"accelerators/h100-sxm",
                                    "cables/100gbe-dac",
                                    "cables/100gbe-multimode",
                                    "cables/ndr-acc",
                                    "cables/ndr-dac",
                                    "cables/ndr-multimode",
                                    "cables/ndr-single-mode",
                                    "collective_libraries/nccl-2.19",
                                    "collective_libraries/nccl-2.30",
                                    "cpu_nodes/r660",
                                    "installations/h20003",
                                    "installations/neutral",
                                    "kernels/h100-sxm-kernels",
                                    "nics/connectx-6-dx",
                                    "nics/connectx-7",
                                    "nodes/xe9680-h100",
                                    "software/nemo-23.11",
                                    "storage_nodes/powerscale-f600p",
                                    "switches/qm9790",
                                    "switches/s5232f-on",
                                    "transports/infiniband",
                                    "transports/tcp",
                                    "workloads/llama-2-7b",
                                    "workloads/llama-2-70b"}) {
      const fs::path to = kFolder.path() / (entry + ".yaml");
      fs::create_directories(to.parent_path());
      fs::copy_file(from / (entry + ".yaml"), to);
    }
    return core::Catalogue({kFolder.path().string()});
  }();
  return kCatalogue;
}

}  // namespace railwright::test
