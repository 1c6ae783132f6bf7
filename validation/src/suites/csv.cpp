// SPDX-License-Identifier: Apache-2.0
#include "csv.hpp"

#include <utility>

#include "railwright/core/config/text_file.hpp"

namespace railwright::validation {

namespace {

class Csv {
 public:
  Csv(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
  }

  std::vector<std::vector<Cell>> rows() {
    std::vector<std::vector<Cell>> rows;
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      }
      std::vector<Cell> row{cell()};
      while (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
        row.push_back(cell());
      }
      if (row.size() > 1 || !row.front().text.empty()) rows.push_back(std::move(row));
      next_line();
    }
    return rows;
  }

 private:
  void skip(std::string_view blanks) {
    while (at_ < text_.size() && blanks.find(text_[at_]) != std::string_view::npos) ++at_;
  }

  void next_line() {
    if (at_ >= text_.size()) return;
    ++at_;
    ++line_;
    line_start_ = at_;
  }

  Cell cell() {
    skip(" \t");
    Cell cell{{}, {file_, line_, static_cast<int>(at_ - line_start_) + 1}};
    if (at_ < text_.size() && text_[at_] == '"') {
      ++at_;
      cell.text = quoted(cell.where);
      skip(" \t\r");
      if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') {
        throw core::ConfigError({{here(), "", "expected a comma behind the closing quote", ""}});
      }
      return cell;
    }
    const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    cell.text = text_.substr(at_, end - at_);
    cell.text.erase(cell.text.find_last_not_of(" \t\r") + 1);
    at_ = end;
    return cell;
  }

  std::string quoted(const core::Location& start) {
    std::string text;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (at_ >= text_.size() || text_[at_] != '"') return text;
      }
      text += text_[at_];
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
    }
    throw core::ConfigError({{start, "", "this quote never ends", ""}});
  }

  [[nodiscard]] core::Location here() const {
    return {file_, line_, static_cast<int>(at_ - line_start_) + 1};
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<std::vector<Cell>> parse_csv(std::string_view text, const std::string& file) {
  core::check_bytes(text, file);
  return Csv(text, file).rows();
}

}  // namespace railwright::validation
