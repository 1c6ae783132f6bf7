// SPDX-License-Identifier: Apache-2.0
// The keys of track_record.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/track_record.hpp"

namespace railwright::simulation {

constexpr auto TrackCombination::fields() {
  using core::field;
  using core::optional;
  return core::field_list(
      field("layout", &TrackCombination::layout,
            "Dimensions of parallelism used together, ZeRO-3, and Mamba-2 layers."),
      field("node", &TrackCombination::node, "Accelerators and what joins them."),
      field("transport", &TrackCombination::transport, "Between nodes; absent on one node.",
            optional),
      field("nics_per_accelerator", &TrackCombination::nics_per_accelerator, "Absent on one node.",
            core::positive, optional),
      field("nic_rate", &TrackCombination::nic_rate, "Of one NIC; absent on one node.",
            core::positive, optional),
      field("fabric", &TrackCombination::fabric,
            "Topology and oversubscription; absent on one node.", optional));
}

constexpr auto TrackRow::fields() {
  using core::at_least;
  using core::field;
  using core::optional;
  return core::field_list(
      field("accelerator", &TrackRow::accelerator, "By catalogue name."),
      field("software", &TrackRow::software, "By catalogue name."),
      field("precision", &TrackRow::precision, "That of the matrix products."),
      field("left_out", &TrackRow::left_out, "Steps that nothing was fitted to.", at_least(0)),
      field("fitted", &TrackRow::fitted, "Steps that constants were fitted to.", at_least(0)),
      field("num_accelerators", &TrackRow::num_accelerators, "Of the largest of these steps.",
            at_least(1)),
      field("combinations", &TrackRow::combinations,
            "Traits that a step had together, each combination once.", optional),
      field("shortest_sequence", &TrackRow::shortest_sequence, "In tokens.", optional),
      field("longest_sequence", &TrackRow::longest_sequence, "In tokens.", optional),
      field("settings", &TrackRow::settings,
            "Keys of the software profile, the node or its devices that a step changed, with "
            "their value.",
            optional));
}

constexpr auto FamilyErrors::fields() {
  using core::field;
  return core::field_list(
      field("class", &FamilyErrors::of, "What is known of these steps."),
      field("families", &FamilyErrors::families, "Families of published steps.", core::at_least(1)),
      field("steps", &FamilyErrors::steps, "Their steps.", core::at_least(1)),
      field("median_error", &FamilyErrors::median_error,
            "Median of the absolute relative errors, families weighted equally.",
            core::non_negative),
      field("percentile_90", &FamilyErrors::percentile_90, "Nine in ten are below it.",
            core::non_negative),
      field("low", &FamilyErrors::low,
            "Low end of the 80 % interval of published over predicted, of a step without "
            "differences; four fifths of a family that it was not made of lie within.",
            core::between(0.1, 1.0)),
      field("high", &FamilyErrors::high, "High end.", core::between(1.0, 10.0)),
      field("stated_low", &FamilyErrors::stated_low,
            "Low end of the interval of a step without differences whose recipe is stated: that of "
            "others is wider by what their unstated settings do to the step.",
            core::between(0.1, 1.0), core::optional),
      field("stated_high", &FamilyErrors::stated_high, "High end of it.", core::between(1.0, 10.0),
            core::optional));
}

constexpr auto MemoryReadings::fields() {
  using core::field;
  return core::field_list(
      field("families", &MemoryReadings::families, "Families of published readings.",
            core::at_least(1)),
      field("readings", &MemoryReadings::readings, "Their readings.", core::at_least(1)),
      field("low", &MemoryReadings::low, "A tenth of them is below, over what is computed.",
            core::positive),
      field("median", &MemoryReadings::median, "Half of them are below.", core::positive),
      field("high", &MemoryReadings::high, "Nine tenths are below.", core::positive));
}

constexpr auto TrackRecord::fields() {
  using core::field;
  return core::field_list(
      field("name", &TrackRecord::name, "Name in the catalogue.", core::optional),
      field("description", &TrackRecord::description, "Where it comes from.", core::optional),
      field("rows", &TrackRecord::rows, "By accelerator, software and precision."),
      field("families_left_out", &TrackRecord::families_left_out,
            "Errors of families that a fit has not seen, by class of step.", core::optional),
      field("difference_growth", &TrackRecord::difference_growth,
            "Variance that each difference from published steps adds, over that of a step "
            "without: n of them widen the logarithm of an interval by sqrt(1 + growth n).",
            core::between(0.0, 10.0), core::optional),
      field("unstated_weight", &TrackRecord::unstated_weight,
            "Half-width of the 80 % interval, as a logarithm, for each unit of a step's spread by "
            "settings that nobody stated; it adds to the interval of stated recipes by squares.",
            core::between(0.0, 10.0), core::optional),
      field("memory", &TrackRecord::memory, "How published readings of memory compare.",
            core::optional));
}

}  // namespace railwright::simulation
