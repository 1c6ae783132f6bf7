// SPDX-License-Identifier: Apache-2.0
// The keys of run_plan.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/data_loading/data_reader_fields.hpp"
#include "railwright/models/offload/tier_fields.hpp"
#include "railwright/simulation/scenario/run_plan.hpp"

namespace railwright::simulation {

constexpr auto LocalCheckpoints::fields() {
  using core::between;
  using core::field;
  using core::optional;
  using core::positive;
  return core::field_list(
      field("tier", &LocalCheckpoints::tier,
            "Drives or memory of a node, by catalogue name of an offload tier."),
      field("retention", &LocalCheckpoints::retention,
            "Checkpoints that are kept there, beside those on their way to storage.",
            between(1, 1e6), optional),
      field("drain_every", &LocalCheckpoints::drain_every,
            "Copies every n-th checkpoint to storage, and the last one. If a copy is still "
            "running, only the newest waits.",
            between(1, 1e6), optional),
      field("copies", &LocalCheckpoints::copies,
            "Nodes that hold each part: its own and, from 2 on, others that get it over the "
            "scale-out NICs, so that the loss of a node loses no checkpoint.",
            between(1, 16), optional),
      field("writer_rate", &LocalCheckpoints::writer_rate,
            "Of one single-threaded writer to the tier; software.checkpoint.writer_rate where "
            "absent.",
            positive),
      field("reader_rate", &LocalCheckpoints::reader_rate,
            "Of one reader; writer_rate, or else that of the software, where absent.", positive));
}

constexpr auto CheckpointPlan::fields() {
  using core::between;
  using core::field;
  using core::optional;
  return core::field_list(
      field("interval_steps", &CheckpointPlan::interval_steps,
            "Steps between checkpoints; 0: none.", between(0, 1e12), optional),
      field("interval", &CheckpointPlan::interval,
            "Time between the starts of checkpoints, at the next step; in place of "
            "interval_steps.",
            core::positive),
      field("mode", &CheckpointPlan::mode, "Whether training waits for the file system.", optional),
      field("retention", &CheckpointPlan::retention,
            "Checkpoints that are kept, the oldest goes first; 0: all.", between(0, 1e6), optional),
      field("archive_after", &CheckpointPlan::archive_after,
            "Newest checkpoints that stay on the first pool; older ones move to "
            "cluster.storage.archive. 0: none moves.",
            between(0, 1e6), optional),
      field("restore", &CheckpointPlan::restore, "Who reads it at a restart.", optional),
      field("at_end", &CheckpointPlan::at_end,
            "Whether the last step is followed by one, whatever the interval.", optional),
      field("local", &CheckpointPlan::local,
            "What of the nodes takes them first; straight to storage where absent."),
      field("files_per_writer", &CheckpointPlan::files_per_writer,
            "Files of equal size that each writer divides its part into.", between(1, 1e9),
            optional),
      field("metadata_operations", &CheckpointPlan::metadata_operations,
            "Operations of each file beside its bytes, as creating or opening and closing it; "
            "each waits for storage and counts as a small write of it, at a restore as a small "
            "read.",
            between(0, 1000), optional),
      field("data_reduction", &CheckpointPlan::data_reduction,
            "Data reduction ratio of checkpoints (logical over stored bytes), before protection "
            "overhead; cluster.storage.data_reduction where absent.",
            core::at_least(1)));
}

constexpr auto DataPlan::fields() {
  using core::field;
  using core::optional;
  return core::field_list(
      field("size", &DataPlan::size,
            "Size of the dataset, which takes room on the storage beside "
            "cluster.storage.used; where absent each sample is read once and takes no room.",
            core::positive),
      field("shuffled", &DataPlan::shuffled,
            "Whether samples are read one by one in random order; else in long runs.", optional),
      field("request", &DataPlan::request,
            "Bytes that are asked for at a time; a sample where shuffled, else 1 MiB.",
            core::positive),
      field("metadata_operations", &DataPlan::metadata_operations,
            "Operations before the read of each request, as looking a file up and opening it; "
            "none in files that stay open.",
            core::between(0, 1000), optional),
      field("num_workers", &DataPlan::num_workers,
            "Workers of a reader, each with one request under way at a time.",
            core::between(1, 65536), optional),
      field("prefetch", &DataPlan::prefetch,
            "Batches of a reader that lie ready at most, beside those that its workers have; 0: "
            "a step waits for its own samples.",
            core::between(0, 100000), optional),
      field("decode", &DataPlan::decode,
            "Time of a worker for a sample beside its read: to decode and transform it.",
            core::non_negative, optional),
      field("reader", &DataPlan::reader,
            "The library that loads samples, by catalogue name: gives hand_over and jitter where "
            "these are not stated."),
      field("hand_over", &DataPlan::hand_over,
            "Time that a step waits for a batch that is ready: until it is taken from the queue "
            "and on the accelerator.",
            core::non_negative),
      field("jitter", &DataPlan::jitter,
            "Coefficient of variation of a worker's time for a batch and of hand_over.",
            core::between(0, 1)),
      field("epoch_start_up", &DataPlan::epoch_start_up,
            "Time to start the workers at the start of each epoch and after each restart, behind "
            "which a step waits for the first batch; absent: reading ahead never stops.",
            core::non_negative),
      field("page_cache", &DataPlan::page_cache, "Page cache per node for dataset reads.",
            core::non_negative, optional),
      field("fixed_shards", &DataPlan::fixed_shards,
            "Whether each node reads the same part of the dataset in every epoch; else samples "
            "are dealt over all nodes anew.",
            optional, core::formerly("fixed_parts")),
      field("staging_rate", &DataPlan::staging_rate,
            "What an object store or another site gives of the dataset, which is copied to "
            "storage before the first step; absent: it lies there already.",
            core::positive),
      field("data_reduction", &DataPlan::data_reduction,
            "Data reduction ratio of the dataset (logical over stored bytes), before protection "
            "overhead; cluster.storage.data_reduction where absent.",
            core::at_least(1)));
}

constexpr auto Incident::fields() {
  return core::field_list(
      core::field("time", &Incident::time, "From the start of the clock.", core::non_negative),
      core::field("component", &Incident::component, "What breaks."),
      core::field("nodes", &Incident::num_nodes,
                  "Nodes of the job that it takes down together, such as those of a rack.",
                  core::between(1, 65536), core::optional),
      core::field("job", &Incident::job,
                  "Name of the job that it stops, of several; the first one where absent.",
                  core::optional));
}

constexpr auto OtherLoad::fields() {
  using core::field;
  using core::non_negative;
  using core::optional;
  return core::field_list(
      field("start", &OtherLoad::start, "From the start of the clock.", non_negative, optional),
      field("duration", &OtherLoad::duration,
            "For how long, where storage keeps up; else what is asked for takes longer.",
            core::positive),
      field("read", &OtherLoad::read, "What they read.", non_negative, optional),
      field("write", &OtherLoad::write, "What they write, over what is there.", non_negative,
            optional));
}

constexpr auto StorageTargets::fields() {
  using core::field;
  using core::optional;
  return core::field_list(
      field("checkpoint_stall", &StorageTargets::checkpoint_stall,
            "Largest share of the time that training waits for checkpoints.", core::fraction,
            optional),
      field("restore", &StorageTargets::restore, "Longest time to read a checkpoint back.",
            core::positive, optional),
      field("checkpoints_kept", &StorageTargets::checkpoints_kept, "Checkpoints to have room for.",
            core::between(1, 1e6), optional));
}

constexpr auto RunPlan::fields() {
  using core::at_least;
  using core::between;
  using core::field;
  using core::non_negative;
  using core::optional;
  return core::field_list(
      field("step_time", &RunPlan::step_time,
            "Measured step time; replaces the predicted one in the run only.", core::positive),
      field("start_up", &RunPlan::start_up, "Scheduling, containers, building the model.",
            non_negative, optional),
      field("communicator_initialization", &RunPlan::communicator_initialization,
            "Until all ranks have met.", non_negative, optional),
      field("dataset_index", &RunPlan::dataset_index,
            "What each node reads of the dataset before the first sample.", non_negative, optional),
      field("warm_up_steps", &RunPlan::warm_up_steps, "First steps that take longer.",
            between(0, 1e9), optional),
      field("warm_up_slowdown", &RunPlan::warm_up_slowdown,
            "Time of one of them over that of a later step.", between(1, 1e6), optional),
      field("evaluation_interval_steps", &RunPlan::evaluation_interval_steps,
            "Steps between evaluations; 0: none.", between(0, 1e12), optional),
      field("evaluation_steps", &RunPlan::evaluation_steps,
            "Batches of an evaluation, each a forward pass: a third of a step.", between(0, 1e12),
            optional),
      field("num_spares", &RunPlan::num_spares,
            "Nodes that stand by, beside those of the jobs; each of their trays replaces one.",
            between(0, 65536), optional),
      field("min_replicas", &RunPlan::min_replicas,
            "Fewest data-parallel replicas that train on while a node of another one is away and "
            "no spare is left, with its part of the batch; absent: the job waits for a node.",
            between(1, 1e6)),
      field("replicas", &RunPlan::replicas,
            "Number of Monte Carlo runs, each with its own failures.", between(1, 1e6), optional),
      field("seed", &RunPlan::seed, "Random seed.", at_least(0), optional),
      field("incidents", &RunPlan::incidents, "What breaks at given times.", optional),
      field("other_loads", &RunPlan::other_loads, "What others do to the storage.", optional),
      field("targets", &RunPlan::targets,
            "Storage targets; the result gives the nodes each one needs."),
      field("optimize_interval", &RunPlan::optimize_interval,
            "Whether to find the time between checkpoints that loses least, by simulation.",
            optional, core::formerly("seek_interval")));
}

}  // namespace railwright::simulation
