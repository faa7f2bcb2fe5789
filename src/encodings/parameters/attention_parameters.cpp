#include "encodings/parameters/attention_parameters.h"

#include <fmt/format.h>

#include <limits>
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

namespace {

Cell hidden_cell() {
    return {.value = {[] { return numerics::Real(-std::numeric_limits<double>::infinity()); }, ""},
            .note = "The key comes after the query, and is hidden by --mask causal."};
}

}  // namespace

Plan bias_plan(Parameters p, rows::AttentionSize size, BiasRows rows, BiasCell cell_of) {
    std::function<Cell(std::span<const std::int64_t>)> cell;
    if (cell_of) {
        cell = [=, is_causal = p.word("mask") == "causal",
                cell_of = std::move(cell_of)](std::span<const std::int64_t> index) {
            const std::int64_t query = index[1], key = index[2];
            if (is_causal && key >= size.seen_by(query)) return hidden_cell();
            return cell_of(index[0], query, key);
        };
    }
    const std::int64_t heads = p.integer("heads");
    const bool is_causal = p.word("mask") == "causal";
    return {.parameters = std::move(p),
            .shape = {heads, size.queries, size.keys},
            .axes = {head_axis(), query_axis(size), key_axis(size)},
            .make_rows =
                [=, rows = std::move(rows)](DType dtype) {
                    Rows all = rows(dtype);
                    return is_causal ? rows::causal(all, size) : all;
                },
            .cell = std::move(cell),
            .is_before_mask = !is_causal && size.seen_by(0) < size.keys};
}

}  // namespace pegen::encodings
