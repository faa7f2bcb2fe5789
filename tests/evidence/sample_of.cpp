#include "evidence/sample_of.h"

namespace pegen {

evidence::Sample sample_of(const Table& table) {
    evidence::Sample sample;
    sample.table = table;
    for (const std::int64_t extent : table.shape.extents()) {
        if (extent != 1) sample.extents.push_back(extent);
    }
    if (sample.extents.empty()) sample.extents = {1};
    sample.leading = sample.extents[0];
    sample.values = read_rows(table, {0, table.shape.rows()});
    sample.precision = evidence::narrowest(sample.values, table.dtype);
    return sample;
}

}  // namespace pegen
