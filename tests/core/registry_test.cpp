// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/registry.hpp"

#include "config/sample.hpp"

namespace railwright::core {
namespace {

using sample::Lines;

struct Animal {
  virtual ~Animal() = default;
  [[nodiscard]] virtual int num_legs() const = 0;
};

struct Cat final : Animal {
  static constexpr std::string_view kName = "cat";
  struct Config {
    int num_legs = 4;
    static constexpr auto fields() {
      return std::tuple{field("num_legs", &Config::num_legs, "Legs.", between(0, 4), optional)};
    }
  };
  explicit Cat(Config config) : config_(config) {}
  [[nodiscard]] int num_legs() const override { return config_.num_legs; }

 private:
  Config config_;
};

struct Crab final : Animal {
  static constexpr std::string_view kName = "crab";
  struct Config {
    int num_claws = 2;
    static constexpr auto fields() {
      return std::tuple{field("num_claws", &Config::num_claws, "Claws.")};
    }
  };
  explicit Crab(Config config) : config_(config) {}
  [[nodiscard]] int num_legs() const override { return 8 + config_.num_claws; }

 private:
  Config config_;
};

Registry<Animal> animals() {
  Registry<Animal> registry("animal");
  registry.add<Crab>();
  registry.add<Cat>();
  return registry;
}

std::unique_ptr<Animal> created(std::string_view yaml, Lines& lines) {
  Reader reader;
  auto animal = animals().create(parse_yaml(yaml, "x.yaml"), reader, "pet");
  lines = sample::problems([&] { reader.throw_if_any(); });
  return animal;
}

TEST(Registry, NamesAreSortedAndConfigurationsDescribed) {
  const Registry<Animal> registry = animals();
  EXPECT_EQ(registry.names(), (Lines{"cat", "crab"}));
  EXPECT_TRUE(registry.contains("cat"));
  EXPECT_FALSE(registry.contains("dog"));
  EXPECT_EQ(registry.config_of("crab").children.at(0).doc, "Claws.");
  EXPECT_THROW((void)registry.config_of("dog"), std::out_of_range);
}

TEST(Registry, ADuplicateThrows) {
  Registry<Animal> registry = animals();
  EXPECT_THROW(registry.add<Cat>(), std::logic_error);
}

TEST(Registry, CreatesByNameOrByMapping) {
  Lines lines;
  EXPECT_EQ(created("cat", lines)->num_legs(), 4);
  EXPECT_EQ(created("{model: cat, num_legs: 3}", lines)->num_legs(), 3);
  EXPECT_EQ(created("{model: crab, num_claws: 1}", lines)->num_legs(), 9);
  EXPECT_EQ(lines, Lines{});
  Reader reader;
  EXPECT_EQ(animals().create("cat", Node{}, reader)->num_legs(), 4);
  EXPECT_EQ(animals().create("cat", parse_yaml("{num_legs: 2}", "x"), reader)->num_legs(), 2);
}

TEST(Registry, AnUnknownNameListsTheKnownOnes) {
  Lines lines;
  EXPECT_EQ(created("cart", lines), nullptr);
  EXPECT_EQ(lines,
            Lines{"x.yaml:1:1: pet: no animal 'cart'; did you mean 'cat'? (known: cat, crab)"});
  EXPECT_EQ(created("{model: elephant}", lines), nullptr);
  EXPECT_EQ(lines, Lines{"x.yaml:1:9: pet.model: no animal 'elephant'; known: cat, crab"});
}

TEST(Registry, BadConfigurationsMakeNoModel) {
  Lines lines;
  EXPECT_EQ(created("{model: cat, num_legs: 5}", lines), nullptr);
  EXPECT_EQ(lines, Lines{"x.yaml:1:24: pet.num_legs: must be between 0 and 4, got 5"});
  EXPECT_EQ(created("crab", lines), nullptr);
  EXPECT_EQ(lines, Lines{"x.yaml:1:1: pet: missing key 'num_claws'; it gives: Claws."});
  EXPECT_EQ(created("{num_legs: 5}", lines), nullptr);
  EXPECT_EQ(lines, Lines{"x.yaml:1:1: pet: missing key 'model'; it names the animal"});
  EXPECT_EQ(created("[cat]", lines), nullptr);
  EXPECT_EQ(lines, Lines{"x.yaml:1:1: pet: expected the name of an animal, got a list"});
}

}  // namespace
}  // namespace railwright::core
