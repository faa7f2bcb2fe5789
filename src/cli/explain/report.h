#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cli/subject.h"
#include "core/json.h"
#include "core/parameters.h"
#include "encodings/encoding.h"
#include "inspect/explanation.h"

namespace pegen::cli {

/// The result of `pe-gen explain`.
struct ExplainReport {
    std::string command;  ///< the command that prints this explanation, quoted for a shell
    Explanation found;
};

/// Explains the value at the indices `at` of a table of `subject`.
/// Throws: as explanation_of().
ExplainReport explain(const Subject& subject, const TableSpec& table, const Parameters& parameters,
                      std::span<const std::int64_t> at);

std::string as_text(const ExplainReport& report);

Json json_of(const ExplainReport& report);

}  // namespace pegen::cli
