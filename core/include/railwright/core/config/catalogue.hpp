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
  /// Looked up in order; the first root that holds `<kind>/<name>.yaml` wins. Kinds and names are
  /// made of a-z, 0-9, '.', '_' and '-' and do not start with a dot; nothing else is looked up.
  explicit Catalogue(std::vector<std::string> roots);

  [[nodiscard]] bool contains(std::string_view kind, std::string_view name) const;
  /// The same catalogue, which reads each entry once and keeps it: what goes on for hours is made
  /// of one state of the files. Copies share what they keep.
  [[nodiscard]] Catalogue keeping() const;
  /// The entry's tree, read anew where its file has changed unless entries are kept. Threads may
  /// share a catalogue.
  /// Throws ConfigError where there is no such entry or its file is malformed.
  [[nodiscard]] Node load(std::string_view kind, std::string_view name) const;
  /// "no accelerator 'h100' in the catalogue; did you mean 'h100-sxm'? (known: ...)", placeless.
  [[nodiscard]] Diagnostic not_found(std::string_view kind, std::string_view name) const;

  /// What keep_decoded was given for the same state of the entry's file, by any catalogue of the
  /// process; null where there is nothing. Each kind has one type.
  [[nodiscard]] std::shared_ptr<const void> decoded(std::string_view kind,
                                                    std::string_view name) const;
  /// Does nothing for an entry that starts from another one, whose file may change too.
  void keep_decoded(std::string_view kind, std::string_view name,
                    std::shared_ptr<const void> value) const;

  /// Sorted names of a kind ("accelerators", "nics", ...), and all kinds.
  [[nodiscard]] std::vector<std::string> names(std::string_view kind) const;
  [[nodiscard]] std::vector<std::string> kinds() const;
  [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }

 private:
  struct Kept;

  std::vector<std::string> roots_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace railwright::core
