#include "encodings/attention/extents.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace pegen::encodings::attention {

const Extents::Statement* Extents::find(std::string_view name) const {
    const auto found = std::ranges::find(statements_, name, &Statement::name);
    return found == statements_.end() ? nullptr : &*found;
}

void Extents::say(std::string_view name, std::int64_t value, std::string_view source,
                  std::string_view path) {
    const Statement* const earlier = find(name);
    if (!earlier) {
        const std::string_view of = path.empty() ? "" : " of ";
        statements_.push_back({name, value, fmt::format("{}{}{}", source, of, path)});
        return;
    }
    if (earlier->value == value) return;
    if (path.empty()) {
        throw UsageError(
            fmt::format("{}: {} says {} = {}", source, earlier->source, name, earlier->value));
    }
    throw FormatError(path, fmt::format("{}: says {} = {}, but {} says {}", source, name, value,
                                        earlier->source, earlier->value));
}

void Extents::assume(std::string_view name, std::int64_t value) {
    if (!has(name)) statements_.push_back({name, value, "the default"});
}

bool Extents::has(std::string_view name) const { return find(name) != nullptr; }

std::int64_t Extents::of(std::string_view name) const { return find(name)->value; }

}  // namespace pegen::encodings::attention
