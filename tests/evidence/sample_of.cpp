#include "evidence/sample_of.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pegen {

evidence::Sample sample_of(const Table& table) {
    return sample_of(table, read_rows(table, {0, table.shape.rows()}));
}

evidence::Sample sample_of(const Table& table, std::vector<double> values) {
    evidence::Sample sample;
    std::ranges::copy_if(table.shape.extents(), std::back_inserter(sample.extents),
                         [](std::int64_t extent) { return extent != 1; });
    if (sample.extents.empty()) sample.extents = {1};
    sample.table = table;
    sample.table.shape = Shape(sample.extents);
    sample.leading = sample.extents.front();
    sample.values = std::move(values);
    sample.precision = evidence::narrowest(sample.values, table.dtype);
    return sample;
}

}  // namespace pegen
