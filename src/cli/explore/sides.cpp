#include "cli/explore/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "cli/generate.h"
#include "core/error.h"
#include "core/names.h"
#include "files/array_file.h"
#include "inspect/fitted.h"

namespace pegen::cli {
namespace {

/// Returns the request for the other table. It takes the extents of the first table and the
/// parameters that the user set for it, if the other encoding has parameters of these names; the
/// options in `text` override them.
/// Precondition: `text` has at least one word.
Asked other_asked(const Table& first, std::string_view text) {
    const std::vector<std::string_view> typed = words(text);
    const Subject other = subject_of_pages(typed.front());
    std::vector<std::string> all;
    for (const Parameters::Entry& entry : first.provenance.parameters.entries()) {
        const bool is_extent =
            entry.spec->is_extent() && !std::holds_alternative<NoValue>(entry.value);
        if (entry.origin != Origin::user && !is_extent) continue;
        if (!find_option(other.encoding->parameters, entry.spec->name)) continue;
        all.push_back(fmt::format("--{}={}", entry.spec->name, to_string(entry)));
    }
    all.insert(all.end(), typed.begin() + 1, typed.end());
    const std::vector<std::string_view> arguments(all.begin(), all.end());
    return asked_for(other, parse_arguments(arguments, options_of(other), other.name()));
}

/// Returns the name of a table with the options that the user set, without its size: "fairseq
/// --start 2".
std::string label_of(const Asked& asked) {
    constexpr std::size_t longest = 60;
    const std::string name(asked.request.subject.name());
    std::string label = name;
    for (const Parameters::Entry& entry : asked.request.parameters.entries()) {
        if (entry.origin != Origin::user || entry.spec->is_extent()) continue;
        label += fmt::format(" --{} {}", entry.spec->name, to_string(entry));
    }
    return label.size() > longest ? name : label;
}

Side side_of(const Asked& asked, DType dtype) {
    const Request& request = asked.request;
    RequestedTable wanted = asked.wanted();
    if (is_floating(wanted.dtype)) wanted.dtype = dtype;
    return {label_of(asked), request.subject,
            table_within(planned_table(request, wanted), most_values_compared)};
}

/// Makes the other table from the words of the request.
/// Throws: UsageError. If the error is about an option, the message begins with the words.
Side other_side(const Table& first, const std::string& text) {
    if (words(text).empty()) {
        throw UsageError("beside: needs the name of an encoding or a preset");
    }
    try {
        return side_of(other_asked(first, text), DType::float64);
    } catch (const UsageError& error) {
        const std::string_view message = error.what();
        if (!message.starts_with("--")) throw;
        throw UsageError(fmt::format("{}: {}", text, message));
    }
}

/// Returns the requested table with the extents of the file, unless the user set them.
Asked sized_as(Asked asked, const Table& file) {
    Request& request = asked.request;
    request.parameters =
        fitted(*request.subject.encoding, *asked.wanted().spec, request.parameters, file.shape);
    return asked;
}

/// Returns the value of a field of the query; nothing if it is not there or empty.
std::optional<std::string> field(const http::Request& request, std::string_view name) {
    const auto found = std::ranges::find(request.query, name, &http::Field::first);
    if (found == request.query.end() || found->second.empty()) return {};
    return found->second;
}

Side file_side(const http::Request& request) {
    ArrayFile file = file_array(request);
    if (file.table.shape.size() > most_values_compared) {
        throw UsageError(fmt::format(
            "{} has shape {}: a page compares at most {} values; pe-gen compare takes more",
            file.path, to_string(file.table.shape), most_values_compared));
    }
    return {std::move(file.path), {}, std::move(file.table)};
}

Sides sides_with_words(Asked asked) {
    Side first = side_of(asked, DType::float64);
    Side other = other_side(first.table, asked.beside);
    return {std::move(asked), std::move(first), std::move(other)};
}

Sides sides_with_file(Asked asked, const http::Request& request) {
    Side other = file_side(request);
    asked = sized_as(std::move(asked), other.table);
    const DType own = other.table.dtype;
    const DType dtype = is_floating(own) ? own : DType::float64;
    Side first = side_of(asked, dtype);
    return {std::move(asked), std::move(first), std::move(other)};
}

}  // namespace

Archive file_archive(const http::Request& request) {
    const std::string name = field(request, "named").value_or("the file");
    return open_archive(InputFile::in_memory(name, request.body));
}

ArrayFile file_array(const http::Request& request) {
    const Archive archive = file_archive(request);
    const std::optional<std::string> name = field(request, "array");
    if (archive.members.size() > 1 && !name) {
        throw UsageError(fmt::format("{}: has {} arrays; array={} in the address names the first",
                                     archive.path, archive.members.size(),
                                     archive.members.front().name));
    }
    ArrayFile file = array_in(archive, name);
    if (!name) file.path = archive.path;
    return file;
}

std::optional<Sides> sides_of(const Asked& asked, const http::Request& request) {
    if (request.is_post) return sides_with_file(asked, request);
    if (!asked.beside.empty()) return sides_with_words(asked);
    return {};
}

}  // namespace pegen::cli
