// SPDX-License-Identifier: Apache-2.0
// The table of algorithms. Those that the library may choose are tried in this order.
#include "collnet.hpp"
#include "hierarchical.hpp"
#include "nvls.hpp"
#include "pairwise.hpp"
#include "ring.hpp"
#include "tree.hpp"

namespace railwright::models {

namespace {

/// The library's choice.
constexpr CollectiveAlgorithmKind kAuto{.name = "auto"};

// clang-format off
constexpr CollectiveAlgorithmKind kAlgorithms[] = {
    kAuto,
    kRing,
    kTree,
    kHierarchical,
    kNvls,
    kNvlsTree,
    kCollNet,
    kPairwise,
};
// clang-format on

}  // namespace

std::span<const CollectiveAlgorithmKind> CollectiveAlgorithmKind::table() { return kAlgorithms; }

}  // namespace railwright::models
