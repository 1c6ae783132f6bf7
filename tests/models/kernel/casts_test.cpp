// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/casts.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "devices.hpp"

namespace railwright::models {
namespace {

using core::Accelerator;
using core::CastConstants;
using core::DataSize;
using core::Duration;
using core::StreamConstants;
using test::b200;
using test::h100;
using test::in_us;
using test::us;

const CastConstants kH100{.amax = {us(7.203), us(0.4699), 0.3953, DataSize::from_base(50e6), 0.9393,
                                   0.6863, 2.515, 0.001192},
                          .cast = {us(1.381), us(0.01185), 0.9185, DataSize::from_base(50e6),
                                   0.9473, 0.2489, 1.61, 0.01205}};
const CastConstants kB200{
    .amax = {us(8.429), us(2.289), 0.4152, DataSize::from_base(126e6), 0.7358, 0.5737, 2.119,
             0.08161},
    .cast = {us(1.625), us(0.3038), 0.7148, DataSize::from_base(126e6), 1.3, 0.9, 1.0, 0.4205}};

struct Reference {
  std::int64_t rows;
  std::int64_t columns;
  double h100_amax;
  double h100_cast;
  double b200_amax;
  double b200_cast;
};

// Of the program that fitted the constants, in us.
constexpr Reference kReferences[] = {
    {1, 4096, 7.2124731225943899, 1.3836573207083731, 8.4606838892450256, 1.6311995194926319},
    {512, 4096, 8.8786047550027867, 2.6614898646195195, 11.024856685945227, 2.9906488243686389},
    {4096, 2048, 13.180668624844792, 6.4724519530684352, 13.021821422636906, 6.4293443582665581},
    {4096, 4096, 26.670875585203017, 17.945980848281682, 15.444670203745183, 11.577497500921876},
    {4096, 8192, 58.390843812342951, 34.303583621610159, 26.620878680509289, 23.761502710765601},
    {32768, 14336, 717.19133723982827, 459.59892025700066, 296.66514998702269, 257.64159095535706}};

TEST(Casts, AgreeWithTheProgramThatFittedTheConstants) {
  for (const Reference& reference : kReferences) {
    const CastShape shape{.rows = reference.rows, .columns = reference.columns};
    EXPECT_NEAR(in_us(amax_time(h100(), kH100, shape)) / reference.h100_amax, 1.0, 1e-9);
    EXPECT_NEAR(in_us(cast_time(h100(), kH100, shape)) / reference.h100_cast, 1.0, 1e-9);
    EXPECT_NEAR(in_us(amax_time(b200(), kB200, shape)) / reference.b200_amax, 1.0, 1e-9);
    EXPECT_NEAR(in_us(cast_time(b200(), kB200, shape)) / reference.b200_cast, 1.0, 1e-9);
  }
}

TEST(Casts, LargeTensorsTakeTheTimeOfTheirBytes) {
  const StreamConstants plain{.launch = us(3.0),
                              .ramp = {},
                              .memory_share = 0.5,
                              .cache = DataSize::from_base(50e6),
                              .cache_share = 1.0,
                              .cache_edge = 0.5,
                              .cache_speedup = 4.0,
                              .write_back_share = 0.0};
  const CastConstants constants{.amax = plain, .cast = plain};
  const CastShape shape{.rows = 1 << 15, .columns = 1 << 14};
  const double elements = 32768.0 * 16384.0;
  EXPECT_NEAR(amax_time(h100(), constants, shape).base(), 3e-6 + elements * 2 / 1.675e12, 1e-12);
  EXPECT_NEAR(cast_time(h100(), constants, shape).base(), 3e-6 + elements * 3 / 1.675e12, 1e-12);
}

TEST(Casts, NothingTakesALaunch) { EXPECT_NEAR(in_us(cast_time(h100(), kH100, {})), 1.381, 1e-9); }

TEST(Casts, RiseWithTheTensorAndFallWithTheBandwidth) {
  for (const auto& [device, constants] : {std::pair{h100(), kH100}, std::pair{b200(), kB200}}) {
    for (const auto time : {amax_time, cast_time}) {
      Duration before;
      for (std::int64_t rows = 1; rows < 1 << 18; rows = rows * 5 / 4 + 1) {
        const CastShape shape{.rows = rows, .columns = 7168};
        const Duration now = time(device, constants, shape);
        EXPECT_GT(now, before);
        before = now;
        Accelerator faster = device;
        faster.memory_bandwidth.value *= 1.5;
        EXPECT_LT(time(faster, constants, shape), now);
      }
    }
  }
}

}  // namespace
}  // namespace railwright::models
