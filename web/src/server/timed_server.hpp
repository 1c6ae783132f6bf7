// SPDX-License-Identifier: Apache-2.0
// A web server that slow senders cannot block.
#pragma once

#include <httplib.h>

#include <deque>
#include <mutex>

namespace railwright::web {

/// Answers one request per connection. A request must arrive completely within five seconds. When
/// too many are being read, the oldest is dropped for the newest.
class TimedServer final : public httplib::Server {
 private:
  bool process_and_close_socket(socket_t socket) override;
  void begin_reading(socket_t socket);
  void end(socket_t socket);

  std::mutex mutex_;
  std::deque<socket_t> reading_;  ///< newest last
};

}  // namespace railwright::web
