#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// A file to be written.
struct Target {
    const Format* format;
    Parameters parameters;  ///< the format's own
    std::string path;       ///< "-": standard output
};

enum class Action { generate, dry_run, version };

/// One of the tables that are asked for.
struct RequestedTable {
    const TableSpec* spec;
    DType dtype;
    std::vector<Target> targets{};  ///< files that hold this table alone
};

/// What run_options say.
struct RunSettings {
    Action action = Action::generate;
    std::optional<std::int64_t> threads{};
    Placing placing{};
    Verbosity verbosity = Verbosity::normal;
};

/// A command line, checked.
struct Request {
    Subject subject{};
    RunSettings run{};
    Parameters parameters{};
    std::vector<RequestedTable> tables{};  ///< at least one
    std::vector<Target> archives{};        ///< files that hold all of the tables
    bool is_dtype_given = false;
};

/// Throws: UsageError.
RunSettings run_settings(const std::vector<GivenOption>& options);

/// Throws: UsageError if the path has the extension of another format than the one that is written
/// there. Any text may be in a .txt, and all else in a file of an extension that no format has.
void check_extension(const Format& format, std::string_view path);

/// The dtype of this name or alias, one of the choices of --dtype.
DType dtype_named(std::string_view word);

/// The targets that the options for outputs name, all distinct. Throws: UsageError.
std::vector<Target> targets_named(const std::vector<GivenOption>& options);

/// Takes the archives out of `targets`.
std::vector<Target> take_archives(std::vector<Target>& targets);

/// The target if the user asked for no output: the table is printed.
Target printed();

/// The targets of all tables and the archives, all of which are distinct files.
std::vector<Target> all_targets(const Request& request);

/// The common options that a subject has: those of its tables, outputs, formats and runs.
std::vector<OptionGroup> option_groups(const Subject& subject);

/// The options of a subject: its parameters, then the common ones.
std::vector<const ParameterSpec*> options_of(const Subject& subject);

/// Reads and checks the options of a command line. Throws: UsageError for everything that is wrong
/// with them one by one or together; parameters that do not go together are left to make_table().
Request parse_request(const Subject& subject, std::span<const std::string_view> arguments);

/// The same for arguments that are split already, by options_of(subject).
Request parse_request(const Subject& subject, Arguments given);

/// The same for options that do not come from the command line; none of them is one of run_options.
Request make_request(const Subject& subject, const std::vector<GivenOption>& options);

/// True if the option has an effect on one of the tables that are asked for.
bool has_effect(const Request& request, const GivenOption& option);

/// Throws: UsageError for an option that has no effect on any of the tables that are asked for.
void check_effect(const Request& request, const std::vector<GivenOption>& options);

}  // namespace pegen::cli
