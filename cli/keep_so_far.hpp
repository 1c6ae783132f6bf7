// SPDX-License-Identifier: Apache-2.0
// Ctrl-C during long work: the best answer so far in place of none.
#pragma once

#include "progress.hpp"
#include "railwright/core/stop.hpp"
#include "stop_on_signal.hpp"
#include "verb.hpp"

namespace railwright::cli {

/// Returns what `work` returns. If Ctrl-C ends it, writes the best answer so far to standard error.
template <class Work>
int keep_so_far(Progress& progress, Streams& streams, const Work& work) {
  const StopOnSignal signals;
  const core::StopScope stop(&StopOnSignal::flag());
  try {
    return work();
  } catch (const core::Interrupted&) {
    progress.end();
    if (progress.so_far().empty()) throw;
    streams.err << "interrupted; so far: " << progress.so_far() << '\n';
    return kInterrupted;
  }
}

}  // namespace railwright::cli
