// SPDX-License-Identifier: Apache-2.0
// The keys of profile.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/offload/offload_fields.hpp"
#include "railwright/models/software/collectives_fields.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

constexpr auto CheckpointFormat::fields() {
  using core::field;
  using core::positive;
  return core::field_list(
      field("bytes_per_parameter", &CheckpointFormat::bytes_per_parameter,
            "Bytes of a checkpoint for each parameter of the model.",
            core::Range{.min = 0.0, .max = 32.0, .open_min = true}),
      field("sharding", &CheckpointFormat::sharding, "Who writes the files.", core::optional),
      field("writer_rate", &CheckpointFormat::writer_rate,
            "What one single-threaded writer puts on the storage network while it writes.",
            positive),
      field("serialization_rate", &CheckpointFormat::serialization_rate,
            "Rate at which a writer turns tensors into bytes between its writes.", positive),
      field("reader_rate", &CheckpointFormat::reader_rate,
            "What one reader takes in at a restore; writer_rate where absent.", positive),
      field("snapshot_overhead", &CheckpointFormat::snapshot_overhead,
            "What an asynchronous checkpoint stops training for beside its copy to host memory: "
            "the plan of who writes what, and a barrier.",
            core::non_negative, core::optional),
      field("write_slowdown", &CheckpointFormat::write_slowdown,
            "Step slowdown while an asynchronous checkpoint is written: what the writers take of "
            "processors and memory.",
            core::between(1, 100), core::optional));
}

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto SoftwareProfile::fields() {
  using core::at_least;
  using core::field;
  using core::optional;
  return core::field_list(
      field("name", &SoftwareProfile::name, "Name in the catalogue."),
      field("description", &SoftwareProfile::description, "The stack in words."),
      field("zero_stage", &SoftwareProfile::zero_stage,
            "What is divided over data-parallel replicas: 0 nothing, 1 the optimizer state, 2 the "
            "gradients too, 3 the parameters too (FSDP).",
            core::between(0, 3)),
      field("reshard_after_forward", &SoftwareProfile::reshard_after_forward,
            "Under zero_stage 3, whether parameters are given up behind each pass and gathered "
            "for the next; else they are gathered once a step.",
            optional),
      field("sync_every_microbatch", &SoftwareProfile::sync_every_microbatch,
            "Whether to reduce gradients after every micro-batch instead of once a step.",
            optional),
      field("gather_unit", &SoftwareProfile::gather_unit,
            "Under zero_stage 3, what is whole at a time.", optional),
      field("fp32_shards", &SoftwareProfile::fp32_shards,
            "Under zero_stage 3 that reshards, whether ranks hold their shards of parameters and "
            "gradients in fp32 alone and cast them for each gather.",
            optional),
      field("gradient_reduce_bytes", &SoftwareProfile::gradient_reduce_bytes,
            "Bytes of a gradient on the wire.", core::between(1, 8)),
      field("gradient_accumulation_fusion", &SoftwareProfile::gradient_accumulation_fusion,
            "Whether the product that makes a weight's gradient adds it to those of earlier "
            "micro-batches, not a kernel of its own.",
            optional),
      field("parameter_gather_bytes", &SoftwareProfile::parameter_gather_bytes,
            "Bytes of a gathered parameter on the wire.", core::between(1, 8)),
      field("bucket", &SoftwareProfile::bucket, "Gradient bytes sent by one collective, at least.",
            at_least(1e6)),
      field("bucket_replica_parameters", &SoftwareProfile::bucket_replica_parameters,
            "Parameters of a bucket for each replica that shares it, where that is more than "
            "`bucket` (Megatron's million, so that chunks stay long on many ranks).",
            core::non_negative, optional),
      field("overlap_gradient_reduce", &SoftwareProfile::overlap_gradient_reduce,
            "Whether gradients are reduced while the last backward pass goes on."),
      field("overlap_parameter_gather", &SoftwareProfile::overlap_parameter_gather,
            "Whether parameters are gathered while the first forward pass goes on."),
      field("overlap_pipeline", &SoftwareProfile::overlap_pipeline,
            "Whether a stage goes on computing while it sends to the next."),
      field("scatter_pipeline", &SoftwareProfile::scatter_pipeline,
            "Whether a stage sends activations once, a share from each tensor-parallel rank, to be "
            "gathered where they arrive; with sequence_parallel they are shares anyway.",
            optional),
      field("overlap_tensor_parallel", &SoftwareProfile::overlap_tensor_parallel,
            "Whether tensor-parallel collectives go along with the matrix products before and "
            "behind them.",
            optional),
      field("tensor_parallel_overlap_share", &SoftwareProfile::tensor_parallel_overlap_share,
            "Fraction of an overlapped tensor-parallel collective that is hidden.",
            core::between(0.0, 1.0), optional),
      field("context_exchange", &SoftwareProfile::context_exchange,
            "How the ranks that share a sequence attend to one another's tokens.", optional),
      field("context_swap_ranks", &SoftwareProfile::context_swap_ranks,
            "Under context_exchange all_to_all_ring, ranks of a group that swaps tokens for heads.",
            at_least(1), optional),
      field("overlap_context_parallel", &SoftwareProfile::overlap_context_parallel,
            "Whether keys and values are sent along with attention, where context_exchange sends "
            "them in a ring.",
            optional),
      field("expert_dispatcher", &SoftwareProfile::expert_dispatcher,
            "What sends tokens to experts on other ranks, and back.", optional),
      field("overlap_expert_parallel", &SoftwareProfile::overlap_expert_parallel,
            "Whether tokens go to their experts and back while another micro-batch computes.",
            optional),
      field("expert_kernels", &SoftwareProfile::expert_kernels,
            "How the products of a rank's experts are launched.", optional),
      field("overlap_slowdown", &SoftwareProfile::overlap_slowdown,
            "Slowdown of computation while a collective overlaps it.", core::between(1, 10),
            optional),
      field("recompute", &SoftwareProfile::recompute,
            "Which activations are computed again in the backward pass."),
      field("recompute_modules", &SoftwareProfile::recompute_modules,
            "Under selective recompute, the parts of a layer that are computed again; attention "
            "where absent.",
            optional),
      field("recompute_layers", &SoftwareProfile::recompute_layers,
            "Under full recompute, how many layers of a model chunk, from the first on, are "
            "computed again; all where absent.",
            core::between(0, 1e6)),
      field("attention", &SoftwareProfile::attention, "The kernels that attention runs as."),
      field("dropout", &SoftwareProfile::dropout,
            "Whether the recipe drops attention weights and the outputs of blocks at random."),
      field("elementwise", &SoftwareProfile::elementwise,
            "The kernels that norms, activations and residuals run as.", core::optional),
      field("fused_permutation", &SoftwareProfile::fused_permutation,
            "Whether tokens are laid out by expert, and brought back and weighted, by kernels "
            "written for it (Megatron's moe_permute_fusion).",
            core::optional),
      field("sequence_copies", &SoftwareProfile::sequence_copies,
            "Whether kernels reorder what sequence parallelism gathers and scatters, from the "
            "order of ranks to that of sequences (PyTorch's functional collectives along a "
            "dimension other than the first).",
            core::optional),
      field("fused_loss", &SoftwareProfile::fused_loss,
            "Whether logits become a loss and a gradient without an fp32 copy of them.",
            core::optional),
      field("loss_copies", &SoftwareProfile::loss_copies,
            "Whether the backward pass of the loss holds three fp32 copies of the logits, as "
            "PyTorch's cross_entropy does.",
            core::optional),
      field("precision", &SoftwareProfile::precision,
            "Number format of the matrix products of layers.", core::optional),
      field("fp8_scaling", &SoftwareProfile::fp8_scaling,
            "Under fp8, what has a scale of its own; with blocks and with rows, weights and "
            "activations are cast along rows and along columns.",
            optional),
      field("fp8_primary_weights", &SoftwareProfile::fp8_primary_weights,
            "Under fp8, whether an accelerator holds the weights of layers in fp8 alone, not as "
            "casts beside 16-bit weights.",
            optional),
      field("fp8_weight_transposes", &SoftwareProfile::fp8_weight_transposes,
            "Whether transposes of fp8 weights are kept for the backward passes of a step, where "
            "an accelerator needs them, or made in each.",
            optional),
      field("fp8_saved_inputs", &SoftwareProfile::fp8_saved_inputs,
            "Under fp8 or fp4, whether a product keeps the narrow cast of its input for the "
            "gradient of its weight, not the 16-bit input.",
            optional),
      field("mamba_share", &SoftwareProfile::mamba_share,
            "Share of the memory bandwidth of elementwise kernels that the kernels of a Mamba-2 "
            "mixer reach: they also multiply and exponentiate.",
            core::fraction, optional),
      field("fp8_activation_input", &SoftwareProfile::fp8_activation_input,
            "Whether a feed-forward block keeps the input of its activation function in fp8.",
            optional),
      field("loss_chunk", &SoftwareProfile::loss_chunk,
            "Tokens whose logits and loss are made together, and made again in the backward pass; "
            "0: those of a whole micro-batch at once.",
            core::between(0, 1e9), optional),
      field("optimizer", &SoftwareProfile::optimizer,
            "How gradients change weights; muon keeps one number beside a matrix of a layer, and "
            "changes all else as adam does.",
            optional),
      field("moment_bytes", &SoftwareProfile::moment_bytes,
            "Bytes of each number that the optimizer keeps beside a weight.", core::between(1, 4),
            optional),
      field("master_weights", &SoftwareProfile::master_weights,
            "Whether the optimizer keeps fp32 weights beside narrower ones.", optional),
      field("kernels_per_layer", &SoftwareProfile::kernels_per_layer,
            "Kernels of one layer's forward pass; the backward pass has twice as many.",
            core::between(1, 10'000)),
      field("cuda_graphs", &SoftwareProfile::cuda_graphs,
            "Which kernels the host launches together as CUDA graphs, at no cost for each.",
            optional),
      field("host_launch", &SoftwareProfile::host_launch,
            "Time the host needs to launch one kernel; a layer takes at least this for each.",
            core::non_negative, core::optional),
      field("compute_efficiency", &SoftwareProfile::compute_efficiency,
            "Share of the device's compute rates that this stack's kernels reach.",
            core::between(1e-3, 2.0), optional),
      field("jitter", &SoftwareProfile::jitter,
            "Relative standard deviation of a node's time to compute a step: the slowest node "
            "sets the pace.",
            core::between(0.0, 1.0), optional),
      field("step_overhead", &SoftwareProfile::step_overhead,
            "Time of a step beside all else: data loader, logging, synchronisation with the host.",
            core::non_negative, optional),
      field("framework_memory", &SoftwareProfile::framework_memory,
            "Device memory of the driver, the framework and its communication buffers.",
            core::non_negative),
      field("model_gradients", &SoftwareProfile::model_gradients,
            "Whether gradients in the model's format stay beside wider sums of them.", optional),
      field("step_copies_bytes", &SoftwareProfile::step_copies_bytes,
            "Bytes a parameter of a rank's shard for copies that the optimizer's step makes of "
            "its gradient; they count as reserved memory.",
            core::non_negative, optional),
      field("reserved_share", &SoftwareProfile::reserved_share,
            "Memory that the framework's allocator reserves beside what is in use, as a share of "
            "the activations.",
            core::non_negative, optional),
      field("offload", &SoftwareProfile::offload, "State offloaded from the accelerators.",
            optional),
      field("collectives", &SoftwareProfile::collectives,
            "The collective library, by catalogue name."),
      field("checkpoint", &SoftwareProfile::checkpoint, "How checkpoints are written."));
}

}  // namespace railwright::models
