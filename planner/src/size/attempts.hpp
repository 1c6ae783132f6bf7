// SPDX-License-Identifier: Apache-2.0
// Which configurations of one number of nodes are worth a whole simulation, after what others
// missed.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::planner {

class Attempts {
 public:
  using Writers = std::tuple<std::string, std::string, simulation::KnobNumbers>;
  using Key = std::tuple<Writers, simulation::KnobNumbers>;

  static Writers writers_of(const SearchEntry& entry) {
    return writers_of(entry.variant, entry.rank_order, entry.configuration);
  }
  /// Returns a key of the configuration, its variant and its rank order.
  static Key key_of(const SearchEntry& entry) {
    return key_of(writers_of(entry), entry.configuration);
  }
  /// Leaves this configuration out from now on.
  void add(const SearchEntry& entry) { tried_.insert(key_of(entry)); }
  /// Leaves out all configurations with the same writers of checkpoints: they need the same
  /// storage.
  void close(const SearchEntry& entry) { closed_.insert(writers_of(entry)); }
  /// Whether neither add() nor close() left the configuration out.
  [[nodiscard]] bool is_left(std::string_view variant, std::string_view rank_order,
                             const simulation::Configuration& configuration) const;
  [[nodiscard]] bool is_left(const SearchEntry& entry) const {
    return is_left(entry.variant, entry.rank_order, entry.configuration);
  }

  /// Notes the training time over that of the steps alone, which configurations with the same
  /// writers share.
  void set_overhead(const SearchEntry& entry, double ratio) {
    overheads_.insert_or_assign(writers_of(entry), ratio);
  }
  [[nodiscard]] std::optional<double> overhead(const SearchEntry& entry) const;

 private:
  static Writers writers_of(std::string_view variant, std::string_view rank_order,
                            const simulation::Configuration& configuration);
  static Key key_of(const Writers& writers, const simulation::Configuration& configuration);

  std::set<Key> tried_;
  std::set<Writers> closed_;
  std::map<Writers, double> overheads_;
};

}  // namespace railwright::planner
