#include "rows/axis_table.h"

#include <algorithm>
#include <utility>

#include "core/to_size.h"

namespace pegen::rows {
namespace {

constexpr std::int64_t most_bytes_ahead = std::int64_t{1} << 18;

}  // namespace

AxisTable::AxisTable(RowSource source, std::int64_t rows, std::int64_t bytes_per_row,
                     std::int64_t most_bytes)
    : rows_(rows), bytes_per_row_(bytes_per_row) {
    if (rows <= most_bytes / bytes_per_row) {
        kept_.resize(to_size(rows * bytes_per_row));
        source({0, rows}, kept_);
    } else {
        source_ = std::move(source);
    }
}

const std::byte* AxisTable::read(RowRange range, std::vector<std::byte>& scratch) const {
    if (!source_) return kept_.data() + range.first * bytes_per_row_;
    scratch.resize(to_size(range.count * bytes_per_row_));
    source_(range, scratch);
    return scratch.data();
}

const std::byte* AxisReader::rows(RowRange range) {
    range_ = range;
    return rows_ = table_->read(range, scratch_);
}

const std::byte* AxisReader::row(std::int64_t index, std::int64_t wanted) {
    if (index < range_.first || index >= range_.first + range_.count) {
        const std::int64_t most = rows_holding(most_bytes_ahead, table_->bytes_per_row());
        rows({index, std::min({wanted, most, table_->rows() - index})});
    }
    return rows_ + (index - range_.first) * table_->bytes_per_row();
}

}  // namespace pegen::rows
