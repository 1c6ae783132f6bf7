// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/upgrade/upgrade.hpp"

#include <fmt/format.h>

#include "common.hpp"
#include "output_file.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::cli {

namespace {

int run_upgrade(const Options& options, Streams& streams) {
  struct Upgraded {
    std::string path;
    simulation::UpgradedText made;
  };
  // All files are read before any is written.
  std::vector<Upgraded> files;
  for (const std::string& path : options.list("files")) {
    files.push_back({path, simulation::upgrade(core::read_text_file(path), path)});
  }
  const bool is_dry = options.flag("--dry-run");
  for (const Upgraded& file : files) {
    for (const simulation::RenamedKey& key : file.made.renamed) {
      streams.out << fmt::format("{}: '{}' is now '{}'\n", core::to_string(key.where), key.former,
                                 key.name);
    }
    if (file.made.renamed.empty()) {
      streams.out << fmt::format("{}: nothing to rename\n", file.path);
    } else if (!is_dry) {
      write_file("upgrade", file.path, [&](std::ostream& out) { out << file.made.text; });
    }
  }
  return kOk;
}

}  // namespace

Verb upgrade_verb() {
  return {
      .name = "upgrade",
      .help = "Rename keys that had another name in an earlier version, in the files themselves",
      .options = {{.name = "files",
                   .kind = OptionKind::kPositionals,
                   .value = "FILE",
                   .help = "Scenarios, files that they include, prices of a catalogue",
                   .required = true},
                  {.name = "--dry-run", .help = "Say what would be renamed; write nothing"}},
      .run = run_upgrade};
}

}  // namespace railwright::cli
