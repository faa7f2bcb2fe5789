#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace pegen::cli {

/// A word of a command line, and its meaning.
struct NamedWord {
    std::string_view name;
    std::string_view summary;
};

/// The arguments that a command takes besides options.
struct Operands {
    int most = 1;            ///< maximum number of operands
    bool are_names = false;  ///< names of encodings and presets are operands
    bool are_files = false;
    bool bring_parameters = false;  ///< a name may be followed by its parameters
    std::vector<NamedWord> words{};
    std::string_view title = "";  ///< heading of the words in help; "": help does not list them
};

/// Explanations of other words of a command, such as the values of an option.
struct Glossary {
    struct Entry {
        std::string name;
        std::string meaning;
    };

    std::string title;
    std::vector<Entry> entries;
};

/// The usage of a command, an encoding or a preset, called as `pe-gen NAME ARGUMENTS`.
struct Usage {
    std::string name;
    std::string summary;
    std::string arguments;
    std::vector<std::string> examples;  ///< command lines without "pe-gen "
    std::string parameters = "";        ///< help sections on the parameters of a subject
    std::vector<OptionGroup> options;
    Operands operands{.most = 0};
    std::vector<Glossary> glossaries{};
    std::string remark = "";
};

}  // namespace pegen::cli
