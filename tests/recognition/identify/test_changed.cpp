#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/drawn/command.h"
#include "encodings/registry.h"
#include "recognition/identify/answers.h"
#include "recognition/identify/array.h"
#include "recognition/identify/conventions.h"
#include "recognition/identify/trial.h"

using namespace pegen;
using namespace pegen::trials;

namespace {

/// Something that happens to an array of any shape.
struct Change {
    std::string_view name;
    void (*apply)(Array&);
};

template <class F>
void change_values(Array& array, F change) {
    for (double& value : array.values) value = change(value);
}

void remove_from_first_axis(Array& array) {
    array.values.resize(array.values.size() - array.values.size() / array.extents.front());
    --array.extents.front();
}

constexpr std::array changes{
    Change{"negated", [](Array& array) { change_values(array, [](double x) { return -x; }); }},
    Change{"times 3", [](Array& array) { change_values(array, [](double x) { return 3 * x; }); }},
    Change{"plus 0.5",
           [](Array& array) { change_values(array, [](double x) { return x + 0.5; }); }},
    Change{"squared", [](Array& array) { change_values(array, [](double x) { return x * x; }); }},
    Change{"two decimals",
           [](Array& array) {
               change_values(array, [](double x) { return std::rint(100 * x) / 100; });
           }},
    Change{"in bfloat16", [](Array& array) { array = rounded_to(array, DType::bfloat16); }},
    Change{"with noise",
           [](Array& array) {
               for (std::size_t i = 0; i < array.values.size(); ++i) {
                   array.values[i] += 1e-3 * std::sin(static_cast<double>(37 * i * i));
               }
           }},
    Change{"one value off", [](Array& array) { array.values[array.values.size() / 2] += 0.01; }},
    Change{"one value nan",
           [](Array& array) {
               if (!is_floating(array.dtype)) return;
               array.values[array.values.size() / 3] = std::numeric_limits<double>::quiet_NaN();
           }},
    Change{"the last quarter 0",
           [](Array& array) {
               std::fill(array.values.end() - std::ssize(array.values) / 4, array.values.end(), 0);
           }},
    Change{"transposed", [](Array& array) { array = transposed(array); }},
    Change{"the last of the first axis removed", remove_from_first_axis},
    Change{"the first of the last axis removed",
           [](Array& array) { array = with_columns(array, numbers_from(1, array.columns() - 1)); }},
    Change{"rows reversed",
           [](Array& array) {
               array = with_rows(array, numbers_from(array.rows() - 1, array.rows(), -1));
           }},
    Change{"channels reversed",
           [](Array& array) {
               array = with_columns(array, numbers_from(array.columns() - 1, array.columns(), -1));
           }},
    Change{"the first row twice",
           [](Array& array) {
               std::vector<std::int64_t> rows = numbers_from(-1, array.rows());
               rows.front() = 0;
               array = with_rows(array, rows);
           }},
};

}  // namespace

TEST_CASE("identify: changed tables of all encodings") {
    std::vector<Answer> answers;
    for (const Command& command : all_conventions(TableSize::small)) {
        if (!find_encoding(command.name)) continue;
        const Trial table = trial_of(command);
        for (const Change& change : changes) {
            const std::string question = fmt::format("{}, {}", table.name, change.name);
            if (!is_sampled(question, 16)) continue;
            Trial changed{.name = table.name, .array = table.array, .expected = Expected::nothing};
            change.apply(changed.array);
            if (changed.array.values.empty()) continue;
            changed.array = rounded_to(changed.array, changed.array.dtype);
            if (changed.array.values == table.array.values) continue;
            answers.push_back({question, judge(changed).answer});
        }
    }
    CHECK(changed_answers("changed", answers) == "");
}
