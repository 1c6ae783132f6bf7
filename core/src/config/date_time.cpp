// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/date_time.hpp"

#include <charconv>
#include <chrono>
#include <cmath>

#include "railwright/core/config/text_file.hpp"

namespace railwright::core {

namespace {

/// Returns the seconds that a zone behind a time, "Z", "+05:30" or "+0530", is ahead of UTC; 0
/// without one.
std::optional<double> zone_of(std::string_view rest) {
  const std::size_t at = rest.find_first_of("Z+-");
  if (at == std::string_view::npos) return 0.0;
  const std::string_view zone = rest.substr(at);
  if (zone == "Z") return 0.0;
  if (zone.size() != 5 && (zone.size() != 6 || zone[3] != ':')) return std::nullopt;
  const auto hours = digits_of(zone.substr(1, 2));
  const auto minutes = digits_of(zone.substr(zone.size() - 2));
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return std::nullopt;
  return (zone.front() == '-' ? -1.0 : 1.0) * (3600.0 * *hours + 60.0 * *minutes);
}

}  // namespace

std::optional<int> digits_of(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<double> date_time_of(std::string_view text) {
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' ||
      (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  std::string_view rest = text.substr(19);
  const auto offset = zone_of(rest);
  if (!offset) return std::nullopt;
  rest = rest.substr(0, rest.find_first_of("Z+-"));
  const double fraction = rest.empty() ? 0.0 : number_of(rest);
  if (!(fraction >= 0.0 && fraction < 1.0)) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t size) {
    return digits_of(text.substr(at, size));
  };
  const auto year = part(0, 4);
  const auto month = part(5, 2);
  const auto day = part(8, 2);
  const auto hour = part(11, 2);
  const auto minute = part(14, 2);
  const auto second = part(17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  constexpr int kLeapSecond = 60;
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > kLeapSecond) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return 86400.0 * days + 3600.0 * *hour + 60.0 * *minute + *second + fraction - *offset;
}

}  // namespace railwright::core
