#include "pegen/inspect/statistics.h"

#include <cmath>
#include <concepts>
#include <cstring>
#include <span>
#include <vector>

#include "core/to_size.h"
#include "inspect/element_text.h"
#include "inspect/wide.h"
#include "pegen/core/element.h"
#include "pegen/core/parallel.h"
#include "pegen/formats/tiles.h"

namespace pegen {
namespace {

/// A sum of doubles that keeps what rounding takes from it. Source: Knuth's two-sum.
class CarefulSum {
  public:
    void add(double value) {
        const double total = high_ + value;
        const double of_value = total - high_;
        low_ += (high_ - (total - of_value)) + (value - of_value);
        high_ = total;
    }
    void add(const CarefulSum& other) {
        add(other.high_);
        low_ += other.low_;
    }
    double over(double count) const { return high_ / count + low_ / count; }

  private:
    double high_ = 0;
    double low_ = 0;
};

/// Of floats: as many as a table may have cannot overflow.
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

/// Of integers: exact.
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

/// In which elements are compared and added.
template <class T>
auto number_of(T element) {
    if constexpr (std::integral<T>) {
        return static_cast<Wide>(element);
    } else {
        return widen(element);
    }
}

template <class T>
struct Part {
    using Number = decltype(number_of(T{}));
    using Sum = std::conditional_t<std::integral<T>, IntegerSum, FloatSum>;

    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    std::int64_t finite = 0;
    T lowest{};
    T highest{};
    Sum sum;

    void add(T element) {
        const Number number = number_of(element);
        if constexpr (!std::integral<T>) {
            nans += std::isnan(number);
            infinities += std::isinf(number);
            if (!std::isfinite(number)) return;
        }
        if (finite == 0 || number < number_of(lowest)) lowest = element;
        if (finite == 0 || number > number_of(highest)) highest = element;
        ++finite;
        sum.add(number);
    }

    void add(const Part& later) {
        nans += later.nans;
        infinities += later.infinities;
        sum.add(later.sum);
        if (later.finite == 0) return;
        if (finite == 0 || number_of(later.lowest) < number_of(lowest)) lowest = later.lowest;
        if (finite == 0 || number_of(later.highest) > number_of(highest)) highest = later.highest;
        finite += later.finite;
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

template <class T>
Statistics summary(const Part<T>& all) {
    Statistics result{all.nans, all.infinities, all.finite, {}, {}, 0};
    if (all.finite == 0) return result;
    result.lowest = element_text(all.lowest);
    result.highest = element_text(all.highest);
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
        std::vector<Product> products(to_size(thread_count()));
        Part<T> all;
        parallel_in_order(
            table.shape.size() > 0 ? tiles.count() : 0,
            [&](std::int64_t tile, int worker) {
                Product& product = products[to_size(worker)];
                product.rows.resize(to_size(tiles[tile].count * row_bytes(table)));
                table.rows(tiles[tile], product.rows);
                product.part = part_of<T>(product.rows);
            },
            [&](std::int64_t tile, int worker) {
                all.add(products[to_size(worker)].part);
                progress(tiles[tile].first + tiles[tile].count, tiles.rows);
            });
        return summary(all);
    });
}

}  // namespace pegen
