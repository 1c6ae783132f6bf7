// SPDX-License-Identifier: Apache-2.0
// Chooses what a scenario leaves unsaid, and says what was chosen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::planner {

/// The node of a scenario that names none: an estimate of what most people mean.
inline constexpr std::string_view kDefaultNode = "dgx-h100";

/// A key that was chosen for a scenario.
struct Chosen {
  std::string key;    ///< "software"
  std::string value;  ///< as YAML
  std::string why;
};

struct Filled {
  core::Node tree;
  std::vector<Chosen> chosen;  ///< in the order of the choices; empty where nothing was left unsaid
};

/// Kinds of question, as far as they matter to what a scenario may leave unsaid.
enum class Asked : std::uint8_t {
  kDesign,  ///< how one design does: its division of the model is chosen too
  kSearch,  ///< which division is best: the question chooses it
  kSize,    ///< how many nodes it takes: these are chosen by the question
  kFabric,  ///< what a cluster's fabric consists of: nothing runs on it
};

/// Fills in the name, the stack or the library of collectives, the batch, the sequence, the node,
/// the fabric and the division over accelerators of a training job or a service, where the scenario
/// does not have them. A division is chosen only for a scenario without `parallelism`. For kFabric
/// it fills in node and fabric alone. Other kinds and scenarios without a model or nodes come back
/// as they are: what reads them says what is wrong. Throws ConfigError for `cluster.pools` of a
/// kind that has nodes of one kind, unless for kFabric.
Filled fill_in(core::Node tree, const core::Catalogue& catalogue, Asked asked);

}  // namespace railwright::planner
