// SPDX-License-Identifier: Apache-2.0
#include "power_series_json.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace railwright::output {

nlohmann::ordered_json power_series_json(const simulation::PowerSeries& series) {
  using Json = nlohmann::ordered_json;
  Json json{{"time_s", Json::array()}, {"power_w", Json::array()}};
  for (std::size_t i = 0; i < series.mean.size(); ++i) {
    json["time_s"].push_back(series.width.base() * static_cast<double>(i));
    json["power_w"].push_back(series.mean[i].base());
  }
  return json;
}

}  // namespace railwright::output
