// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <utility>

#include "railwright/core/config/writer.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/yaml/scenario_file.hpp"

namespace railwright::output {

namespace {

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

/// Returns "'a' (3.12 s), 'b' (3.40 s) and 5 more; Table 4".
std::string source_of(const validation::SiteFit& fit) {
  constexpr std::size_t kMaxNamed = 4;
  std::string text;
  std::string sources;
  for (std::size_t i = 0; i < fit.runs.size(); ++i) {
    const validation::CalibratedRun& run = fit.runs[i];
    if (i < kMaxNamed) {
      text += fmt::format("{}'{}' ({})", i == 0 ? "" : ", ", run.name, core::to_text(run.measured));
    }
    if (!run.source.empty() && sources.find(run.source) == std::string::npos) {
      sources += (sources.empty() ? "" : ", ") + run.source;
    }
  }
  if (fit.runs.size() > kMaxNamed) {
    text += fmt::format(" and {} more", fit.runs.size() - kMaxNamed);
  }
  return sources.empty() ? text : text + "; " + sources;
}

std::string factor_yaml(const char* name, const validation::FittedFactor& factor,
                        const std::string& source) {
  std::string how = (factor.is_fitted ? "fitted by railwright calibrate to "
                                      : "held by railwright calibrate in the fit to ") +
                    source;
  if (factor.log_error) {
    how += fmt::format("; standard error {:.2g}", factor.value * *factor.log_error);
  }
  if (factor.is_at_bound) how += "; at its bound";
  return fmt::format("{}:\n  value: {:.4g}\n  source: {}\n  estimate: true\n", name, factor.value,
                     in_quotes(how));
}

}  // namespace

std::string installation_yaml(const validation::SiteFit& fit, const std::string& name) {
  const std::string source = source_of(fit);
  const std::string band =
      fmt::format("railwright calibrate: {}, a tenth on either side", fit.band_from);
  std::string text = "# SPDX-License-Identifier: Apache-2.0\n";
  text += fmt::format("name: {}\n", core::to_yaml(core::text_node(name)));
  text += fmt::format("description: {}\n",
                      in_quotes(fmt::format("Fitted to {} measurement{}", fit.runs.size(),
                                            fit.runs.size() == 1 ? "" : "s")));
  if (!fit.settings.empty()) {
    text += "fitted_with:\n";
    for (const std::string& one : fit.settings) text += fmt::format("  - {}\n", in_quotes(one));
  }
  text += factor_yaml("compute_efficiency", fit.compute, source);
  text += factor_yaml("nic_efficiency", fit.nic, source);
  for (const auto& [key, value] :
       {std::pair{"step_time_low", fit.band.low}, std::pair{"step_time_high", fit.band.high}}) {
    text += fmt::format("{}:\n  value: {:.4g}\n  source: {}\n  estimate: true\n", key, value,
                        in_quotes(band));
  }
  return text;
}

}  // namespace railwright::output
