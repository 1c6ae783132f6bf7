// SPDX-License-Identifier: Apache-2.0
// Reads the script of a training job from a manifest of Kubernetes. [@kubeflow_trainer]
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace railwright::importers {

/// Returns the command of the container that trains as a script, with the variables of its job and
/// of the operator before it, and its lines at the same numbers. Nothing for a text that is no
/// manifest of a PyTorchJob, a TrainJob, an MPIJob, a JobSet, a Job or a RayJob, or whose command
/// starts no known launcher. Throws ConfigError for a template.
std::optional<std::string> job_script(std::string_view text, const std::string& file);

}  // namespace railwright::importers
