#include "recognition/evidence/sample_of.h"

#include <utility>

namespace pegen {

evidence::Sample sample_of(const Table& table) {
    return sample_of(table, read_rows(table, {0, table.shape.rows()}));
}

evidence::Sample sample_of(const Table& table, std::vector<double> values) {
    evidence::Sample sample;
    sample.extents = squeezed(table.shape.extents());
    sample.table = table;
    sample.table.shape = Shape(sample.extents);
    sample.leading = sample.extents.front();
    sample.values = std::move(values);
    sample.precision = evidence::narrowest(sample.values, table.dtype);
    return sample;
}

}  // namespace pegen
