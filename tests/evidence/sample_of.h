#pragma once

#include "core/table.h"
#include "evidence/sample.h"

namespace pegen {

/// Returns the table as an encoding sees it that is asked whether it recognises it: all values in
/// memory, without axes of extent 1.
evidence::Sample sample_of(const Table& table);

}  // namespace pegen
