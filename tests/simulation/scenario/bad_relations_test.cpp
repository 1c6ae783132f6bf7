// SPDX-License-Identifier: Apache-2.0
// Fields that are sound by themselves and do not go together.
#include "bad_input.hpp"

namespace railwright::test {
namespace {

const BadInput kBadRelations[] = {
    {"TensorParallelismThatDividesNeitherHeadsNorAccelerators",
     {{"tp: 2", "tp: 3"}},
     {},
     {"s.yaml:9:3: parallelism: tp 3 x pp 1 = 3 does not divide the 16 accelerators",
      "s.yaml:9:7: parallelism.tp: tp 3 does not divide the 32 attention heads",
      "s.yaml:9:7: parallelism.tp: tp 3 does not divide ffn_size 11008"}},
    {"ImbalanceWithoutExperts",
     {},
     {"workload.expert_imbalance=1.2"},
     {"--set workload.expert_imbalance=1.2: workload.expert_imbalance: changes no prediction: the "
      "model has no experts"}},
    {"FabricOfFewerNodesThanTheJob",
     {},
     {"cluster.placement.of_nodes=1"},
     {"--set cluster.placement.of_nodes=1: cluster.placement.of_nodes: the job alone has 2 nodes, "
      "the fabric 1"}},
    {"TensorParallelismBeyondTheAccelerators",
     {{"tp: 2", "tp: 32"}},
     {},
     {"s.yaml:9:3: parallelism: tp 32 x pp 1 = 32 does not divide the 16 accelerators"}},
    {"TensorParallelismBesideKeyValueHeads",
     {{"llama-2-7b",
       "{model: llama-2-7b, num_heads: 24, num_kv_heads: 8, hidden_size: 4608, ffn_size: 11520}"},
      {"tp: 2", "tp: 12"},
      {"nodes: 2", "nodes: 3"}},
     {},
     {"s.yaml:9:7: parallelism.tp: tp 12 and the 8 key-value heads do not divide one another"}},
    {"SequenceThatTensorParallelismCannotCut",
     {{"4096", "4095"}, {"pp: 1", "sequence_parallel: true"}},
     {},
     {"s.yaml:9:7: parallelism.tp: sequence_parallel needs tp 2 to divide sequence_length 4095"}},
    {"ProductThatDoesNotDivideTheAccelerators",
     {{"tp: 2", "tp: 4"}, {"pp: 1", "pp: 4"}, {"nodes: 2", "nodes: 3"}},
     {},
     {"s.yaml:9:3: parallelism: tp 4 x pp 4 = 16 does not divide the 24 accelerators"}},
    {"MoreStagesThanLayers",
     {{"pp: 1", "pp: 64"}},
     {},
     {"s.yaml:9:3: parallelism: tp 2 x pp 64 = 128 does not divide the 16 accelerators",
      "s.yaml:10:7: parallelism.pp: pp 64 x virtual_stages 1 is more than the 32 layers"}},
    {"StagesThatDoNotDivideLayers",
     {{"pp: 1", "pp: 3"}, {"nodes: 2", "nodes: 3"}},
     {},
     {"s.yaml:10:7: parallelism.pp: pp 3 x virtual_stages 1 does not divide the 32 layers; "
      "layers_per_chunk gives each chunk a number of its own"}},
    {"ChunksThatDoNotAddUp",
     {{"pp: 1", "pp: 2\n  layers_per_chunk: [16, 15]"}},
     {},
     {"s.yaml:11:21: parallelism.layers_per_chunk: the numbers add up to 31, not to the 32 "
      "layers"}},
    {"ChunksOfOtherStages",
     {{"pp: 1", "pp: 2\n  layers_per_chunk: [16, 8, 8]"}},
     {},
     {"s.yaml:11:21: parallelism.layers_per_chunk: pp 2 x virtual_stages 1 needs 2 numbers, got "
      "3"}},
    {"ZeroBubbleHasOneChunkAStage",
     {{"pp: 1", "pp: 4\n  virtual_stages: 2\n  schedule: zb_h1"}},
     {},
     {"s.yaml:11:19: parallelism.virtual_stages: zb_h1 has one model chunk a stage"}},
    {"ZeroBubbleNeedsStages",
     {{"pp: 1", "pp: 1\n  schedule: zb_h1"}},
     {},
     {"s.yaml:11:13: parallelism.schedule: zb_h1 needs pp of at least 2"}},
    {"DualPipeNeedsPairsOfStages",
     {{"nodes: 2", "nodes: 3"},
      {"tp: 2", "tp: 8"},
      {"pp: 1", "pp: 3\n  layers_per_chunk: [11, 11, 10]\n  schedule: dualpipe"}},
     {},
     {"s.yaml:10:7: parallelism.pp: dualpipe needs an even number of stages, got pp 3"}},
    {"DualPipeNeedsMicroBatchesFromBothEnds",
     {{"pp: 1", "pp: 4\n  schedule: dualpipe"}, {"global_batch: 144", "global_batch: 8"}},
     {},
     {"s.yaml:5:17: workload.global_batch: dualpipe needs an even number of micro-batches, at "
      "least "
      "2 x pp 4, got 4"}},
    {"RecomputedLayersWithoutRecompute",
     {},
     {"software.recompute_layers=4"},
     {"--set software.recompute_layers=4: software.recompute_layers: goes with recompute full, got "
      "none"}},
    {"FusedLossWithCopies",
     {},
     {"software.loss_copies=true", "software.fused_loss=true"},
     {"--set software.fused_loss=true: software.fused_loss: a fused loss makes no copies: "
      "software.loss_copies must be false"}},
    {"VirtualStagesWithoutPipeline",
     {{"pp: 1", "virtual_stages: 2"}},
     {},
     {"s.yaml:10:19: parallelism.virtual_stages: virtual_stages 2 needs pp of at least 2"}},
    {"MoreVirtualStagesThanLayers",
     {{"pp: 1", "pp: 4\n  virtual_stages: 20"}},
     {},
     {"s.yaml:11:19: parallelism.virtual_stages: pp 4 x virtual_stages 20 is more than the 32 "
      "layers"}},
    {"InterleavedNeedsGroupsOfMicroBatches",
     {{"pp: 1", "pp: 4\n  virtual_stages: 2"}, {"global_batch: 144", "global_batch: 6"}},
     {},
     {"s.yaml:11:19: parallelism.virtual_stages: interleaved 1F1B needs the 3 micro-batches of a "
      "replica to be divisible by pp 4"}},
    {"BatchThatReplicasDoNotDivide",
     {{"global_batch: 144", "global_batch: 100"}},
     {},
     {"s.yaml:5:17: workload.global_batch: global_batch 100 is not divisible by dp 8 x micro_batch "
      "1 = 8; 96 and 104 are"}},
    {"BatchThatMicroBatchesDoNotDivide",
     {{"micro_batch: 1", "micro_batch: 7"}},
     {},
     {"s.yaml:5:17: workload.global_batch: global_batch 144 is not divisible by dp 8 x micro_batch "
      "7 = 56; 112 and 168 are"}},
    {"PassesWithoutEnd",
     {{"global_batch: 144", "global_batch: 160000000"}},
     {},
     {"s.yaml:5:17: workload.global_batch: 20000000 micro-batches through 1 model chunks are more "
      "than the 1000000 passes of a step that can be simulated"}},
    {"HeadsThatDoNotDivideTheHiddenSize",
     {{"model: llama-2-7b", "model: {model: llama-2-7b, hidden_size: 4097}"}},
     {},
     {"s.yaml:3:10: workload.model.num_heads: hidden_size 4097 is not divisible by num_heads 32"}},
    {"MoreNicsThanSlots",
     {{"count: 8", "count: 12"}},
     {},
     {"s.yaml:15:36: cluster.node.nics.count: 12 scale-out and 2 front-end NICs do not fit the 10 "
      "slots of xe9680-h100"}},
    {"MoreSocketsThanPcieSwitches",
     {{"model: xe9680-h100", "model: xe9680-h100\n    num_hosts: 5"}},
     {},
     {"s.yaml:15:16: cluster.node.num_hosts: 5 sockets need at least as many PCIe switches (or "
      "root "
      "ports), got num_pcie_switches 4"}},
    {"ControlPlaneWithoutFrontEnd",
     {{"storage: {node: powerscale-f600p, count: 3, switch: s5232f-on}",
       "control_plane: {node: r660, count: 3}"}},
     {},
     {"s.yaml:17:18: cluster.control_plane: these nodes need a front-end network, which "
      "cluster.storage gives"}},
    {"FrontEndWithoutSwitch",
     {{", switch: s5232f-on", ""}},
     {},
     {"s.yaml:17:12: cluster.storage: missing key 'switch'; it gives: the switch of the front end; "
      "or say network: scale_out"}},
    {"FrontEndKeysOnScaleOut",
     {{"switch: s5232f-on", "switch: s5232f-on, peer_links: 1, network: scale_out"}},
     {},
     {"s.yaml:17:55: cluster.storage.switch: is of a front end, which network scale_out does "
      "without: leave it out",
      "s.yaml:17:78: cluster.storage.peer_links: is of a front end, which network scale_out does "
      "without: leave it out"}},
    {"FrontEndSwitchesThatNothingJoins",
     {{"switch: s5232f-on", "switch: s5232f-on, num_switches: 3, peer_links: 0"}},
     {},
     {"s.yaml:17:95: cluster.storage.peer_links: 0 leaves 3 front-end switches apart, and neither "
      "a "
      "NIC of 2 ports nor a storage node of 2 reaches all of them; join the switches with "
      "peer_links "
      "of at least 1, or take at most 2"}},
    {"ControlPlaneOnScaleOut",
     {{"switch: s5232f-on}", "network: scale_out}\n  control_plane: {node: r660, count: 3}"}},
     {},
     {"s.yaml:18:18: cluster.control_plane: these nodes need a front-end network, and "
      "cluster.storage.network is scale_out"}},
    {"StorageOnAnUnknownNetwork",
     {{"switch: s5232f-on", "network: scaleout"}},
     {},
     {"s.yaml:17:56: cluster.storage.network: expected one of front_end, scale_out, got "
      "'scaleout'; did you mean 'scale_out'?"}},
    {"StorageBelowThreeNodes",
     {{"count: 3", "count: 2"}},
     {},
     {"s.yaml:17:44: cluster.storage.count: a cluster of powerscale-f600p has 3 to 252 nodes, got "
      "2"}},
    {"StorageBeyondItsCluster",
     {{"count: 3", "count: 300"}},
     {},
     {"s.yaml:17:44: cluster.storage.count: a cluster of powerscale-f600p has 3 to 252 nodes, got "
      "300"}},
    {"MoreAcceleratorsThanCanBeSimulated",
     {{"nodes: 2", "nodes: 65536"},
      {"global_batch: 144", "global_batch: 4194304"},
      {"model: xe9680-h100", "model: xe9680-h100\n    num_accelerators: 64"}},
     {},
     {"s.yaml:12:10: cluster.nodes: 65536 nodes of 64 accelerators are more than the 1000000 that "
      "can be simulated"}},
    {"ProtectionThatNeedsMoreNodes",
     {},
     {"cluster.storage.node.protection=+4d:2n"},
     {"--set cluster.storage.node.protection=+4d:2n: cluster.storage.node.protection: protection "
      "+4d:2n needs at least 4 nodes, got 3"}},
    {"ProtectionThatANodeDoesNotOffer",
     {},
     {"cluster.storage.node.protection=8+2"},
     {"--set cluster.storage.node.protection=8+2: cluster.storage.node.protection: "
      "powerscale-f600p does not offer 8+2; it offers +1n, +2n, +3n, +4n, +2d:1n, +3d:1n, "
      "+3d:1n1d, +4d:1n, +4d:2n, 2x, 3x"}},
    {"MountOfAnotherProtocol",
     {},
     {"cluster.storage.mount={name: m, protocols: {value: [lustre], source: test}}"},
     {"--set cluster.storage.mount={name: m, protocols: {value: [lustre], source: test}}: "
      "cluster.storage.mount: m runs over lustre, and powerscale-f600p speaks nfs, nfs_rdma, s3"}},
    {"ArchiveOfTooFewNodes",
     {},
     {"cluster.storage.archive={node: powerscale-f600p, count: 1}"},
     {"--set cluster.storage.archive={node: powerscale-f600p, count: 1}: "
      "cluster.storage.archive.count: a cluster of powerscale-f600p has 3 to 252 nodes, got 1"}},
    {"MovesWithoutAnArchive",
     {},
     {"checkpoint.archive_after=2"},
     {"--set checkpoint.archive_after=2: checkpoint.archive_after: needs cluster.storage.archive, "
      "where they go"}},
    {"MovesOfNothing",
     {},
     {"cluster.storage.archive={node: powerscale-f600p, count: 4}", "checkpoint.retention=2",
      "checkpoint.archive_after=2"},
     {"--set checkpoint.archive_after=2: checkpoint.archive_after: leaves no checkpoint to move: "
      "checkpoint.retention has to be larger, or 0 for all"}},
    {"StagingOfNoDataset",
     {},
     {"data.staging_rate=1 GB/s"},
     {"--set data.staging_rate=1 GB/s: data.staging_rate: needs data.size: what is brought to "
      "storage"}},
    {"RatesOfTooFewNodes",
     {},
     {"cluster.storage.node.rated_protection=+2n"},
     {"--set cluster.storage.node.rated_protection=+2n: cluster.storage.node.rated_nodes: "
      "protection "
      "+2n needs at least 5 nodes, got 4"}},
    {"LocalCheckpointsInAFileSystem",
     {},
     {"checkpoint.local.tier={name: f, description: f, medium: file_system, read_rate: 1 GB/s}"},
     {"--set checkpoint.local.tier={name: f, description: f, medium: file_system, read_rate: ...: "
      "checkpoint.local.tier: is of a node itself: drives or memory, got file_system"}},
    {"CopiesBeyondNodes",
     {},
     {"cluster.nodes=2",
      "checkpoint.local={tier: {name: m, description: m, medium: memory, capacity: 1 TB, "
      "read_rate: 1 GB/s}, copies: 3}"},
     {"--set checkpoint.local={tier: {name: m, description: m, medium: memory, capacity: 1 TB...: "
      "checkpoint.local.copies: are on "
      "nodes "
      "of their own: the job has fewer nodes"}},
    {"MoreReplicasThanTheLayoutHas",
     {},
     {"run.min_replicas=4096"},
     {"--set run.min_replicas=4096: run.min_replicas: the layout has 8 data-parallel replicas"}},
    {"PartsThatAreNotKept",
     {},
     {"data.fixed_shards=true"},
     {"--set data.fixed_shards=true: data.fixed_shards: needs data.page_cache: what a node keeps "
      "of "
      "its part"}},
    {"ReductionOfNothing",
     {},
     {"data.data_reduction=2"},
     {"--set data.data_reduction=2: data.data_reduction: needs data.size: what of the dataset "
      "takes "
      "room"}},
    {"ReductionBelowOne",
     {},
     {"checkpoint.data_reduction=0.5"},
     {"--set checkpoint.data_reduction=0.5: checkpoint.data_reduction: must be at least 1, got "
      "0.5"}},
    {"AllAtOnce",
     {{"tp: 2", "tp: 3"}, {"pp: 1", "pp: 5"}, {"count: 8", "count: 12"}, {"count: 3", "count: 2"}},
     {},
     {"s.yaml:9:3: parallelism: tp 3 x pp 5 = 15 does not divide the 16 accelerators",
      "s.yaml:9:7: parallelism.tp: tp 3 does not divide the 32 attention heads",
      "s.yaml:9:7: parallelism.tp: tp 3 does not divide ffn_size 11008",
      ("s.yaml:10:7: parallelism.pp: pp 5 x virtual_stages 1 does not divide the 32 layers; "
       "layers_per_chunk gives each chunk a number of its own"),
      ("s.yaml:15:36: cluster.node.nics.count: 12 scale-out and 2 front-end NICs do not fit the 10 "
       "slots of xe9680-h100"),
      ("s.yaml:17:44: cluster.storage.count: a cluster of powerscale-f600p has 3 to 252 nodes, got "
       "2")}},
    {"AdaptersAndASwitchOfAnotherProtocol",
     {{"single_switch, switch: qm9790", "single_switch, switch: s5232f-on"}},
     {},
     {"s.yaml:16:45: cluster.fabric.switch: s5232f-on has ethernet ports, and connectx-7 with "
      "transport infiniband needs infiniband: use one of qm9790"}},
    {"EthernetOnAnInfinibandSwitch",
     {},
     {"cluster.node.nics={nic: {model: connectx-7, line_rate: 100 Gb/s}, transport: "
      "{model: tcp, link_protocols: [ethernet]}}"},
     {"s.yaml:16:45: cluster.fabric.switch: qm9790 has infiniband ports, and connectx-7 with "
      "transport tcp needs ethernet: use one of s5232f-on, or transport infiniband"}},
    {"AdapterAndTransportOfAnotherProtocol",
     {{"nic: connectx-7", "nic: connectx-6-dx"}},
     {},
     {"s.yaml:15:11: cluster.node.nics.transport: infiniband runs over infiniband, and "
      "connectx-6-dx has ethernet ports: the transport may be tcp"}},
    {"FrontEndOnAnInfinibandSwitch",
     {{"switch: s5232f-on", "switch: qm9790"}},
     {"cluster.node.front_end.transport={model: tcp, link_protocols: [ethernet]}"},
     {"s.yaml:17:55: cluster.storage.switch: qm9790 has infiniband ports, and connectx-6-dx with "
      "transport tcp needs ethernet: use one of s5232f-on"}},
    {"ASwitchOfOnesOwnTakesTheProtocolOfTheAdapters",
     {{"switch: qm9790}",
       "switch: {name: own, description: own, num_ports: {value: 64, source: own}, port_rate: "
       "{value: 400 Gb/s, "
       "source: own}, latency: {value: 1 us, source: own}, rack_units: {value: 1, source: own}, "
       "power: {value: 1 kW, source: own}}}"}},
     {},
     {}},
    {"RelationsWaitForSoundFields",
     {{"tp: 2", "tp: 3"}, {"pp: 1", "pp: 0"}},
     {},
     {"s.yaml:10:7: parallelism.pp: must be between 1 and 65536, got 0"}}};

INSTANTIATE_TEST_SUITE_P(Relations, BadInputTest, testing::ValuesIn(kBadRelations), name_of);

}  // namespace
}  // namespace railwright::test
