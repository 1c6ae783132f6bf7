// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace railwright::core {

namespace {

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}

}  // namespace

std::string to_string(const Location& where) {
  if (where.line <= 0) return where.file;
  return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  for (const std::string& part : {to_string(diagnostic.where), diagnostic.path}) {
    if (!part.empty()) text += part + ": ";
  }
  text += diagnostic.message;
  if (!diagnostic.hint.empty()) text += "; " + diagnostic.hint;
  return text;
}

ConfigError::ConfigError(std::vector<Diagnostic> diagnostics)
    : Error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

ModelError::ModelError(std::string_view model, std::string_view parameter, std::string_view valid)
    : Error(fmt::format("{}: {} must be {}", model, parameter, valid)) {}

}  // namespace railwright::core
