#include "cli/job_request.h"

#include <fmt/format.h>
#include <limits.h>

#include <algorithm>
#include <string>

#include "cli/beneath.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/names.h"
#include "formats/registry.h"

namespace pegen::cli {
namespace {

const ParameterSpec* find_option(const std::vector<const ParameterSpec*>& specs,
                                 std::string_view key) {
    const auto found = std::ranges::find_if(
        specs, [&](const ParameterSpec* spec) { return is_called(*spec, key); });
    return found == specs.end() ? nullptr : *found;
}

[[noreturn]] void refuse_unknown(const Subject& subject, std::string_view key,
                                 const std::vector<const ParameterSpec*>& specs,
                                 std::string_view where) {
    std::vector<std::string_view> names;
    for (const ParameterSpec* spec : specs) names.push_back(spec->name);
    names.insert(names.end(), {"encoding", "sweep"});
    throw FormatError(
        where, fmt::format("{}: no option of {}{}", key, subject.name(), did_you_mean(key, names)));
}

bool has_option(const std::vector<GivenOption>& options, const ParameterSpec* spec) {
    return std::ranges::find(options, spec, &GivenOption::spec) != options.end();
}

/// True if a format that `options` write has the option, or if it is not an option of formats.
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
        if (spec->type == ParameterType::path && !setting.is_text) {
            throw FormatError(where,
                              fmt::format("{}: must be a text, \"{}\"", setting.key, setting.text));
        }
        options.push_back({spec, setting.text});
    }
    const std::vector<GivenOption> own = options;
    for (const Setting& setting : defaults) {
        const ParameterSpec* spec = find_option(specs, setting.key);
        if (spec && !has_option(options, spec) && is_written_with(own, spec)) {
            options.push_back({spec, setting.text, Origin::preset});
        }
    }
    return options;
}

/// The value of {name} in the path of an output of `table`; none if there is no such name.
std::optional<std::string> value_of(const Request& request, const RequestedTable& table,
                                    std::string_view name) {
    if (name == "encoding") return std::string(request.subject.name());
    if (name == "dtype") return std::string(info(table.dtype).name);
    for (const Parameters::Entry& entry : request.parameters.entries()) {
        if (is_called(*entry.spec, name)) return to_string(entry);
    }
    return {};
}

/// Throws: UsageError if the system has no room for a path of this length.
void check_length(const std::string& path, std::size_t length) {
    if (length < PATH_MAX) return;
    throw UsageError(fmt::format("{}: is longer than {} bytes", path, PATH_MAX - 1));
}

std::string expanded(const std::string& path, const Request& request, const RequestedTable& table) {
    std::size_t length = 0;  // of the values alone
    const std::string result =
        expand(path, [&](std::string_view name) -> std::optional<std::string> {
            const std::optional<std::string> value = value_of(request, table, hyphenated(name));
            if (!value) throw UsageError(fmt::format("{}: no parameter is called {}", path, name));
            if (value->find('/') != value->npos) {
                throw UsageError(
                    fmt::format("{}: {} is {}; a name of a file has no '/'", path, name, *value));
            }
            check_length(path, length += value->size());
            return value;
        });
    check_length(path, result.size());
    return result;
}

void check_inputs(const Parameters& parameters) {
    for (const auto& [name, file] : files_of(parameters)) {
        if (file == "-") throw UsageError(fmt::format("--{} -: a job reads files", name));
        check_beneath(file);
    }
}

void settle_target(Target& target, const Request& request, const RequestedTable& table) {
    if (target.path == "-") {
        throw UsageError(fmt::format("{}: a job writes files", target.format->name));
    }
    target.path = expanded(target.path, request, table);
    check_beneath(target.path);
    check_inputs(target.parameters);
}

}  // namespace

std::vector<const ParameterSpec*> job_options(const Subject& subject) {
    std::vector<const ParameterSpec*> specs = options_of(subject);
    std::erase_if(specs, [](const ParameterSpec* spec) { return is_among(run_options, spec); });
    return specs;
}

Request job_request(const Job& job, const std::vector<Setting>& defaults, std::string_view path) {
    const std::string where = fmt::format("{}: {}", path, job.place);
    const Subject subject = find_subject(job.name);
    Request request = make_request(subject, options_of_job(job, defaults, subject, where));
    check_inputs(request.parameters);
    if (all_targets(request).empty()) {
        throw UsageError("writes no file; give it \"npy\": \"name.npy\"");
    }
    for (Target& archive : request.archives) {
        settle_target(archive, request, request.tables.front());
    }
    for (RequestedTable& table : request.tables) {
        for (Target& target : table.targets) settle_target(target, request, table);
    }
    return request;
}

}  // namespace pegen::cli
