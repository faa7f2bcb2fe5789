#include "rows/bands.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/parallel.h"

namespace pegen::rows {
namespace {

struct Band {
    RowRange range;
    std::vector<std::byte> rows;
};

/// The bands that were asked for most recently.
class Bands {
  public:
    Bands(RowSource source, std::int64_t rows, std::int64_t band, std::int64_t bytes_per_row)
        : source_(std::move(source)),
          rows_(rows),
          band_(band),
          bytes_per_row_(bytes_per_row),
          kept_(2 * static_cast<std::size_t>(thread_count())) {}

    void copy(RowRange range, std::span<std::byte> out) {
        const std::int64_t end = range.first + range.count;
        for (std::int64_t row = range.first; row < end;) {
            const std::shared_ptr<const Band> band = around(row);
            const std::int64_t stop = std::min(end, band->range.first + band->range.count);
            std::memcpy(out.data() + (row - range.first) * bytes_per_row_,
                        band->rows.data() + (row - band->range.first) * bytes_per_row_,
                        bytes(stop - row));
            row = stop;
        }
    }

  private:
    std::size_t bytes(std::int64_t rows) const {
        return static_cast<std::size_t>(rows * bytes_per_row_);
    }

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
        made->range = {first, std::min(band_, rows_ - first)};
        made->rows.resize(bytes(made->range.count));
        source_(made->range, made->rows);
        const std::lock_guard lock(mutex_);
        kept_[oldest_] = made;
        oldest_ = (oldest_ + 1) % kept_.size();
        return made;
    }

    RowSource source_;
    std::int64_t rows_;
    std::int64_t band_;
    std::int64_t bytes_per_row_;
    std::mutex mutex_;
    std::vector<std::shared_ptr<const Band>> kept_;
    std::size_t oldest_ = 0;
};

}  // namespace

RowSource in_bands(RowSource source, std::int64_t rows, std::int64_t band,
                   std::int64_t bytes_per_row) {
    return [bands = std::make_shared<Bands>(std::move(source), rows, band, bytes_per_row)](
               RowRange range, std::span<std::byte> out) { bands->copy(range, out); };
}

}  // namespace pegen::rows
