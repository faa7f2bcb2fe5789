#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/to_size.h"
#include "files/input_file.h"
#include "files/npy_header.h"
#include "pegen/core/error.h"
#include "pegen/files/npy.h"

namespace pegen {
namespace {

/// An open NPY file. Rows are read with pread only, so any number of threads may ask at once, and
/// a file that shrinks under us is an error, not a signal.
struct NpyFile {
    explicit NpyFile(std::string_view path) : file(path), header(read_npy_header(file)) {}

    InputFile file;
    NpyHeader header;
    std::size_t element_size = info(header.dtype).size;
    std::int64_t rows = header.shape.rows();
    std::int64_t columns = header.shape.columns();
};

/// Makes `elements`, as they are in the file, what they are in memory.
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

/// A row that is wanted, and where it is within each column of a Fortran-ordered file.
struct WantedRow {
    std::int64_t place;  ///< in the file
    std::int64_t row;    ///< counted from the first one wanted
};

/// The rows of `range`, sorted by place: among the leading axes, the first runs fastest.
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

/// Rows to be read at a time: from `wanted` on, while the gaps are not worth a call of their own
/// and the bytes between stay within some hundred kilobytes.
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

/// Rows of a Fortran-ordered file: there, the elements of one column lie together, for all rows.
/// For each column, the wanted rows are read in runs and spread over `out`. In a file of two axes,
/// a run is without gaps.
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
            npy.file.read(npy.header.end + first * static_cast<std::int64_t>(size), run);
            for (const WantedRow& wish : rows) {
                std::memcpy(out.data() + to_size(wish.row * npy.columns + column) * size,
                            run.data() + to_size(wish.place - rows.front().place) * size, size);
            }
        }
    }
}

void read_rows_of(const NpyFile& npy, RowRange range, std::span<std::byte> out) {
    if (out.empty()) return;  // rows without elements may be many
    if (npy.header.fortran_order && npy.header.shape.rank() > 1) {
        read_fortran(npy, range, out);
    } else {
        const auto bytes_per_row = static_cast<std::int64_t>(npy.element_size) * npy.columns;
        npy.file.read(npy.header.end + range.first * bytes_per_row, out);
    }
    make_native(npy.header, npy.element_size, out);
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
    if (end == file.size()) return;
    throw FormatError(
        file.path(), std::min(end, file.size()),
        fmt::format("the file has {} bytes where shape {} of {} needs {}", file.size(),
                    to_string(header.shape), info(header.dtype).name, end));
}

}  // namespace

Table read_npy(std::string_view path) {
    const auto npy = std::make_shared<const NpyFile>(path);
    check_size(npy->file, npy->header);
    Table table;
    table.shape = npy->header.shape;
    table.dtype = npy->header.dtype;
    for (int axis = 0; axis < table.shape.rank(); ++axis) {
        table.axes.push_back({fmt::format("axis{}", axis), ""});
    }
    table.rows = [npy](RowRange range, std::span<std::byte> out) {
        read_rows_of(*npy, range, out);
    };
    return table;
}

}  // namespace pegen
