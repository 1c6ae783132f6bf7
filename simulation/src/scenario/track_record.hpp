// SPDX-License-Identifier: Apache-2.0
// The catalogue's record of how well published steps are predicted.
#pragma once

#include <memory>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/simulation/scenario/provenance.hpp"

namespace railwright::simulation {

/// Returns the record "training_steps", or null if the catalogue has none. Every scenario asks for
/// it, so the last one read is cached until its file changes. Thread-safe.
std::shared_ptr<const TrackRecord> track_record(const core::Catalogue& catalogue);

}  // namespace railwright::simulation
