// SPDX-License-Identifier: Apache-2.0
// Logs of trainings, nccl-tests, benchmarks of storage and tables of runs, by the input's first
// byte.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "railwright/core/error.hpp"
#include "railwright/validation/measurements/nccl_tests.hpp"
#include "railwright/validation/measurements/runs.hpp"
#include "railwright/validation/measurements/storage_tools.hpp"
#include "railwright/validation/measurements/training_log.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"

using namespace railwright;

namespace {

const core::Catalogue& catalogue() {
  static const core::Catalogue built_in({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return built_in;
}

core::Node example(const char* name) {
  return core::load_yaml(std::string(RAILWRIGHT_SOURCE_DIR "/examples/") + name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 4) {
      case 0:
        if (validation::is_training_log(text)) validation::read_training_log(text, "fuzz.log");
        break;
      case 1: {
        static const auto kBenchmark =
            simulation::read_benchmark(example("all-reduce-8-h100-nodes.yaml"), catalogue());
        validation::read_nccl_tests(text, "fuzz.txt", kBenchmark);
        break;
      }
      case 2:
        validation::read_storage_result(text, "fuzz.json");
        break;
      default: {
        static const validation::BaseScenario kBase{.tree = example("neutral-llama-2-7b.yaml"),
                                                    .settings = {}};
        validation::read_runs_csv(text, "fuzz.csv", kBase, catalogue());
      }
    }
  } catch (const core::Error&) {
    return 0;
  }
  return 0;
}
