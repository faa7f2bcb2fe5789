#include "core/tensor_fill.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/dtype.h"

namespace pegen {

Rows tensor_rows(TensorFill fill, std::int64_t rows, std::int64_t columns, DType dtype) {
    RowSource source = [=, fill = std::move(fill)](RowRange range, std::span<std::byte> out) {
        std::array<double, floats_at_once> wide;
        fill(range.first * columns, range.count * columns, [&](std::span<const float> values) {
            std::ranges::copy(values, wide.begin());
            const std::size_t bytes = values.size() * info(dtype).size;
            store(std::span(wide.data(), values.size()), dtype, out.first(bytes));
            out = out.subspan(bytes);
        });
    };
    return {std::move(source), rows, columns, dtype};
}

}  // namespace pegen
