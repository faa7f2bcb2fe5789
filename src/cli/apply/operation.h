#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/behind_dashes.h"
#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen::cli {

/// What the user gave an operation, each option checked.
struct OperationInput {
    Subject subject{};  ///< of rope: the encoding, or the preset by which it was asked for
    Parameters own;
    std::vector<GivenOption> options;  ///< all of them
    std::vector<Words> behind;         ///< what stands behind each "--"
};

/// One of the things `pe-gen apply` does to an array, as data.
struct Operation {
    std::string_view name;
    std::string_view arguments;  ///< as its usage line shows them
    std::string_view summary;
    std::string_view examples;                  ///< arguments of pe-gen, one command a line
    std::span<const ParameterSpec> parameters;  ///< its own; the first names the array's file
    /// The encoding whose presets are names of the operation, too; "" if there is none.
    std::string_view encoding = "";
    /// Returns options of that encoding. Null if there is none.
    std::vector<const ParameterSpec*> (*more_options)() = nullptr;
    /// Opens the file and says what the result will be. Computes no value.
    /// Throws: UsageError, FileError, FormatError.
    PlannedTable (*plan)(const OperationInput&);
};

/// The operations, in the order of the help.
std::span<const Operation* const> all_operations();

}  // namespace pegen::cli
