#pragma once

#include <string>

#include "cli/subject.h"

// All help is made from the tables of commands, encodings, presets and formats.
namespace pegen::cli {

/// `pe-gen --help`
std::string program_help();

/// `pe-gen NAME --help`
std::string subject_help(const Subject& subject);

/// `pe-gen COMMAND --help`
std::string command_help(std::string_view name, std::span<const ParameterSpec> options);

/// `pe-gen describe NAME`
std::string description(const Subject& subject);

}  // namespace pegen::cli
