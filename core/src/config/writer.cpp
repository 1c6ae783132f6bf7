// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/writer.hpp"

#include <cmath>
#include <utility>

#include "units/number.hpp"

namespace railwright::core {

Node scalar_node(std::string text) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.text = std::move(text);
  return node;
}

Node text_node(std::string_view text) {
  Node node = scalar_node(std::string(text));
  std::string_view rest = text;
  double ignored = 0.0;
  const bool number = take_number(rest, ignored) != NumberStatus::kNone && rest.empty();
  node.quoted = number || text == "true" || text == "false" || !reads_back_plain(text);
  return node;
}

Node number_node(double value) {
  return scalar_node(std::isinf(value) && value > 0.0 ? "unlimited" : shortest(value));
}

void add_entry(Node& mapping, std::string_view key, Node value) {
  mapping.entries.push_back({std::string(key), {}, std::move(value)});
}

void add_entry_if_any(Node& mapping, std::string_view key, Node value) {
  if (value.kind != Node::Kind::kNull) add_entry(mapping, key, std::move(value));
}

}  // namespace railwright::core
