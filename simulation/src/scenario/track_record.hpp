// SPDX-License-Identifier: Apache-2.0
// The catalogue's record of how well published steps are predicted.
#pragma once

#include <memory>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/simulation/scenario/provenance.hpp"

namespace railwright::simulation {

/// The record "training_steps", or nothing where the catalogue has none. Every scenario asks for
/// it, so the last one read is kept for as long as its file is the same; threads may ask at once.
std::shared_ptr<const TrackRecord> track_record(const core::Catalogue& catalogue);

}  // namespace railwright::simulation
