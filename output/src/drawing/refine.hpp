// SPDX-License-Identifier: Apache-2.0
// Which vertices of a fabric are wired alike.
#pragma once

#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::output {

/// The wiring without the front-end and storage network, which deals its ports in turn and would
/// tell every second node apart.
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

/// Splits colours until vertices of one colour have equally many links of each kind to each colour
/// (1-dimensional Weisfeiler-Leman). Colours are numbered from 0 by their first vertex.
std::vector<int> refine(const Wiring& wiring, std::vector<int> colors);

}  // namespace railwright::output
