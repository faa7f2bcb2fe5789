#include "encodings/existing_table.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen {

const TableSpec& existing_table(const Encoding& encoding, std::string_view name) {
    if (const TableSpec* table = find_table(encoding, name)) return *table;
    std::vector<std::string_view> others;
    for (const Encoding* other : all_encodings()) {
        if (find_table(*other, name)) others.push_back(other->name);
    }
    throw UsageError(fmt::format("{}: has no table of {}; those that have one are {}",
                                 encoding.name, name, joined(others, ", ")));
}

}  // namespace pegen
