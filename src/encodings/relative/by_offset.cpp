#include "encodings/relative/by_offset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/checks.h"
#include "rows/kept.h"

namespace pegen::encodings {

std::vector<double> line_of(const NumberOfOffset& number, rows::AttentionSize size) {
    constexpr std::int64_t at_once = 2048;
    std::vector<double> line(size.distances());
    parallel_for((size.distances() + at_once - 1) / at_once, [&](std::int64_t item) {
        const std::int64_t first = item * at_once;
        const std::int64_t end = std::min(first + at_once, size.distances());
        for (std::int64_t i = first; i < end; ++i) {
            line[i] = static_cast<double>(number(size.smallest_distance() + i));
        }
    });
    return line;
}

Cell cell_at_offset(std::int64_t offset, std::int64_t number, std::string formula) {
    const std::int64_t tokens = std::abs(offset);
    return {
        .value = {[=] { return numerics::Real(static_cast<double>(number)); }, std::move(formula)},
        .note = offset == 0 ? "The key is at the position of the query."
                            : fmt::format("The key is {} position{} {} the query.", tokens,
                                          tokens == 1 ? "" : "s", offset < 0 ? "before" : "after"),
        .held = [=](DType dtype) {
            check_holds(dtype, static_cast<double>(number), "the number");
            return static_cast<double>(number);
        }};
}

Plan plan_by_offset(Parameters p, rows::AttentionSize size, const NumberOfOffset& number,
                    const FormulaOfOffset& formula) {
    return {.parameters = std::move(p),
            .shape = {size.queries, size.keys},
            .axes = {query_axis(size), key_axis(size)},
            .make_rows =
                [=](DType dtype) {
                    std::vector<double> line = line_of(number, size);
                    const auto [lowest, highest] = std::ranges::minmax(line);
                    check_holds(dtype, std::max(-lowest, highest), "the largest number");
                    return rows::by_distance(
                        rounded(rows::kept_rows(std::move(line), size.distances()), dtype), size);
                },
            .cell =
                [=](std::span<const std::int64_t> index) {
                    const std::int64_t offset = index[1] - index[0] - size.before;
                    return cell_at_offset(offset, number(offset), formula(offset));
                }};
}

}  // namespace pegen::encodings
