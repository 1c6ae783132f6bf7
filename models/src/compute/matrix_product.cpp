// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels.hpp"
#include "railwright/models/kernel/experts.hpp"
#include "railwright/models/kernel/gemm.hpp"

namespace railwright::models {

namespace {

using core::ComputeRate;
using core::Duration;
using core::Precision;

constexpr double kLine = 128.0;     ///< bytes of a line of cache
constexpr double kWideLoad = 16.0;  ///< bytes that a thread loads at once

/// Returns the rate share of an alignment. Rows that start off a boundary of 128 bytes cost time;
/// below 16 bytes, wide loads are lost. The steps are estimates in the direction of
/// [@nvidia_dl_performance].
double alignment_share(double bytes) {
  if (bytes >= kLine) return 1.0;
  if (bytes >= 64.0) return 0.99;
  if (bytes >= 32.0) return 0.97;
  if (bytes >= 16.0) return 0.95;
  if (bytes >= 8.0) return 0.6;
  if (bytes >= 4.0) return 0.45;
  return 0.3;
}

/// Returns the share of the rate of long products that operands on such a boundary reach. Batches
/// whose members start off 16 bytes run without tensor cores: BLOOM's trials took 1.3 to 1.4 times
/// as long with heads of 108 and 150 as with 64 heads whose width is a multiple of 8.
/// [@bigscience_chronicles]
double boundary_share(const core::Accelerator& device, const Product& product, double bytes) {
  if (product.copies > 1 && bytes < kWideLoad && device.fp32_rate) {
    return device.fp32_rate->value / *device.peak_rate(product.precision);
  }
  return alignment_share(bytes);
}

/// Returns the rate share of formats wider than 16 bits, which use the constants of 16 bits at
/// their own rate.
double precision_share(const core::Accelerator& device, core::Precision precision) {
  if (core::bytes_of(precision) <= 2.0) return 1.0;
  return device.peak_rate(precision).value_or(ComputeRate{}) / device.wide_rate();
}

}  // namespace

Duration product_time(const core::Accelerator& device, const Product& product) {
  const double operand_bytes = core::bytes_of(product.precision);
  const std::int64_t aligned = product.strides & -product.strides;
  const double boundary =
      product.strides == 0 ? kLine : static_cast<double>(aligned) * operand_bytes;
  return gemm_time(device,
                   {.rows = product.rows,
                    .columns = product.columns,
                    .inner = product.inner,
                    .copies = product.copies,
                    .format = product.has_blocks ? core::ProductFormat::kFp8Block
                                                 : core::format_of(product.precision),
                    .operand_bytes = operand_bytes,
                    .output_bytes = product.output_bytes,
                    .rate_share = boundary_share(device, product, boundary) *
                                  precision_share(device, product.precision) * product.rate_share,
                    .moved_bytes = product.moved_bytes,
                    .is_gradient = product.is_gradient,
                    .max_splits = product.max_splits});
}

Duration matrix_product_time(const core::Accelerator& accelerator, std::int64_t rows,
                             std::int64_t inner, std::int64_t columns, std::int64_t copies,
                             Precision precision) {
  return product_time(accelerator, {.rows = rows,
                                    .inner = inner,
                                    .columns = columns,
                                    .copies = copies,
                                    .strides = inner | columns,
                                    .precision = precision,
                                    .output_bytes = std::max(core::bytes_of(precision), 2.0)});
}

namespace {

bool sums_in_product(const SoftwareProfile& software) {
  return software.gradient_accumulation_fusion.value && !software.sync_every_microbatch.value;
}

}  // namespace

double gradient_sum_bytes(const Kernels& kernels) {
  const SoftwareProfile& software = kernels.software;
  const double bytes = software.gradient_reduce_bytes.value;
  if (sums_in_product(software)) return 0.0;
  // Reduced immediately: only converted to the format of the wire. Otherwise autograd adds it in a
  // kernel.
  const double weight_bytes = kernels.element_bytes();
  if (software.sync_every_microbatch.value)
    return bytes > weight_bytes ? weight_bytes + bytes : 0.0;
  return 3.0 * bytes;
}

double cast_bytes(const Kernels& kernels, Precision precision) {
  const double copies =
      precision == Precision::kFp8 && kernels.software.has_one_fp8_copy() ? 1.0 : 2.0;
  return kernels.element_bytes() + copies * bytes_of(precision);
}

bool casts_each_microbatch(const SoftwareProfile& software) {
  return (software.zero_stage.value == 3 && software.reshard_after_forward.value) ||
         software.has_fp8_rows();
}

namespace {

/// Times of a matrix's products with the tokens of a micro-batch; a frozen one has no gradient.
struct ProductTimes {
  Duration forward;
  Duration input_gradient;
  Duration weight_gradient;
};

/// Returns the bytes that a product moves for each number of a weight's gradient.
double gradient_output_bytes(const Kernels& kernels) {
  return sums_in_product(kernels.software) ? 2.0 * kernels.software.gradient_reduce_bytes.value
                                           : kernels.element_bytes();
}

/// Returns the recipe of experts' products.
ExpertsRecipe recipe_of(const Kernels& kernels, Precision precision) {
  if (precision == Precision::kFp4) return ExpertsRecipe::kNvfp4;
  if (precision != Precision::kFp8) return ExpertsRecipe::kBf16;
  return kernels.software.has_fp8_blocks() ? ExpertsRecipe::kFp8Block : ExpertsRecipe::kFp8;
}

/// Whether the products of a rank's experts are one kernel; none is known of formats wider than 16
/// bits. Stacks that launch one for each expert run them on several streams, so that together they
/// fill the device.
bool is_grouped(const Kernels& kernels, const Matrix& matrix, Precision precision) {
  return matrix.of_expert && matrix.copies > 1 && core::bytes_of(precision) <= 2.0 &&
         kernels.software.expert_kernels.value != ExpertKernels::kSeparate;
}

ProductTimes grouped_times(const Kernels& kernels, std::int64_t rows, const Matrix& matrix,
                           Precision precision, Weights weights) {
  ExpertGemm product{.tokens_of_expert = rows,
                     .num_experts = matrix.copies,
                     .columns = matrix.columns,
                     .inner = matrix.inner,
                     .recipe = recipe_of(kernels, precision),
                     .output_bytes = kernels.element_bytes()};
  ProductTimes times{
      .forward = expert_gemm_time(kernels.device, product),
      .input_gradient = expert_gemm_time(kernels.device, product, GemmGradient::kInput)};
  if (weights == Weights::kTrained) {
    product.output_bytes = gradient_output_bytes(kernels);
    times.weight_gradient = expert_gemm_time(kernels.device, product, GemmGradient::kWeight);
  }
  return times;
}

ProductTimes product_times(const Kernels& kernels, std::int64_t rows, const Matrix& matrix,
                           Precision precision, Weights weights) {
  if (is_grouped(kernels, matrix, precision)) {
    return grouped_times(kernels, rows, matrix, precision, weights);
  }
  Product product{.rows = rows,
                  .inner = matrix.inner,
                  .columns = matrix.columns,
                  .copies = matrix.copies,
                  .strides = matrix.inner | matrix.columns,
                  .precision = precision,
                  .has_blocks = precision == Precision::kFp8 && kernels.software.has_fp8_blocks(),
                  .output_bytes = kernels.element_bytes()};
  ProductTimes times{
      .forward = product_time(kernels.device, product),
      .input_gradient = product_time(kernels.device, gradient_of(product, GemmGradient::kInput))};
  if (weights == Weights::kTrained) {
    product.output_bytes = gradient_output_bytes(kernels);
    times.weight_gradient =
        product_time(kernels.device, gradient_of(product, GemmGradient::kWeight));
  }
  return times;
}

/// Bytes that move to make a number of an operand narrow.
struct CastBytes {
  double forward = 0.0;
  double backward = 0.0;
};

bool has_rows(const Kernels& kernels, Precision precision) {
  return precision == Precision::kFp8 && kernels.software.has_fp8_rows();
}

/// Returns the bytes of a cast with a scale for each row. The other product needs scales along the
/// other dimension: the wide number is also written transposed, and cast from there. For weights
/// that is a pass of its own. [@torchao_float8]
CastBytes row_cast(const Kernels& kernels) {
  const double wide = kernels.element_bytes();
  const double narrow = bytes_of(Precision::kFp8);
  return {.forward = 2.0 * wide + narrow, .backward = wide + narrow};
}

/// Transformer Engine casts inputs, weights and gradients of outputs, and keeps a transposed copy
/// of each for the backward pass. A fused norm gives narrow elements itself. [@transformer_engine]
CastBytes input_cast(const Kernels& kernels, const Matrix& matrix, Precision precision) {
  const double wide = kernels.element_bytes();
  const bool from_norm = matrix.behind_norm && !kernels.is_eager();
  if (has_rows(kernels, precision)) {
    CastBytes cast = row_cast(kernels);
    if (from_norm) cast.forward -= 2.0 * wide;
    return cast;
  }
  if (!from_norm) return {.forward = cast_bytes(kernels, precision)};
  const bool has_one_copy = precision == Precision::kFp8 && kernels.software.has_one_fp8_copy();
  return {.forward = (has_one_copy ? 1.0 : 3.0) * bytes_of(precision) - wide};
}

CastBytes gradient_cast(const Kernels& kernels, Precision precision) {
  if (!has_rows(kernels, precision)) return {.backward = cast_bytes(kernels, precision)};
  const CastBytes cast = row_cast(kernels);
  return {.backward = cast.forward + cast.backward};
}

CastBytes weight_cast(const Kernels& kernels, Precision precision) {
  if (!has_rows(kernels, precision)) return {.forward = cast_bytes(kernels, precision)};
  const double wide = kernels.element_bytes();
  const double cast = wide + bytes_of(precision);
  return {.forward = cast, .backward = 2.0 * wide + cast};
}

}  // namespace

/// Sums of products by rows are made by the kernel for one scale a tensor where they must be exact,
/// as those of a backward pass are: the scales come in a pass over the gradients.
/// [@torchao_float8]
void add_matrix(const Kernels& kernels, std::int64_t tokens, const Matrix& matrix,
                Precision precision, Weights weights, PassCost& cost) {
  const std::int64_t rows = ceil_div(tokens * matrix.passes, matrix.copies);
  const ProductTimes times = product_times(kernels, rows, matrix, precision, weights);
  cost.forward.matrix += times.forward;
  cost.backward.matrix += times.input_gradient;
  const auto parameters = static_cast<double>(matrix.parameters());
  if (weights == Weights::kTrained) {
    cost.weight.matrix += times.weight_gradient;
    cost.weight.elementwise += kernels.stream(gradient_sum_bytes(kernels) * parameters);
  }
  if (bytes_of(precision) >= kernels.element_bytes()) return;
  const auto inputs = static_cast<double>(rows * matrix.copies * matrix.inner);
  const auto outputs = static_cast<double>(rows * matrix.copies * matrix.columns);
  const bool is_fused = matrix.of_expert && kernels.software.has_fused_experts();
  const CastBytes input = input_cast(kernels, matrix, precision);
  const CastBytes gradient = gradient_cast(kernels, precision);
  if (!is_fused || !matrix.ends_block) {
    cost.forward.elementwise += kernels.stream(input.forward * inputs);
    cost.backward.elementwise += kernels.stream(input.backward * inputs);
  }
  if (casts_each_microbatch(kernels.software)) {
    const CastBytes weight = weight_cast(kernels, precision);
    cost.forward.elementwise += kernels.stream(weight.forward * parameters);
    cost.backward.elementwise += kernels.stream(weight.backward * parameters);
  }
  if (!is_fused || matrix.ends_block) {
    cost.backward.elementwise += kernels.stream(gradient.backward * outputs);
  }
  if (has_rows(kernels, precision)) {
    const double gradients = weights == Weights::kTrained ? inputs + parameters : inputs;
    cost.backward.elementwise += kernels.stream(2.0 * kernels.element_bytes() * gradients);
  }
  if (precision == Precision::kFp8 && !kernels.software.fp8_weight_transposes.value &&
      !kernels.device.fp8_any_layout.value) {
    cost.backward.elementwise += kernels.stream(2.0 * bytes_of(precision) * parameters);
  }
}

}  // namespace railwright::models
