#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "cli/subject.h"
#include "core/parameters.h"
#include "encodings/encoding.h"
#include "inspect/explanation.h"

namespace pegen::cli {

/// The result of `explain`.
struct ExplainReport {
    std::string command;  ///< that gives it, quoted for a shell
    Explanation found;
};

/// Explains the value of a table of `subject` with these indices, as explanation_of() does, and
/// throws what that does.
ExplainReport explain(const Subject& subject, const TableSpec& table, const Parameters& parameters,
                      std::span<const std::int64_t> at);

std::string as_text(const ExplainReport& report);

nlohmann::ordered_json json_of(const ExplainReport& report);

}  // namespace pegen::cli
