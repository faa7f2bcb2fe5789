#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/subject.h"
#include "core/parameters.h"

namespace pegen::cli {

// Descriptions of options for help and for the manual.

/// Returns the placeholder of the option's value: " N", " FILE"; "" for a flag.
std::string_view placeholder(const ParameterSpec& spec);

/// Returns the option's aliases of more than one letter: "--max-len --seq-len".
std::string long_aliases(const ParameterSpec& spec);

/// Returns what the option does, its choices, and its default. `initial` is the default; "" for
/// none.
std::string explanation(const ParameterSpec& spec, std::string_view initial);

/// Returns the default of a parameter for explanation(): "" for a flag, and if there is none.
std::string initial_value(const Parameters::Entry& parameter);

// The parts of help texts, generated from the tables of commands, encodings, options and formats.

/// Returns the help text of `usage`. Full help explains every option with its aliases; brief help
/// only names the options of some groups.
std::string usage_help(const Usage& usage, HelpLength length);

/// Returns the usage of the command `name`, one of all_commands().
Usage command_usage(std::string_view name, std::vector<std::string> examples,
                    std::vector<OptionGroup> options, Operands operands = {.most = 0});

/// Returns the usage of an encoding, a preset or a mechanism, with a section on its parameters.
Usage subject_usage(const Subject& subject, HelpLength length);

/// Returns an entry of a section: a name, and a text in the column that all entries share.
std::string entry(std::string_view name, std::string_view text);

// Sections of help. Each begins with an empty line.
std::string examples_section(const std::vector<std::string>& examples);
std::string outputs_section();
std::string parameters_section(const Subject& subject, HelpLength length);
std::string tables_section(const Encoding& encoding);

/// Returns the examples of the encoding, or short examples with the name of the preset.
std::vector<std::string> examples_of(const Subject& subject);

/// Returns the first line of the help on an encoding, a preset or a mechanism.
std::string title(const Subject& subject);

/// Returns how to make a preset with its encoding: "pe-gen whisper is pe-gen sinusoid --layout
/// halves --denom-shift 2".
std::string equivalence(const Preset& preset);

}  // namespace pegen::cli
