#include "rows/concatenated.h"

#include <algorithm>
#include <utility>

#include "core/to_size.h"

namespace pegen::rows {

RowSource concatenated(std::vector<Part> parts, std::int64_t bytes_per_row) {
    return [=, parts = std::move(parts)](RowRange range, std::span<std::byte> out) {
        const std::int64_t end = range.first + range.count;
        std::int64_t begin = 0;  // the first row of the part
        for (const Part& part : parts) {
            const std::int64_t first = std::max(range.first, begin);
            const std::int64_t count = std::min(end, begin + part.count) - first;
            if (count > 0) {
                part.rows({first - begin, count},
                          out.subspan(to_size((first - range.first) * bytes_per_row),
                                      to_size(count * bytes_per_row)));
            }
            begin += part.count;
        }
    };
}

}  // namespace pegen::rows
