#include "rows/arranged.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <memory>

#include "core/clones.h"
#include "core/dtype.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "rows/kept.h"

namespace pegen::rows {
namespace {

/// A run of columns that follow each other, which are moved at once.
struct Run {
    std::int64_t from;
    std::int64_t to;
    std::int64_t count;
};

std::vector<Run> runs_of(const std::vector<std::int64_t>& chosen) {
    std::vector<Run> runs;
    for (std::int64_t i = 0; i < std::ssize(chosen); ++i) {
        const std::int64_t from = chosen[i];
        if (!runs.empty() && runs.back().from + runs.back().count == from) {
            ++runs.back().count;
        } else {
            runs.push_back({from, i, 1});
        }
    }
    return runs;
}

/// Returns the number of rows from one index of `axis` to the next.
std::int64_t rows_per_index(const Shape& shape, int axis) {
    std::int64_t rows = 1;
    for (int inner = axis + 1; inner < shape.rank() - 1; ++inner) rows *= shape[inner];
    return rows;
}

Rows permuted_columns(const Rows& x, const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> chosen;
    for (std::int64_t block = 0; block < x.columns(); block += std::ssize(order)) {
        for (const std::int64_t index : order) chosen.push_back(block + index);
    }
    return chosen_columns(x, chosen);
}

/// Transposes: columns[column][range.first + i] = some[i][column].
template <class T>
void transpose(const T* some, RowRange range, std::int64_t rows, std::int64_t columns, T* out) {
    for (std::int64_t column = 0; column < columns; ++column) {
        T* const to = out + column * rows + range.first;
        for (std::int64_t i = 0; i < range.count; ++i) to[i] = some[i * columns + column];
    }
}

PEGEN_CLONES void merge(const std::byte* __restrict from, std::size_t count,
                        std::byte* __restrict to) {
    for (std::size_t i = 0; i < count; ++i) to[i] |= from[i];
}

}  // namespace

Rows slice(const Rows& rows, RowRange range) {
    return {[=](RowRange asked, std::span<std::byte> out) {
                rows({range.first + asked.first, asked.count}, out);
            },
            range.count, rows.columns(), rows.dtype()};
}

Rows reshaped(const Rows& rows, std::int64_t columns) {
    const std::int64_t before = rows.columns();
    if (columns == before) return rows;
    const std::int64_t count = columns == 0 ? 0 : rows.count() * before / columns;
    assert(count * columns == rows.count() * before);
    return {[=](RowRange range, std::span<std::byte> out) {
                const std::int64_t first = range.first * columns;
                const std::int64_t end = first + range.count * columns;
                const RowRange wider{first / before, (end + before - 1) / before - first / before};
                if (wider.first * before == first && wider.count * before == end - first) {
                    rows(wider, out);
                    return;
                }
                std::vector<std::byte> whole(wider.count * rows.bytes_per_row());
                rows(wider, whole);
                const std::size_t element = info(rows.dtype()).size;
                const std::size_t skipped = (first - wider.first * before) * element;
                std::memcpy(out.data(), whole.data() + skipped, out.size());
            },
            count, columns, rows.dtype()};
}

Rows repeated(const Rows& rows, std::int64_t times) {
    if (times == 1) return rows;
    return {[=](RowRange range, std::span<std::byte> out) {
                const std::int64_t first = range.first / times, bytes = rows.bytes_per_row();
                const std::int64_t end = (range.first + range.count + times - 1) / times;
                std::vector<std::byte> some((end - first) * bytes);
                rows({first, end - first}, some);
                std::byte* place = out.data();
                for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
                    place = std::copy_n(some.begin() + (row / times - first) * bytes, bytes, place);
                }
            },
            rows.count() * times, rows.columns(), rows.dtype()};
}

Rows concatenated(const std::vector<Rows>& parts) {
    std::vector<std::int64_t> ends;  // the row after the last one of each part
    for (const Rows& part : parts) {
        ends.push_back((ends.empty() ? 0 : ends.back()) + part.count());
    }
    return {[=](RowRange range, std::span<std::byte> out) {
                std::size_t i = std::ranges::upper_bound(ends, range.first) - ends.begin();
                for (; range.count > 0; ++i) {
                    const Rows& part = parts[i];
                    const std::int64_t count = std::min(range.count, ends[i] - range.first);
                    const std::size_t bytes = count * part.bytes_per_row();
                    part({range.first - (ends[i] - part.count()), count}, out.first(bytes));
                    out = out.subspan(bytes);
                    range = {range.first + count, range.count - count};
                }
            },
            ends.back(), parts.front().columns(), parts.front().dtype()};
}

Rows side_by_side(const std::vector<Rows>& parts) {
    std::int64_t columns = 0, bytes_per_row = 0, widest = 0;
    for (const Rows& part : parts) {
        columns += part.columns();
        bytes_per_row += part.bytes_per_row();
        widest = std::max(widest, part.bytes_per_row());
    }
    // Rows of a part are made a few at a time, so that they stay in the cache.
    const std::int64_t at_once = rows_holding(1 << 16, widest);
    return {[=](RowRange range, std::span<std::byte> out) {
                std::vector<std::byte> some(std::min(at_once, range.count) * widest);
                for (std::int64_t done = 0; done < range.count; done += at_once) {
                    const std::int64_t count = std::min(at_once, range.count - done);
                    std::byte* column = out.data() + done * bytes_per_row;
                    for (const Rows& part : parts) {
                        const std::int64_t bytes = part.bytes_per_row();
                        part({range.first + done, count}, std::span(some).first(count * bytes));
                        for (std::int64_t i = 0; i < count; ++i) {
                            std::memcpy(column + i * bytes_per_row, some.data() + i * bytes, bytes);
                        }
                        column += bytes;
                    }
                }
            },
            parts.front().count(), columns, parts.front().dtype()};
}

Rows with_zero_rows_before(const Rows& rows, std::int64_t count) {
    return {
        [=](RowRange range, std::span<std::byte> out) {
            const std::int64_t zeros =
                std::clamp<std::int64_t>(count - range.first, 0, range.count);
            const std::size_t zero_bytes = zeros * rows.bytes_per_row();
            std::memset(out.data(), 0, zero_bytes);
            if (zeros < range.count) {
                rows({range.first + zeros - count, range.count - zeros}, out.subspan(zero_bytes));
            }
        },
        count + rows.count(), rows.columns(), rows.dtype()};
}

Rows with_zero_row(const Rows& rows, std::int64_t row) {
    return rows_like(rows, [=](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        if (row < range.first || row >= range.first + range.count) return;
        const std::size_t bytes = rows.bytes_per_row();
        std::memset(out.data() + (row - range.first) * bytes, 0, bytes);
    });
}

Rows chosen_columns(const Rows& rows, const std::vector<std::int64_t>& chosen) {
    const std::size_t element_bytes = info(rows.dtype()).size;
    const std::size_t to_bytes = chosen.size() * element_bytes;
    // Whole rows are made a few at a time, so that they stay in the cache.
    const std::int64_t at_once = rows_holding(1 << 14, rows.columns());
    return {[=, runs = runs_of(chosen)](RowRange range, std::span<std::byte> out) {
                const std::size_t from_bytes = rows.bytes_per_row();
                std::vector<std::byte> whole(std::min(at_once, range.count) * from_bytes);
                for (std::int64_t done = 0; done < range.count; done += at_once) {
                    const std::int64_t count = std::min(at_once, range.count - done);
                    rows({range.first + done, count}, std::span(whole).first(count * from_bytes));
                    for (std::int64_t i = 0; i < count; ++i) {
                        const std::byte* const from = whole.data() + i * from_bytes;
                        std::byte* const to = out.data() + (done + i) * to_bytes;
                        for (const Run& run : runs) {
                            std::memcpy(to + run.to * element_bytes,
                                        from + run.from * element_bytes, run.count * element_bytes);
                        }
                    }
                }
            },
            rows.count(), std::ssize(chosen), rows.dtype()};
}

Rows chosen_rows(const Rows& rows, const std::vector<std::int64_t>& chosen) {
    return {[=](RowRange range, std::span<std::byte> out) {
                const std::size_t bytes = rows.bytes_per_row();
                for (std::int64_t i = 0; i < range.count; ++i) {
                    rows({chosen[range.first + i], 1}, out.subspan(i * bytes, bytes));
                }
            },
            std::ssize(chosen), rows.columns(), rows.dtype()};
}

Rows permuted_rows(const Rows& rows, const std::vector<std::int64_t>& order, std::int64_t group) {
    const auto source = std::make_shared<const AxisTable>(rows);
    return rows_like(rows, [=](RowRange range, std::span<std::byte> out) {
        AxisReader reader(*source);
        const std::int64_t block = std::ssize(order), bytes = source->bytes_per_row();
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t index = (range.first + i) / group;
            const std::int64_t from = index - index % block + order[index % block];
            std::memcpy(out.data() + i * bytes,
                        reader.row(from * group + (range.first + i) % group, 1), bytes);
        }
    });
}

Rows permuted(const Table& x, int axis, const std::vector<std::int64_t>& order) {
    if (x.shape.size() == 0) return x.rows;
    const bool is_columns = x.shape.rank() > 1 && axis == x.shape.rank() - 1;
    return is_columns ? permuted_columns(x.rows, order)
                      : permuted_rows(x.rows, order, rows_per_index(x.shape, axis));
}

std::vector<std::byte> columns_of(const Rows& rows) {
    // As many values are read at a time as stay in the L2 cache while they are transposed.
    const std::int64_t at_once = rows_holding(1 << 16, rows.columns());
    std::vector<std::byte> all(rows.count() * rows.bytes_per_row());
    std::atomic<std::int64_t> done = 0;
    parallel_for((rows.count() + at_once - 1) / at_once, [&](std::int64_t block) {
        const RowRange range{block * at_once, std::min(at_once, rows.count() - block * at_once)};
        std::vector<std::byte> some(range.count * rows.bytes_per_row());
        rows(range, some);
        with_element_type(rows.dtype(), [&]<class T>(std::type_identity<T>) {
            transpose(reinterpret_cast<const T*>(some.data()), range, rows.count(), rows.columns(),
                      reinterpret_cast<T*>(all.data()));
        });
        report(done += range.count, rows.count());
    });
    return all;
}

Rows transposed(const Rows& rows) {
    const auto all = std::make_shared<const std::vector<std::byte>>(columns_of(rows));
    return {[all, bytes = rows.count() * info(rows.dtype()).size](RowRange range,
                                                                  std::span<std::byte> out) {
                std::memcpy(out.data(), all->data() + range.first * bytes, out.size());
            },
            rows.columns(), rows.count(), rows.dtype()};
}

void merge_into(std::span<std::byte> rows, std::span<const std::byte> more) {
    for (std::size_t first = 0; first < rows.size(); first += more.size()) {
        merge(more.data(), more.size(), rows.data() + first);
    }
}

Rows merged(const std::vector<Rows>& sources) {
    if (sources.size() == 1) return sources.front();
    const std::int64_t bytes_per_row = sources.front().bytes_per_row();
    // Rows are made a few at a time, so that they stay in the cache.
    const std::int64_t at_once = rows_holding(1 << 15, bytes_per_row);
    return rows_like(sources.front(), [=](RowRange range, std::span<std::byte> out) {
        std::vector<std::byte> more(std::min(at_once, range.count) * bytes_per_row);
        for (std::int64_t done = 0; done < range.count; done += at_once) {
            const RowRange some{range.first + done, std::min(at_once, range.count - done)};
            const auto rows = out.first(some.count * bytes_per_row);
            const auto others = std::span(more).first(rows.size());
            out = out.subspan(rows.size());
            sources.front()(some, rows);
            for (const Rows& source : std::span(sources).subspan(1)) {
                source(some, others);
                merge_into(rows, others);
            }
        }
    });
}

}  // namespace pegen::rows
