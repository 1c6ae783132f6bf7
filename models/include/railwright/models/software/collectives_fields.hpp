// SPDX-License-Identifier: Apache-2.0
// The keys of collectives.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/software/collectives.hpp"

namespace railwright::models {

constexpr auto AlgorithmLatency::fields() {
  using core::field;
  using core::non_negative;
  return core::field_list(
      field("base", &AlgorithmLatency::base, "Start of a call.", non_negative),
      field("scale_up", &AlgorithmLatency::scale_up, "One step inside the scale-up domain.",
            non_negative),
      field("pcie", &AlgorithmLatency::pcie, "One step over PCIe.", non_negative),
      field("network", &AlgorithmLatency::network, "One step between nodes.", non_negative));
}

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto AcceleratorGeneration::fields() {
  using core::field;
  using core::non_negative;
  using core::positive;
  using G = AcceleratorGeneration;
  return core::field_list(
      field("name", &G::name, "The generation."),
      field("of", &G::of, "Generations of accelerators that these numbers are of."),
      field("launch", &G::launch,
            "What a measured call takes beyond the library's model, for LL, LL128, Simple; "
            "negative where it takes less.",
            core::Range{}),
      field("step_overhead", &G::step_overhead, "The same of a step inside a node.", core::Range{}),
      field("spread", &G::spread,
            "What a call with LL takes more once its bytes go over all channels.", non_negative),
      field("slice_latency", &G::slice_latency,
            "Until the next member of a ring sees a slice of Simple; hidden behind the slice that "
            "follows where that one takes longer.",
            non_negative),
      field("num_channels", &G::num_channels, "Rings or trees side by side inside a node.",
            core::between(1, 64)),
      field("scale_up", &G::scale_up, "Scale-up bandwidth in the library's model.", positive),
      field("ll", &G::ll, "Most that LL carries inside a node.", positive),
      field("ring_ll128", &G::ring_ll128, "Most that a channel of a ring carries with LL128.",
            positive),
      field("tree_ll128", &G::tree_ll128, "Most that a channel of a tree carries with LL128.",
            positive),
      field("tree_simple", &G::tree_simple, "The same with Simple.", positive),
      field("nvls_tree", &G::nvls_tree, "Most that a channel of NVLSTree carries; 0: no limit.",
            non_negative),
      field("ll_reach", &G::ll_reach,
            "Share of the bandwidth that measured calls inside a node reach with LL.",
            core::fraction),
      field("has_ll128", &G::has_ll128, "Whether the library uses LL128."),
      field("ll128_reach", &G::ll128_reach,
            "Share of the bandwidth that measured calls reach with LL128.", core::fraction),
      field("pairwise_launch", &G::pairwise_launch,
            "As launch, of all-to-all and send: for LL and Simple.", core::Range{}),
      field("pairwise_ll_reach", &G::pairwise_ll_reach, "As ll_reach, of all-to-all.",
            core::fraction),
      field("pairwise_share", &G::pairwise_share,
            "Share of a ring's bandwidth that all-to-all reaches to the other members of a node.",
            core::fraction),
      field("pairwise_self_share", &G::pairwise_self_share,
            "Rate of a member's copy of its own part, of a ring's bandwidth; may be above 1.",
            positive),
      field("nvls_launch", &G::nvls_launch,
            "What a measured call of NVLS inside a node takes beyond the library's latency of it; "
            "negative where it takes less.",
            core::Range{}),
      field("nvls_efficiency", &G::nvls_efficiency,
            "Share of the scale-up bandwidth that NVLS has in the library's model; 0: no NVLS.",
            core::Range{.min = 0.0, .max = 1.0}),
      field("nvls_members", &G::nvls_members, "Fewest members in a node that NVLS is used for.",
            core::between(2, 1024)),
      field("nvls_channels", &G::nvls_channels, "Channels of NVLS.", core::between(1, 64)),
      field("nvls_chunk_overhead", &G::nvls_chunk_overhead,
            "What NVLS takes for a round of chunks beyond moving them.", non_negative),
      field("nvls_wire_share", &G::nvls_wire_share,
            "What NVLS moves, of the scale-up bandwidth of a ring; may be above 1.", positive),
      field("nvls_rack_wire_share", &G::nvls_rack_wire_share,
            "The same in scale-up domains of more than eight accelerators.", positive));
}

constexpr auto ReleaseLimits::fields() {
  using L = ReleaseLimits;
  return core::field_list(
      core::field("of", &L::of, "Generations of accelerators that these numbers are of."),
      core::field("ring_ll128", &L::ring_ll128,
                  "Most that a channel of a ring carries with LL128, on one node, two and more.",
                  core::positive));
}

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto CollectiveTuning::fields() {
  using core::field;
  using core::fraction;
  using core::non_negative;
  using core::optional;
  using core::positive;
  using T = CollectiveTuning;
  return core::field_list(
      field("name", &T::name, "Name in the catalogue."),
      field("description", &T::description, "The library in words."),
      field("all_reduce_algorithm", &T::all_reduce_algorithm,
            "Algorithm of all-reduces, where it can run (trees: between nodes); auto: the "
            "library's own choice.",
            optional),
      field("in_network_reduction", &T::in_network_reduction,
            "Whether the switches between the nodes reduce (SHARP) and the library uses it.",
            optional),
      field("ring", &T::ring, "Latencies of rings."),
      field("tree", &T::tree, "Latencies of trees."),
      field("nvls_latency", &T::nvls_latency, "Latency of NVLS inside a node.", non_negative),
      field("nvls_tree_hop_latency", &T::nvls_tree_hop_latency,
            "One step of NVLSTree between nodes.", non_negative),
      field("collnet_hop_latency", &T::collnet_hop_latency,
            "Way through the reducing switches and back.", non_negative),
      field("network_overhead", &T::network_overhead,
            "Least time of a ring step where the ring leaves the node; three times with Simple.",
            non_negative),
      field("ring_ll_share", &T::ring_ll_share, "Share of a ring's bandwidth that LL leaves.",
            fraction),
      field("tree_ll_share", &T::tree_ll_share, "Share of a tree's bandwidth that LL leaves.",
            fraction),
      field("ll128_share", &T::ll128_share, "Share of the bandwidth that LL128 leaves.", fraction),
      field("ll_between_nodes", &T::ll_between_nodes,
            "Most that LL carries on two nodes, and on more.", positive),
      field("tree_ll_correction", &T::tree_ll_correction,
            "Factors on a tree's bandwidth by log2(bytes / 64), for LL.", fraction),
      field("tree_ll128_correction", &T::tree_ll128_correction, "The same for LL128.", fraction),
      field("tree_simple_correction", &T::tree_simple_correction, "The same for Simple.", fraction),
      field("network_launch", &T::network_launch,
            "What a measured call between nodes takes beyond the library's model.", non_negative),
      field("ring_chunk", &T::ring_chunk, "Largest chunk of a channel of a ring with Simple.",
            positive),
      field("pairwise_ll", &T::pairwise_ll,
            "Largest part for one member that all-to-all and send carry with LL.", non_negative),
      field("pairwise_peer", &T::pairwise_peer,
            "What all-to-all takes for each other member of its node.", non_negative),
      field("pairwise_chunk", &T::pairwise_chunk,
            "Largest chunk of a channel of all-to-all inside a node.", positive),
      field("pairwise_fill", &T::pairwise_fill,
            "Share of the first chunk of each channel that all-to-all takes longer.", non_negative),
      field("spread_size", &T::spread_size, "Buffer for which half of `spread` is seen.", positive),
      field("connections_per_nic", &T::connections_per_nic,
            "Connections between two NICs, each with a hash of its own.", core::between(1, 64)),
      field("nvls_chunk", &T::nvls_chunk, "Largest chunk of NVLS.", positive),
      field("nvls_fill", &T::nvls_fill, "Rounds of chunks until the pipeline of NVLS is full.",
            non_negative),
      field("generations", &T::generations, "What it takes each generation of accelerators for."),
      field("release_limits", &T::release_limits,
            "What this release has in place of numbers of those rows.", optional));
}

}  // namespace railwright::models
