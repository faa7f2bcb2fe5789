#include "cli/batch/job_request.h"

#include <fmt/format.h>
#include <limits.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/batch/files.h"
#include "cli/batch/manifest.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/request.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "formats/registry.h"

namespace pegen::cli {
namespace {

/// The values that the path of a job's output may refer to by {name}.
struct OutputName {
    const Job& job;
    const Request& request;
    const RequestedTable& table;
    const Parameters& of_format;  ///< the format's options, for example of a figure
    std::string_view table_name;  ///< in the place of {table}
};

/// Returns the value of {name} in the path of an output; nothing if there is no such name.
std::optional<std::string> value_of(const OutputName& of, std::string_view name) {
    if (name == "encoding") return std::string(of.request.subject.name());
    if (name == "dtype") return std::string(info(of.table.dtype).name);
    if (name == "table") return std::string(of.table_name);
    if (name == "sample" && of.job.sample) return std::to_string(*of.job.sample);
    for (const Parameters* parameters : {&of.request.parameters, &of.request.corruption}) {
        for (const Parameters::Entry& entry : parameters->entries()) {
            if (is_called(*entry.spec, name)) return to_string(entry);
        }
    }
    for (const Parameters::Entry& entry : of.of_format.entries()) {
        const bool is_text =
            entry.spec->type == ParameterType::text || entry.spec->type == ParameterType::path;
        if (!is_text && is_called(*entry.spec, name)) return to_string(entry);
    }
    for (const Setting* label : of.job.labels) {
        if (hyphenated(label->key) == name) return label->value.text;
    }
    return {};
}

/// Returns the number with zeros behind its sign, at least as long as `width` says, the text behind
/// the ':' in `pattern`.
/// Throws: UsageError if `number` is none or `width` is invalid.
std::string padded(const std::string& number, std::string_view width, std::string_view pattern) {
    if (width.ends_with('d')) width.remove_suffix(1);  // as in Python
    constexpr std::size_t widest = 99;
    std::size_t digits = 0;
    const bool is_width = width.starts_with('0') &&
                          std::from_chars(width.data(), width.data() + width.size(), digits).ptr ==
                              width.data() + width.size();
    if (!is_width || digits < 1 || digits > widest) {
        throw UsageError(fmt::format(
            "{}: must have 0 and a width from 1 to {} behind the ':', as in {{seed:04}}", pattern,
            widest));
    }
    double value = 0;
    const char* const end = number.data() + number.size();
    const auto read = read_double(number, value);
    if (read.ec != std::errc() || read.ptr != end) {
        throw UsageError(
            fmt::format("{}: is {}; only a number is padded with zeros", pattern, number));
    }
    const std::size_t sign = number.starts_with('-') ? 1 : 0;
    const std::size_t missing = digits - std::min(digits, number.size());
    return number.substr(0, sign) + std::string(missing, '0') + number.substr(sign);
}

/// Throws: UsageError if a path of this length is too long for the system.
void check_length(const std::string& path, std::size_t length) {
    if (length < PATH_MAX) return;
    throw UsageError(fmt::format("{}: is longer than {} bytes", path, PATH_MAX - 1));
}

constexpr std::string_view shard_word = "shard";

/// Replaces each {name} in a path by a value: of a parameter, of an option of the format (except
/// texts and paths), of "encoding", "table" or "dtype", or of a label. {name:04} is an integer of
/// at least four digits. {shard} stays.
/// Throws: UsageError for an unknown name, a value with a '/', and a path too long for the system.
std::string expanded(const std::string& path, const OutputName& of) {
    std::size_t length = 0;  // length of the values alone
    const std::string result =
        expand(path, [&](std::string_view pattern) -> std::optional<std::string> {
            const std::string_view name = pattern.substr(0, pattern.find(':'));
            if (name == shard_word) return std::nullopt;  // with_shard() fills it in
            std::optional<std::string> value = value_of(of, hyphenated(name));
            if (!value) {
                throw UsageError(fmt::format("{}: no parameter is called {}", path, name));
            }
            if (value->find('/') != value->npos) {
                throw UsageError(
                    fmt::format("{}: {} is {}; a name of a file has no '/'", path, name, *value));
            }
            if (name.size() < pattern.size()) {
                value = padded(*value, pattern.substr(name.size() + 1),
                               fmt::format("{}: {{{}}}", path, pattern));
            }
            check_length(path, length += value->size());
            return value;
        });
    check_length(path, result.size());
    return result;
}

std::vector<std::string_view> names_of(const std::vector<const ParameterSpec*>& specs) {
    std::vector<std::string_view> names{"encoding", "labels", "sweep"};
    for (const ParameterSpec* spec : specs) names.push_back(spec->name);
    return names;
}

/// True if a format has the option and uses it. Only formats that are shown on the terminal count
/// if `is_shown`, else only formats of files.
bool is_used(const ParameterSpec& spec, bool is_shown) {
    return std::ranges::any_of(all_formats(), [&](const Format* format) {
        const bool is_idle = has_word(format->idle_parameters, spec.name);
        return format->is_shown == is_shown && is_among(format->parameters(), &spec) && !is_idle;
    });
}

/// Returns the options that show a table on a terminal: --show and options that only --show uses.
std::vector<const ParameterSpec*> find_options_to_show() {
    std::vector<const ParameterSpec*> specs;
    for (const Format* format : all_formats()) {
        if (!format->is_shown) continue;
        specs.push_back(&*std::ranges::find(output_options(), format->name, &ParameterSpec::name));
        for (const ParameterSpec& spec : format->parameters()) {
            if (is_used(spec, true) && !is_used(spec, false)) specs.push_back(&spec);
        }
    }
    return specs;
}

bool is_to_show(const ParameterSpec* spec) {
    static const std::vector<const ParameterSpec*> all = find_options_to_show();
    return std::ranges::count(all, spec) > 0;
}

[[noreturn]] void refuse_unknown(const Subject& subject, std::string_view key,
                                 const std::vector<const ParameterSpec*>& specs,
                                 std::string_view where) {
    if (key == "preset") {
        throw FormatError(where, "preset: the name of a preset stands in \"encoding\"");
    }
    const ParameterSpec* const other = find_option(options_of(subject), key);
    if (other && is_to_show(other)) {
        throw FormatError(where, fmt::format("{}: shows a table, and a job writes files", key));
    }
    throw FormatError(where, fmt::format("{}: no option of {}{}", key, subject.name(),
                                         did_you_mean(key, names_of(specs))));
}

bool has_option(const std::vector<GivenOption>& options, const ParameterSpec* spec) {
    return std::ranges::find(options, spec, &GivenOption::spec) != options.end();
}

/// True if a format that `options` write has the option, or if no format has it.
bool is_written_with(const std::vector<GivenOption>& options, const ParameterSpec* spec) {
    bool is_of_some_format = false;
    for (const Format* format : all_formats()) {
        if (!is_among(format->parameters(), spec)) continue;
        is_of_some_format = true;
        for (const GivenOption& option : options) {
            const bool is_by_name = option.spec->name == format->name;
            const bool is_by_extension =
                option.spec->name == "output" && format_by_extension(option.text) == format;
            if (is_by_name || is_by_extension) return true;
        }
    }
    return !is_of_some_format;
}

/// Returns the value as the text of the option. Some options separate the items of a list by a
/// character other than a comma.
std::string text_for(const ParameterSpec& spec, const TypedValue& value) {
    if (value.items.empty() || spec.joined_by.empty()) return value.text;
    return joined(value.items, spec.joined_by);
}

std::vector<GivenOption> options_of_job(const Job& job, const std::vector<Setting>& defaults,
                                        const Subject& subject, std::string_view where) {
    const std::vector<const ParameterSpec*> specs = job_options(subject);
    std::vector<GivenOption> options;
    for (const Setting* own : job.settings) {
        const Setting& setting = *own;
        const ParameterSpec* spec = find_option(specs, setting.key);
        if (!spec) refuse_unknown(subject, setting.key, specs, where);
        if (has_option(options, spec)) {
            throw FormatError(where,
                              fmt::format("{}: is there twice, under another name", setting.key));
        }
        if (spec->type == ParameterType::path && !setting.value.is_text) {
            throw FormatError(
                where,
                setting.value.items.empty()
                    ? fmt::format("{}: must be a text, \"{}\"", setting.key, setting.value.text)
                    : fmt::format("{}: must be one text, no list", setting.key));
        }
        options.push_back({spec, text_for(*spec, setting.value)});
    }
    const std::vector<GivenOption> own = options;
    const auto add_default = [&](const Setting& setting) {
        const ParameterSpec* spec = find_option(specs, setting.key);
        if (spec && !has_option(options, spec) && is_written_with(own, spec)) {
            options.push_back({spec, text_for(*spec, setting.value), Origin::preset});
        }
    };
    for (const Setting* setting : job.defaults) add_default(*setting);
    for (const Setting& setting : defaults) add_default(setting);
    return options;
}

/// Throws: FormatError if a label has the name of an option, or is called encoding, labels or
/// sweep.
void check_labels(const std::vector<const Setting*>& labels, const Subject& subject,
                  std::string_view where) {
    constexpr std::array<std::string_view, 3> others{"encoding", "labels", "sweep"};
    const std::vector<const ParameterSpec*>& specs = options_of(subject);
    for (const Setting* label : labels) {
        const std::string name = hyphenated(label->key);
        if (!find_option(specs, name) && std::ranges::count(others, name) == 0) continue;
        throw FormatError(where, fmt::format("labels: {}: is the name of an option of {}; choose "
                                             "another",
                                             label->key, subject.name()));
    }
}

/// Throws: UsageError if {shard} is in the path of a file that is not shared by jobs.
void check_shard(const Target& target) {
    if (!has_shard(target.path) || !target.arrays.empty()) return;
    throw UsageError(
        fmt::format("{}: {{{}}} is for archives of several jobs, whose arrays have "
                    "names: {{shard}}.npz:{{sample}}",
                    target.path, shard_word));
}

void check_inputs(const Parameters& parameters) {
    for (const auto& [name, file] : files_of(parameters)) {
        if (file == "-") throw UsageError(fmt::format("--{} -: a job reads files", name));
        check_beneath(file);
    }
}

void settle_target(Target& target, const OutputName& name) {
    if (target.path == "-") {
        throw UsageError(fmt::format("{}: a job writes files", target.format->name));
    }
    target.path = expanded(target.path, name);
    check_shard(target);
    check_beneath(target.path);
    check_inputs(target.parameters);
}

}  // namespace

std::vector<const ParameterSpec*> job_options(const Subject& subject) {
    std::vector<const ParameterSpec*> specs = options_of(subject);
    std::erase_if(specs, [](const ParameterSpec* spec) {
        return is_among(run_options, spec) || is_to_show(spec);
    });
    return specs;
}

std::vector<const Encoding*> encodings_of_jobs() {
    std::vector<const Encoding*> all(all_encodings().begin(), all_encodings().end());
    all.insert(all.end(), all_mechanisms().begin(), all_mechanisms().end());
    all.insert(all.end(), {&array_of_file(), &concatenation()});
    return all;
}

std::vector<const ParameterSpec*> options_of_all_jobs() {
    std::vector<const ParameterSpec*> all;
    for (const Encoding* encoding : encodings_of_jobs()) {
        const std::vector<const ParameterSpec*> own = job_options({encoding, nullptr});
        all.insert(all.end(), own.begin(), own.end());
    }
    // Options that encodings share are the same objects.
    std::ranges::sort(all, [](const ParameterSpec* a, const ParameterSpec* b) {
        return std::pair(a->name, a) < std::pair(b->name, b);
    });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

bool has_shard(std::string_view path) {
    return path.find(fmt::format("{{{}", shard_word)) != path.npos;
}

std::string with_shard(const std::string& path, std::int64_t number) {
    const std::string text = std::to_string(number);
    return expand(path, [&](std::string_view pattern) -> std::optional<std::string> {
        const std::size_t colon = pattern.find(':');
        if (pattern.substr(0, colon) != shard_word) return std::nullopt;
        if (colon == pattern.npos) return text;
        return padded(text, pattern.substr(colon + 1), fmt::format("{}: {{{}}}", path, pattern));
    });
}

void check_defaults(const std::vector<Setting>& defaults, std::string_view path) {
    const std::vector<const ParameterSpec*> specs = options_of_all_jobs();
    for (const Setting& setting : defaults) {
        if (setting.key == "encoding" || find_option(specs, setting.key)) continue;
        throw FormatError(
            path, fmt::format("defaults: {}: no option of any encoding or format{}", setting.key,
                              did_you_mean(setting.key, names_of(specs))));
    }
}

Request job_request(const Job& job, const std::vector<Setting>& defaults, std::string_view path) {
    const std::string where = fmt::format("{}: {}", path, job.place);
    const Subject subject = find_subject(job.name);
    Request request = make_request(subject, options_of_job(job, defaults, subject, where));
    check_labels(job.labels, subject, where);
    check_inputs(request.parameters);
    if (all_targets(request).empty()) {
        throw UsageError("writes no file; give it -o name.npy, in JSON \"npy\": \"name.npy\"");
    }
    for (Target& archive : request.archives) {
        const RequestedTable& first = request.tables.front();
        settle_target(archive, {job, request, first, archive.parameters, first.spec->name});
        if (has_shard(archive.arrays)) {
            throw UsageError(fmt::format("{}:{}: {{{}}} is for the name of the file", archive.path,
                                         archive.arrays, shard_word));
        }
        archive.arrays =
            expanded(archive.arrays, {job, request, first, archive.parameters, "{table}"});
    }
    const Parameters no_format;
    for (RequestedTable& table : request.tables) {
        table.array = expanded(table.array, {job, request, table, no_format, table.spec->name});
        for (Target& target : table.targets) {
            settle_target(target, {job, request, table, target.parameters, table.spec->name});
        }
    }
    return request;
}

}  // namespace pegen::cli
