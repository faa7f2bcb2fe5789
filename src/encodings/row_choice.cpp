#include "encodings/row_choice.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"

namespace pegen {

RowRange parse_range(std::string_view text, std::int64_t extent, std::string_view option) {
    const std::vector<std::string_view> ends = fields(text, ':');
    if (ends.size() != 2) refuse(option, text, "must be FROM:TO");
    const auto end = [&](std::string_view number, std::int64_t usual) {
        const std::int64_t index =
            number.empty() ? usual : parse_integer(number, fmt::format("--{}", option));
        return index < 0 ? index + extent : index;
    };
    const std::int64_t from = end(ends[0], 0), to = end(ends[1], extent);
    if (from < 0 || to > extent || from >= to) {
        const std::string_view indices = option.substr(option.find('-') + 1);  // "rows"
        refuse(option, text, fmt::format("there are {} 0 to {}", indices, extent - 1));
    }
    return {from, to - from};
}

Axis part_of(const Axis& axis, RowRange range) {
    Axis result{.kind = axis.kind, .name = axis.name, .label = axis.label};
    const bool counts = !axis.positions && axis.rows_before == 0 && axis.extents.empty();
    const auto progression = counts           ? Progression{0, 1}
                             : axis.positions ? axis.positions->exact_progression()
                                              : std::optional<Progression>();
    if (!axis.index_names.empty() || axis.kind == AxisKind::head) {
        for (std::int64_t i = 0; i < range.count; ++i) {
            result.index_names.push_back(index_name(axis, range.first + i));
        }
    }
    if (progression && axis.rows_before == 0) {
        const auto [start, step] = *progression;
        const double first = start + step * static_cast<double>(range.first);
        result.positions.emplace(first, step, range.count);
    }
    return result;
}

}  // namespace pegen
