// SPDX-License-Identifier: Apache-2.0
// The keys of data_reader.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/data_loading/data_reader.hpp"

namespace railwright::models {

constexpr auto DataReader::fields() {
  using core::field;
  using core::non_negative;
  using core::optional;
  return core::field_list(
      field("name", &DataReader::name, "Name in the catalogue."),
      field("description", &DataReader::description, "The library and its files in words."),
      field("per_batch", &DataReader::per_batch,
            "Time to take a batch that is ready, whatever its size.", non_negative),
      field("per_sample", &DataReader::per_sample, "Further time for each sample of it.",
            non_negative, optional),
      field("copy_rate", &DataReader::copy_rate, "Rate at which its bytes are copied.",
            core::positive, optional),
      field("jitter", &DataReader::jitter,
            "Coefficient of variation of a worker's time for a batch and of the hand-over.",
            core::between(0, 1), optional),
      field("factor", &DataReader::factor,
            "Factor on the time of a hand-over: 1; its range is the spread between products.",
            non_negative, optional));
}

}  // namespace railwright::models
