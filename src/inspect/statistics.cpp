#include "inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/dtype.h"
#include "core/parallel.h"
#include "formats/write.h"
#include "inspect/careful_sum.h"
#include "inspect/cell_text.h"
#include "inspect/wide.h"

namespace pegen {
namespace {

/// A sum of floats that cannot overflow, however many floats a table has.
class FloatSum {
  public:
    void add(double value) {
        std::fabs(value) < huge ? usual_.add(value) : large_.add(value * small_scale);
    }
    void add(const FloatSum& other) {
        usual_.add(other.usual_);
        large_.add(other.large_);
    }
    double over(std::int64_t count) const {
        const auto all = static_cast<double>(count);
        return usual_.over(all) + large_.over(all) / small_scale;
    }

  private:
    static constexpr double huge = 0x1p900, small_scale = 0x1p-64;
    CarefulSum usual_;
    CarefulSum large_;
};

/// An exact sum of integers.
class IntegerSum {
  public:
    void add(Wide value) { sum_ += value; }
    void add(const IntegerSum& other) { sum_ += other.sum_; }
    double over(std::int64_t count) const {
        return static_cast<double>(sum_ / count) +
               static_cast<double>(sum_ % count) / static_cast<double>(count);
    }

  private:
    Wide sum_ = 0;
};

template <class T>
struct Part {
    /// The type in which elements are compared: T itself for integers and bool, double for floats.
    using Number = std::conditional_t<std::integral<T>, T, double>;
    using Sum = std::conditional_t<std::integral<T>, IntegerSum, FloatSum>;
    using Limits = std::numeric_limits<Number>;

    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    std::int64_t finite = 0;
    Number lowest = Limits::max();
    Number highest = Limits::lowest();
    Sum sum;

    void add(T element) {
        const Number number = widened(element);
        if constexpr (!std::integral<T>) {
            nans += std::isnan(number);
            infinities += std::isinf(number);
            if (!std::isfinite(number)) return;
        }
        lowest = std::min(lowest, number);
        highest = std::max(highest, number);
        ++finite;
        sum.add(number);
    }

    void add(const Part& later) {
        nans += later.nans;
        infinities += later.infinities;
        finite += later.finite;
        lowest = std::min(lowest, later.lowest);
        highest = std::max(highest, later.highest);
        sum.add(later.sum);
    }

  private:
    static Number widened(T element) {
        if constexpr (std::integral<T>) {
            return element;
        } else {
            return widen(element);
        }
    }
};

template <class T>
Part<T> part_of(std::span<const std::byte> elements) {
    Part<T> part;
    for (std::size_t offset = 0; offset < elements.size(); offset += sizeof(T)) {
        T element;
        std::memcpy(&element, elements.data() + offset, sizeof element);
        part.add(element);
    }
    return part;
}

/// Returns the element that was widened to this number.
template <class T, class Number>
T as_element(Number number) {
    if constexpr (std::integral<T>) {
        return number;
    } else {
        return round_to<T>(number);
    }
}

template <class T>
Statistics summary(const Part<T>& all) {
    Statistics result{all.nans, all.infinities, all.finite, {}, {}, 0};
    if (all.finite == 0) return result;
    result.lowest = element_text(as_element<T>(all.lowest));
    result.highest = element_text(as_element<T>(all.highest));
    result.mean = all.sum.over(all.finite);
    return result;
}

}  // namespace

Statistics statistics_of(const Table& table, const Progress& progress) {
    return with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        struct Product {
            std::vector<std::byte> rows;
            Part<T> part;
        };
        const Tiles tiles = tiles_of(table);
        std::vector<Product> products(thread_count());
        Part<T> all;
        parallel_in_order(
            table.shape.size() > 0 ? tiles.count() : 0,
            [&](std::int64_t tile, int worker) {
                Product& product = products[worker];
                product.rows.resize(tiles[tile].count * row_bytes(table));
                table.rows(tiles[tile], product.rows);
                product.part = part_of<T>(product.rows);
            },
            [&](std::int64_t tile, int worker) {
                all.add(products[worker].part);
                progress(tiles[tile].first + tiles[tile].count, tiles.rows);
            });
        return summary(all);
    });
}

}  // namespace pegen
