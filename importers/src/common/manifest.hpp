// SPDX-License-Identifier: Apache-2.0
// Reads the commands of containers from a manifest of Kubernetes, values of llm-d or a file of
// docker compose.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// A container with a command.
struct Container {
  std::string name;                      ///< of the container or of what it is of; "" for none
  std::string command;                   ///< variables, image, command and arguments
  std::optional<std::int64_t> replicas;  ///< of the workload that it is of, if the file says so
};

/// Containers of a manifest, and what else it tells.
struct Manifest {
  std::string file;
  std::vector<Container> containers;
  std::optional<std::int64_t> accelerators;  ///< of a container, as its limits say
};

/// Whether a text is a manifest, by its keys.
bool is_manifest(std::string_view text);

/// Joins the words of lists: "- vllm" above "- serve" is "vllm serve".
std::string joined_words(std::string_view text);

/// Writes "$(NAME)", which Kubernetes fills in, as the shell would: "${NAME}".
std::string with_shell_variables(std::string text);

/// Puts a value where a manifest names it: `${NAME}`, `$(NAME)`, `{{ NAME }}`, `{{ .Values.NAME
/// }}`. Returns nothing where it does not. Lines keep their numbers.
std::optional<std::string> with_values(std::string_view text, std::string_view name,
                                       std::string_view value);

/// Calls `take` with each document of a file that says something. Throws ConfigError for a template
/// of containers, or if one is no YAML.
void each_document(std::string_view text, const std::string& file,
                   const std::function<void(const core::Node&)>& take);

/// Reads all documents of a file. Throws ConfigError for a template, or if a document is no YAML.
Manifest read_manifest(std::string_view text, const std::string& file);

}  // namespace railwright::importers
