// SPDX-License-Identifier: Apache-2.0
#include "kineto_products.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/error.hpp"

namespace railwright::validation {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostNumbers = 100'000'000;  ///< of a dimension

/// An operator of PyTorch, and the place of the first of its two matrices.
struct ProductOperator {
  std::string_view name;
  std::size_t first;
};
constexpr auto kOperators =
    std::to_array<ProductOperator>({{"aten::mm", 0}, {"aten::addmm", 1}, {"aten::_scaled_mm", 0}});

/// Format of operands by the type that the trace names.
struct OperandType {
  std::string_view type;
  std::string_view format;
};
constexpr auto kTypes = std::to_array<OperandType>({{"c10::BFloat16", "bf16"},
                                                    {"c10::Half", "bf16"},
                                                    {"c10::Float8_e4m3fn", "fp8"},
                                                    {"c10::Float8_e4m3fnuz", "fp8"}});

/// Format, m, n and k.
using Product = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;

[[noreturn]] void refuse_trace(const std::string& file, std::string message, std::string hint) {
  throw core::ConfigError({{{file}, "", std::move(message), std::move(hint)}});
}

const Json* member(const Json& node, const char* key) {
  if (!node.is_object()) return nullptr;
  const auto found = node.find(key);
  return found == node.end() ? nullptr : &*found;
}

std::string text_of(const Json& node, const char* key) {
  const Json* found = member(node, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

/// Releases write the key of an operator in two ways.
std::optional<std::int64_t> external_id(const Json& event) {
  const Json* args = member(event, "args");
  if (args == nullptr) return std::nullopt;
  for (const char* key : {"External id", "external id"}) {
    const Json* id = member(*args, key);
    if (id != nullptr && id->is_number_integer()) return id->get<std::int64_t>();
  }
  return std::nullopt;
}

std::string thread_of(const Json& event) {
  const Json* thread = member(event, "tid");
  return thread == nullptr ? "" : thread->dump();
}

/// Returns rows and columns of an operand; nothing for other than two numbers.
std::optional<std::pair<std::int64_t, std::int64_t>> shape_of(const Json& dims, std::size_t place) {
  if (!dims.is_array() || dims.size() <= place) return std::nullopt;
  const Json& shape = dims[place];
  if (!shape.is_array() || shape.size() != 2) return std::nullopt;
  for (const Json& number : shape) {
    if (!number.is_number_integer()) return std::nullopt;
    const auto value = number.get<std::int64_t>();
    if (value < 1 || value > kMostNumbers) return std::nullopt;
  }
  return std::pair(shape[0].get<std::int64_t>(), shape[1].get<std::int64_t>());
}

std::optional<Product> product_of(const Json& event, const ProductOperator& one) {
  const Json* args = member(event, "args");
  const Json* dims = args == nullptr ? nullptr : member(*args, "Input Dims");
  const Json* types = args == nullptr ? nullptr : member(*args, "Input type");
  if (dims == nullptr || types == nullptr || !types->is_array() || types->size() <= one.first) {
    return std::nullopt;
  }
  const auto left = shape_of(*dims, one.first);
  const auto right = shape_of(*dims, one.first + 1);
  const Json& type = (*types)[one.first];
  if (!left || !right || left->second != right->first || !type.is_string()) return std::nullopt;
  const std::string word = type.get<std::string>();
  for (const OperandType& known : kTypes) {
    if (known.type == word) {
      return Product(std::string(known.format), left->first, right->second, left->second);
    }
  }
  return std::nullopt;
}

/// The operators, and the time of the kernels of each.
struct TraceProducts {
  std::map<std::int64_t, Product> operators;  ///< by external id
  std::map<std::int64_t, double> microseconds;
};

TraceProducts products_of(const Json& events, const std::string& file) {
  std::set<std::string> backward;
  for (const Json& event : events) {
    if (text_of(event, "name").starts_with("autograd::engine::evaluate_function")) {
      backward.insert(thread_of(event));
    }
  }
  TraceProducts made;
  for (const Json& event : events) {
    const auto id = external_id(event);
    if (!id) continue;
    if (text_of(event, "cat") == "kernel") {
      const Json* duration = member(event, "dur");
      if (duration == nullptr || !duration->is_number() || duration->get<double>() < 0.0) {
        refuse_trace(file, "a kernel without a time 'dur' of at least 0", "");
      }
      made.microseconds[*id] += duration->get<double>();
      continue;
    }
    const std::string name = text_of(event, "name");
    const auto* const known = std::ranges::find(kOperators, name, &ProductOperator::name);
    if (known == kOperators.end() || backward.contains(thread_of(event))) continue;
    if (auto product = product_of(event, *known)) made.operators.emplace(*id, std::move(*product));
  }
  return made;
}

Json parse_trace(std::string_view text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    refuse_trace(file, "no JSON", "a trace of torch.profiler; unpack a .gz first");
  }
}

}  // namespace

std::vector<std::vector<Cell>> kineto_products(std::string_view text, const std::string& file) {
  const Json trace = parse_trace(text, file);
  const Json* events = member(trace, "traceEvents");
  if (events == nullptr || !events->is_array()) {
    refuse_trace(file, "no traceEvents", "torch.profiler's export_chrome_trace() writes them");
  }
  const TraceProducts found = products_of(*events, file);
  std::map<Product, std::vector<double>> times;
  for (const auto& [id, product] : found.operators) {
    const auto time = found.microseconds.find(id);
    if (time != found.microseconds.end() && time->second > 0.0) {
      times[product].push_back(time->second);
    }
  }
  if (times.empty()) {
    refuse_trace(file, "no matrix product with its shape and kernels",
                 "profile with record_shapes=True, without CUDA graphs");
  }
  const core::Location where{file};
  std::vector<std::vector<Cell>> lines;
  const auto add = [&](std::initializer_list<std::string> cells) {
    std::vector<Cell>& line = lines.emplace_back();
    for (const std::string& cell : cells) line.push_back({cell, where});
  };
  add({"format", "m", "n", "k", "us"});
  for (const auto& [product, all] : times) {
    const auto& [format, m, n, k] = product;
    add({format, std::to_string(m), std::to_string(n), std::to_string(k),
         fmt::format("{}", core::median(all))});
  }
  return lines;
}

}  // namespace railwright::validation
