// SPDX-License-Identifier: Apache-2.0
// Selectors of one path for a flow, among equally short ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::core {

/// The place of a device among the others of its leaf, for routing by destination.
struct Place {
  std::int32_t rank = 0;      ///< among the devices of its leaf
  std::int32_t leaf = 0;      ///< among the leaves
  std::int32_t per_leaf = 1;  ///< devices of the fullest leaf
};

/// The key by which switches distinguish flows.
struct FlowKey {
  VertexId from = 0;
  VertexId to = 0;
  std::uint32_t channel = 0;
};

/// D-mod-k [@zahavi2010dmodk]: a switch with k uplinks sends to the (d / product of the ks below)
/// mod k-th of them. d is the number of the destination among those of its leaf and, further up,
/// among the leaves. Downwards, the same digit selects among parallel cables.
class ByDestination {
 public:
  ByDestination(const Place& to, std::uint32_t channel) : place_(to), channel_(channel) {
    digits_[0] = place_.rank;
  }

  /// Selects a port of the device at either end; the channels of a pair take turns.
  [[nodiscard]] std::int32_t port(std::int32_t num_cables) const {
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(place_.rank) + channel_) %
                                     static_cast<std::uint32_t>(num_cables));
  }
  /// Selects a cable at a switch `height` links above the nearer end of its path between leaves.
  std::int32_t hop(std::int32_t height, std::int32_t num_cables) {
    const auto h = static_cast<std::size_t>(height);
    if (h + 1 < digits_.size() && h == num_known_) {
      digits_[h + 1] =
          h == 0 ? place_.leaf * ceil_div(place_.per_leaf, num_cables) + place_.rank / num_cables
                 : digits_[h] / num_cables;
      ++num_known_;
    }
    return digits_[std::min(h, num_known_)] % num_cables;
  }

 private:
  Place place_;
  std::uint32_t channel_;
  std::array<std::int32_t, 8> digits_{};
  std::size_t num_known_ = 0;
};

/// Equal-cost multi-path [@rfc2992] with a 64-bit mix of seed, ends, channel and hop.
class ByHash {
 public:
  ByHash(std::uint64_t seed, const FlowKey& flow)
      : key_(mix(mix(mix(seed) ^ both(flow.from, flow.to)) ^ flow.channel)) {}

  std::int32_t port(std::int32_t num_cables) { return draw(num_cables); }
  std::int32_t hop(std::int32_t /*height*/, std::int32_t num_cables) { return draw(num_cables); }

 private:
  static std::uint64_t both(VertexId from, VertexId to) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32U |
           static_cast<std::uint32_t>(to);
  }
  /// The finalizer of splitmix64 [@steele2014fast].
  static std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }
  std::int32_t draw(std::int32_t num_cables) {
    const std::uint64_t high = mix(key_ + hop_++) >> 32U;
    return static_cast<std::int32_t>(high * static_cast<std::uint64_t>(num_cables) >> 32U);
  }

  std::uint64_t key_;
  std::uint64_t hop_ = 0;
};

}  // namespace railwright::core
