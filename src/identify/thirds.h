#pragma once

#include <vector>

#include "evidence/sample.h"
#include "identify/identify.h"

namespace pegen::identify {

/// Returns the tables that agree with a third of the rows of an array of two axes, continued to all
/// of its rows: where some rows are spoiled, another third tells the convention exactly.
std::vector<Candidate> continued_thirds(const evidence::Sample& array);

}  // namespace pegen::identify
