// SPDX-License-Identifier: Apache-2.0
// The table of kinds of scenario.
#pragma once

#include <span>
#include <string_view>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/workloads/scenario_kind.hpp"

namespace railwright::simulation {

struct CheckedScenario;
class ScenarioSource;

/// Returns the kinds; training jobs are the first.
std::span<const ScenarioKind> scenario_kinds();
/// Returns the kind that the keys of `tree` tell; that of training where none does.
const ScenarioKind& kind_of(const core::Node& tree);
/// Returns the kind of this key, which must exist.
const ScenarioKind& kind_named(std::string_view key);
/// Whether a kind is that of training jobs.
bool is_training(const ScenarioKind& kind);
/// Whether the keys of `tree` tell the kind of this key.
bool describes(const core::Node& tree, std::string_view key);

/// Returns, in words, what a file describes in place of one training job; empty for a training job.
/// Only `simulate` and some other commands accept the others.
std::string_view other_kind(const core::Node& tree);
/// Reads a training job as read_scenario() does. Throws ConfigError for other kinds, too.
CheckedScenario read_training(const core::Node& tree, const core::Catalogue& catalogue);
/// Returns the source of a training job. Throws ConfigError for other kinds, too.
ScenarioSource training_source(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
