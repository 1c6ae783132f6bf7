// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "railwright/core/units/text.hpp"

namespace railwright::core {
namespace {

constexpr Exponents kNone{};
constexpr Exponents kTime{1, 0, 0, 0, 0};
constexpr Exponents kData{0, 1, 0, 0, 0};
constexpr Exponents kRate{-1, 1, 0, 0, 0};
constexpr Exponents kOperations{0, 0, 1, 0, 0};
constexpr Exponents kComputeRate{-1, 0, 1, 0, 0};
constexpr Exponents kEnergy{0, 0, 0, 1, 0};
constexpr Exponents kPower{-1, 0, 0, 1, 0};
constexpr Exponents kMoney{0, 0, 0, 0, 1};

struct Good {
  const char* text;
  double base;
  Exponents exponents;
};

const Good kGood[] = {
    {"7", 7.0, kNone},
    {"-0.5", -0.5, kNone},
    {"+3", 3.0, kNone},
    {".5", 0.5, kNone},
    {"1e3", 1000.0, kNone},
    {"3 s", 3.0, kTime},
    {"3s", 3.0, kTime},
    {"  3   s  ", 3.0, kTime},
    {"250 ms", 0.25, kTime},
    {"5 us", 5e-6, kTime},
    {"7 ns", 7e-9, kTime},
    {"9 ps", 9e-12, kTime},
    {"2 min", 120.0, kTime},
    {"1.5 h", 5400.0, kTime},
    {"30 d", 2592000.0, kTime},
    {"1 day", 86400.0, kTime},
    {"30 days", 2592000.0, kTime},
    {"4 y", 126230400.0, kTime},
    {"8 b", 1.0, kData},
    {"8 kb", 1e3, kData},
    {"8 Mb", 1e6, kData},
    {"8 Gb", 1e9, kData},
    {"8 Tb", 1e12, kData},
    {"1e3 GB", 1e12, kData},
    {"2 B", 2.0, kData},
    {"2 kB", 2e3, kData},
    {"2 MB", 2e6, kData},
    {"1.1 TB", 1.1e12, kData},
    {"1 PB", 1e15, kData},
    {"1EB", 1e18, kData},
    {"1 KiB", 1024.0, kData},
    {"1 MiB", 1048576.0, kData},
    {"1 GiB", 1073741824.0, kData},
    {"1 TiB", 1099511627776.0, kData},
    {"1 PiB", 1125899906842624.0, kData},
    {"400 Gb/s", 5e10, kRate},
    {"400Gb/s", 5e10, kRate},
    {"3.35 TB/s", 3.35e12, kRate},
    {"60 GB / min", 1e9, kRate},
    {"989.4 TFLOP/s", 989.4e12, kComputeRate},
    {"1 EFLOP", 1e18, kOperations},
    {"6.3 YFLOP", 6.3e24, kOperations},
    {"700 W", 700.0, kPower},
    {"1.2 MW", 1.2e6, kPower},
    {"1 kJ/s", 1000.0, kPower},
    {"2 kWh", 7.2e6, kEnergy},
    {"25000 USD", 25000.0, kMoney},
    {"3.6 USD/h", 1e-3, {-1, 0, 0, 0, 1}},
    {"0.36 USD/kWh", 1e-7, {0, 0, 0, -1, 1}},
    {"7200 /h", 2.0, {-1, 0, 0, 0, 0}},
    {"3 W*h", 10800.0, kEnergy},
};

TEST(ParseQuantity, ReadsEveryKindOfUnit) {
  for (const Good& good : kGood) {
    QuantityError error;
    const auto parsed = parse_quantity(good.text, error);
    ASSERT_TRUE(parsed) << good.text << ": " << error.message;
    EXPECT_DOUBLE_EQ(parsed->base, good.base) << good.text;
    EXPECT_EQ(parsed->exponents, good.exponents) << good.text;
  }
}

struct Bad {
  const char* text;
  const char* message;
  const char* hint;
};

TEST(ParseQuantity, SaysWhatIsWrongAndWhatWasMeant) {
  const Bad cases[] = {
      {"", "'': it does not start with a number", ""},
      {"fast", "'fast': it does not start with a number", ""},
      {"GB 80", "'GB 80': it does not start with a number", ""},
      {"- 5 GB", "'- 5 GB': it does not start with a number", ""},
      {"+-5 GB", "'+-5 GB': it does not start with a number", ""},
      {"1,5 GB", "'1,5 GB': unknown unit ',5 GB'", ""},
      {"1_000 GB", "'1_000 GB': unknown unit '_000 GB'", ""},
      {"nan", "'nan': the number is not finite", ""},
      {".nan", "'.nan': the number is not finite", ""},
      {"inf GB", "'inf GB': the number is not finite", ""},
      {"-inf GB", "'-inf GB': the number is not finite", ""},
      {".inf", "'.inf': the number is not finite", ""},
      {"1e999 GB", "'1e999 GB': the number is not finite", ""},
      {"1e300 EB", "'1e300 EB': the number is not finite", ""},
      {"1e300 s", "'1e300 s': must be 0 or between 1e-30 and 1e+30 in SI units", ""},
      {"-1e31 s", "'-1e31 s': must be 0 or between 1e-30 and 1e+30 in SI units", ""},
      {"1e-300 GB/s", "'1e-300 GB/s': must be 0 or between 1e-30 and 1e+30 in SI units", ""},
      {"400 Gbs", "'400 Gbs': unknown unit 'Gbs'", "did you mean 'Gb'?"},
      {"400 Gbps", "'400 Gbps': unknown unit 'Gbps'", "did you mean 'Gb/s'?"},
      {"400 gbps", "'400 gbps': unknown unit 'gbps'", "did you mean 'Gb/s' or 'GB/s'?"},
      {"50 gb/s", "'50 gb/s': unknown unit 'gb'", "did you mean 'Gb/s' or 'GB/s'?"},
      {"400 Gbit/s", "'400 Gbit/s': unknown unit 'Gbit'", "did you mean 'Gb/s'?"},
      {"50 GBytes/s", "'50 GBytes/s': unknown unit 'GBytes'", "did you mean 'GB/s'?"},
      {"64 KB", "'64 KB': unknown unit 'KB'", "did you mean 'kb' or 'kB'?"},
      {"989 TFLOPS", "'989 TFLOPS': unknown unit 'TFLOPS'", "did you mean 'TFLOP/s'?"},
      {"989 Tflops/s", "'989 Tflops/s': unknown unit 'Tflops'", "did you mean 'TFLOP/s'?"},
      {"3 hours", "'3 hours': unknown unit 'hours'", "did you mean 'h'?"},
      {"3 GB/sec", "'3 GB/sec': unknown unit 'sec'", "did you mean 'GB/s'?"},
      {"3 parsecs", "'3 parsecs': unknown unit 'parsecs'", ""},
      {"3 GB/", "'3 GB/': a unit is missing in 'GB/'", ""},
      {"3 /", "'3 /': a unit is missing in '/'", ""},
      {"3 GB//s", "'3 GB//s': a unit is missing in 'GB//s'", ""},
      {"0x10 GB", "'0x10 GB': unknown unit 'x10 GB'", ""},
  };
  for (const Bad& bad : cases) {
    QuantityError error;
    EXPECT_FALSE(parse_quantity(bad.text, error)) << bad.text;
    EXPECT_EQ(error.message, bad.message);
    EXPECT_EQ(error.hint, bad.hint) << bad.text;
  }
}

TEST(ParseQuantity, NamesDimensions) {
  EXPECT_EQ(dimension_name(kNone), "a plain number");
  EXPECT_EQ(dimension_name(kTime), "time");
  EXPECT_EQ(dimension_name(kRate), "data/time");
  EXPECT_EQ(dimension_name(kComputeRate), "work/time");
  EXPECT_EQ(dimension_name(kPower), "power");
  EXPECT_EQ(dimension_name({-1, 0, 0, 0, 0}), "1/time");
  EXPECT_EQ(dimension_name({1, 1, -1, 0, 0}), "time*data/work");
  EXPECT_EQ(example_unit(kRate), "GB/s");
  EXPECT_EQ(example_unit({1, 1, -1, 0, 0}), "");
}

}  // namespace
}  // namespace railwright::core
