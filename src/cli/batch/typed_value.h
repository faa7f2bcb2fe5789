#pragma once

#include <string>
#include <vector>

namespace pegen::cli {

/// The value of an option in a manifest, in the form in which it is typed on a command line.
struct TypedValue {
    std::string text;                  ///< for a list: its items, separated by commas
    bool is_text;                      ///< true if the value is a JSON string
    std::vector<std::string> items{};  ///< the items of a list; empty for other values
};

}  // namespace pegen::cli
