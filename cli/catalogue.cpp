// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"

namespace railwright::cli {

namespace {

int run_list(const Options& options, Streams& streams) {
  const auto listing = output::list_catalogue(open_catalogue(options), options.text("kind"));
  if (wants_json(options)) {
    streams.out << output::to_json(listing);
  } else {
    put_text(streams, output::to_text(listing, streams.style));
  }
  return kOk;
}

int run_show(const Options& options, Streams& streams) {
  std::string name = options.text("name");
  if (options.has("entry")) name += "/" + options.text("entry");
  const auto entry = output::show_entry(open_catalogue(options), name);
  if (wants_json(options)) {
    streams.out << output::to_json(entry);
  } else {
    put_text(streams, output::to_text(entry, streams.style));
  }
  return kOk;
}

}  // namespace

Verb catalogue_verb() {
  const Verb list{.name = "list",
                  .help = "The entries, by kind",
                  .options = {{.name = "kind",
                               .kind = OptionKind::kPositional,
                               .value = "KIND",
                               .help = "Only this kind, such as nics",
                               .catalogue = kKinds},
                              format_option(),
                              catalogue_option()},
                  .run = run_list};
  const Verb show{.name = "show",
                  .help = "The values of an entry with unit and source",
                  .options = {{.name = "name",
                               .kind = OptionKind::kPositional,
                               .value = "NAME",
                               .help = "An entry such as connectx-7, or nics/connectx-7",
                               .required = true,
                               .catalogue = kAnyEntry},
                              {.name = "entry",
                               .kind = OptionKind::kPositional,
                               .value = "ENTRY",
                               .help = "The entry where NAME is a kind: software nemo-24.09",
                               .catalogue = kAnyEntry},
                              format_option(),
                              catalogue_option()},
                  .run = run_show};
  return {.name = "catalogue",
          .help = "The devices, models, stacks and sites that scenarios name",
          .verbs = {list, show}};
}

}  // namespace railwright::cli
