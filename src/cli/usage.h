#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace pegen::cli {

/// A word of a command line, and what it means.
struct NamedWord {
    std::string_view name;
    std::string_view summary;
};

/// What may stand in a command line where no option does.
struct Operands {
    int most = 1;            ///< how many of them
    bool are_names = false;  ///< of encodings and presets
    bool are_files = false;
    bool bring_parameters = false;  ///< a name may be followed by its parameters
    std::vector<NamedWord> words{};
};

/// Something that is called as `pe-gen NAME ARGUMENTS`.
struct Usage {
    std::string name;
    std::string summary;
    std::string arguments;
    std::vector<std::string> examples;  ///< command lines without "pe-gen "
    std::string sections = "";          ///< sections of its own, before those of the options
    std::vector<OptionGroup> options;
    Operands operands{.most = 0};
};

}  // namespace pegen::cli
