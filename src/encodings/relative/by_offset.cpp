#include "encodings/relative/by_offset.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/checks.h"
#include "rows/kept.h"

namespace pegen::encodings {

RealRows line_of(const NumberOfOffset& number, rows::AttentionSize size) {
    return {[=](RowRange, std::span<double> out) {
                std::int64_t offset = size.smallest_distance();
                for (double& value : out) value = static_cast<double>(number(offset++));
            },
            1, size.distances()};
}

Plan plan_by_offset(Parameters p, rows::AttentionSize size, const NumberOfOffset& number) {
    return {.parameters = std::move(p),
            .shape = {size.queries, size.keys},
            .axes = {query_axis(size), key_axis(size)},
            .make_rows = [=](DType dtype) {
                std::vector<double> line(size.distances());
                line_of(number, size).fill({0, 1}, line);
                const auto [lowest, highest] = std::ranges::minmax(line);
                check_holds(dtype, std::max(-lowest, highest), "the largest number");
                return rows::by_distance(
                    rounded(rows::kept_rows(std::move(line), size.distances()), dtype), size);
            }};
}

}  // namespace pegen::encodings
