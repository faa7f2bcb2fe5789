#include <fmt/format.h>

#include <array>
#include <numeric>

#include "cli/apply/array.h"
#include "cli/apply/operations.h"
#include "core/error.h"
#include "rows/arranged.h"
#include "rows/rotated.h"

namespace pegen::cli {
namespace {

constexpr std::string_view pairings = "half interleaved";

constexpr std::array permute_parameters{
    x_parameter,
    ParameterSpec{.name = "from",
                  .type = ParameterType::word,
                  .choices = pairings,
                  .summary = "the pairing that the weights were trained with"},
    ParameterSpec{.name = "to",
                  .type = ParameterType::word,
                  .choices = pairings,
                  .summary = "the pairing of the code that will use them"},
    ParameterSpec{.name = "heads",
                  .aliases = "num-heads n-heads num-attention-heads num-key-value-heads",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "number of heads along the axis; for keys, the number of key heads"},
    ParameterSpec{.name = "rotary-dim",
                  .aliases = "rotary-ndims n-rot",
                  .type = ParameterType::integer,
                  .range = {.lowest = 2, .highest = 1 << 20},
                  .summary = "rotated channels of a head [all]"},
    ParameterSpec{.name = "rotary-offset",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = 1 << 20},
                  .summary = "channels of a head before the rotated ones, as in MLA"},
    ParameterSpec{
        .name = "axis",
        .type = ParameterType::integer,
        .default_value = "0",
        .range = {.lowest = -64, .highest = 63},
        .summary = "the output axis: 0 for a weight (out, in) or a bias (out,); -1 for the last"},
};

/// Returns for each place in a head the index of the channel that is moved there. The `r` channels
/// behind the first `offset` ones are reordered.
std::vector<std::int64_t> head_order(std::int64_t head_dim, std::int64_t r, std::int64_t offset,
                                     rows::Pairing to) {
    std::vector<std::int64_t> order(head_dim);
    std::iota(order.begin(), order.end(), 0);
    for (std::int64_t i = 0; i < r; ++i) order[offset + i] = offset + rows::channel_at(i, r, to);
    return order;
}

PlannedTable plan_permute(const OperationInput& input) {
    refuse_dashes(input, "rope-permute");
    const Parameters& own = input.own;
    for (const std::string_view name : {"from", "to", "heads"}) {
        if (own.has(name)) continue;
        throw UsageError(fmt::format(
            "apply rope-permute: needs --{}, as in pe-gen apply rope-permute --from half --to "
            "interleaved --heads 32 --x wq.npy",
            name));
    }
    if (own.word("from") == own.word("to")) {
        throw UsageError(fmt::format("--to {}: is --from; nothing would change", own.word("to")));
    }
    const ArrayFile x = open_array(own.word("x"));
    const Shape& shape = x.table.shape;
    const std::int64_t wanted = own.integer("axis");
    const std::int64_t axis = wanted < 0 ? wanted + shape.rank() : wanted;
    if (axis < 0 || axis >= shape.rank()) {
        throw UsageError(
            fmt::format("--axis {}: {} has {} axes, counted from 0", wanted, x.path, shape.rank()));
    }
    const std::int64_t extent = shape[static_cast<int>(axis)];
    const std::int64_t heads = own.integer("heads");
    if (extent == 0 || extent % heads != 0) {
        throw UsageError(fmt::format("--heads {}: must divide {}, the extent of axis {} of {}, {}",
                                     heads, extent, axis, x.path, to_string(shape)));
    }
    const std::int64_t head_dim = extent / heads;
    const std::int64_t offset = own.integer("rotary-offset");
    if (offset > head_dim - 2) {
        throw UsageError(
            fmt::format("--rotary-offset {}: must be at most {}, as a head has {} channels", offset,
                        head_dim - 2, head_dim));
    }
    const std::int64_t rest = head_dim - offset;
    if (rest % 2 != 0 && !own.has("rotary-dim")) {
        throw UsageError(fmt::format(
            "--heads {}: makes heads of {} channels of {}{}, and channels turn in pairs", heads,
            head_dim, extent, offset > 0 ? fmt::format(", {} behind --rotary-offset", rest) : ""));
    }
    const std::int64_t r = own.has("rotary-dim") ? own.integer("rotary-dim") : rest;
    if (r > rest || r % 2 != 0) {
        throw UsageError(
            fmt::format("--rotary-dim {}: must be even and at most {}, the channels of a head{}", r,
                        rest, offset > 0 ? " behind --rotary-offset" : ""));
    }
    const auto to = own.word("to") == "half" ? rows::Pairing::half : rows::Pairing::interleaved;
    return {result_of(x, x.table.dtype, {}, fmt::format("{} pairs", own.word("to"))),
            [table = x.table, axis, order = head_order(head_dim, r, offset, to)](const Progress&) {
                return rows::permuted(table, static_cast<int>(axis), order);
            }};
}

}  // namespace

constinit const Operation operations::rope_permute{
    .name = "rope-permute",
    .arguments = "--from PAIRING --to PAIRING --heads N --x FILE [outputs]",
    .summary = "convert a projection of queries or keys to the other pairing of RoPE",
    .examples =
        "apply rope-permute --from half --to interleaved --heads 32 --x wq.npy "
        "-o permuted.npy",
    .parameters = permute_parameters,
    .plan = plan_permute};

}  // namespace pegen::cli
