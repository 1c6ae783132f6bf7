// SPDX-License-Identifier: Apache-2.0
// What scenarios get wrong about power and prices.
#include "../../support/temporary_folder.hpp"
#include "bad_input.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::test {
namespace {

const BadInput kBadPrices[] = {
    {"NameThatIsNowhere",
     {},
     {"prices={nodes: {xe9680-h200: 1 USD}, ownership: 4 y}"},
     {"--set prices={nodes: {xe9680-h200: 1 USD}, ownership: 4 y}: prices.nodes.xe9680-h200: "
      "no node 'xe9680-h200' in the catalogue; did you mean 'xe9680-h100'? (known: "
      "xe9680-h100)"}},
    {"WithoutAUnit",
     {},
     {"prices={nics: {connectx-7: 1000}, ownership: 4 y}"},
     {"--set prices={nics: {connectx-7: 1000}, ownership: 4 y}: prices.nics.connectx-7: expected "
      "money (such as USD), got '1000' without a unit"}},
    {"Negative",
     {},
     {"prices={nics: {connectx-7: -1 USD}, ownership: 4 y}"},
     {"--set prices={nics: {connectx-7: -1 USD}, ownership: 4 y}: prices.nics.connectx-7: must be "
      "at least 0, got -1 USD"}},
    {"WithoutOwnership",
     {},
     {"prices={electricity: 0.1 USD/kWh}"},
     {"--set prices={electricity: 0.1 USD/kWh}: prices: missing key 'ownership'; it gives: How "
      "long the cluster is used, as 4 y."}},
    {"UnknownKey",
     {},
     {"prices={nic: {connectx-7: 1 USD}, ownership: 4 y}"},
     {"--set prices={nic: {connectx-7: 1 USD}, ownership: 4 y}: prices.nic: unknown key; did you "
      "mean 'nics'?"}},
    {"PowerForEnergy",
     {},
     {"prices={electricity: 0.1 USD/kW, ownership: 4 y}"},
     {"--set prices={electricity: 0.1 USD/kW, ownership: 4 y}: prices.electricity: expected "
      "money/energy (such as USD/kWh), got '0.1 USD/kW' (time*money/energy)"}},
    {"NoSuchFile",
     {},
     {"prices=nowhere.yaml"},
     {"--set prices=nowhere.yaml: prices: cannot read nowhere.yaml", "nowhere.yaml: no such file"}},
    {"CapBelowIdle",
     {},
     {"power.node_cap=2 kW"},
     {"--set power.node_cap=2 kW: power.node_cap: leaves nothing to compute with: xe9680-h100 "
      "draws 2.35 kW idle"}},
    {"CapOnAcceleratorsBelowIdle",
     {},
     {"power.accelerator_cap=60 W"},
     {"--set power.accelerator_cap=60 W: power.accelerator_cap: leaves nothing to compute with: "
      "h100-sxm draws 70.0 W idle"}},
    {"PowerOfANodeWithTheRestOfAnother",
     {},
     {"cluster.node.power_idle={value: 12 kW, source: s}"},
     {"s.yaml:14:5: cluster.node: xe9680-h100 draws "
      "12.0 kW idle, 5.80 kW in communication and 8.26 kW computing; they must rise in this order; "
      "give power_idle, power_communication and power_compute together"}},
    {"NodeThatDrawsLessThanItsAccelerators",
     {},
     {"cluster.node.power_compute={value: 6 kW, source: s}"},
     {"--set cluster.node.power_compute={value: 6 kW, source: s}: cluster.node.power_compute: "
      "6.00 kW computing are less than the 5.54 kW of the accelerators and the 240 W of the NICs, "
      "with fans and power supplies"}},
    {"FormerMeanPower",
     {},
     {"cluster.node.power=12 kW"},
     {"--set cluster.node.power=12 kW: cluster.node.power: is now 'power_compute'; `railwright "
      "upgrade FILE` renames it"}},
    {"BuildingThatSaves",
     {},
     {"power.pue=0.9"},
     {"--set power.pue=0.9: power.pue: must be between 1 and 10, got 0.9"}},
};

INSTANTIATE_TEST_SUITE_P(Prices, BadInputTest, testing::ValuesIn(kBadPrices), name_of);

class PriceFile : public testing::Test {
 protected:
  /// What a scenario beside `text`, its prices, is refused with.
  [[nodiscard]] Lines problems_with(const std::string& text, const Lines& settings = {}) const {
    static_cast<void>(folder_.write("prices.yaml", text));
    const std::string file = folder_.write("s.yaml", sound_scenario() + "prices: prices.yaml\n");
    Lines lines;
    try {
      simulation::read_scenario(simulation::load_scenario_tree(file, settings), small_catalogue());
    } catch (const core::ConfigError& error) {
      for (const auto& problem : error.diagnostics()) {
        lines.push_back(folder_.shortened(core::to_string(problem)));
      }
    }
    return lines;
  }

  TemporaryFolder folder_;
};

TEST_F(PriceFile, LiesBesideTheFileThatNamesIt) {
  EXPECT_EQ(problems_with("ownership: 4 y\n"), Lines{});
  EXPECT_EQ(problems_with("electricity: 0.1 USD/kWh\n", {"prices.ownership=4 y"}), Lines{});
}

TEST_F(PriceFile, ProblemsHaveTheirPlaceInIt) {
  EXPECT_EQ(problems_with("ownership: 4 y\nnics:\n  connectx-8: 1 USD\n"),
            Lines{"prices.yaml:3:3: prices.nics.connectx-8: no nic 'connectx-8' in the catalogue; "
                  "did you mean 'connectx-7'? (known: connectx-6-dx, connectx-7)"});
  EXPECT_EQ(problems_with("ownership: 4\n"),
            Lines{"prices.yaml:1:12: prices.ownership: expected time (such as s), got '4' without "
                  "a unit"});
}

TEST_F(PriceFile, MayNameWhatTheScenarioDefinesItself) {
  const std::string prices = "ownership: 4 y\nnics: {own-nic: 1 USD}\n";
  EXPECT_EQ(problems_with(prices).size(), 1U);
  EXPECT_EQ(problems_with(prices, {"cluster.node.nics.nic={model: connectx-7, name: own-nic}"}),
            Lines{});
}

}  // namespace
}  // namespace railwright::test
