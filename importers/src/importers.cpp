// SPDX-License-Identifier: Apache-2.0
// The table of importers, in the order in which messages name them.
#include "accelerate/accelerate.hpp"
#include "automodel/automodel.hpp"
#include "deepspeed/deepspeed.hpp"
#include "gpt_neox/gpt_neox.hpp"
#include "hugging_face/hugging_face.hpp"
#include "ibdiagnet/ibdiagnet.hpp"
#include "iblinkinfo/iblinkinfo.hpp"
#include "ibnetdiscover/ibnetdiscover.hpp"
#include "job_trace/job_trace.hpp"
#include "link_list/link_list.hpp"
#include "maxtext/maxtext.hpp"
#include "megatron/megatron.hpp"
#include "megatron_bridge/megatron_bridge.hpp"
#include "mlperf/mlperf.hpp"
#include "nanotron/nanotron.hpp"
#include "nccl/nccl_topology.hpp"
#include "nccl_graph/nccl_graph.hpp"
#include "nccl_log/nccl_log.hpp"
#include "nemo/nemo.hpp"
#include "nvidia_smi/nvidia_smi_topo.hpp"
#include "post_training/post_training.hpp"
#include "primus/primus.hpp"
#include "quantization/quantization.hpp"
#include "railwright/importers/import.hpp"
#include "requests/request_trace.hpp"
#include "rocm_smi/rocm_smi_topo.hpp"
#include "serving_benchmark/serving_benchmark.hpp"
#include "serving_launch/serving_launch.hpp"
#include "share_gpt/share_gpt.hpp"
#include "slurm/slurm_jobs.hpp"
#include "slurm/slurm_topology.hpp"
#include "slurm_nodes/slurm_nodes.hpp"
#include "torchtitan/torchtitan.hpp"
#include "torchtune/torchtune.hpp"
#include "trainer/trainer.hpp"

namespace railwright::importers {

namespace {

// clang-format off
constexpr Importer kImporters[] = {
    kNcclTopology,
    kNvidiaSmiTopo,
    kIbNetDiscover,
    kSlurmTopology,
    kHuggingFace,
    kMegatron,
    kNemo,
    kDeepSpeed,
    kTorchtitan,
    kGptNeox,
    kNanotron,
    kTorchtune,
    kAutomodel,
    kMaxtext,
    kPrimus,
    kMlperf,
    kMegatronBridge,
    kPostTraining,
    kAccelerate,
    kTrainer,
    kSlurmJobs,
    kServingLaunch,
    kRequestTrace,
    kServingBenchmark,
    kShareGpt,
    kJobTrace,
    kIbLinkInfo,
    kSlurmNodes,
    kNcclLog,
    kNcclGraph,
    kRocmSmiTopo,
    kLinkList,
    kQuantization,
    kIbDiagnet,
};
// clang-format on

}  // namespace

std::span<const Importer> Importer::table() { return kImporters; }

}  // namespace railwright::importers
