#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/options.h"
#include "cli/progress_line.h"
#include "cli/subject.h"
#include "core/dtype.h"
#include "core/parameters.h"
#include "encodings/encoding.h"
#include "files/output_file.h"
#include "formats/format.h"

namespace pegen::cli {

/// A file to write.
struct Target {
    const Format* format;
    Parameters parameters;  ///< the format's own parameters
    std::string path;       ///< "-" for standard output
    /// How arrays are called in an archive: what stands behind the ':' in "a.npz:pos_embed". "" for
    /// the names of their tables.
    std::string arrays{};
};

enum class Action { generate, dry_run, version };

/// A table that a figure shows beside another one.
struct Panel {
    const TableSpec* spec;
    DType dtype;
};

/// A table that the user requested.
struct RequestedTable {
    const TableSpec* spec;
    DType dtype;
    std::vector<Target> targets{};  ///< files of this table, or figures of this and `others`
    std::string array{};            ///< its name in archives; "" for the name of the table
    std::vector<Panel> others{};    ///< the tables that figures show beside it
};

/// The settings of a run, from run_options.
struct RunSettings {
    Action action = Action::generate;
    std::optional<std::int64_t> threads{};
    Placing placing{};
    Verbosity verbosity = Verbosity::normal;
};

/// A checked command line of an encoding, a preset or a mechanism.
struct Request {
    Subject subject{};
    RunSettings run{};
    Parameters parameters{};
    Parameters corruption{};               ///< of corruption_parameters()
    std::vector<RequestedTable> tables{};  ///< at least one
    std::vector<Target> archives{};        ///< files that hold all of the tables
    bool is_dtype_given = false;
};

/// Returns the settings of a run from run_options. Throws: UsageError.
RunSettings run_settings(const std::vector<GivenOption>& options);

/// Throws: UsageError if the path has the extension of a format other than `format`. Any text
/// format may be written to a .txt file, and any format to a file with an unknown extension.
void check_extension(const Format& format, std::string_view path);

/// Returns the dtype with this name or alias, one of the choices of --dtype.
DType dtype_named(std::string_view word);

/// Returns the targets that the output options name, all distinct. Throws: UsageError.
std::vector<Target> targets_named(const std::vector<GivenOption>& options);

/// Removes the archives from `targets` and returns them.
std::vector<Target> take_archives(std::vector<Target>& targets);

/// Returns how the arrays of the archives are called: Target::arrays, where it is the same for all.
/// Throws: UsageError if it is not.
std::string arrays_of(std::span<const Target> archives);

/// Splits the path of an archive at the ':' behind the extension of its format: "a.npz" and
/// "pos_embed". The second is empty if there is none.
std::pair<std::string_view, std::string_view> archive_and_arrays(std::string_view path);

/// Returns the target for a request without an output: the table is printed.
Target printed();

/// Returns the targets of all tables, then the archives. All are distinct files.
std::vector<Target> all_targets(const Request& request);

/// Returns the options of a subject that are not its parameters: for tables, outputs, formats and
/// runs.
std::vector<OptionGroup> option_groups(const Subject& subject);

/// Returns the options of a subject: its parameters, then the common options.
const std::vector<const ParameterSpec*>& options_of(const Subject& subject);

/// Takes the first positional argument as the file that the encoding reads, if it reads one and the
/// file is not given by its option.
void name_file(Arguments& given, const Encoding& encoding);

/// Reads and checks the options of a command line. Without an output, one table gets the target
/// printed(); several get none.
/// Throws: UsageError if an option is invalid, alone or together with others. Only make_table()
/// checks whether the parameters go together.
Request parse_request(const Subject& subject, std::span<const std::string_view> arguments);

/// Reads and checks arguments that parse_arguments() has split by options_of(subject).
Request parse_request(const Subject& subject, Arguments given);

/// Checks options that do not come from the command line. None of them may be one of run_options.
Request make_request(const Subject& subject, const std::vector<GivenOption>& options);

/// True if the option has an effect on one of the requested tables.
bool has_effect(const Request& request, const GivenOption& option);

/// Throws: UsageError for an option that has no effect on any of the requested tables.
void check_effect(const Request& request, const std::vector<GivenOption>& options);

}  // namespace pegen::cli
