#include "recognition/evidence/sample.h"

namespace pegen::evidence {

std::vector<double> column_of(const Sample& sample, std::int64_t column) {
    std::vector<double> values;
    values.reserve(sample.leading);
    for (std::int64_t row = 0; row < sample.leading; ++row) {
        values.push_back(sample.values[row * sample.extents.back() + column]);
    }
    return values;
}

}  // namespace pegen::evidence
