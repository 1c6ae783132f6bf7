// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/words/lines.hpp"

#include <algorithm>
#include <iterator>

namespace railwright::output {

namespace {

/// Columns of the widest label, including the spaces after it.
constexpr std::size_t kWidestLabel = 30;

/// Start of a setting in a command, and the end of a line that is broken before one.
constexpr std::string_view kSetting = " --set ";
constexpr std::string_view kBackslash = " \\";

bool is_start(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// Returns the position after the escape that begins at `at`.
std::size_t behind_escape(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

/// Returns the number of bytes in the first `room` columns of a text.
std::size_t bytes_of(std::string_view text, std::size_t room) {
  std::size_t at = 0;
  std::size_t columns = 0;
  while (at < text.size()) {
    if (text[at] == '\033') {
      at = behind_escape(text, at);
      continue;
    }
    if (is_start(text[at]) && columns++ == room) return at;
    ++at;
  }
  return at;
}

bool is_joint(char c) { return std::string_view("._/=,-").find(c) != std::string_view::npos; }

/// Whether a word may be broken after `at`. Pieces such as "7.62", "-0.5" and "--set" stay whole.
bool may_break_behind(std::string_view text, std::size_t at) {
  if (!is_joint(text[at]) || at == 0 || at + 1 >= text.size()) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !is_joint(text[at - 1]) && text[at - 1] != ' ' && text[at + 1] != ' ' &&
         !(is_digit(text[at - 1]) && is_digit(text[at + 1]));
}

/// Whether the space at `at` separates a number from its unit: "18.6 %", "3 GB/s".
bool is_before_unit(std::string_view text, std::size_t at) {
  static constexpr std::string_view kUnits[] = {"%",  "s",   "ms",  "us",  "ns",  "min", "h", "d",
                                                "B",  "kB",  "MB",  "GB",  "TB",  "PB",  "W", "kW",
                                                "MW", "kWh", "MWh", "GWh", "USD", "m"};
  if (at == 0 || text[at - 1] < '0' || text[at - 1] > '9') return false;
  std::string_view word = text.substr(at + 1);
  word = word.substr(0, word.find_first_of(" ,;:)/\n"));
  return std::ranges::find(kUnits, word) != std::end(kUnits);
}

/// End of the first line of a text, and start of the next one.
struct Break {
  std::size_t end;
  std::size_t next;
};

/// Returns the best place to break a text of which `room` columns fit, behind the first `whole`
/// bytes.
Break break_of(std::string_view text, std::size_t room, std::size_t whole = 0) {
  const std::size_t fits = bytes_of(text, room);
  if (fits >= text.size()) return {text.size(), text.size()};
  // A command is broken before a setting, so that key and value stay together; the backslash needs
  // room.
  if (room > kBackslash.size()) {
    const std::size_t option = text.rfind(kSetting, bytes_of(text, room - kBackslash.size()));
    if (option != std::string_view::npos && option > whole) return {option, option + 1};
  }
  for (std::size_t space = text.rfind(' ', fits); space != std::string_view::npos && space > whole;
       space = text.rfind(' ', space - 1)) {
    const std::size_t end = text.find_last_not_of(' ', space);
    if (end == std::string_view::npos || end < whole) break;
    if (!is_before_unit(text, space)) return {end + 1, space + 1};
  }
  for (std::size_t at = fits; at-- > whole + 1;) {
    if (may_break_behind(text, at)) return {at + 1, at + 1};
  }
  return {std::max<std::size_t>(fits, 1), std::max<std::size_t>(fits, 1)};
}

/// Returns the indent of a line's continuation lines, in columns.
std::size_t indent_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return 0;
  const std::size_t gap = line.find("  ", first);
  if (gap == std::string_view::npos) return first;
  const std::size_t said = line.find_first_not_of(' ', gap);
  if (said == std::string_view::npos) return first;
  const std::size_t columns = width(line.substr(0, said));
  return columns <= kWidestLabel ? columns : first;
}

}  // namespace

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\033') {
      at = behind_escape(text, at);
    } else {
      columns += is_start(text[at++]) ? 1 : 0;
    }
  }
  return columns;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_space = text[at] == ' ' && !is_before_unit(text, at);
    if (!is_space && !may_break_behind(text, at)) continue;
    longest = std::max(longest, width(text.substr(begin, at - begin + (is_space ? 0 : 1))));
    begin = at + 1;
  }
  return std::max(longest, width(text.substr(begin)));
}

std::vector<std::string> broken(std::string_view text, std::size_t room) {
  std::vector<std::string> lines;
  while (width(text) > room) {
    const Break at = break_of(text, room);
    lines.emplace_back(text.substr(0, at.end));
    text = text.substr(at.next);
  }
  lines.emplace_back(text);
  return lines;
}

std::string wrapped(std::string_view text, std::size_t room) {
  if (room == 0) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const std::size_t indent = std::min(indent_of(line), room / 2);
    // The label is part of the first line and is not broken.
    std::size_t used = 0;
    while (width(line) > room - used) {
      const Break at = break_of(line, room - used, used == 0 ? bytes_of(line, indent) : 0);
      out += line.substr(0, at.end);
      line = line.substr(at.next);
      if (line.starts_with(kSetting.substr(1))) out += kBackslash;
      out += '\n' + std::string(indent, ' ');
      used = indent;
    }
    out += line;
    if (end != std::string_view::npos) out += '\n';
  }
  return out;
}

}  // namespace railwright::output
