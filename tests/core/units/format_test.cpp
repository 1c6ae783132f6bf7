// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <string>

#include "railwright/core/units/text.hpp"

namespace railwright::core {
namespace {

std::string time_text(double seconds) { return to_text(Duration::from_base(seconds)); }

TEST(FormatQuantity, TimeTakesTheUnitThatFits) {
  EXPECT_EQ(time_text(0.0), "0 s");
  EXPECT_EQ(time_text(3e-12), "3.00 ps");
  EXPECT_EQ(time_text(4.5e-9), "4.50 ns");
  EXPECT_EQ(time_text(12e-6), "12.0 us");
  EXPECT_EQ(time_text(0.35), "350 ms");
  EXPECT_EQ(time_text(7.32), "7.32 s");
  EXPECT_EQ(time_text(119.0), "119 s");
  EXPECT_EQ(time_text(120.0), "2.00 min");
  EXPECT_EQ(time_text(3660.0), "61.0 min");
  EXPECT_EQ(time_text(7200.0), "2.00 h");
  EXPECT_EQ(time_text(2.0 * 86400.0), "2.00 d");
  EXPECT_EQ(time_text(1234.0 * 86400.0), "1230 d");
  EXPECT_EQ(time_text(-7.321), "-7.32 s");
}

TEST(FormatQuantity, RoundingMayPassTheNextUnit) {
  EXPECT_EQ(time_text(0.9996), "1.00 s");
  EXPECT_EQ(to_text(DataSize::from_base(999.6e6)), "1.00 GB");
  EXPECT_EQ(to_text(DataSize::from_base(999.4e6)), "999 MB");
}

TEST(FormatQuantity, EveryDimension) {
  EXPECT_EQ(to_text(DataSize::from_base(1.1e12)), "1.10 TB");
  EXPECT_EQ(to_text(DataSize::from_base(0.5)), "0.500 B");
  EXPECT_EQ(to_text(DataSize{}), "0 B");
  EXPECT_EQ(to_text(Bandwidth::from_base(5.3e9)), "5.30 GB/s");
  EXPECT_EQ(to_text(Work::from_base(6.3e23)), "630 ZFLOP");
  EXPECT_EQ(to_text(ComputeRate::from_base(989.4e12)), "989 TFLOP/s");
  EXPECT_EQ(to_text(Power::from_base(10200.0)), "10.2 kW");
  EXPECT_EQ(to_text(Power{}), "0 W");
  EXPECT_EQ(to_text(Energy::from_base(3.6e9)), "1.00 MWh");
  EXPECT_EQ(to_text(Energy::from_base(500.0)), "500 J");
  EXPECT_EQ(to_text(Money::from_base(12.5)), "12.50 USD");
  EXPECT_EQ(to_text(Money::from_base(1234567.0)), "1234567 USD");
  EXPECT_EQ(format_quantity(0.25, {}), "0.250");
  EXPECT_EQ(format_quantity(0.12 / 3.6e6, {0, 0, 0, -1, 1}), "0.120 USD/kWh");
  EXPECT_EQ(format_quantity(2e-11, {0, -1, 0, 0, 1}), "0.0200 USD/GB");
  EXPECT_EQ(format_quantity(2.5 / 3600.0, {-1, 0, 0, 0, 1}), "2.50 USD/h");
  EXPECT_EQ(format_quantity(2e-8, {0, 0, -1, 0, 1}), "2.00e-08 USD/FLOP");
}

TEST(FormatQuantity, InfinityIsUnlimited) {
  EXPECT_EQ(to_text(Bandwidth::infinity()), "unlimited");
  EXPECT_EQ(to_text(-Bandwidth::infinity()), "-inf B/s");
}

TEST(FormatQuantity, AnIntervalHasOneUnit) {
  const auto hours = [](double low, double high) {
    return range_text(Duration::from_base(low * 3600.0), Duration::from_base(high * 3600.0));
  };
  EXPECT_EQ(hours(39.7, 59.04), "39.7 to 59.0 h");  // 59 h alone are 2.46 d
  EXPECT_EQ(hours(0.01, 0.02), "36.0 to 72.0 s");
  EXPECT_EQ(hours(0.01, 240.0), "36.0 s to 10.0 d");  // far apart
  EXPECT_EQ(hours(1.0, std::numeric_limits<double>::infinity()), "60.0 min to unlimited");
}

TEST(FormatQuantity, MemoryOfADeviceIsInBinaryUnits) {
  const auto mib = [](double size) { return memory_text(DataSize::from_base(size * 1048576.0)); };
  EXPECT_EQ(mib(81559.0), "79.6 GiB");  // an H100 of 80 GB
  EXPECT_EQ(mib(1023.9), "1.00 GiB");
  EXPECT_EQ(mib(2097152.0), "2.00 TiB");
  EXPECT_EQ(mib(0.0), "0 B");
}

TEST(FormatQuantity, ExactTextReadsBackToTheSameBits) {
  const Exponents all[] = {{},
                           {1, 0, 0, 0, 0},
                           {-1, 1, 0, 0, 0},
                           {-1, 0, 1, 0, 0},
                           {-1, 0, 0, 1, 0},
                           {-2, 0, 0, 1, 0},
                           {0, 0, 0, -1, 1},
                           {1, 2, -1, 0, 0}};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> logarithm(-29.0, 29.0);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::pow(10.0, logarithm(random)) * (i % 2 == 0 ? 1.0 : -1.0);
    const Exponents& exponents = all[static_cast<std::size_t>(i) % std::size(all)];
    for (const std::string& text :
         {format_exact(value, exponents), format_faithful(value, exponents)}) {
      QuantityError error;
      const auto parsed = parse_quantity(text, error);
      ASSERT_TRUE(parsed) << text << ": " << error.message;
      EXPECT_EQ(parsed->base, value) << text;
      EXPECT_EQ(parsed->exponents, exponents) << text;
    }
  }
}

TEST(FormatQuantity, ShortTextIsWithinHalfAPercent) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> logarithm(-12.0, 27.0);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::pow(10.0, logarithm(random));
    for (const Exponents& exponents :
         {Exponents{1, 0, 0, 0, 0}, Exponents{-1, 1, 0, 0, 0}, Exponents{0, 0, 0, 1, 0}}) {
      QuantityError error;
      const std::string text = format_quantity(value, exponents);
      const auto parsed = parse_quantity(text, error);
      ASSERT_TRUE(parsed) << text << ": " << error.message;
      EXPECT_NEAR(parsed->base / value, 1.0, 0.0051) << text;
    }
  }
}

TEST(FormatQuantity, FaithfulTextIsShortWhereItCanBe) {
  EXPECT_EQ(format_faithful(80e9, {0, 1, 0, 0, 0}), "80 GB");
  EXPECT_EQ(format_faithful(989.4e12, {-1, 0, 1, 0, 0}), "989.4 TFLOP/s");
  EXPECT_EQ(format_faithful(10e-6, {1, 0, 0, 0, 0}), "10 us");
  EXPECT_EQ(format_faithful(250000.0, {0, 0, 0, 0, 1}), "250000 USD");
  EXPECT_EQ(format_faithful(80123456789.0, {0, 1, 0, 0, 0}), "80.123456789 GB");
  EXPECT_EQ(format_faithful(3.6e6, {0, 0, 0, 1, 0}), "1 kWh");
}

}  // namespace
}  // namespace railwright::core
