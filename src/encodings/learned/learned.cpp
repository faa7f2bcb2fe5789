#include "encodings/learned/learned.h"

#include <fmt/format.h>

#include <array>

#include "core/error.h"
#include "encodings/learned/initializer.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/position_parameters.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    len_parameter,
    d_parameter,
    init_parameter,
    seed_parameter,
    rng_parameter,
    ParameterSpec{.name = "padding-row",
                  .aliases = "padding-idx",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "this row is zero, as for a padding index"},
    ParameterSpec{.name = "burn",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = 1 << 20},
                  .summary =
                      "tables of normals drawn before and thrown away: 1 for an nn.Embedding "
                      "that is initialized again"},
};

Initializer initializer_of(const Parameters& p) {
    return parse_initializer(p.word("init"), p.integer("d"));
}

Parameters resolve(Parameters p) {
    initializer_of(p);
    if (p.has("padding-row") && p.integer("padding-row") >= p.integer("len")) {
        throw UsageError(fmt::format("--padding-row {}: must be less than --len {}",
                                     p.integer("padding-row"), p.integer("len")));
    }
    return p;
}

Shape shape(const Parameters& p) { return {p.integer("len"), p.integer("d")}; }

RowSource rows(const Parameters& p, DType dtype) {
    const Initializer initializer = initializer_of(p);
    check_holds(dtype, largest_value(initializer), "the largest value --init can give");
    const std::int64_t d = p.integer("d");
    RowSource rows =
        torch::tensor_rows(initialized_tensor(initializer, p.integer("len"), d, p.integer("seed"),
                                              p.integer("burn"), code_path(p)),
                           d, dtype);
    if (!p.has("padding-row")) return rows;
    return with_zero_row(std::move(rows), p.integer("padding-row"),
                         d * static_cast<std::int64_t>(info(dtype).size));
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the table before training, (len, d)",
                                      .axes = position_channel_axes,
                                      .title = "Learned Embedding (d_model={d}, len={len})",
                                      .value_label = "Initial Values",
                                      .shape = shape,
                                      .rows = rows}};

}  // namespace

constinit const Encoding learned{
    .name = "learned",
    .summary = "a learned table before training, with the very numbers PyTorch draws",
    .formula =
        "torch.manual_seed(seed)\n"
        "for _ in range(burn): torch.empty(len, d).normal_()\n"
        "PE = torch.empty(len, d); init(PE); PE[padding_row] = 0",
    .source = "Devlin et al. 2018, BERT, arXiv:1810.04805, section 3.2; PyTorch's torch.nn.init",
    .examples =
        "learned --len 50 --d 256\n"
        "learned --len 197 --d 768 --init trunc-normal:0,0.02,-2,2 --seed 7\n"
        "learned --len 128 --d 64 --init uniform:0,1 --burn 1 --png learned.png",
    .parameters = parameters,
    .tables = tables,
    .resolve = resolve};

}  // namespace pegen::encodings
