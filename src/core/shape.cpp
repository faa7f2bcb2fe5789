#include "core/shape.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/error.h"
#include "core/names.h"

namespace pegen {

Shape::Shape(std::initializer_list<std::int64_t> extents)
    : Shape(std::vector<std::int64_t>(extents)) {}

Shape::Shape(std::vector<std::int64_t> extents) : extents_(std::move(extents)) {
    if (rank() > 1) columns_ = extents_.back();
    for (const std::int64_t extent : extents_) {
        if (extent < 0) throw UsageError(fmt::format("shape {}: negative", to_string(*this)));
    }
    for (std::size_t axis = 0; axis + (rank() > 1) < extents_.size(); ++axis) {
        rows_ = checked_product(rows_, extents_[axis], "the table");
    }
    const std::int64_t elements = checked_product(rows_, columns_, "the table");
    // Sizes of what is in memory are converted to std::size_t without a look.
    constexpr std::int64_t most = PTRDIFF_MAX / 8;
    if (sizeof(std::size_t) < 8 && elements > most) {
        throw UsageError(
            fmt::format("shape {}: a program with addresses of 32 bits makes at most {} values",
                        to_string(*this), most));
    }
}

std::string to_string(const Shape& shape) {
    if (shape.rank() == 1) return fmt::format("({},)", shape[0]);
    return fmt::format("({})", joined(shape.extents(), ", "));
}

std::vector<std::int64_t> strides_of(std::span<const std::int64_t> extents) {
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (std::size_t axis = extents.size(); axis-- > 1;) {
        strides[axis - 1] = strides[axis] * extents[axis];
    }
    return strides;
}

std::vector<std::int64_t> index_of(std::int64_t element, std::span<const std::int64_t> extents) {
    std::vector<std::int64_t> index(extents.size());
    for (std::size_t axis = extents.size(); axis-- > 0; element /= extents[axis]) {
        index[axis] = element % extents[axis];
    }
    return index;
}

std::vector<std::int64_t> index_of_row(const Shape& shape, std::int64_t row) {
    const int axes = shape.rank() > 1 ? shape.rank() - 1 : shape.rank();
    return index_of(row, std::span(shape.extents()).first(axes));
}

std::vector<std::int64_t> squeezed(const std::vector<std::int64_t>& extents) {
    std::vector<std::int64_t> kept = extents;
    std::erase(kept, 1);
    if (kept.empty()) kept.push_back(1);
    return kept;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* what) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) {
        throw UsageError(
            fmt::format("{}: {} x {} is too large; sizes end at 2^63 - 1", what, a, b));
    }
    return product;
}

}  // namespace pegen
