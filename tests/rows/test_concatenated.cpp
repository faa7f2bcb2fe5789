#include <doctest/doctest.h>

#include <vector>

#include "rows/arranged.h"

using namespace pegen;

namespace {

/// `count` rows of one byte: first, first + 1, ...
Rows counting(int first, std::int64_t count) {
    return {[first](RowRange range, std::span<std::byte> out) {
                for (std::byte& byte : out) byte = static_cast<std::byte>(first + range.first++);
            },
            count, 1, DType::uint8};
}

}  // namespace

TEST_CASE("concatenated: rows are those of the parts in order whatever the range") {
    const Rows rows =
        rows::concatenated({counting(10, 2), counting(0, 0), counting(20, 3), counting(30, 1)});
    CHECK(rows.count() == 6);
    const std::vector<int> expected{10, 11, 20, 21, 22, 30};
    for (std::size_t first = 0; first < 6; ++first) {
        for (std::size_t count = 0; count <= 6 - first; ++count) {
            std::vector<std::byte> out(count);
            rows({static_cast<std::int64_t>(first), static_cast<std::int64_t>(count)}, out);
            for (std::size_t i = 0; i < count; ++i) {
                CHECK(std::to_integer<int>(out[i]) == expected[first + i]);
            }
        }
    }
}
