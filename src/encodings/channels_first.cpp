#include "encodings/channels_first.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "encodings/cell.h"
#include "encodings/parameters/channel_parameters.h"
#include "rows/transposed.h"

namespace pegen {
namespace {

/// Encodings of images have a parameter of the same name with other views.
bool is_asked_for(const Parameters& parameters) {
    return std::ranges::any_of(parameters.entries(), [&](const Parameters::Entry& entry) {
        return entry.spec->name == encodings::view_parameter.name &&
               entry.spec->choices == encodings::view_parameter.choices &&
               parameters.word(entry.spec->name) == "channels-first";
    });
}

}  // namespace

Plan with_channels_first(Plan plan) {
    constexpr std::int64_t most_values = std::int64_t{1} << 28;
    const bool has_channels =
        plan.shape.rank() == 2 && find_axis(plan.axes, AxisKind::channel) == 1;
    if (!has_channels || !is_asked_for(plan.parameters)) return plan;
    if (plan.shape.size() > most_values) {
        throw UsageError(
            fmt::format("--view channels-first: {} values; they are kept in memory and end at 2^28",
                        plan.shape.size()));
    }
    const std::int64_t rows = plan.shape[0], columns = plan.shape[1];
    plan.shape = {columns, rows};
    std::swap(plan.axes[0], plan.axes[1]);
    if (plan.cell) {
        plan.cell = [cell = std::move(plan.cell)](std::span<const std::int64_t> index) {
            return cell(std::array{index[1], index[0]});
        };
    }
    plan.make_rows = [make_rows = std::move(plan.make_rows), rows, columns](DType dtype) {
        return rows::transposed(make_rows(dtype), rows, columns, dtype);
    };
    return plan;
}

}  // namespace pegen
