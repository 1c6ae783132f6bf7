// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "../../support/source_tree.hpp"
#include "../../support/temporary_folder.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

std::string operation(int id, const std::string& name, const std::string& dims,
                      const std::string& type, int thread = 1) {
  return R"({"ph": "X", "cat": "cpu_op", "name": ")" + name + R"(", "tid": )" +
         std::to_string(thread) + R"(, "args": {"External id": )" + std::to_string(id) +
         R"(, "Input Dims": )" + dims + R"(, "Input type": [")" + type + R"(", ")" + type +
         R"(", ")" + type + "\"]}},\n";
}

std::string kernel(int id, const std::string& microseconds) {
  return R"({"ph": "X", "cat": "kernel", "name": "nvjet", "dur": )" + microseconds +
         R"(, "args": {"External id": )" + std::to_string(id) + "}},\n";
}

/// Cases of a suite whose only table is a trace.
validation::ValidationResult of_trace(const std::string& events, const std::string& kind = "gemm") {
  const TemporaryFolder folder;
  static_cast<void>(folder.write(
      "step.json", R"({"traceEvents": [)" + events + R"({"ph": "M", "name": "end"}]})"));
  const std::string suite = folder.write(
      "suite.yaml", "suite: own\ndescription: a trace\nkernels:\n  - {device: h100-sxm, kind: " +
                        kind + ", file: step.json, source: here, stand_in: b200-sxm}\n");
  return validation::validate(core::load_yaml(suite), source_catalogue());
}

TEST(KinetoProducts, TakesTheMedianOfEachShape) {
  const std::string shape = "[[4096, 8192], [8192, 1024]]";
  const auto result = of_trace(
      operation(1, "aten::mm", shape, "c10::BFloat16") + kernel(1, "100.0") +
      operation(2, "aten::mm", shape, "c10::BFloat16") + kernel(2, "90.0") + kernel(2, "30.0") +
      operation(3, "aten::mm", shape, "c10::BFloat16") + kernel(3, "110.0") +
      operation(4, "aten::addmm", "[[1024], [512, 2048], [2048, 1024]]", "c10::BFloat16") +
      kernel(4, "10.0") + operation(5, "aten::mm", shape, "float") + kernel(5, "900.0"));
  ASSERT_EQ(result.cases.size(), 2U);
  EXPECT_EQ(result.cases[0].id, "h100-sxm/gemm/bf16/512,1024,2048");
  EXPECT_NEAR(result.cases[0].published, 10e-6, 1e-12);
  EXPECT_EQ(result.cases[1].id, "h100-sxm/gemm/bf16/4096,1024,8192");
  EXPECT_NEAR(result.cases[1].published, 110e-6, 1e-12);
  // 68.7 TFLOP at 989 TFLOP/s are 69 us at least.
  ASSERT_TRUE(result.cases[1].predicted);
  EXPECT_GT(*result.cases[1].predicted, 69e-6);
  EXPECT_LT(*result.cases[1].predicted, 200e-6);
}

TEST(KinetoProducts, LeavesTheBackwardPassOut) {
  const std::string shape = "[[4096, 8192], [8192, 1024]]";
  const std::string engine =
      R"({"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: MmBackward0", "tid": 2},)";
  const auto result =
      of_trace(engine + operation(1, "aten::mm", shape, "c10::BFloat16", 2) + kernel(1, "500.0") +
               operation(2, "aten::mm", shape, "c10::BFloat16") + kernel(2, "100.0"));
  ASSERT_EQ(result.cases.size(), 1U);
  EXPECT_NEAR(result.cases[0].published, 100e-6, 1e-12);
}

TEST(KinetoProducts, RefusesWhatTellsNothing) {
  const auto said = [](const std::string& events, const std::string& kind = "gemm") {
    try {
      of_trace(events, kind);
    } catch (const core::ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(said(kernel(1, "5.0")).find("no matrix product with its shape"), std::string::npos);
  EXPECT_NE(said(kernel(1, "-5.0")).find("a kernel without a time"), std::string::npos);
  EXPECT_NE(said("x").find("no JSON"), std::string::npos);
  EXPECT_NE(said("", "attention").find("its kind is gemm"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
