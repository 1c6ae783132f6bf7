// SPDX-License-Identifier: Apache-2.0
// Splits a shell script into commands and their words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

struct ShellWord {
  std::string text;  ///< without its quotes; `$(...)` and backticks as "$(...)"
  core::Location where;
  bool is_quoted = false;  ///< begins with a quote
};

/// Words up to a line end or a separator.
struct ShellCommand {
  std::vector<ShellWord> words;
  char end = '\n';           ///< one of "\n;()|&"
  bool is_document = false;  ///< a line of a here-document, where no word controls what runs
};

/// Whether a text is a script, by its first line that says something: no key of YAML, no section of
/// TOML, no JSON.
bool is_script(std::string_view text);

/// Splits a text that begins at this line of the file. Leaves out comments and redirections. A
/// quote goes over lines in a script alone, where ConfigError is thrown for one that never ends;
/// elsewhere, and in a here-document, one without its partner on the line is a letter.
std::vector<ShellCommand> shell_commands(std::string_view text, const std::string& file,
                                         int first_line, bool is_script);

/// Whether a word has a blank outside of `$(...)`.
bool has_outer_blank(std::string_view word);

/// Whether a command runs a program, and is neither an assignment nor a part of a list.
bool starts_program(std::span<const ShellWord> words);

}  // namespace railwright::importers
