// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/data_loading/data_reader.hpp"

namespace railwright::models {

core::Duration hand_over_time(const DataReader& reader, double samples, core::DataSize bytes) {
  const core::Duration one =
      reader.per_batch.value + reader.per_sample.value * samples + bytes / reader.copy_rate.value;
  return one * reader.factor.value;
}

}  // namespace railwright::models
