// SPDX-License-Identifier: Apache-2.0
// to_node() and Reader are each other's inverse.
#include <cmath>
#include <random>

#include "railwright/core/config/writer.hpp"
#include "sample.hpp"

namespace railwright::core {
namespace {

using sample::Plain;

template <class T>
std::string written(const T& value) {
  return to_yaml(to_node(value));
}

TEST(RoundTrip, DefaultsAreWrittenReadably) {
  EXPECT_EQ(written(Plain{}),
            "{on: false, count: 1, tokens: 0, bytes: 0, factor: 0.5, load: 0, label: \"\", rate: "
            "unlimited, delay: 10 us, shape: ring, sizes: [], volumes: {}}");
  EXPECT_EQ(written(sample::read_as<Plain>(written(Plain{}))), written(Plain{}));
}

TEST(RoundTrip, RandomValuesComeBackToTheBit) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    Plain plain;
    plain.on = random() % 2 == 0;
    plain.count = 1 + static_cast<int>(random() % 1'000'000);
    plain.tokens = static_cast<std::int64_t>(random() >> 1U);
    plain.bytes = random() >> 1U;
    plain.factor = 1.0 - unit(random);
    plain.load = std::pow(10.0, 600.0 * unit(random) - 300.0);
    plain.rate = Bandwidth::from_base(std::pow(10.0, 15.0 * unit(random)));
    plain.delay = Duration::from_base(1e-6 + 9e-4 * unit(random));
    plain.shape = sample::Shape::kStar;
    plain.maybe = 0.1 + unit(random);
    plain.sizes = {1, static_cast<int>(random() % 100) + 1};
    plain.volumes["a b: c"] = DataSize::from_base(1.0 + unit(random));
    const auto back = sample::read_as<Plain>(written(plain));
    EXPECT_EQ(back.tokens, plain.tokens);
    EXPECT_EQ(back.bytes, plain.bytes);
    EXPECT_EQ(back.factor, plain.factor);
    EXPECT_EQ(back.load, plain.load);
    EXPECT_EQ(back.rate, plain.rate);
    EXPECT_EQ(back.delay, plain.delay);
    EXPECT_EQ(back.maybe, plain.maybe);
    EXPECT_EQ(back.volumes, plain.volumes);
    EXPECT_EQ(written(back), written(plain));
  }
}

TEST(RoundTrip, TextIsNeverTakenForSomethingElse) {
  for (const char* text :
       {"",    "null", "~",   "true", "8",  "1e3", "nan", "a: b", "- a", "#",        "'", "\"",
        " a ", "a\nb", "[x]", "{x}",  "*a", "&a",  "!a",  "%",    "@",   "\xC3\xA9", "<<"}) {
    Plain plain;
    plain.label = text;
    plain.extra = to_node(std::string(text));
    EXPECT_EQ(sample::read_as<Plain>(written(plain)).label, text);
    EXPECT_EQ(sample::read_as<Plain>(written(plain)).extra.text, text);
  }
}

class ResolvedScenario : public sample::CatalogueTest {};

TEST_F(ResolvedScenario, NeedsNoCatalogue) {
  const auto cluster = read_here<sample::Cluster>("node: {model: xe9680, num_accelerators: 4}");
  const std::string resolved = written(cluster);
  EXPECT_EQ(resolved.substr(0, resolved.find(", options")),
            "{node: {name: XE9680, accelerator: {name: H100 SXM, bf16_rate: 989.4 TFLOP/s, "
            "memory: {capacity: {value: 80 GB, source: data sheet}, bandwidth: {value: 3.35 TB/s, "
            "source: data sheet, estimate: true}}, power: 700 W}, num_accelerators: 4}, num_nodes: "
            "1");
  EXPECT_EQ(written(sample::read_as<sample::Cluster>(resolved)), resolved);
}

}  // namespace
}  // namespace railwright::core
