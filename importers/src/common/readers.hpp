// SPDX-License-Identifier: Apache-2.0
// One reader for each format. Each throws ConfigError with every problem of its text.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/config/tree.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

Imported import_nccl_topology(std::string_view text, const std::string& file);
Imported import_nvidia_smi_topo(std::string_view text, const std::string& file);
Imported import_ibnetdiscover(std::string_view text, const std::string& file);
Imported import_slurm_topology(std::string_view text, const std::string& file);
Imported import_slurm_jobs(std::string_view text, const std::string& file);
Imported import_request_trace(std::string_view text, const std::string& file);
Imported import_serving_launch(std::string_view text, const std::string& file);
/// Whether the text has a command of one of the serving engines.
bool starts_serving_engine(std::string_view text);
/// `known` may hold a service, whose model it then is.
Imported import_hugging_face(std::string_view text, const std::string& file,
                             const core::Node& known);
Imported import_megatron(std::string_view text, const std::string& file);
Imported import_nemo(std::string_view text, const std::string& file);
/// `known` may hold the model's width, from which "auto" buckets follow.
Imported import_deepspeed(std::string_view text, const std::string& file, const core::Node& known);

}  // namespace railwright::importers
