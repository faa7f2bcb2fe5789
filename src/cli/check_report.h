#pragma once

#include <string>
#include <vector>

#include "core/table.h"
#include "inspect/properties/property.h"

namespace pegen::cli {

/// The result of `check`.
struct CheckReport {
    std::string name;  ///< of the table, as it was typed
    const Table& table;
    PropertyReport found;

    bool holds() const;
};

std::string as_text(const CheckReport& report);

/// One object, with a line feed.
std::string as_json(const CheckReport& report);

}  // namespace pegen::cli
