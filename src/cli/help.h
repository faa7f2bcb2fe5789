#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/subject.h"

// The texts of all help, made from the tables of commands, encodings, presets and formats.
namespace pegen::cli {

/// `pe-gen --help`
std::string program_help();

/// `pe-gen COMMAND --help` for one of all_commands(); `examples` are command lines without
/// "pe-gen ".
std::string command_help(std::string_view name, const std::vector<OptionGroup>& options,
                         const std::vector<std::string>& examples);

/// The same for anything that is called as `pe-gen NAME ARGUMENTS`.
std::string usage_help(std::string_view name, std::string_view summary, std::string_view arguments,
                       const std::vector<OptionGroup>& options,
                       const std::vector<std::string>& examples);

/// `pe-gen NAME --help`
std::string subject_help(const Subject& subject);

/// `pe-gen describe NAME`
std::string description(const Subject& subject);

}  // namespace pegen::cli
