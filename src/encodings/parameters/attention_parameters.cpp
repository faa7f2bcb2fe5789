#include "encodings/parameters/attention_parameters.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"

namespace pegen::encodings {

Parameters with_keys(Parameters p) {
    if (!p.has("key-len")) p.resolve("key-len", p.integer("len"));
    return p;
}

Parameters resolve_keys(Parameters given) {
    Parameters p = with_keys(std::move(given));
    const std::int64_t queries = p.integer("len");
    if (p.integer("key-len") < queries) {
        throw UsageError(fmt::format(
            "--key-len {}: must be at least --len, {}: the queries are the last of the keys",
            p.integer("key-len"), queries));
    }
    return p;
}

rows::AttentionSize attention_size(const Parameters& p) {
    return {p.integer("len"), p.integer("key-len")};
}

Axis head_axis() { return {.kind = AxisKind::head, .name = "head", .label = "Head"}; }

Axis query_axis(rows::AttentionSize size) {
    const auto first = static_cast<double>(size.before);
    return {.kind = AxisKind::query,
            .name = "query",
            .label = "Query Position",
            .positions = Positions(first, 1, size.queries)};
}

Axis key_axis(rows::AttentionSize size) {
    return {.kind = AxisKind::key,
            .name = "key",
            .label = "Key Position",
            .positions = Positions(0, 1, size.keys)};
}

}  // namespace pegen::encodings
