#include "cli/explore/usage.h"

#include <array>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/options.h"

namespace pegen::cli {

std::span<const ParameterSpec> explore_options() {
    static constexpr std::array options{
        ParameterSpec{.name = "port",
                      .type = ParameterType::integer,
                      .default_value = "0",
                      .range = {.lowest = 0, .highest = 65535},
                      .summary = "port of this machine to serve the page at; 0 for any free one"},
        ParameterSpec{.name = "no-open",
                      .type = ParameterType::flag,
                      .summary = "only print the address, and open no browser"},
        threads_option,
    };
    return options;
}

Usage explore_usage(std::span<const std::string_view>, HelpLength) {
    Usage usage =
        command_usage("explore",
                      {"explore", "explore fairseq", "explore rope --d 64 --table cos --port 8000",
                       "explore fairseq mine.npy"},
                      {option_group("Options", explore_options())},
                      {.most = 2, .are_names = true, .are_files = true, .bring_parameters = true});
    usage.remark =
        "Serves a page to this machine alone, and prints its address: change parameters and see "
        "the figure, point at a cell and see where its value comes from, put tables beside each "
        "other, or your own array of a file. Ctrl-C ends it.";
    return usage;
}

}  // namespace pegen::cli
