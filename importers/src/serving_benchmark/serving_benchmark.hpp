// SPDX-License-Identifier: Apache-2.0
// Imports the load of a benchmark of a service from its result: `vllm bench serve`, SGLang's
// bench_serving, GuideLLM, inference-perf. [@vllm_bench] [@guidellm] [@inference_perf]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_serving_benchmark(std::string_view head);
Imported import_serving_benchmark(std::string_view text, const std::string& file,
                                  const core::Node& known);

inline constexpr Importer kServingBenchmark{.name = "serving-benchmark",
                                            .recognizes = is_serving_benchmark,
                                            .read = import_serving_benchmark};

}  // namespace railwright::importers
