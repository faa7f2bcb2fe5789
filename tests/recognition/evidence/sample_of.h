#pragma once

#include <vector>

#include "core/table.h"
#include "recognition/evidence/sample.h"

namespace pegen {

/// Returns the table as an encoding sees it that is asked whether it recognises it: all values in
/// memory, without axes of extent 1.
evidence::Sample sample_of(const Table& table);

/// The same of an array of the table's shape and dtype with these values.
evidence::Sample sample_of(const Table& table, std::vector<double> values);

}  // namespace pegen
