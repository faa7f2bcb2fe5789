#include "cli/apply/array.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace pegen::cli {

ArrayFile open_floats(const std::string& path) {
    ArrayFile array = open_array(path);
    if (!is_floating(array.table.dtype)) {
        throw UsageError(fmt::format("{}: holds {}; save array.astype('float32')", array.path,
                                     info(array.table.dtype).name));
    }
    if (array.table.shape.size() == 0) {
        throw UsageError(
            fmt::format("{}: shape {}: has no values", array.path, to_string(array.table.shape)));
    }
    return array;
}

DType result_dtype(const Parameters& own, const ArrayFile& array) {
    return own.has("dtype") ? dtype_named(own.word("dtype")) : array.table.dtype;
}

Table result_of(const ArrayFile& array, DType dtype, const std::vector<Axis>& last_axes,
                std::string_view what) {
    Table table{.shape = array.table.shape,
                .dtype = dtype,
                .axes = array.table.axes,
                .rows = {},
                .title = fmt::format("{}, {}", array.path, what),
                .value_label = "Value",
                .provenance = {},
                // The name that numpy.savez gives an array without a name.
                .name = array.table.name.empty() ? "arr_0" : array.table.name};
    std::ranges::copy(last_axes, table.axes.end() - std::ssize(last_axes));
    return table;
}

void refuse_dashes(const OperationInput& input, std::string_view name) {
    if (!input.behind.empty()) {
        throw UsageError(fmt::format("apply {}: takes no encoding after '--'", name));
    }
}

}  // namespace pegen::cli
