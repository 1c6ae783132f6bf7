// SPDX-License-Identifier: Apache-2.0
// The catalogue of devices, workloads and profiles: one entry a file, `<root>/<kind>/<name>.yaml`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

class Catalogue {
 public:
  /// Searches `roots` in order; the first that holds `<kind>/<name>.yaml` wins. Kinds and names
  /// consist of a-z, 0-9, '.', '_' and '-' and do not start with a dot; other names are never
  /// looked up.
  explicit Catalogue(std::vector<std::string> roots);

  [[nodiscard]] bool contains(std::string_view kind, std::string_view name) const;
  /// Returns a copy that reads each entry once and keeps it, so that hours of work see one state of
  /// the files. Copies of it share what they keep.
  [[nodiscard]] Catalogue keeping() const;
  /// Returns the entry's tree, read again if its file has changed unless entries are kept.
  /// Thread-safe. Throws ConfigError if there is no such entry or its file is malformed.
  [[nodiscard]] Node load(std::string_view kind, std::string_view name) const;
  /// Builds "no accelerator 'h100' in the catalogue; did you mean 'h100-sxm'? (known: ...)",
  /// without a place.
  [[nodiscard]] Diagnostic not_found(std::string_view kind, std::string_view name) const;

  /// Returns the value that keep_decoded() stored for this state of the entry's file, from any
  /// catalogue of the process; null if none. A keeping() catalogue sees only its own values. Each
  /// kind has one type.
  [[nodiscard]] std::shared_ptr<const void> decoded(std::string_view kind,
                                                    std::string_view name) const;
  /// Stores a decoded value. Skips an entry that starts from another one, whose file may change
  /// too, unless entries are kept.
  void keep_decoded(std::string_view kind, std::string_view name,
                    std::shared_ptr<const void> value) const;

  /// Returns the sorted names of a kind ("accelerators", "nics", ...); kinds() returns all kinds.
  [[nodiscard]] std::vector<std::string> names(std::string_view kind) const;
  [[nodiscard]] std::vector<std::string> kinds() const;
  [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }

 private:
  struct Kept;

  std::vector<std::string> roots_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace railwright::core
