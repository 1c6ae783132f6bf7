// SPDX-License-Identifier: Apache-2.0
// Elements that the ranks of a sequence send one another for attention, and the bytes of those that
// any ranks send within a pass.
#pragma once

#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/workload/mixer.hpp"

namespace railwright::models {

struct SoftwareProfile;

/// Elements of a token on a tensor-parallel rank.
struct ContextElements {
  double queries = 0.0;
  double keys_and_values = 0.0;  ///< as they are sent: heads that several ranks need are repeated
  double outputs = 0.0;

  /// Elements that change places where tokens are swapped for heads, to attention and back.
  [[nodiscard]] double swapped() const { return queries + keys_and_values + outputs; }
};

ContextElements context_elements(const Mixer& mixer, const Layout& layout,
                                 const SoftwareProfile& software);

/// Returns the bytes of a number that ranks send one another within a pass: 2, or those of fp32 and
/// tf32, whose activations are 4 bytes wide.
double sent_number_bytes(const SoftwareProfile& software);

}  // namespace railwright::models
