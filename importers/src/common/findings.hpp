// SPDX-License-Identifier: Apache-2.0
// Collects what a reader finds in one file.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

class Findings {
 public:
  explicit Findings(std::string file);

  [[nodiscard]] const std::string& file() const { return imported_.file; }

  /// Adds a value that follows from the file. A later value of a path replaces an earlier one.
  template <class T>
  void know(std::string_view path, const T& value, std::string_view origin) {
    put(path, core::to_node(value), origin, false);
  }
  /// Adds a value that follows from the file and a rule or default that the file does not state.
  template <class T>
  void assume(std::string_view path, const T& value, std::string_view origin) {
    put(path, core::to_node(value), origin, true);
  }
  /// Adds a known or an assumed value.
  template <class T>
  void say(bool is_known, std::string_view path, const T& value, std::string_view origin) {
    put(path, core::to_node(value), origin, !is_known);
  }
  /// Returns the value that was added at a path; null if none.
  [[nodiscard]] const core::Node* value_of(std::string_view path) const;
  /// Drops values that were assumed, where another file says what this one does not. Keeps those
  /// at `kept`.
  void forget_assumed(std::initializer_list<std::string_view> kept);
  /// Drops the value at a path. Returns whether there was one.
  bool forget(std::string_view path);
  void unknown(std::string_view path, std::string_view reason);
  /// Adds a value that the file takes from outside: from a variable that it does not set.
  void outside(std::string_view name, std::string_view reason);
  void not_expressed(std::string_view text);

  void problem(const core::Location& where, std::string_view path, std::string_view message,
               std::string_view hint = {});
  void problem_in_file(std::string_view message, std::string_view hint = {});
  void problem_at_line(int line, std::string_view message, std::string_view hint = {});
  [[nodiscard]] bool has_problems() const { return !problems_.empty(); }
  /// Whether further problems are only counted.
  [[nodiscard]] bool is_full() const;
  /// Problems so far, for readers that append to a list of diagnostics.
  std::vector<core::Diagnostic>& problems() { return problems_; }

  /// Throws ConfigError with the first hundred problems, if there are any.
  void throw_if_any();
  /// Returns all findings. Throws ConfigError if there was a problem.
  Imported take();

 private:
  void put(std::string_view path, core::Node value, std::string_view origin, bool is_assumed);

  Imported imported_;
  std::vector<core::Diagnostic> problems_;
  std::size_t num_problems_ = 0;
};

/// Makes text of a file fit for a message or a comment: one line of printable characters, cut to
/// 80.
std::string shown(std::string_view text);

}  // namespace railwright::importers
