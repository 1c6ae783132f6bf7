// SPDX-License-Identifier: Apache-2.0
#include "expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace railwright::validation {

namespace {

using core::Node;

/// Returns the scalar that stands for a node: itself, its `value`, or the `model` it is based on.
const Node* scalar_of(const Node* node) {
  if (node == nullptr || !node->is_mapping()) return node;
  const Node* value = node->find("value");
  return value != nullptr ? value : node->find("model");
}

class Evaluation {
 public:
  explicit Evaluation(const ExpressionContext& context) : context_(context) {}

  ExpressionResult run(std::string_view text) {
    double sign = 1.0;
    bool first = true;
    for (;;) {
      const auto [term, next] = split(text, {" + ", " - "});
      add(term, sign, first);
      first = false;
      if (next == '\0' || !result_.problem.empty()) return std::move(result_);
      sign = next == '+' ? 1.0 : -1.0;
      text.remove_prefix(term.size() + 3);
    }
  }

 private:
  /// Returns the text before the nearest operator, and that operator; '\0' at the end.
  static std::pair<std::string_view, char> split(std::string_view text,
                                                 const std::vector<std::string_view>& operators) {
    std::size_t at = std::string_view::npos;
    for (const std::string_view one : operators) at = std::min(at, text.find(one));
    return {text.substr(0, at), at == std::string_view::npos ? '\0' : text[at + 1]};
  }

  void add(std::string_view text, double sign, bool first) {
    core::ParsedQuantity product{.base = 1.0};
    int power = 1;
    for (;;) {
      const auto [operand, next] = split(text, {" * ", " / "});
      multiply(product, quantity(operand), power);
      if (next == '\0') break;
      power = next == '*' ? 1 : -1;
      text.remove_prefix(operand.size() + 3);
    }
    if (first) result_.exponents = product.exponents;
    if (product.exponents != result_.exponents) {
      fail(fmt::format("adds {} to {}", core::dimension_name(product.exponents),
                       core::dimension_name(result_.exponents)));
    }
    result_.value += sign * product.base;
  }

  static void multiply(core::ParsedQuantity& product, const core::ParsedQuantity& factor,
                       int power) {
    product.base = power > 0 ? product.base * factor.base : product.base / factor.base;
    for (std::size_t i = 0; i < product.exponents.size(); ++i) {
      product.exponents[i] += power * factor.exponents[i];
    }
  }

  void fail(std::string problem) {
    if (result_.problem.empty()) result_.problem = std::move(problem);
  }

  core::ParsedQuantity parse(std::string_view text) {
    core::QuantityError error;
    const auto parsed = core::parse_quantity(text, error);
    if (!parsed) fail(error.message);
    return parsed.value_or(core::ParsedQuantity{.base = 1.0});
  }

  core::ParsedQuantity quantity(std::string_view operand) {
    if (operand.starts_with('#')) return figure_of(std::string(operand.substr(1)));
    if (operand.starts_with('@')) return setting(operand.substr(1));
    if (operand.find(':') != std::string_view::npos) return catalogue_value(operand);
    return parse(operand);
  }

  core::ParsedQuantity figure_of(const std::string& id) {
    const auto found = context_.claims.find(id);
    if (found == context_.claims.end()) {
      fail(fmt::format("no case '{}'", id));
      return {.base = 1.0};
    }
    return {.base = found->second.published, .exponents = found->second.exponents};
  }

  core::ParsedQuantity setting(std::string_view text) {
    result_.of_scenario = true;
    const std::size_t dot = text.find('.');
    const auto found = context_.scenarios.find(std::string(text.substr(0, dot)));
    const bool is_known = found != context_.scenarios.end() && dot != std::string_view::npos;
    const Node* node =
        scalar_of(is_known ? core::find_path(found->second, text.substr(dot + 1)) : nullptr);
    if (node != nullptr && node->is_scalar()) return parse(node->text);
    fail(fmt::format("no setting '@{}'", text));
    return {.base = 1.0};
  }

  core::ParsedQuantity catalogue_value(std::string_view text) {
    result_.of_catalogue = true;
    const std::size_t slash = text.find('/');
    const std::size_t colon = text.find(':');
    if (slash < colon) {
      const std::string_view kind = text.substr(0, slash);
      std::string name(text.substr(slash + 1, colon - slash - 1));
      while (!name.empty() && context_.catalogue.contains(kind, name)) {
        const Node entry = context_.catalogue.load(kind, name);
        const Node* value = scalar_of(core::find_path(entry, text.substr(colon + 1)));
        if (value != nullptr && value->is_scalar()) return parse(value->text);
        const Node* base = entry.find("model");
        name = base == nullptr ? std::string{} : base->text;
      }
    }
    fail(fmt::format("no value '{}' in the catalogue", text));
    return {.base = 1.0};
  }

  const ExpressionContext& context_;
  ExpressionResult result_;
};

}  // namespace

ExpressionResult evaluate_expression(std::string_view text, const ExpressionContext& context) {
  return Evaluation(context).run(text);
}

}  // namespace railwright::validation
