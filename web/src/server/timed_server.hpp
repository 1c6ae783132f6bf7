// SPDX-License-Identifier: Apache-2.0
// A web server that nobody holds up by sending slowly.
#pragma once

#include <httplib.h>

#include <deque>
#include <mutex>

namespace railwright::web {

/// Answers one request a connection. A request has to be there as a whole within a few seconds, and
/// where many are still being read, the oldest of them is given up for the newest.
class TimedServer final : public httplib::Server {
 private:
  bool process_and_close_socket(socket_t socket) override;
  void begin_reading(socket_t socket);
  void end(socket_t socket);

  std::mutex mutex_;
  std::deque<socket_t> reading_;  ///< newest last
};

}  // namespace railwright::web
