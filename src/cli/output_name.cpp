#include "cli/output_name.h"

#include <fmt/format.h>
#include <limits.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/options.h"
#include "core/error.h"
#include "core/names.h"

namespace pegen::cli {
namespace {

/// The value of {name} in the path of an output; none if there is no such name.
std::optional<std::string> value_of(const OutputName& of, std::string_view name) {
    if (name == "encoding") return std::string(of.request.subject.name());
    if (name == "dtype") return std::string(info(of.table.dtype).name);
    if (name == "table") return std::string(of.table.spec->name);
    for (const Parameters::Entry& entry : of.request.parameters.entries()) {
        if (is_called(*entry.spec, name)) return to_string(entry);
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

/// Reads an integer that is the whole text.
std::optional<std::int64_t> integer_of(std::string_view text) {
    std::int64_t integer = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return integer;
}

/// Returns the number with zeros before it. `width` is what stands behind the ':' of `pattern`.
/// Throws: UsageError unless they are an integer and such a width.
std::string padded(std::string_view number, std::string_view width, std::string_view pattern) {
    if (width.ends_with('d')) width.remove_suffix(1);  // as Python has it
    constexpr std::int64_t widest = 99;
    const std::int64_t digits = width.starts_with('0') ? integer_of(width).value_or(0) : 0;
    if (digits < 1 || digits > widest) {
        throw UsageError(fmt::format(
            "{}: must have 0 and a width from 1 to {} behind the ':', as in {{seed:04}}", pattern,
            widest));
    }
    const std::optional<std::int64_t> integer = integer_of(number);
    if (!integer) {
        throw UsageError(
            fmt::format("{}: is {}; only an integer is padded with zeros", pattern, number));
    }
    return fmt::format("{:0{}}", *integer, digits);
}

/// Throws: UsageError if the system has no room for a path of this length.
void check_length(const std::string& path, std::size_t length) {
    if (length < PATH_MAX) return;
    throw UsageError(fmt::format("{}: is longer than {} bytes", path, PATH_MAX - 1));
}

}  // namespace

std::string expanded(const std::string& path, const OutputName& of) {
    std::size_t length = 0;  // of the values alone
    const std::string result =
        expand(path, [&](std::string_view pattern) -> std::optional<std::string> {
            const std::string_view name = pattern.substr(0, pattern.find(':'));
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

}  // namespace pegen::cli
