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
    std::string_view title = "";  ///< of the words in help, which lists them if there is a title
};

/// What other words of a command mean, such as the values of an option.
struct Glossary {
    struct Entry {
        std::string name;
        std::string meaning;
    };

    std::string title;
    std::vector<Entry> entries;
};

/// Something that is called as `pe-gen NAME ARGUMENTS`.
struct Usage {
    std::string name;
    std::string summary;
    std::string arguments;
    std::vector<std::string> examples;  ///< command lines without "pe-gen "
    std::string parameters = "";        ///< sections on the parameters of a subject, for help
    std::vector<OptionGroup> options;
    Operands operands{.most = 0};
    std::vector<Glossary> glossaries{};
    std::string remark = "";
};

}  // namespace pegen::cli
