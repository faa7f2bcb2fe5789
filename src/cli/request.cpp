#include "cli/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

#include "cli/arguments.h"
#include "cli/help/search.h"
#include "cli/inputs.h"
#include "cli/mistakes.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/names.h"
#include "core/utf8.h"
#include "encodings/corruption.h"
#include "files/target.h"
#include "formats/animation.h"
#include "formats/registry.h"
#include "formats/show.h"
#include "formats/source.h"

namespace pegen::cli {
namespace {

const TableSpec* table_named(const Encoding& encoding, std::string_view name) {
    if (const TableSpec* table = find_table(encoding, name)) return table;
    std::vector<std::string_view> names;
    for (const TableSpec& table : encoding.tables) names.push_back(table.name);
    if (const Model* model = find_model(name);
        model && model->command.find("--table") != std::string_view::npos) {
        throw UsageError(fmt::format("--table {}: pe-gen {} makes it", name, model->command));
    }
    throw UsageError(fmt::format("--table {}: must be one of {}{}", name, joined(names, ", "),
                                 did_you_mean(name, names)));
}

/// Returns the tables that --table names: one, several, or all.
std::vector<const TableSpec*> tables_named(const Encoding& encoding, std::string_view names) {
    std::vector<const TableSpec*> tables;
    if (names == "all") {
        for (const TableSpec& table : encoding.tables) tables.push_back(&table);
        return tables;
    }
    for (const std::string_view name : fields(names, ',')) {
        if (name == "all") {
            throw UsageError(fmt::format("--table {}: all is every table; give it alone", names));
        }
        const TableSpec* const table = table_named(encoding, name);
        if (std::ranges::count(tables, table) > 0) {
            throw UsageError(fmt::format("--table {}: names {} twice", names, name));
        }
        tables.push_back(table);
    }
    return tables;
}

/// Returns the dtype of each table: the given dtype for tables that can have it, else the table's
/// own.
/// Throws: UsageError if no table can have the given dtype: floats as integers, or integers as
/// floats.
std::vector<DType> dtypes_for(const std::vector<const TableSpec*>& tables,
                              const Parameters& options) {
    std::vector<DType> all;
    for (const TableSpec* table : tables) all.push_back(table->dtype);
    if (!options.has("dtype")) return all;
    const DType given = dtype_named(options.word("dtype"));
    const auto can_be_given = [&](DType own) { return is_floating(own) == is_floating(given); };
    if (std::ranges::none_of(all, can_be_given)) {
        throw UsageError(fmt::format(
            "--dtype {}: the table {} holds {}", info(given).name, tables.front()->name,
            is_floating(all.front()) ? "real numbers; use float32, float64, float16 or bfloat16"
                                     : "integers; use int64 or int32"));
    }
    std::ranges::replace_if(all, can_be_given, given);
    return all;
}

/// Replaces {table} in a path by the name of a table.
std::string with_table(const std::string& path, std::string_view table) {
    return expand(path, [&](std::string_view name) -> std::optional<std::string> {
        if (name != "table") return std::nullopt;
        return std::string(table);
    });
}

/// Returns what to type for files of this format that hold several tables.
std::string advice_on(const Format& format) {
    return fmt::format(
        "use {{table}} in its name, as in --{} {{table}}.{}, or --npz for one file of all",
        format.name, words(format.extensions).front());
}

/// Returns the targets of `table`, one of `tables` tables, with its name in place of {table} in
/// paths.
/// Throws: UsageError if there are several tables, and a path has no {table}.
std::vector<Target> targets_of(const TableSpec& table, std::vector<Target> targets,
                               std::size_t tables) {
    for (Target& target : targets) {
        const std::string pattern = target.path;
        target.path = with_table(pattern, table.name);
        if (tables > 1 && target.path == pattern) {
            throw UsageError(fmt::format("{}: {} tables need a file each; {}",
                                         pattern == "-" ? "standard output" : pattern, tables,
                                         advice_on(*target.format)));
        }
    }
    return targets;
}

/// Keeps the targets for which `is_kept` is true, and returns the others.
template <class IsKept>
std::vector<Target> take_others(std::vector<Target>& targets, const IsKept& is_kept) {
    const auto first = std::stable_partition(targets.begin(), targets.end(), is_kept);
    std::vector<Target> others(std::make_move_iterator(first),
                               std::make_move_iterator(targets.end()));
    targets.erase(first, targets.end());
    return others;
}

/// Removes the figures that show all tables from `targets`, and returns them: those whose paths do
/// not contain {table}.
std::vector<Target> take_figures_of_all(std::vector<Target>& targets) {
    const auto is_of_one = [](const Target& target) {
        return !is_figure(*target.format) || with_table(target.path, "") != target.path;
    };
    return take_others(targets, is_of_one);
}

/// Throws: UsageError if the path of an archive of several tables contains {table}.
void check_archives(const std::vector<Target>& archives, std::size_t tables) {
    for (const Target& archive : archives) {
        if (tables == 1 || with_table(archive.path, "") == archive.path) continue;
        throw UsageError(fmt::format("{}: holds all {} tables; use a name without {{table}}",
                                     archive.path, tables));
    }
}

bool is_idle(std::string_view parameter, const TableSpec& table) {
    return has_word(table.idle_parameters, parameter);
}

const Format& format_for(std::string_view path) {
    if (same_file(path, "-")) {
        throw UsageError(fmt::format(
            "--output {}: standard output has no extension; use --npy - or the like", path));
    }
    if (const Format* format = format_by_extension(path)) return *format;
    const std::string_view hint = hint_for_format(extension_of(path));
    if (!hint.empty()) throw UsageError(fmt::format("--output {}: {}", path, hint));
    std::vector<std::string> extensions;
    for (const auto& formats : {all_formats(), all_languages()}) {
        for (const Format* format : formats) {
            for (const std::string_view extension : words(format->extensions)) {
                const std::string shown = fmt::format(".{}", extension);
                if (std::ranges::count(extensions, shown) == 0) extensions.push_back(shown);
            }
        }
    }
    throw UsageError(
        fmt::format("--output {}: the name must end in one of {}", path, joined(extensions, " ")));
}

const Format* language_named(std::string_view name) {
    return *std::ranges::find(all_languages(), name, &Format::name);
}

const Format* format_named(std::string_view name) {
    const auto found = std::ranges::find(all_formats(), name, &Format::name);
    return found == all_formats().end() ? nullptr : *found;
}

/// Returns the option that requests a target on standard output.
std::string option_of(const Target& target) {
    return target.format->is_shown ? "--show" : fmt::format("--{} -", target.format->name);
}

/// Returns the first table, beside which `figures` show the others.
/// Throws: UsageError if there are `archives`, too, whose tables would be those of the figure.
RequestedTable with_panels(const std::vector<const TableSpec*>& specs,
                           const std::vector<DType>& types, const std::vector<Target>& figures,
                           const std::vector<Target>& archives) {
    if (!archives.empty()) {
        const Target& figure = figures.front();
        throw UsageError(fmt::format(
            "{}: shows all {} tables, and {} holds each by itself; use {{table}} in the "
            "name of the figure, or give it a command of its own",
            figure.path == "-" ? option_of(figure) : figure.path, specs.size(),
            archives.front().path));
    }
    RequestedTable all{.spec = specs.front(), .dtype = types.front(), .targets = figures};
    for (std::size_t i = 1; i < specs.size(); ++i) all.others.push_back({specs[i], types[i]});
    return all;
}

void check_distinct(const std::vector<Target>& targets) {
    for (auto a = targets.begin(); a != targets.end(); ++a) {
        for (auto b = a + 1; b != targets.end(); ++b) {
            if (!same_file(a->path, b->path)) continue;
            if (same_file(a->path, "-")) {
                throw UsageError(fmt::format("{} and {} both need standard output", option_of(*a),
                                             option_of(*b)));
            }
            if (a->format == b->format) {
                throw UsageError(
                    fmt::format("{} and {} are the same file; name it once", a->path, b->path));
            }
            throw UsageError(fmt::format("{} is named for both {} and {}; give each its own file",
                                         a->path, a->format->name, b->format->name));
        }
    }
}

/// Sets each option of formats in every target whose format has it.
/// Throws: UsageError if an option has no effect, since no written format has it.
void set_format_options(std::vector<Target>& targets, const std::vector<GivenOption>& options) {
    for (const GivenOption& option : options) {
        std::vector<std::string> owners;
        bool is_used = false;
        for (const Format* format : all_formats()) {
            if (!is_among(format->parameters(), option.spec)) continue;
            const bool is_idle = has_word(format->idle_parameters, option.spec->name);
            if (is_idle) continue;
            owners.push_back(fmt::format("--{}", format->name));
            for (Target& target : targets) {
                if (target.format != format) continue;
                target.parameters.set(option.spec->name, option.text, option.origin);
                is_used = true;
            }
        }
        if (!owners.empty() && !is_used) {
            throw UsageError(fmt::format("--{}: has no effect without {}", option.spec->name,
                                         joined(owners, " or ")));
        }
    }
    for (Target& target : targets) target.parameters.evaluate_expressions();
}

/// Throws: UsageError if one figure moves and another one, of a format that cannot move, would not.
void check_animated(const std::vector<Target>& targets) {
    const auto moves = [](const Target& target) {
        return is_figure(*target.format) && target.parameters.has("animate");
    };
    if (std::ranges::none_of(targets, moves)) return;
    for (const Target& target : targets) {
        if (!is_figure(*target.format) || moves(target)) continue;
        throw UsageError(fmt::format(
            "--animate: has no effect on --{}, which stands still; give it a command of its own",
            target.format->name));
    }
}

/// Gives a parameter that --animate names the first of its values if it has none: a table that
/// needs one would be refused.
void begin_animations(Parameters& parameters, const std::vector<Target>& targets) {
    for (const Target& target : targets) {
        if (!is_figure(*target.format) || !target.parameters.has("animate")) continue;
        const auto parts = animated_parameter(target.parameters.word("animate"));
        if (!parts) continue;  // is refused when it is drawn
        const std::string name = hyphenated(parts->name);
        if (!parameters.knows(name) || parameters.has(name)) continue;
        parameters.set(name, parts->from, Origin::user);
    }
}

/// Sets the options of the preset's figure in every target that is a figure, unless the user asks
/// for another kind of picture.
void set_figure_of(const Preset& preset, std::vector<Target>& targets) {
    for (Target& target : targets) {
        if (!is_figure(*target.format) || target.parameters.has("plot")) continue;
        Parameters of_preset(target.format->parameters());
        of_preset.set_all(preset.figure, Origin::preset);
        for (const Parameters::Entry& entry : of_preset.entries()) {
            const bool is_set =
                entry.origin == Origin::preset && !target.parameters.given(entry.spec->name);
            if (is_set) target.parameters.resolve(entry.spec->name, entry.value);
        }
    }
}

/// Fills in what the user did not give: the size and the colours of the terminal, and, if it shows
/// pictures, how, the size of a character, and a dark theme on a dark background. --show-colours
/// asks for characters.
void fit_terminal(Parameters& parameters) {
    const Terminal terminal = find_terminal();
    if (!parameters.has("show-size")) {
        constexpr int most = 1000;
        const double columns = std::min(terminal.columns, most);
        // The last line is left to the prompt.
        const double lines = std::clamp(terminal.lines - 1, 1, most);
        parameters.resolve("show-size", std::vector<double>{columns, lines});
    }
    TerminalAnswers answers;
    if (!parameters.has("show-as")) {
        if (terminal.may_be_asked && !parameters.given("show-colours")) answers = ask_terminal();
        parameters.resolve("show-as", std::string(graphics_of(answers, terminal.is_iterm2)));
    }
    if (!parameters.given("show-colours")) {
        parameters.resolve("show-colours", std::string(name_of(terminal.colours)));
    }
    if (!parameters.has("show-cell")) {
        const bool is_answered = answers.cell_width > 0;
        const double width = is_answered ? answers.cell_width : terminal.cell_width;
        const double height = is_answered ? answers.cell_height : terminal.cell_height;
        if (width > 0 && height > 0) {
            parameters.resolve("show-cell", std::vector<double>{width, height});
        }
    }
    const bool has_theme = parameters.given("theme") && parameters.word("theme") != "auto";
    if (!has_theme && !parameters.has("foreground") && !parameters.has("background") &&
        answers.is_dark) {
        parameters.resolve("theme", std::string(*answers.is_dark ? "dark" : "light"));
    }
}

}  // namespace

void check_extension(const Format& format, std::string_view path) {
    const Format* const other = format_by_extension(path);
    const bool may_be_text = other && other->name == "text" && !format.is_binary;
    if (!other || may_be_text || has_extension(path, format)) return;
    throw UsageError(fmt::format("--{} {}: has the extension of {}; use a name that ends in .{}",
                                 format.name, path, other->name, words(format.extensions).front()));
}

std::pair<std::string_view, std::string_view> archive_and_arrays(std::string_view path) {
    if (path.starts_with("-:")) return {path.substr(0, 1), path.substr(2)};
    std::size_t colon = path.size();  // the first one behind an extension
    for (const Format* format : all_formats()) {
        if (!format->archive) continue;
        for (const std::string_view extension : words(format->extensions)) {
            const std::string end = fmt::format(".{}:", extension);
            const std::size_t place = lower_case(path).find(end);
            if (place != path.npos) colon = std::min(colon, place + end.size() - 1);
        }
    }
    return {path.substr(0, colon), path.substr(std::min(colon + 1, path.size()))};
}

DType dtype_named(std::string_view word) {
    // fp32 is f32, and so on.
    const std::string alias(word.starts_with("fp") ? "f" + std::string(word.substr(2)) : word);
    const auto is_named = [&](const DTypeInfo& dtype) {
        return word == dtype.name || alias == dtype.alias;
    };
    return std::ranges::find_if(dtypes, is_named)->dtype;
}

std::vector<Target> targets_named(const std::vector<GivenOption>& options) {
    const Parameters given = set_options(output_options(), options);
    const Format* const language = given.has("emit") ? language_named(given.word("emit")) : nullptr;
    const bool is_filed =
        language && given.has("output") && has_extension(given.word("output"), *language);
    std::vector<Target> targets;
    const auto add = [&](const Format& format, std::string_view text) {
        const auto [path, arrays] = archive_and_arrays(text);
        targets.push_back({&format, Parameters(format.parameters()),
                           std::string(format.archive ? path : text),
                           std::string(format.archive ? arrays : "")});
    };
    for (const GivenOption& option : options) {
        if (!is_among(output_options(), option.spec)) continue;
        const std::string_view name = option.spec->name;
        if (name == "emit") {
            if (!is_filed) add(*language, "-");
        } else if (name == "output") {
            add(is_filed ? *language : format_for(archive_and_arrays(option.text).first),
                option.text);
        } else if (const Format& format = *format_named(name); !format.is_shown) {
            check_extension(format, format.archive ? archive_and_arrays(option.text).first
                                                   : std::string_view(option.text));
            add(format, option.text);
        } else if (given.flag(name)) {
            add(format, "-");
        }
    }
    set_format_options(targets, options);
    check_animated(targets);
    for (Target& target : targets) {
        if (target.format->is_shown) fit_terminal(target.parameters);
    }
    check_distinct(targets);
    return targets;
}

std::string arrays_of(std::span<const Target> archives) {
    if (archives.empty()) return "";
    const std::string& arrays = archives.front().arrays;
    for (const Target& other : archives) {
        if (other.arrays == arrays) continue;
        throw UsageError(
            fmt::format("{} and {}: their arrays have the same names; write the same "
                        "behind each ':'",
                        archives.front().path, other.path));
    }
    return arrays;
}

Target printed() {
    const Format* text = format_named("text");
    return {text, Parameters(text->parameters()), "-"};
}

RunSettings run_settings(const std::vector<GivenOption>& options) {
    const Parameters run = set_options(run_options, options);
    RunSettings settings;
    if (run.flag("version")) return {.action = Action::version};
    if (run.flag("dry-run")) settings.action = Action::dry_run;
    settings.placing = {run.flag("no-clobber") ? Existing::kept : Existing::replaced, sync_of(run)};
    if (run.has("threads")) settings.threads = run.integer("threads");
    if (run.flag("quiet")) settings.verbosity = Verbosity::quiet;
    return settings;
}

std::vector<Target> all_targets(const Request& request) {
    std::vector<Target> targets;
    for (const RequestedTable& table : request.tables) {
        targets.insert(targets.end(), table.targets.begin(), table.targets.end());
    }
    targets.insert(targets.end(), request.archives.begin(), request.archives.end());
    return targets;
}

std::vector<OptionGroup> option_groups(const Subject& subject) {
    std::vector<OptionGroup> groups = common_option_groups();
    groups.insert(groups.begin() + 1, option_group("Corruption", corruption_parameters(), false));
    if (!subject.encoding->file_parameter.empty()) {
        std::erase_if(groups, [](const OptionGroup& group) {
            return group.specs.front() == table_options().data();
        });
    }
    return groups;
}

const std::vector<const ParameterSpec*>& options_of(const Subject& subject) {
    static std::mutex making;
    static std::map<const Encoding*, std::vector<const ParameterSpec*>> made;  // each job asks
    const std::lock_guard lock(making);
    std::vector<const ParameterSpec*>& specs = made[subject.encoding];
    if (!specs.empty()) return specs;
    for (const ParameterSpec& spec : subject.encoding->parameters) specs.push_back(&spec);
    for (const OptionGroup& group : option_groups(subject)) {
        specs.insert(specs.end(), group.specs.begin(), group.specs.end());
    }
    return specs;
}

std::vector<Target> take_archives(std::vector<Target>& targets) {
    return take_others(targets, [](const Target& target) { return !target.format->archive; });
}

Request make_request(const Subject& subject, const std::vector<GivenOption>& options) {
    Request request{.subject = subject};
    const Parameters table = set_options(table_options(), options);
    request.is_dtype_given = table.has("dtype");
    request.parameters = with_options(subject.defaults(), options);
    request.corruption = effective(set_options(corruption_parameters(), options));
    std::vector<Target> targets = targets_named(options);
    if (subject.preset) set_figure_of(*subject.preset, targets);
    begin_animations(request.parameters, targets);
    request.archives = take_archives(targets);
    // Unless --table is given, an archive holds every table, and any other file, or an archive
    // whose array has a name, the first one.
    const bool is_named = table.has("table");
    const std::string arrays = arrays_of(request.archives);
    const bool are_called_by_table = arrays.empty() || with_table(arrays, "") != arrays;
    const std::string_view unnamed = !request.archives.empty() && are_called_by_table
                                         ? "all"
                                         : subject.encoding->tables.front().name;
    const std::vector<const TableSpec*> specs =
        tables_named(*subject.encoding, is_named ? table.word("table") : unnamed);
    const std::vector<DType> types = dtypes_for(specs, table);
    const std::size_t alone = is_named ? specs.size() : 1;
    const std::vector<Target> of_all =
        alone > 1 ? take_figures_of_all(targets) : std::vector<Target>();
    if (of_all.empty() || !targets.empty()) {
        for (std::size_t i = 0; i < specs.size(); ++i) {
            request.tables.push_back({specs[i], types[i]});
            if (i < alone) request.tables[i].targets = targets_of(*specs[i], targets, alone);
        }
    }
    if (!of_all.empty()) {
        request.tables.push_back(with_panels(specs, types, of_all, request.archives));
    }
    check_archives(request.archives, specs.size());
    if (!arrays.empty()) {
        if (specs.size() > 1 && !are_called_by_table) {
            throw UsageError(fmt::format("{}:{}: {} tables need a name each; use {{table}}",
                                         request.archives.front().path, arrays, specs.size()));
        }
        for (RequestedTable& wanted : request.tables) {
            wanted.array = with_table(arrays, wanted.spec->name);
            decode_utf8(wanted.array);  // refuses what readers of archives would not read
        }
    }
    for (Target& archive : request.archives) {
        archive.path = with_table(archive.path, specs.front()->name);
    }
    check_distinct(all_targets(request));
    const std::vector<GivenOption> inputs = inputs_among(options, subject.encoding->parameters);
    check_standard_input(inputs, specs.size());
    check_not_targets(inputs, all_targets(request));
    return request;
}

bool has_effect(const Request& request, const GivenOption& option) {
    return std::ranges::any_of(request.tables, [&](const RequestedTable& table) {
        return !is_idle(option.spec->name, *table.spec) ||
               std::ranges::any_of(table.others, [&](const Panel& other) {
                   return !is_idle(option.spec->name, *other.spec);
               });
    });
}

void check_effect(const Request& request, const std::vector<GivenOption>& options) {
    const std::span<const TableSpec> all = request.subject.encoding->tables;
    for (const GivenOption& option : options) {
        if (has_effect(request, option)) continue;
        const std::string_view name = option.spec->name;
        std::vector<std::string_view> others;
        for (const TableSpec& table : all) {
            if (!is_idle(name, table)) others.push_back(table.name);
        }
        throw UsageError(fmt::format("--{}: has no effect on the table {}, only on {}", name,
                                     request.tables.front().spec->name, joined(others, ", ")));
    }
}

void name_file(Arguments& given, const Encoding& encoding) {
    const auto spec =
        std::ranges::find(encoding.parameters, encoding.file_parameter, &ParameterSpec::name);
    if (spec == encoding.parameters.end() || given.positionals.empty()) return;
    if (given.has(*spec)) return;
    given.options.push_back({&*spec, given.positionals.front()});
    given.positionals.erase(given.positionals.begin());
}

Request parse_request(const Subject& subject, std::span<const std::string_view> arguments) {
    return parse_request(subject, parse_arguments(arguments, options_of(subject), subject.name()));
}

Request parse_request(const Subject& subject, Arguments given) {
    name_file(given, *subject.encoding);
    const RunSettings run = run_settings(given.options);
    if (run.action == Action::version) {
        return {.subject = subject, .run = run};
    }
    if (!given.positionals.empty()) {
        throw UsageError(unexpected_arguments(given.positionals, subject));
    }
    Request request = make_request(subject, given.options);
    check_effect(request, given.options);
    request.run = run;
    const bool is_alone = request.tables.size() == 1;
    if (run.verbosity == Verbosity::normal && all_targets(request).empty() && is_alone) {
        request.tables.front().targets = {printed()};
    }
    return request;
}

}  // namespace pegen::cli
