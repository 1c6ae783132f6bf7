// SPDX-License-Identifier: Apache-2.0
// The kernels of a pass as a sum, without collectives, drafts and the host.
#pragma once

#include "railwright/models/inference/passes.hpp"

namespace railwright::models {

inline PassTime pass_time(const core::Accelerator& device, const Inference& inference,
                          const ReplicaLayout& layout, const TokenPass& pass) {
  PassTime time =
      layers_time(device, inference, layout, pass.tokens(), pass.tokens_of_rank(layout.dp()));
  time += head_time(device, inference, layout, pass.outputs());
  time += prompt_attention_time(device, inference, layout, pass);
  time += decode_attention_time(device, inference, layout, pass);
  return time;
}

}  // namespace railwright::models
