#include "encodings/bias/bias_plan.h"

#include <utility>

namespace pegen::encodings {

Plan bias_plan(Parameters p, rows::AttentionSize size, std::function<RowSource(DType dtype)> rows) {
    const std::int64_t heads = p.integer("heads");
    const bool is_causal = p.word("mask") == "causal";
    return {.parameters = std::move(p),
            .shape = {heads, size.queries, size.keys},
            .axes = {head_axis(), query_axis(size), key_axis(size)},
            .make_rows = [=, rows = std::move(rows)](DType dtype, const Progress&) {
                return is_causal ? rows::causal(rows(dtype), size, dtype) : rows(dtype);
            }};
}

}  // namespace pegen::encodings
