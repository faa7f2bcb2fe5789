#pragma once

#include <optional>
#include <string>

#include "core/table.h"
#include "inspect/difference.h"

namespace pegen::cli {

struct Side {
    std::string name;  ///< as it was typed
    Table table;
};

struct Sides {
    Side a;
    Side b;
};

/// The result of `diff`.
struct DiffReport {
    const Sides& sides;
    std::optional<Difference> found;  ///< none if the shapes are not equal
    std::string reason;               ///< a likely reason for the difference; may be empty

    bool is_equal() const { return found && found->beyond == 0; }
};

std::string as_text(const DiffReport& report);

/// One object, with a line feed.
std::string as_json(const DiffReport& report);

}  // namespace pegen::cli
