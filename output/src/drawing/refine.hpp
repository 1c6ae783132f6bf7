// SPDX-License-Identifier: Apache-2.0
// Finds the identically wired vertices of a fabric.
#pragma once

#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::output {

/// The wiring without the front-end and storage network. That network assigns ports round-robin, so
/// every second node would look different.
class Wiring {
 public:
  struct End {
    core::VertexId vertex = 0;
    int kind = 0;  ///< equal for links of equal tier, bandwidth and number of cables
  };

  explicit Wiring(const core::Fabric& fabric);

  [[nodiscard]] std::size_t num_vertices() const { return first_.size() - 1; }
  [[nodiscard]] std::span<const End> ends(core::VertexId vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return {ends_.data() + first_[v], ends_.data() + first_[v + 1]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<End> ends_;
};

/// Splits colours until all vertices of a colour have the same number of links of each kind to each
/// colour (1-dimensional Weisfeiler-Leman). Colours are numbered from 0 by their first vertex.
std::vector<int> refine(const Wiring& wiring, std::vector<int> colors);

}  // namespace railwright::output
