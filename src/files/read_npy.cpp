#include "files/read_npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/error.h"
#include "core/to_size.h"
#include "files/npy.h"

namespace pegen {
namespace {

/// An open NPY file. Rows are read with pread, so any number of threads may read at once, and a
/// file that shrinks meanwhile causes an error, not the signal that a mapping would.
struct NpyFile {
    explicit NpyFile(std::shared_ptr<const InputFile> open)
        : file(std::move(open)), header(read_npy_header(*file)) {}

    std::shared_ptr<const InputFile> file;
    NpyHeader header;
    std::size_t element_size = info(header.dtype).size;
    std::int64_t rows = header.shape.rows();
    std::int64_t columns = header.shape.columns();
};

/// Converts `elements` from how they are stored in the file to how they are in memory.
void make_native(const NpyHeader& header, std::size_t element_size, std::span<std::byte> elements) {
    if (header.is_big_endian) {
        for (std::size_t i = 0; i < elements.size(); i += element_size) {
            std::reverse(elements.data() + i, elements.data() + i + element_size);
        }
    }
    if (header.dtype == DType::boolean) {
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
    std::vector<WantedRow> wanted(to_size(range.count));
    for (std::int64_t i = 0; i < range.count; ++i) {
        std::int64_t place = 0;
        std::int64_t rest = range.first + i;
        for (int axis = shape.rank() - 2; axis >= 0; --axis) {
            place += rest % shape[axis] * strides[to_size(axis)];
            rest /= shape[axis];
        }
        wanted[to_size(i)] = {place, i};
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
void read_fortran(const NpyFile& npy, RowRange range, std::span<std::byte> out) {
    const std::vector<WantedRow> wanted = wanted_rows(npy.header.shape, range);
    const std::size_t size = npy.element_size;
    std::vector<std::byte> run;
    for (std::size_t begin = 0; begin < wanted.size();) {
        const auto rows =
            std::span(wanted).subspan(begin, run_length(std::span(wanted).subspan(begin), size));
        begin += rows.size();
        run.resize(to_size(rows.back().place - rows.front().place + 1) * size);
        for (std::int64_t column = 0; column < npy.columns; ++column) {
            const std::int64_t first = column * npy.rows + rows.front().place;
            npy.file->read(npy.header.end + first * static_cast<std::int64_t>(size), run);
            for (const WantedRow& wish : rows) {
                std::memcpy(out.data() + to_size(wish.row * npy.columns + column) * size,
                            run.data() + to_size(wish.place - rows.front().place) * size, size);
            }
        }
    }
}

/// Reads elements in the order of the file.
void read_stored(const NpyFile& npy, RowRange range, std::span<std::byte> out) {
    npy.file->read(npy.header.end + range.first * static_cast<std::int64_t>(npy.element_size), out);
    make_native(npy.header, npy.element_size, out);
}

void read_rows_of(const NpyFile& npy, RowRange range, std::span<std::byte> out) {
    if (out.empty()) return;  // there may be very many rows without elements
    if (npy.header.fortran_order && npy.header.shape.rank() > 1) {
        read_fortran(npy, range, out);
        make_native(npy.header, npy.element_size, out);
    } else {
        read_stored(npy, {range.first * npy.columns, range.count * npy.columns}, out);
    }
}

/// Throws: FormatError unless the elements end where the file ends.
void check_size(const InputFile& file, const NpyHeader& header) {
    const auto element = static_cast<std::int64_t>(info(header.dtype).size);
    std::int64_t bytes = 0;
    std::int64_t end = 0;
    if (__builtin_mul_overflow(header.shape.size(), element, &bytes) ||
        __builtin_add_overflow(header.end, bytes, &end)) {
        throw FormatError(file.path(), header.end,
                          fmt::format("shape {}: too large for any file", to_string(header.shape)));
    }
    // Asks for one byte more instead of the size, which would wait for the end of a longer pipe.
    if (file.holds(end) && !file.holds(end + 1)) return;
    throw FormatError(
        file.path(), std::min(end, file.size()),
        fmt::format("the file has {} bytes where shape {} of {} needs {}", file.size(),
                    to_string(header.shape), info(header.dtype).name, end));
}

}  // namespace

NpyArray read_npy(std::shared_ptr<const InputFile> file) {
    const auto npy = std::make_shared<const NpyFile>(std::move(file));
    check_size(*npy->file, npy->header);
    NpyArray array{npy->header, {}, {}};
    array.table.shape = npy->header.shape;
    array.table.dtype = npy->header.dtype;
    for (int axis = 0; axis < npy->header.shape.rank(); ++axis) {
        array.table.axes.push_back({.name = fmt::format("axis{}", axis)});
    }
    array.table.rows = [npy](RowRange range, std::span<std::byte> out) {
        read_rows_of(*npy, range, out);
    };
    array.stored.shape = {npy->header.shape.size()};
    array.stored.dtype = npy->header.dtype;
    array.stored.axes = {{.name = "element"}};
    array.stored.rows = [npy](RowRange range, std::span<std::byte> out) {
        read_stored(*npy, range, out);
    };
    return array;
}

std::int64_t stored_place(const NpyHeader& header, std::int64_t element) {
    if (!header.fortran_order) return element;
    std::int64_t place = 0;
    for (int axis = header.shape.rank() - 1; axis >= 0; --axis) {
        // The last axis runs fastest in C order and slowest in Fortran order.
        place = place * header.shape[axis] + element % header.shape[axis];
        element /= header.shape[axis];
    }
    return place;
}

Table read_npy(std::string_view path) {
    return read_npy(std::make_shared<const InputFile>(path)).table;
}

}  // namespace pegen
