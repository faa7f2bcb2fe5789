#include <fmt/format.h>

#include <array>
#include <bit>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/position_parameters.h"
#include "encodings/sequence/binary_recognition.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    len_parameter,
    ParameterSpec{.name = "start",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = two_to_53},
                  .summary = "the first position"},
    ParameterSpec{.name = "bits",
                  .type = ParameterType::integer,
                  .range = {.lowest = 1, .highest = 63},
                  .summary = "number of bits [those of the last position]"},
    keep_channels_parameter,
};

std::int64_t bits_of(std::int64_t position) {
    return position == 0 ? 1
                         : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(position)));
}

Parameters resolve_bits(Parameters p) {
    const std::int64_t last = p.integer("start") + p.integer("len") - 1;
    const std::int64_t needed = bits_of(last);
    if (!p.has("bits")) p.resolve("bits", needed);
    if (p.integer("bits") < needed) {
        throw UsageError(
            fmt::format("--bits {}: position {} has {} bits; use --bits {} or a smaller --len",
                        p.integer("bits"), last, needed, needed));
    }
    return p;
}

RealRowSource bit_rows(std::int64_t start, std::int64_t bits) {
    return [=](RowRange range, std::span<double> out) {
        auto place = out.begin();
        for (std::int64_t row = 0; row < range.count; ++row) {
            const std::int64_t position = start + range.first + row;
            for (std::int64_t bit = 0; bit < bits; ++bit) {
                *place++ = static_cast<double>((position >> bit) & 1);
            }
        }
    };
}

Plan plan(Parameters given, std::string_view) {
    const Parameters p = resolve_bits(std::move(given));
    const std::int64_t len = p.integer("len"), start = p.integer("start"), bits = p.integer("bits");
    return {.parameters = p,
            .shape = {len, bits},
            .axes = {position_axis(Positions(static_cast<double>(start), 1, len)),
                     {.kind = AxisKind::channel, .name = "bit", .label = "Bit"}},
            .make_rows = [=](DType dtype, const Progress&) {
                return rounded(bit_rows(start, bits), bits, dtype);
            }};
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the bits of each position, (len, bits)",
                                      .title = "Binary Encoding (bits={bits}, max_len={len})",
                                      .value_label = "Bit",
                                      .promises = "unique bounded",
                                      .has_whole_values = true}};

}  // namespace

/// pos = start ... start + len - 1; bit 0, the fastest, comes first.
/// Table: encoding (len, bits), axes (position, bit). Exact in every dtype.
extern constinit const Encoding binary{
    .name = "binary",
    .summary = "the binary digits of the position",
    .formula = "PE[pos, b] = floor(pos / 2^b) mod 2",
    .source = "the usual motivation of the sinusoidal encoding; no paper proposes it",
    .examples =
        "binary --len 8\n"
        "binary --len 64 --png binary.png\n"
        "binary --start 1000 --len 4 --bits 16",
    .parameters = parameters,
    .tables = tables,
    .plan = plan,
    .recognize = recognize_binary};

}  // namespace pegen::encodings
