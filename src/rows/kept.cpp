#include "rows/kept.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

#include "core/parallel.h"
#include "core/progress.h"

namespace pegen::rows {
namespace {

constexpr std::int64_t most_bytes_ahead = std::int64_t{1} << 18;

struct Band {
    RowRange range;
    std::vector<std::byte> rows;
};

/// The bands that were asked for most recently.
class Bands {
  public:
    Bands(Rows rows, std::int64_t band)
        : rows_(std::move(rows)), band_(band), kept_(2 * thread_count()) {}

    void copy(RowRange range, std::span<std::byte> out) {
        const std::int64_t end = range.first + range.count;
        for (std::int64_t row = range.first; row < end;) {
            const std::shared_ptr<const Band> band = around(row);
            const std::int64_t stop = std::min(end, band->range.first + band->range.count);
            std::memcpy(out.data() + (row - range.first) * rows_.bytes_per_row(),
                        band->rows.data() + (row - band->range.first) * rows_.bytes_per_row(),
                        bytes(stop - row));
            row = stop;
        }
    }

  private:
    std::size_t bytes(std::int64_t rows) const { return rows * rows_.bytes_per_row(); }

    std::shared_ptr<const Band> around(std::int64_t row) {
        const std::int64_t first = row / band_ * band_;
        {
            const std::lock_guard lock(mutex_);
            for (const auto& band : kept_) {
                if (band && band->range.first == first) return band;
            }
        }
        // Without the lock other threads go on; at worst two of them compute the same band.
        const auto made = std::make_shared<Band>();
        made->range = {first, std::min(band_, rows_.count() - first)};
        made->rows.resize(bytes(made->range.count));
        rows_(made->range, made->rows);
        const std::lock_guard lock(mutex_);
        kept_[oldest_] = made;
        oldest_ = (oldest_ + 1) % kept_.size();
        return made;
    }

    Rows rows_;
    std::int64_t band_;
    std::mutex mutex_;
    std::vector<std::shared_ptr<const Band>> kept_;
    std::size_t oldest_ = 0;
};

}  // namespace

std::shared_ptr<const std::vector<std::byte>> elements_of(const Rows& rows) {
    constexpr std::int64_t values_at_once = 1 << 12;
    const std::int64_t count = rows.count(), bytes = rows.bytes_per_row();
    const std::int64_t at_once = rows_holding(values_at_once, rows.columns());
    auto all = std::make_shared<std::vector<std::byte>>(
        checked_product(count, bytes, "the rows in bytes"));
    std::atomic<std::int64_t> done = 0;
    parallel_for((count + at_once - 1) / at_once, [&](std::int64_t block) {
        const std::int64_t first = block * at_once;
        const RowRange range{first, std::min(at_once, count - first)};
        rows(range, std::span(*all).subspan(first * bytes, range.count * bytes));
        report(done += range.count, count);
    });
    return all;
}

Rows kept(const Rows& rows) {
    const std::int64_t bytes = rows.bytes_per_row();
    return rows_like(rows, [=, all = elements_of(rows)](RowRange range, std::span<std::byte> out) {
        std::copy_n(all->begin() + range.first * bytes, out.size(), out.begin());
    });
}

Rows in_bands(const Rows& rows, std::int64_t band) {
    return rows_like(rows,
                     [bands = std::make_shared<Bands>(rows, band)](
                         RowRange range, std::span<std::byte> out) { bands->copy(range, out); });
}

RealRows kept_rows(KeptRows kept, std::int64_t columns) {
    const std::int64_t count = std::ssize(*kept) / columns;
    return {[=, kept = std::move(kept)](RowRange range, std::span<double> out) {
                std::copy_n(kept->begin() + range.first * columns, std::ssize(out), out.begin());
            },
            count, columns};
}

RealRows kept_rows(std::vector<double> numbers, std::int64_t columns) {
    return kept_rows(std::make_shared<const std::vector<double>>(std::move(numbers)), columns);
}

AxisTable::AxisTable(Rows rows, std::int64_t most_bytes)
    : rows_(std::move(rows)), is_kept_(rows_.count() <= most_bytes / rows_.bytes_per_row()) {
    if (!is_kept_) return;
    kept_.resize(rows_.count() * rows_.bytes_per_row());
    rows_({0, rows_.count()}, kept_);
    rows_ = rows_like(rows_, nullptr);  // frees what the rows were made of
}

const std::byte* AxisTable::read(RowRange range, std::vector<std::byte>& scratch) const {
    if (is_kept_) return kept_.data() + range.first * bytes_per_row();
    scratch.resize(range.count * bytes_per_row());
    rows_(range, scratch);
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
