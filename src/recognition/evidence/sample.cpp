#include "recognition/evidence/sample.h"

#include "core/to_size.h"

namespace pegen::evidence {

std::vector<double> column_of(const Sample& sample, std::int64_t column) {
    std::vector<double> values;
    values.reserve(to_size(sample.leading));
    for (std::int64_t row = 0; row < sample.leading; ++row) {
        values.push_back(sample.values[to_size(row * sample.extents.back() + column)]);
    }
    return values;
}

}  // namespace pegen::evidence
