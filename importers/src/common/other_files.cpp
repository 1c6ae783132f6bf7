// SPDX-License-Identifier: Apache-2.0
#include "other_files.hpp"

#include <algorithm>
#include <array>

#include "looks_like.hpp"

namespace railwright::importers {

namespace {

constexpr std::string_view kToCalibrate =
    "what was measured is no part of a scenario: give it to `railwright calibrate`";
constexpr std::string_view kToKernels =
    "a suite of kernels reads it, see docs/how_to/measure_kernels.md";
constexpr std::string_view kToEngine = "vLLM, SGLang and TensorRT-LLM are";

constexpr auto kOtherFiles = std::to_array<OtherFile>({
    {"\xFF\xFE", "text in UTF-16", "write it as UTF-8"},
    {"\xFE\xFF", "text in UTF-16", "write it as UTF-8"},
    {"Max Write:", "what IOR measured", kToCalibrate},
    {"mdtest-", "what mdtest measured", kToCalibrate},
    {"elapsed time per iteration (ms)", "the log of a training", kToCalibrate},
    {"\"traceEvents\"", "the trace of a profiler", kToKernels},
    {"\"fio version\"", "what fio measured", kToCalibrate},
    {"text-generation-launcher", "a service of text-generation-inference, which is not simulated",
     kToEngine},
    {"text-generation-inference", "a service of text-generation-inference, which is not simulated",
     kToEngine},
    {"tritonserver", "a service of Triton, which is not simulated", kToEngine},
    {"ollama", "a service of Ollama, which is not simulated", kToEngine},
    {"kind: PyTorchJob", "a PyTorchJob whose program is not known",
     "import the script or the configuration that it starts"},
    {"kind: TrainJob", "a TrainJob whose program is not known",
     "import the script or the configuration that it starts"},
    {"kind: RayService", "an application of Ray Serve without llm_configs",
     "import the program that it starts vLLM with, as a command"},
});

}  // namespace

std::optional<OtherFile> other_file(std::string_view text) {
  const auto found = std::ranges::find_if(
      kOtherFiles, [&](const OtherFile& one) { return contains(text, one.mark); });
  if (found == kOtherFiles.end()) return {};
  return *found;
}

}  // namespace railwright::importers
