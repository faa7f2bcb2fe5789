#include "rows/sum.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/clones.h"
#include "core/element.h"
#include "core/to_size.h"
#include "numerics/floating_type.h"
#include "rows/as_float64.h"
#include "rows/axis_table.h"

namespace pegen::rows {
namespace {

/// Returns for each leading axis of `large` the number of rows of `small` from one index to the
/// next: 0 if `small` has the same rows for all indices.
std::vector<std::int64_t> row_strides(const Shape& small, const Shape& large) {
    const int leading = std::max(large.rank() - 1, 1);
    const int missing = large.rank() - small.rank();
    std::vector<std::int64_t> strides(to_size(leading));
    std::int64_t rows = 1;
    for (int axis = leading - 1; axis >= missing; --axis) {
        const std::int64_t extent = small[axis - missing];
        strides[to_size(axis)] = extent == 1 ? 0 : rows;
        rows *= extent;
    }
    return strides;
}

std::int64_t row_of(const std::vector<std::int64_t>& index,
                    const std::vector<std::int64_t>& strides) {
    std::int64_t row = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) row += index[axis] * strides[axis];
    return row;
}

template <class T>
PEGEN_CLONES void add(const double* __restrict addend, std::size_t columns, T* __restrict row) {
    for (std::size_t i = 0; i < columns; ++i) row[i] = round_to<T>(widen(row[i]) + addend[i]);
}

/// Returns the sum in x's own dtype: the addend is added where the rows of x have been read to.
RowSource summed_in_place(const Table& x, const Table& addend) {
    const auto kept =
        std::make_shared<const AxisTable>(addend.rows, addend.shape.rows(), row_bytes(addend));
    return [kept, source = x.rows, dtype = x.dtype, shape = x.shape,
            strides = row_strides(addend.shape, x.shape)](RowRange range,
                                                          std::span<std::byte> out) {
        if (out.empty()) return;
        source(range, out);
        AxisReader reader(*kept);
        const std::size_t columns = to_size(shape.columns());
        numerics::with_floating_type(dtype, [&]<class T>(std::type_identity<T>) {
            T* place = reinterpret_cast<T*>(out.data());
            for (std::int64_t done = 0; done < range.count;) {
                // Along the innermost of the leading axes, the rows of the addend follow each
                // other, or stay the same.
                const std::vector<std::int64_t> index = index_of_row(shape, range.first + done);
                const std::int64_t run = std::min(
                    range.count - done, shape[static_cast<int>(index.size()) - 1] - index.back());
                const std::int64_t first = row_of(index, strides);
                for (std::int64_t i = 0; i < run; ++i, place += columns) {
                    const std::byte* terms = reader.row(first + i * strides.back(), run - i);
                    add(reinterpret_cast<const double*>(terms), columns, place);
                }
                done += run;
            }
        });
    };
}

}  // namespace

bool fits_into(const Shape& small, const Shape& large) {
    const int missing = large.rank() - small.rank();
    if (missing < 0 || small.rank() < std::min(large.rank(), 2)) return false;
    for (int axis = 0; axis < small.rank(); ++axis) {
        const bool is_last = axis == small.rank() - 1;
        const bool is_same = small[axis] == large[axis + missing];
        if (!is_same && (is_last || small[axis] != 1)) return false;
    }
    return true;
}

RowSource sum(const Table& x, const Table& addend, DType dtype) {
    if (dtype == x.dtype) return summed_in_place(x, addend);
    return rounded(summed_in_place(as_float64(x), addend), x.shape.columns(), dtype);
}

}  // namespace pegen::rows
