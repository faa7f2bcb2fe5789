#pragma once

#include <string>
#include <vector>

namespace pegen::cli {

/// The value of an option in a manifest, as one would type it.
struct TypedValue {
    std::string text;                  ///< of a list: its items, separated by commas
    bool is_text;                      ///< it is a JSON string
    std::vector<std::string> items{};  ///< of a list
};

}  // namespace pegen::cli
