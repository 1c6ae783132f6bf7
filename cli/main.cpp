// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/scenario/data_path.hpp"
#include "railwright/planner/verbs/simulate.hpp"
using namespace railwright;
int main(int argc, char** argv) {
  try {
    core::Catalogue cat(planner::catalogue_roots());
    std::vector<std::string> sets;
    bool est = false;
    for (int i = 2; i < argc; ++i) { if (std::string(argv[i]) == "-e") est = true; else sets.push_back(argv[i]); }
    auto tree = planner::load_scenario_tree(argv[1], sets);
    auto checked = planner::read_scenario(tree, cat);
    std::cout << planner::to_json(planner::simulate(checked, est ? planner::Method::kEstimate : planner::Method::kSimulate));
  } catch (const std::exception& e) { std::cerr << e.what() << "\n"; return 2; }
}
