// SPDX-License-Identifier: Apache-2.0
// PyTorch's FSDP, DDP and ZeRO as the configurations of trainers name them. [@accelerate_config]
#pragma once

#include <string>
#include <string_view>

#include "training_part.hpp"

namespace railwright::importers {

/// Adds an FSDP strategy: "full_shard", "FULL_SHARD" or "1", and so on. False for another word.
bool add_fsdp_strategy(std::string_view strategy, std::string_view origin, Findings& findings);

/// Adds the keys of an fsdp_config below `path`, with the prefix "fsdp_" or without.
void add_fsdp_config(TrainingPart& part, std::string_view path);

/// Adds data parallelism of replicas, PyTorch's DistributedDataParallel.
void add_ddp(TrainingPart& part, std::string_view why);

/// Adds a stage of ZeRO, where it is named beside DeepSpeed's JSON.
void add_zero_stage(std::int64_t stage, std::string_view origin, bool is_known, Findings& findings);

}  // namespace railwright::importers
