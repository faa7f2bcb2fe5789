#include "files/stored_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/error.h"

namespace pegen {
namespace {

/// An array in an open file. Rows are read with pread, so any number of threads may read at once,
/// and a file that shrinks meanwhile causes an error, not the signal that a mapping would.
struct OpenArray {
    std::shared_ptr<const InputFile> file;
    ArrayLayout layout;
    std::size_t element_size = info(layout.dtype).size;
    std::int64_t rows = layout.shape.rows();
    std::int64_t columns = layout.shape.columns();
};

/// Converts `elements` from their form in the file to their form in memory.
void make_native(const ArrayLayout& layout, std::size_t element_size,
                 std::span<std::byte> elements) {
    if (layout.is_big_endian) {
        for (std::size_t i = 0; i < elements.size(); i += element_size) {
            std::reverse(elements.data() + i, elements.data() + i + element_size);
        }
    }
    if (layout.dtype == DType::boolean) {
        for (std::byte& element : elements) element = std::byte{element != std::byte{0}};
    }
}

/// A requested row, and its place within each column of a Fortran-ordered file.
struct WantedRow {
    std::int64_t place;  ///< within a column of the file
    std::int64_t row;    ///< counted from the first requested row
};

/// Returns the rows of `range`, sorted by place: among the leading axes, the first one runs
/// fastest.
std::vector<WantedRow> wanted_rows(const Shape& shape, RowRange range) {
    std::vector<std::int64_t> strides{1};
    for (int axis = 0; axis < shape.rank() - 2; ++axis) {
        strides.push_back(strides.back() * shape[axis]);
    }
    std::vector<WantedRow> wanted(range.count);
    for (std::int64_t i = 0; i < range.count; ++i) {
        std::int64_t place = 0;
        std::int64_t rest = range.first + i;
        for (int axis = shape.rank() - 2; axis >= 0; --axis) {
            place += rest % shape[axis] * strides[axis];
            rest /= shape[axis];
        }
        wanted[i] = {place, i};
    }
    std::sort(wanted.begin(), wanted.end(),
              [](const WantedRow& a, const WantedRow& b) { return a.place < b.place; });
    return wanted;
}

/// Returns how many rows of `wanted` to read at a time: as many as leave no gap worth a call of its
/// own and span at most some hundred kilobytes.
std::size_t run_length(std::span<const WantedRow> wanted, std::size_t element_size) {
    const auto widest_gap = static_cast<std::int64_t>(4096 / element_size);
    const auto longest_run = static_cast<std::int64_t>((std::size_t{1} << 18) / element_size);
    std::size_t length = 1;
    while (length < wanted.size() &&
           wanted[length].place - wanted[length - 1].place <= widest_gap &&
           wanted[length].place - wanted[0].place < longest_run) {
        ++length;
    }
    return length;
}

/// Reads rows of a Fortran-ordered file, where the elements of one column lie together, for all
/// rows. For each column, the wanted rows are read in runs and spread over `out`. In a file of two
/// axes, a run has no gaps.
void read_fortran(const OpenArray& array, RowRange range, std::span<std::byte> out) {
    const std::vector<WantedRow> wanted = wanted_rows(array.layout.shape, range);
    const std::size_t size = array.element_size;
    std::vector<std::byte> run;
    for (std::size_t begin = 0; begin < wanted.size();) {
        const auto rows =
            std::span(wanted).subspan(begin, run_length(std::span(wanted).subspan(begin), size));
        begin += rows.size();
        run.resize((rows.back().place - rows.front().place + 1) * size);
        for (std::int64_t column = 0; column < array.columns; ++column) {
            const std::int64_t first = column * array.rows + rows.front().place;
            array.file->read(array.layout.begin + first * static_cast<std::int64_t>(size), run);
            for (const WantedRow& wish : rows) {
                std::memcpy(out.data() + (wish.row * array.columns + column) * size,
                            run.data() + (wish.place - rows.front().place) * size, size);
            }
        }
    }
}

/// Reads elements in the order of the file.
void read_stored(const OpenArray& array, RowRange range, std::span<std::byte> out) {
    array.file->read(
        array.layout.begin + range.first * static_cast<std::int64_t>(array.element_size), out);
    make_native(array.layout, array.element_size, out);
}

void read_rows_of(const OpenArray& array, RowRange range, std::span<std::byte> out) {
    if (out.empty()) return;  // there may be very many rows without elements
    if (array.layout.fortran_order && array.layout.shape.rank() > 1) {
        read_fortran(array, range, out);
        make_native(array.layout, array.element_size, out);
    } else {
        read_stored(array, {range.first * array.columns, range.count * array.columns}, out);
    }
}

/// The largest product of the other extents of an array without elements.
constexpr std::int64_t largest_empty_extents = 1 << 24;

/// Checks that the elements end where the file ends. Throws: FormatError.
void check_size(const InputFile& file, const ArrayLayout& layout) {
    const auto element = static_cast<std::int64_t>(info(layout.dtype).size);
    std::int64_t bytes = 0;
    std::int64_t end = 0;
    if (__builtin_mul_overflow(layout.shape.size(), element, &bytes) ||
        __builtin_add_overflow(layout.begin, bytes, &end)) {
        throw FormatError(file.path(), layout.begin,
                          fmt::format("shape {}: too large for any file", to_string(layout.shape)));
    }
    // Asks for one byte more instead of the size, which would wait for the end of a longer pipe.
    if (file.holds(end) && !file.holds(end + 1)) return;
    throw FormatError(
        file.path(), std::min(end, file.size()),
        fmt::format("the file has {} bytes where shape {} of {} needs {}", file.size(),
                    to_string(layout.shape), info(layout.dtype).name, end));
}

void check_empty_extents(const Shape& shape) {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape.extents()) {
        if (extent == 0) continue;
        if (extent > largest_empty_extents / product) {
            throw UsageError(
                fmt::format("shape {}: no elements, but other extents of more than 2^24 together",
                            to_string(shape)));
        }
        product *= extent;
    }
}

}  // namespace

Shape stored_shape(std::vector<std::int64_t> extents, std::string_view path,
                   std::optional<std::int64_t> offset) {
    try {
        Shape shape(std::move(extents));
        if (shape.size() == 0) check_empty_extents(shape);
        return shape;
    } catch (const UsageError& error) {
        if (offset) throw FormatError(path, *offset, error.what());
        throw FormatError(path, error.what());
    }
}

StoredArray stored_array(std::shared_ptr<const InputFile> file, const ArrayLayout& layout) {
    check_size(*file, layout);
    const auto open = std::make_shared<const OpenArray>(OpenArray{std::move(file), layout});
    StoredArray array{layout, {}, {}};
    array.table.shape = layout.shape;
    array.table.dtype = layout.dtype;
    for (int axis = 0; axis < layout.shape.rank(); ++axis) {
        array.table.axes.push_back({.name = fmt::format("axis{}", axis)});
    }
    array.table.rows = rows_like(array.table, [open](RowRange range, std::span<std::byte> out) {
        read_rows_of(*open, range, out);
    });
    array.stored.shape = {layout.shape.size()};
    array.stored.dtype = layout.dtype;
    array.stored.axes = {{.name = "element"}};
    array.stored.rows = rows_like(array.stored, [open](RowRange range, std::span<std::byte> out) {
        read_stored(*open, range, out);
    });
    return array;
}

std::int64_t stored_place(const ArrayLayout& layout, std::int64_t element) {
    if (!layout.fortran_order) return element;
    std::int64_t place = 0;
    for (int axis = layout.shape.rank() - 1; axis >= 0; --axis) {
        // The last axis runs fastest in C order and slowest in Fortran order.
        place = place * layout.shape[axis] + element % layout.shape[axis];
        element /= layout.shape[axis];
    }
    return place;
}

}  // namespace pegen
