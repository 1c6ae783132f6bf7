// SPDX-License-Identifier: Apache-2.0
#include "refine.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace railwright::output {

namespace {

bool is_front_end(core::Tier tier) {
  return tier == core::Tier::kFrontEnd || tier == core::Tier::kStorage;
}

using Signature = std::vector<std::pair<int, int>>;

Signature signature_of(const Wiring& wiring, core::VertexId vertex,
                       const std::vector<int>& colors) {
  Signature signature;
  for (const Wiring::End& end : wiring.ends(vertex)) {
    signature.emplace_back(colors[static_cast<std::size_t>(end.vertex)], end.kind);
  }
  std::ranges::sort(signature);
  signature.emplace_back(colors[static_cast<std::size_t>(vertex)], -1);
  return signature;
}

}  // namespace

Wiring::Wiring(const core::Fabric& fabric) : first_(fabric.vertices().size() + 1) {
  const auto links = fabric.links();
  for (const core::Link& link : links) {
    if (!is_front_end(link.tier)) ++first_[static_cast<std::size_t>(link.from) + 1];
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  ends_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  std::map<std::tuple<core::Tier, double, int>, int> kinds;
  for (const core::Link& link : links) {
    if (is_front_end(link.tier)) continue;
    const int kind = kinds
                         .try_emplace({link.tier, link.bandwidth.base(), link.num_parallel},
                                      static_cast<int>(kinds.size()))
                         .first->second;
    ends_[next[static_cast<std::size_t>(link.from)]++] = {link.to, kind};
  }
}

std::vector<int> refine(const Wiring& wiring, std::vector<int> colors) {
  for (std::size_t num_colors = 0;;) {
    std::map<Signature, int> known;
    std::vector<int> finer(colors.size());
    for (std::size_t v = 0; v < colors.size(); ++v) {
      finer[v] = known
                     .try_emplace(signature_of(wiring, static_cast<core::VertexId>(v), colors),
                                  static_cast<int>(known.size()))
                     .first->second;
    }
    colors = std::move(finer);
    if (known.size() == num_colors) return colors;
    num_colors = known.size();
  }
}

}  // namespace railwright::output
