#include "rows/gathered.h"

#include <algorithm>
#include <utility>

#include "core/to_size.h"

namespace pegen::rows {

RealRowSource kept_rows(KeptRows kept, std::int64_t columns) {
    return [=, kept = std::move(kept)](RowRange range, std::span<double> out) {
        std::copy_n(kept->begin() + range.first * columns, std::ssize(out), out.begin());
    };
}

RealRowSource gathered_by_head(RealRowSource index, std::int64_t rows, KeptRows weights,
                               std::int64_t heads) {
    return [=, index = std::move(index), weights = std::move(weights)](RowRange range,
                                                                       std::span<double> out) {
        const std::size_t columns = out.size() / to_size(range.count);
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t head = (range.first + i) / rows;
            const std::span<double> row = out.subspan(to_size(i) * columns, columns);
            index({(range.first + i) % rows, 1}, row);
            for (double& value : row) {
                value = (*weights)[to_size(static_cast<std::int64_t>(value) * heads + head)];
            }
        }
    };
}

}  // namespace pegen::rows
