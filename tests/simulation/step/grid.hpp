// SPDX-License-Identifier: Apache-2.0
// Scenarios that differ in parallelism, overlaps, sharding, size, NICs, wiring and fabric.
#pragma once

#include <string>
#include <vector>

#include "../../support/scenario.hpp"

namespace railwright::test {

struct GridPoint {
  std::string name;
  Settings settings;  ///< without overlaps
};

/// tp, pp, v and nodes of the points; everything else varies along with them.
inline std::vector<GridPoint> grid() {
  struct Shape {
    int tp, pp, v, nodes;
    bool sequence_parallel;
  };
  const Shape shapes[] = {{1, 1, 1, 1, false}, {2, 1, 1, 2, false},  {8, 1, 1, 2, true},
                          {1, 2, 1, 2, false}, {2, 4, 1, 3, true},   {4, 2, 4, 2, true},
                          {4, 4, 8, 6, true},  {16, 2, 1, 4, false}, {2, 8, 2, 4, true},
                          {8, 2, 16, 6, true}};
  struct System {
    const char* wiring;
    int nics;
    int inter_switch_links;  ///< 0: one switch
  };
  const System systems[] = {
      {"shared", 8, 0}, {"shared", 4, 0}, {"alternate", 4, 2}, {"shared", 1, 1}};
  const char* zero_stages[] = {"1", "0"};
  std::vector<GridPoint> points;
  std::size_t turn = 0;
  for (const Shape& shape : shapes) {
    for (const System& system : systems) {
      const char* zero_stage = zero_stages[turn / 4 % 2 == turn % 2 ? 0 : 1];
      const char* algorithm = turn % 3 == 0 && shape.nodes > 1 ? "tree" : "ring";
      ++turn;
      Settings settings{
          "workload.global_batch=96",
          "parallelism.tp=" + std::to_string(shape.tp),
          "parallelism.pp=" + std::to_string(shape.pp),
          "parallelism.virtual_stages=" + std::to_string(shape.v),
          "cluster.nodes=" + std::to_string(shape.nodes),
          "cluster.node.nics.count=" + std::to_string(system.nics),
          std::string("cluster.node.nics.wiring=") + system.wiring,
          std::string("software.zero_stage={value: ") + zero_stage + ", source: test}",
          std::string("software.collectives.all_reduce_algorithm={value: ") + algorithm +
              ", source: test}"};
      if (shape.sequence_parallel) settings.emplace_back("parallelism.sequence_parallel=true");
      if (system.inter_switch_links > 0) {
        settings = join(settings, dual_switch(system.inter_switch_links));
      }
      points.push_back({"tp " + std::to_string(shape.tp) + " pp " + std::to_string(shape.pp) +
                            " v " + std::to_string(shape.v) + " nodes " +
                            std::to_string(shape.nodes) + " " + std::to_string(system.nics) +
                            " NICs " + system.wiring + " zero " + zero_stage + " " + algorithm +
                            (system.inter_switch_links > 0 ? " dual" : " single"),
                        settings});
    }
  }
  return points;
}

}  // namespace railwright::test
