// SPDX-License-Identifier: Apache-2.0
// What --set can get wrong; the setting is then the place of the problem.
#include "bad_input.hpp"

namespace railwright::test {
namespace {

const BadInput kBadSettings[] = {
    {"TypoOfAKey",
     {},
     {"cluster.node.nics.cuont=4"},
     {"--set cluster.node.nics.cuont=4: cluster.node.nics.cuont: unknown key; did you mean "
      "'count'?"}},
    {"TypoOfASection",
     {},
     {"clutser.nodes=4"},
     {"--set clutser.nodes=4: clutser: unknown key; did you mean 'cluster'?"}},
    {"WithoutEquals", {}, {"cluster.nodes"}, {"--set cluster.nodes: expected path=value"}},
    {"WithoutPath", {}, {"=4"}, {"--set =4: expected path=value"}},
    {"WithoutValue",
     {},
     {"cluster.nodes="},
     {"--set cluster.nodes=: cluster.nodes: a value is missing after '='"}},
    {"EmptyKey",
     {},
     {"cluster..nodes=4"},
     {"--set cluster..nodes=4: cluster..nodes: a key is missing before or after a dot"}},
    {"BelowANumber",
     {},
     {"cluster.nodes.x=4"},
     {"--set cluster.nodes.x=4: cluster.nodes: expected a whole number, got a mapping"}},
    {"BelowText", {}, {"name.x=4"}, {"--set name.x=4: name: expected text, got a mapping"}},
    {"ItemOfNoList",
     {},
     {"comparison.cases.0.name=x"},
     {"--set comparison.cases.0.name=x: comparison: missing key 'vary'; it gives: What stands side "
      "by side.",
      "--set comparison.cases.0.name=x: comparison.cases: expected a list, got a mapping"}},
    {"ValueThatIsNoYaml",
     {},
     {"cluster.nodes=[1"},
     {"--set cluster.nodes=[1: cluster.nodes: not valid YAML: end of sequence flow not found"}},
    {"BlockMapping",
     {},
     {"cluster.nodes=a: 1"},
     {"--set cluster.nodes=a: 1: cluster.nodes: expected one value, [a, list] or {a: mapping}, got "
      "'a: 1'"}},
    {"UnknownName",
     {},
     {"workload.model=lama-2-7b"},
     {"--set workload.model=lama-2-7b: workload.model: no workload 'lama-2-7b' in the catalogue; "
      "did you mean 'llama-2-7b'? (known: llama-2-70b, llama-2-7b)"}},
    {"BelowACatalogueName",
     {},
     {"workload.model.num_heads=31"},
     {"--set workload.model.num_heads=31: workload.model.num_heads: hidden_size 4096 is not "
      "divisible by num_heads 31",
      "--set workload.model.num_heads=31: workload.model.num_kv_heads: num_heads 31 is not "
      "divisible by num_kv_heads 32",
      "s.yaml:9:7: parallelism.tp: tp 2 does not divide the 31 attention heads"}},
    {"WrongDimension",
     {},
     {"cluster.node.accelerator.memory=80 GB/s"},
     {"--set cluster.node.accelerator.memory=80 GB/s: cluster.node.accelerator.memory: expected "
      "data (such as GB), got '80 GB/s' (data/time)"}},
    {"BelowAnUnknownTopology",
     {},
     {"cluster.fabric.topology=torus"},
     {"--set cluster.fabric.topology=torus: cluster.fabric.topology: no topology 'torus'; known: "
      "dual_switch, fat_tree, leaf_spine, multi_plane, pod, "
      "rail_optimized, single_switch"}},
    {"ZeroLinksOfTheTopology",
     {},
     {"cluster.fabric.topology=dual_switch", "cluster.fabric.inter_switch_links=0"},
     {"--set cluster.fabric.inter_switch_links=0: cluster.fabric.inter_switch_links: must be "
      "between 1 and 65536, got 0"}},
    {"IntervalsOfTwoKinds",
     {},
     {"checkpoint.interval_steps=10", "checkpoint.interval=1 h"},
     {"--set checkpoint.interval=1 h: checkpoint.interval: give either interval or interval_steps, "
      "not both"}},
    {"PageCacheOfADatasetWithoutSize",
     {},
     {"data.page_cache=1 TB"},
     {"--set data.page_cache=1 TB: data.page_cache: needs data.size: what of the dataset a node "
      "keeps"}},
    {"BestIntervalWhereNothingFails",
     {},
     {"run.optimize_interval=true"},
     {"--set run.optimize_interval=true: run.optimize_interval: needs `reliability`: without "
      "failures "
      "there "
      "is no optimal checkpoint interval"}},
    {"IncidentOfAMisspeltComponent",
     {},
     {"run.incidents=[{time: 1 h, component: acelerator}]"},
     {"--set run.incidents=[{time: 1 h, component: acelerator}]: run.incidents.0.component: "
      "expected one of accelerator, nic, node, link, software, storage_node, power, switch, pdu, "
      "rack, coolant_loop, got "
      "'acelerator'; did "
      "you mean 'accelerator'?"}},
    {"SeveralAtOnce",
     {},
     {"cluster.nodes=0", "parallelism.tp=0"},
     {"--set cluster.nodes=0: cluster.nodes: must be between 1 and 65536, got 0",
      "--set parallelism.tp=0: parallelism.tp: must be between 1 and 65536, got 0"}}};

INSTANTIATE_TEST_SUITE_P(Settings, BadInputTest, testing::ValuesIn(kBadSettings), name_of);

}  // namespace
}  // namespace railwright::test
