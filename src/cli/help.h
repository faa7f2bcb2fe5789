#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/subject.h"
#include "cli/usage.h"

// The parts that help consists of, made from tables of commands, encodings, options and formats.
namespace pegen::cli {

/// Full help has every option and its other names; brief help only names some groups of options.
std::string usage_help(const Usage& usage, HelpLength length);

/// Returns the usage of one of all_commands().
Usage command_usage(std::string_view name, std::vector<std::string> examples,
                    std::vector<OptionGroup> options, Operands operands = {.most = 0});

/// Returns the usage of an encoding, a preset or a mechanism, with its parameters as a section.
Usage subject_usage(const Subject& subject, HelpLength length);

/// A line of a section: a name, and a text in a column that all such lines share.
std::string entry(std::string_view name, std::string_view text);

// Sections of help, which begin with an empty line.
std::string examples_section(const std::vector<std::string>& examples);
std::string outputs_section();
std::string parameters_section(const Subject& subject, HelpLength length);
std::string tables_section(const Encoding& encoding);

/// The examples of the encoding, with the name that was asked for.
std::vector<std::string> examples_of(const Subject& subject);

/// The first line of all that is said about it.
std::string title(const Subject& subject);

/// "pe-gen whisper is pe-gen sinusoid --layout halves --denom-shift 2"
std::string equivalence(const Preset& preset);

}  // namespace pegen::cli
