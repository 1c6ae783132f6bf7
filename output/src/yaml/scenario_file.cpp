// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/yaml/scenario_file.hpp"

#include <algorithm>
#include <sstream>

namespace railwright::output {

namespace {

constexpr std::size_t kWidth = 100;

bool is_collection(const core::Node& node) { return !node.entries.empty() || !node.items.empty(); }

/// Whether a node contains only scalars.
bool is_flat(const core::Node& node) {
  const auto is_plain = [](const core::Entry& entry) { return !is_collection(entry.value); };
  return std::ranges::all_of(node.entries, is_plain) &&
         std::ranges::none_of(node.items, is_collection);
}

std::string key_text(const std::string& key) {
  return core::to_yaml({.kind = core::Node::Kind::kScalar, .text = key, .quoted = key == "<<"});
}

class Writer {
 public:
  void write(const core::Node& mapping, std::size_t depth) {
    for (const core::Entry& entry : mapping.entries) {
      const std::string start = std::string(2 * depth, ' ') + key_text(entry.key) + ":";
      write_value(entry.value, start, depth);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void write_value(const core::Node& value, const std::string& start, std::size_t depth) {
    const std::string on_one_line = start + " " + core::to_yaml(value);
    const bool is_section = depth == 0 && value.is_mapping();
    const bool is_short = on_one_line.size() <= kWidth && is_flat(value) && !is_section;
    if (!is_collection(value) || is_short) {
      text_ += on_one_line + "\n";
      return;
    }
    text_ += start + "\n";
    if (value.is_mapping()) {
      write(value, depth + 1);
      return;
    }
    for (const core::Node& item : value.items) {
      text_ += std::string(2 * (depth + 1), ' ') + "- " + core::to_yaml(item) + "\n";
    }
  }

  std::string text_;
};

}  // namespace

std::string scenario_file(const core::Node& scenario, const std::string& comment) {
  std::string text;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) {
    std::ranges::replace_if(line, [](unsigned char c) { return c < 0x20U || c == 0x7FU; }, ' ');
    text += line.empty() ? "#\n" : "# " + line + "\n";
  }
  if (!scenario.is_mapping() || scenario.entries.empty()) {
    return text + core::to_yaml(scenario) + "\n";
  }
  Writer writer;
  writer.write(scenario, 0);
  return text + writer.take();
}

}  // namespace railwright::output
