#pragma once

#include <optional>
#include <string>

#include "cli/subject.h"
#include "core/table.h"
#include "inspect/comparison.h"

namespace pegen::cli {

/// One of two tables that are compared.
struct ComparedTable {
    std::string name;
    std::optional<Subject> subject;  ///< none: a file
    Table table;
    PositionTable values;
};

/// True if `b` has more channels than `a`.
bool has_more_channels(const ComparedTable& a, const ComparedTable& b);

/// Says in sentences what separates two tables. Precondition: `a` does not have more channels.
std::string compare_report(const ComparedTable& a, const ComparedTable& b,
                           const Closeness& closeness);

}  // namespace pegen::cli
