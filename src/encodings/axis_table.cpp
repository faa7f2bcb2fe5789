#include "encodings/axis_table.h"

#include <utility>

#include "pegen/core/bands.h"

namespace pegen::encodings {
namespace {

constexpr std::int64_t most_kept_bytes = std::int64_t{1} << 23;
constexpr std::int64_t band_bytes = std::int64_t{1} << 20;

std::size_t to_size(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

AxisTable::AxisTable(RowSource source, std::int64_t rows, std::int64_t bytes_per_row)
    : rows_(rows), bytes_per_row_(bytes_per_row) {
    if (rows <= most_kept_bytes / bytes_per_row) {
        kept_.resize(to_size(rows * bytes_per_row));
        source({0, rows}, kept_);
    } else {
        bands_ = in_bands(std::move(source), rows, rows_holding(band_bytes, bytes_per_row),
                          bytes_per_row);
    }
}

const std::byte* AxisTable::read(RowRange range, std::vector<std::byte>& scratch) const {
    if (!bands_) return kept_.data() + range.first * bytes_per_row_;
    scratch.resize(to_size(range.count * bytes_per_row_));
    bands_(range, scratch);
    return scratch.data();
}

}  // namespace pegen::encodings
