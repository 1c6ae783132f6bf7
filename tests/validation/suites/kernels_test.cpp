// SPDX-License-Identifier: Apache-2.0
// Kernels measured alone: what is held out stays within its bars, and bad tables are refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/models/kernel/attention.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/calibration/fit_kernels.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

const validation::ValidationResult& kernels() {
  static const validation::ValidationResult kResult =
      validation::validate(core::load_yaml(simulation::suite_path("kernels")), source_catalogue());
  return kResult;
}

const validation::ErrorGroup& group(const std::string& name) {
  const auto found =
      std::ranges::find(kernels().summary.kernels, name, &validation::ErrorGroup::name);
  EXPECT_NE(found, kernels().summary.kernels.end()) << name;
  return *found;
}

/// What was measured when the constants were fitted, rounded up: see docs/models/kernels.md.
TEST(ValidateKernels, ProductsOfTrainingStayWithinTheirBars) {
  struct Bar {
    const char* table;
    double median, percentile_90;
  };
  for (const Bar& bar : {Bar{"a100-sxm-80gb gemm bf16", 0.07, 0.19},
                         {"h100-sxm gemm bf16", 0.06, 0.15},
                         {"h100-sxm gemm fp8", 0.08, 0.20},
                         {"b200-sxm gemm bf16", 0.07, 0.16},
                         {"b200-sxm gemm fp8", 0.07, 0.19},
                         {"b200-sxm gemm nvfp4", 0.06, 0.16},
                         {"b300-sxm gemm bf16", 0.07, 0.13},
                         {"b300-sxm gemm fp8", 0.08, 0.18},
                         {"b300-sxm gemm nvfp4", 0.06, 0.17},
                         {"rtx-pro-6000 gemm bf16", 0.05, 0.12},
                         {"rtx-pro-6000 gemm fp8", 0.06, 0.16},
                         {"rtx-pro-6000 gemm nvfp4", 0.06, 0.17},
                         {"mi355x gemm bf16", 0.05, 0.20},
                         {"mi355x gemm fp8", 0.05, 0.12},
                         {"gb200 gemm bf16", 0.06, 0.14},
                         {"gb200 gemm fp8", 0.07, 0.17}}) {
    const validation::ErrorGroup& errors =
        group(std::string(bar.table) + ", m >= 256, n and k >= 1,024");
    EXPECT_GT(errors.errors.num_rows, 50);
    EXPECT_LE(errors.errors.median, bar.median) << bar.table;
    EXPECT_LE(errors.errors.percentile_90, bar.percentile_90) << bar.table;
    EXPECT_LT(errors.errors.median, errors.same_baseline.median) << "an interpolation is better";
  }
}

TEST(ValidateKernels, AttentionStaysWithinItsBars) {
  for (const std::string device :
       {"a100-sxm-80gb", "h100-sxm", "b200-sxm", "b300-sxm", "gb200", "l40s", "rtx-pro-6000"}) {
    const auto& prefill = group(device + " attention bf16, tokens >= 1,024").errors;
    EXPECT_LE(prefill.median, 0.07) << device;
    EXPECT_LE(prefill.percentile_90, 0.18) << device;
  }
}

TEST(ValidateKernels, AttentionOfAmdStaysWithinItsBars) {
  for (const std::string device : {"mi300x", "mi355x"}) {
    for (const std::string pass : {"forward", "backward"}) {
      std::string name = device;
      name.append(" training_attention native_").append(pass).append(", tokens >= 1,024");
      const auto& errors = group(name).errors;
      EXPECT_LE(errors.median, 0.03) << device << pass;
      EXPECT_LE(errors.percentile_90, 0.16) << device << pass;
    }
  }
}

/// Nothing was fitted to the H200.
TEST(ValidateKernels, TrainingOnHopperStaysWithinItsBars) {
  for (const std::string device : {"h100-sxm", "h200-sxm"}) {
    for (const std::string kernel : {"flash_2", "native"}) {
      for (const std::string pass : {"forward", "backward"}) {
        const auto& errors =
            group(fmt::format("{} training_attention {}_{}, tokens >= 1,024", device, kernel, pass))
                .errors;
        EXPECT_LE(errors.median, 0.08) << device << kernel << pass;
        EXPECT_LE(errors.percentile_90, 0.20) << device << kernel << pass;
      }
    }
    for (const std::string gradient : {"bf16_input", "bf16_weight", "fp8_input", "fp8_weight"}) {
      const auto& errors =
          group(fmt::format("{} gradients {}, m >= 256, n and k >= 1,024", device, gradient))
              .errors;
      EXPECT_LE(errors.median, 0.10) << device << gradient;
      EXPECT_LE(errors.percentile_90, 0.18) << device << gradient;
    }
  }
}

TEST(ValidateKernels, CastsAndExchangesStayWithinTheirBars) {
  for (const std::string device : {"h100-sxm", "b200-sxm", "gb200"}) {
    for (const std::string op : {"amax", "cast"}) {
      EXPECT_LE(group(fmt::format("{} casts {}, all shapes", device, op)).errors.median, 0.08)
          << device;
    }
    for (const std::string op : {"dispatch", "combine"}) {
      EXPECT_LE(
          group(fmt::format("{} expert_exchange {}, tokens >= 1,024", device, op)).errors.median,
          0.10)
          << device;
    }
  }
}

/// States carried along tokens, and layers of sparse and compressed attention with their products.
TEST(ValidateKernels, MixersStayWithinTheirBars) {
  struct Bar {
    const char* table;
    double median, percentile_90;
  };
  for (const Bar& bar : {Bar{"states gated_delta_net, tokens", 0.12, 0.25},
                         {"states kimi_delta, tokens", 0.05, 0.10},
                         {"attention_layers compressed_4, keys", 0.08, 0.25},
                         {"attention_layers compressed_128, keys", 0.08, 0.20},
                         // Of its products on B200, timed with it, few rows are priced too fast.
                         {"attention_layers compressed_4_decode, keys", 0.13, 0.20},
                         {"attention_layers compressed_128_decode, keys", 0.08, 0.15}}) {
    for (const std::string device : {"h100-sxm", "b200-sxm"}) {
      const validation::ErrorGroup& errors =
          group(fmt::format("{} {} >= 1,024", device, bar.table));
      EXPECT_GT(errors.errors.num_rows, 30);
      EXPECT_LE(errors.errors.median, bar.median) << device << " " << bar.table;
      EXPECT_LE(errors.errors.percentile_90, bar.percentile_90) << device << " " << bar.table;
    }
  }
}

TEST(ValidateKernels, HalfOfTheShapesAreHeldOut) {
  const validation::ValidationSummary& summary = kernels().summary;
  const double share = summary.num_validate / double(summary.num_validate + summary.num_calibrate);
  EXPECT_NEAR(share, 0.5, 0.05);
  EXPECT_EQ(summary.num_reject, 0);
}

/// Groups in text, every row in JSON.
TEST(ValidateKernels, TextHasGroups) {
  const std::string text = output::to_text(kernels());
  EXPECT_NE(text.find("left-out device"), std::string::npos);
  EXPECT_LT(std::ranges::count(text, '\n'), 500);
}

class KernelTables : public testing::Test {
 public:
  KernelTables() : folder_(std::filesystem::path(testing::TempDir()) / "kernel_tables") {
    std::filesystem::create_directories(folder_);
  }
  ~KernelTables() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  KernelTables(const KernelTables&) = delete;
  KernelTables& operator=(const KernelTables&) = delete;
  KernelTables(KernelTables&&) = delete;
  KernelTables& operator=(KernelTables&&) = delete;

 protected:
  std::string problem_of(const std::string& csv, const std::string& kind = "gemm",
                         bool fits = true) {
    std::ofstream(folder_ / "t.csv") << csv;
    std::ofstream(folder_ / "s.yaml")
        << "suite: s\ndescription: d\nkernels:\n  - {device: h100-sxm, kind: " << kind
        << ", file: t.csv, source: s, stand_in: a100-sxm-80gb, fits: " << (fits ? "true" : "false")
        << "}\n";
    try {
      validation::validate(core::load_yaml((folder_ / "s.yaml").string()), source_catalogue());
    } catch (const core::ConfigError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(KernelTables, BadTablesAreToldWithTheirPlace) {
  EXPECT_EQ(problem_of("format,m,n,k,us\nbf16,1,2,3,4\n"), "");
  EXPECT_NE(problem_of("format,m,n,us\n").find("starts with the columns format,m,n,k,us"),
            std::string::npos);
  EXPECT_NE(problem_of("format,m,n,k,us\nbf16,1,x,3,4\n").find("t.csv:2:8"), std::string::npos);
  EXPECT_NE(problem_of("format,m,n,k,us\nbf16,1,2,3,0\n").find("greater than 0"),
            std::string::npos);
  EXPECT_NE(problem_of("format,m,n,k,us\nbf16,1,2,3\n").find("expected 5 cells, found 4"),
            std::string::npos);
  EXPECT_NE(problem_of("format,m,n,k,us\nbf32,1,2,3,4\n").find("no format 'bf32'"),
            std::string::npos);
  EXPECT_NE(problem_of("format,m,n,k,us\n", "gem").find("no kind of kernels 'gem'"),
            std::string::npos);
}

/// A table of attention whose times are what the constants say, but for passes that take half as
/// long again.
std::string attention_table(double backward) {
  const core::Catalogue catalogue = source_catalogue();
  core::Reader reader(&catalogue);
  core::Accelerator device;
  reader.read(catalogue.load(core::Accelerator::kKind, "h100-sxm"), "", device);
  reader.throw_if_any();
  const models::TrainingAttention kernel = models::training_attention(device, true);
  std::ostringstream csv;
  csv << "format,batch,tokens,heads,kv_heads,head_dim,us\n";
  for (const std::int64_t heads : {8, 12, 16, 24, 32}) {
    for (std::int64_t tokens = 1024; tokens <= 65536; tokens *= 2) {
      const models::AttentionShape shape{
          .queries = tokens, .keys = tokens, .heads = heads, .kv_heads = heads};
      const auto row = [&](const char* pass, core::Duration time) {
        csv << "native_" << pass << ",1," << tokens << ',' << heads << ',' << heads << ",128,"
            << (time * kernel.slowdown + device.kernel_overhead.value).base() * 1e6 << '\n';
      };
      row("forward", attention_prefill_time(device, kernel.constants, shape));
      row("backward", attention_backward_time(device, kernel.constants, shape) * backward);
    }
  }
  return csv.str();
}

TEST_F(KernelTables, AFitFindsASlowerBackwardPass) {
  const auto fit = [&](double backward, bool fits) {
    problem_of(attention_table(backward), "training_attention", fits);
    return validation::fit_kernels(core::load_yaml((folder_ / "s.yaml").string()),
                                   source_catalogue());
  };
  const auto fits = fit(1.5, true);
  ASSERT_EQ(fits.size(), 1U);
  EXPECT_EQ(fits[0].kind, "training_attention");
  EXPECT_EQ(fits[0].format, "native");
  ASSERT_TRUE(fits[0].constants.contains("attention.training"));
  EXPECT_GT(fits[0].others.num_rows, 10);
  EXPECT_LT(fits[0].others.median, 0.02);
  EXPECT_LT(fits[0].others.percentile_90, 0.05);
  EXPECT_TRUE(fit(1.5, false).empty());
}

}  // namespace
}  // namespace railwright::test
