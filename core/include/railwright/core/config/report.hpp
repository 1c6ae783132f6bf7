// SPDX-License-Identifier: Apache-2.0
// Reports of what is wrong across the keys of a tree that was read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"

namespace railwright::core {

/// Reports a problem at its key, or at the deepest section above it that is written. The tree and
/// the reader must outlive it.
class Report {
 public:
  /// Takes keys below `section`, "" for the whole tree.
  Report(const Node& tree, Reader& reader, std::string section = {})
      : tree_(tree), reader_(reader), section_(std::move(section)) {}

  void operator()(std::string_view key, std::string message, std::string hint = {}) const {
    const std::string path = path_of(key);
    reader_.report(place_of(tree_, path), path, std::move(message), std::move(hint));
  }
  void operator()(std::vector<Problem> problems) const {
    for (Problem& one : problems) (*this)(one.key, std::move(one.message), std::move(one.hint));
  }

  /// Reports a problem with `key` of an item of a list, where the list stands:
  /// "run.incidents[2].job".
  void item(std::string_view list, std::size_t index, std::string_view key,
            std::string message) const {
    const std::string path = path_of(list);
    reader_.report(place_of(tree_, path),
                   path + "[" + std::to_string(index) + "]." + std::string(key),
                   std::move(message));
  }

  /// Returns the node of a key; null if it is not written.
  [[nodiscard]] const Node* find(std::string_view key) const {
    return find_path(tree_, path_of(key));
  }
  /// Returns a report that takes keys below `section` of this one.
  [[nodiscard]] Report under(std::string_view section) const {
    return {tree_, reader_, path_of(section)};
  }
  /// Whether the reader has found no problem so far.
  [[nodiscard]] bool is_clean() const { return reader_.diagnostics().empty(); }

 private:
  [[nodiscard]] std::string path_of(std::string_view key) const {
    return key.empty() ? section_ : join_path(section_, key);
  }

  const Node& tree_;
  Reader& reader_;
  std::string section_;
};

}  // namespace railwright::core
