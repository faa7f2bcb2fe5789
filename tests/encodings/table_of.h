#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"

/// Returns the table of a command without its options for output: "fairseq --len 50 --d 16", in
/// which --table NAME may be given.
pegen::Table table_of(std::string_view command, pegen::DType dtype = pegen::DType::float32);

/// Returns all values, as doubles.
std::vector<double> all_values(const pegen::Table& table);

/// Returns all_values(table_of(command)).
std::vector<double> values_of(std::string_view command, pegen::DType dtype = pegen::DType::float32);

/// Returns the message of the UsageError for the command, or "accepted".
std::string refusal_of(std::string_view command, pegen::DType dtype = pegen::DType::float32);
