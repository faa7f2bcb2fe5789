#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/table_command.h"
#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen::cli {

/// The arguments of an operation; each option is checked.
struct OperationInput {
    Subject subject{};  ///< for rope: the encoding, or the preset that was named
    Parameters own;
    std::vector<GivenOption> options;  ///< all options, also the operation's own
    std::vector<Words> behind;         ///< the words after each "--"
};

/// An operation that `pe-gen apply` performs on an array.
struct Operation {
    std::string_view name;
    std::string_view arguments;  ///< as the usage line shows them
    std::string_view summary;
    std::string_view examples;                  ///< arguments of pe-gen, one command per line
    std::span<const ParameterSpec> parameters;  ///< own options; the first is the array's file
    /// The encoding whose presets are also names of the operation; "" if there is none.
    std::string_view encoding = "";
    /// Returns the options that the operation takes from this encoding. Null without an encoding.
    std::vector<const ParameterSpec*> (*more_options)() = nullptr;
    /// Returns what the help explains besides options. Null if there is nothing.
    std::vector<Glossary> (*glossaries)() = nullptr;
    /// Returns what `pe-gen describe` says of the operation. Null: no more than the help.
    std::string (*description)() = nullptr;
    /// Opens the file and plans the result without computing a value.
    /// Throws: UsageError, FileError, FormatError.
    PlannedTable (*plan)(const OperationInput&);
};

/// Returns the operations in the order of the help.
std::span<const Operation* const> all_operations();

}  // namespace pegen::cli
