// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>

#include "railwright/core/error.hpp"

namespace railwright::core {

namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{256} << 20U;

}  // namespace

std::string read_text_file(const std::string& path) {
  const auto refuse = [&](std::string message) {
    throw core::ConfigError({{{path}, "", std::move(message), ""}});
  };
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) refuse("no such file, or not a plain one");
  if (std::filesystem::file_size(path, error) > kMaxFileBytes) refuse("more than 256 MiB");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.view().empty()) refuse(file ? "the file is empty" : "cannot be read");
  return std::move(text).str();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = text.substr(end, 2) == "\r\n" ? end + 2 : end + 1;
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kBlanks); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

double number_of(std::string_view word) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size()
             ? value
             : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view cell = line.substr(begin, end - begin);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

core::Location place_in(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column =
      start == std::string_view::npos ? before.size() : before.size() - start - 1;
  return {file, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~') && text[i] != '\n') ++i;
      if (i < text.size() && text[i] == '\n') plain += '\n';
      continue;
    }
    plain += text[i];
  }
  return plain;
}

}  // namespace railwright::core
