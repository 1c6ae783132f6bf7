// SPDX-License-Identifier: Apache-2.0
#include "task_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "looks_like.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::string_view without_quotes(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

/// Returns the value of "key: value"; nothing for other lines.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') return {};
  std::string_view value = line.substr(key.size() + 1);
  if (const std::size_t comment = value.find(" #"); comment != std::string_view::npos) {
    value = value.substr(0, comment);
  }
  return without_quotes(trimmed(value));
}

std::string assignment(std::string_view name, std::string_view value) {
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!is_name || value.empty() || value == "null" || value.find('\'') != std::string_view::npos) {
    return "";
  }
  return fmt::format("{}='{}'", name, value);
}

class Task {
 public:
  explicit Task(std::string_view text) : text_(text) {}

  std::string script() {
    std::string lines;
    for (const std::string_view line : core::lines_of(text_)) {
      lines.append(taken(line)).push_back('\n');
    }
    return head() + lines;
  }

 private:
  /// Returns what a line is for the shell.
  std::string taken(std::string_view line) {
    const std::string_view text = trimmed(line);
    const bool is_top = !line.empty() && line[0] != ' ' && line[0] != '\t' && line[0] != '#' &&
                        line[0] != '-' && text.find(':') != std::string_view::npos;
    if (is_top) {
      section_ = text.substr(0, text.find(':'));
      for (const char* key : {"num_nodes", "nodes"}) {
        if (const auto value = value_of(text, key)) count(*value, nodes_);
      }
      return "";
    }
    if (section_ == "run") return std::string(line);
    if (section_ == "commands") return command(text);
    if (section_ == "envs" || section_ == "env") return variable(text);
    if (section_ == "resources") {
      for (const char* key : {"accelerators", "gpu"}) {
        if (const auto value = value_of(text, key)) accelerators(*value);
      }
    }
    return "";
  }

  static std::string command(std::string_view text) {
    if (text.starts_with("- ")) {
      text = trimmed(text.substr(2));
      if (text == "|" || text == ">" || text == "|-") return "";
      text = without_quotes(text);
    }
    return std::string(text);
  }

  static std::string variable(std::string_view text) {
    if (text.starts_with("- ")) text = trimmed(text.substr(2));
    const std::size_t sign = text.find_first_of(":=");
    if (sign == std::string_view::npos || text.starts_with('#')) return "";
    const std::string_view name = text.substr(0, sign);
    return text[sign] == '=' ? assignment(name, without_quotes(text.substr(sign + 1)))
                             : assignment(name, value_of(text, name).value_or(""));
  }

  static void count(std::string_view text, std::optional<std::int64_t>& number) {
    const double value = core::number_of(text);
    constexpr double kMax = 65536;
    if (value >= 1.0 && value <= kMax) number = static_cast<std::int64_t>(value);
  }

  /// "H100:8", or "{H200:8, H100:8}" where all have as many.
  void accelerators(std::string_view text) {
    std::string list(text);
    std::erase_if(list, [](char c) { return c == '{' || c == '}' || c == '[' || c == ']'; });
    std::ranges::replace(list, ',', ' ');
    std::optional<std::int64_t> all;
    bool is_one = true;
    for (const std::string_view word : core::words_of(list)) {
      std::optional<std::int64_t> each = 1;
      if (const std::size_t colon = word.rfind(':'); colon != std::string_view::npos) {
        each.reset();
        count(word.substr(colon + 1), each);
      }
      is_one = is_one && each && (!all || all == each);
      all = each;
    }
    if (is_one) accelerators_ = all;
  }

  /// The variables that SkyPilot and dstack set for the commands.
  [[nodiscard]] std::string head() const {
    const std::int64_t nodes = nodes_.value_or(1);
    std::string text = fmt::format(
        "SKYPILOT_NODE_RANK=0 DSTACK_NODE_RANK=0 NNODES={0} SKYPILOT_NUM_NODES={0} "
        "DSTACK_NODES_NUM={0}",
        nodes);
    if (accelerators_) {
      text += fmt::format(
          " GPUS_PER_NODE={0} SKYPILOT_NUM_GPUS_PER_NODE={0} DSTACK_GPUS_PER_NODE={0} "
          "DSTACK_GPUS_NUM={1}",
          *accelerators_, *accelerators_ * nodes);
    }
    return text + "; ";
  }

  std::string_view text_;
  std::string_view section_;
  std::optional<std::int64_t> nodes_;
  std::optional<std::int64_t> accelerators_;  ///< of a node
};

bool opens(std::string_view text, std::string_view key) {
  return text.starts_with(key) || text.find("\n" + std::string(key)) != std::string_view::npos;
}

}  // namespace

std::optional<std::string> task_script(std::string_view text) {
  const bool is_sky = opens(text, "run:") && opens(text, "resources:");
  const bool is_dstack = opens(text, "commands:") && opens(text, "type:");
  if (is_json_object(text) || (!is_sky && !is_dstack)) return {};
  return Task(text).script();
}

}  // namespace railwright::importers
