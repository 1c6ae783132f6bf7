// SPDX-License-Identifier: Apache-2.0
// What a step waits for a batch that is ready, by the library that loads it.
#include "railwright/models/data_loading/data_reader.hpp"

#include <gtest/gtest.h>

namespace railwright::models {
namespace {

using core::Duration;

/// 1 ms, 400 samples of 10 us and 50 MB at 100 GB/s: 1 + 4 + 0.5 ms.
TEST(DataReader, HandsOverByBatchBySampleAndByByte) {
  DataReader reader;
  reader.per_batch.value = Duration::from_base(1e-3);
  EXPECT_NEAR(hand_over_time(reader, 400, core::DataSize::from_base(50e6)).base(), 1e-3, 1e-15);
  reader.per_sample.value = Duration::from_base(10e-6);
  reader.copy_rate.value = core::Bandwidth::from_base(100e9);
  EXPECT_NEAR(hand_over_time(reader, 400, core::DataSize::from_base(50e6)).base(), 5.5e-3, 1e-15);
  reader.factor.value = 2.0;
  EXPECT_NEAR(hand_over_time(reader, 400, core::DataSize::from_base(50e6)).base(), 11e-3, 1e-15);
}

}  // namespace
}  // namespace railwright::models
