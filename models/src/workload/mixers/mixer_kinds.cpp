// SPDX-License-Identifier: Apache-2.0
// The table of mixers. The first is what a model has unless it says otherwise.
#include "attention/attention.hpp"
#include "block_sparse/block_sparse.hpp"
#include "compressed/compressed.hpp"
#include "gated_delta_net/gated_delta_net.hpp"
#include "kimi_delta/kimi_delta.hpp"
#include "latent/latent.hpp"
#include "lightning/lightning.hpp"
#include "mamba1/mamba1.hpp"
#include "mamba2/mamba2.hpp"
#include "railwright/models/workload/mixer.hpp"
#include "sparse/sparse.hpp"

namespace railwright::models {

namespace {

// clang-format off
constexpr MixerKind kMixers[] = {
    kAttentionMixer,
    kBlockSparseMixer,
    kCompressedMixer,
    kGatedDeltaNetMixer,
    kKimiDeltaMixer,
    kLatentMixer,
    kLightningMixer,
    kMamba1Mixer,
    kMamba2Mixer,
    kSparseMixer,
};
// clang-format on

}  // namespace

std::span<const MixerKind> MixerKind::table() { return kMixers; }

}  // namespace railwright::models
