// SPDX-License-Identifier: Apache-2.0
#include "timed_server.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace railwright::web {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kToRead{5};
constexpr std::chrono::seconds kToWrite{30};
/// Limit on requests being read: half of the server's threads, so that others stay free to answer.
constexpr std::size_t kMaxReading = 16;

/// A socket with one deadline for the whole request and one for the whole answer.
class TimedStream final : public httplib::Stream {
 public:
  explicit TimedStream(socket_t socket)
      : socket_(socket), end_of_reading_(Clock::now() + kToRead) {}

  bool is_readable() const override { return begin_ < end_ || is_ready(POLLIN, end_of_reading_); }
  bool is_writable() const override { return is_ready(POLLOUT, Clock::now() + kToWrite); }

  /// Reads from a buffer, since httplib asks for one byte at a time.
  ssize_t read(char* to, std::size_t size) override {
    if (begin_ == end_) {
      if (!is_ready(POLLIN, end_of_reading_)) return -1;
      const ssize_t count = recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (count <= 0) return count;
      begin_ = 0;
      end_ = static_cast<std::size_t>(count);
    }
    const std::size_t count = std::min(size, end_ - begin_);
    std::memcpy(to, buffer_.data() + begin_, count);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, std::size_t size) override {
    if (end_of_writing_ == Clock::time_point{}) end_of_writing_ = Clock::now() + kToWrite;
    if (!is_ready(POLLOUT, end_of_writing_)) return -1;
    return send(socket_, from, size, MSG_NOSIGNAL);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override { here(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { here(ip, port); }
  socket_t socket() const override { return socket_; }

 private:
  static void here(std::string& ip, int& port) {
    ip = "127.0.0.1";
    port = 0;
  }

  bool is_ready(short what, Clock::time_point until) const {
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      if (left.count() <= 0) return false;
      pollfd one{.fd = socket_, .events = what, .revents = 0};
      const int count = poll(&one, 1, static_cast<int>(left.count()));
      if (count > 0) return true;
      if (count == 0 || errno != EINTR) return false;
    }
  }

  socket_t socket_;
  Clock::time_point end_of_reading_;
  Clock::time_point end_of_writing_;
  std::array<char, 4096> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace

bool TimedServer::process_and_close_socket(socket_t socket) {
  begin_reading(socket);
  TimedStream stream(socket);
  bool is_closed = false;
  const bool is_answered = process_request(stream, true, is_closed, nullptr);
  end(socket);
  return is_answered;
}

void TimedServer::begin_reading(socket_t socket) {
  const std::lock_guard lock(mutex_);
  reading_.push_back(socket);
  if (reading_.size() <= kMaxReading) return;
  // This does not affect a request that was read completely and waits for its answer.
  shutdown(reading_.front(), SHUT_RD);
  reading_.pop_front();
}

void TimedServer::end(socket_t socket) {
  const std::lock_guard lock(mutex_);
  std::erase(reading_, socket);
  shutdown(socket, SHUT_RDWR);
  close(socket);  // under the lock: the next connection may reuse its number
}

}  // namespace railwright::web
