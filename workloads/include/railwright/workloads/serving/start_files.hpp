// SPDX-License-Identifier: Apache-2.0
// Files that start a service on a cluster with what was sized.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// A form of such files.
struct StartForm {
  std::string_view name;
  std::string_view what;  ///< which tool reads it
};

/// Returns all forms.
std::span<const StartForm> start_forms();

/// Returns the file that starts the replicas of a service: those that its load needs, each with the
/// command line of `launch_line`. Where a checkpoint is named stands the model's catalogue name.
/// Throws ConfigError for a service that is infeasible, and where the form or its tool cannot say
/// it. [@lws_crd] [@llmd_modelservice] [@dynamo_crd]
std::string start_file(std::string_view form, const CheckedInference& checked,
                       const InferenceResult& result);

}  // namespace railwright::simulation
