#pragma once

#include <vector>

#include "core/table.h"
#include "recognition/evidence/sample.h"

namespace pegen {

/// Returns the table in the form that recognizers receive: all values in memory, without axes of
/// extent 1.
evidence::Sample sample_of(const Table& table);

/// Returns such a sample of an array with the table's shape and dtype and these values.
evidence::Sample sample_of(const Table& table, std::vector<double> values);

}  // namespace pegen
