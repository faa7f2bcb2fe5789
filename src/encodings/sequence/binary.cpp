#include <fmt/format.h>

#include <array>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    len_parameter,
    ParameterSpec{.name = "start",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = two_to_53},
                  .summary = "the first position",
                  .role = Role::start},
    ParameterSpec{.name = "bits",
                  .type = ParameterType::integer,
                  .range = {.lowest = 1, .highest = 63},
                  .summary = "number of bits, or digits [those of the last position]"},
    ParameterSpec{.name = "radix",
                  .type = ParameterType::integer,
                  .default_value = "2",
                  .range = {.lowest = 2, .highest = two_to_53},
                  .summary = "digits in another base, from 0 to N - 1",
                  .is_rare = true},
    ParameterSpec{.name = "highest-first",
                  .aliases = "msb-first",
                  .type = ParameterType::flag,
                  .summary = "the highest bit comes first",
                  .is_rare = true},
    keep_channels_parameter,
    view_parameter,
};

std::int64_t digits_of(std::int64_t position, std::int64_t radix) {
    std::int64_t digits = 1;
    while (position >= radix) {
        position /= radix;
        ++digits;
    }
    return digits;
}

Parameters resolve_bits(Parameters p) {
    const std::int64_t last = p.integer("start") + p.integer("len") - 1;
    const std::int64_t radix = p.integer("radix"), needed = digits_of(last, radix);
    if (!p.has("bits")) p.resolve("bits", needed);
    if (p.integer("bits") < needed) {
        throw UsageError(
            fmt::format("--bits {}: position {} has {} {}; use --bits {} or a smaller --len",
                        p.integer("bits"), last, needed, radix == 2 ? "bits" : "digits", needed));
    }
    return p;
}

/// The digits in the channels, as given by the parameters.
struct Digits {
    std::int64_t radix;
    std::int64_t count;
    bool is_highest_first;
};

RealRows digit_rows(std::int64_t start, std::int64_t len, const Digits& digits) {
    return {[=](RowRange range, std::span<double> out) {
                const std::size_t count = digits.count;
                for (std::int64_t row = 0; row < range.count; ++row) {
                    std::int64_t left = start + range.first + row;
                    const auto places = out.subspan(row * count, count);
                    for (std::size_t i = 0; i < count; ++i) {
                        // Divisions take most of the time; a shift takes almost none.
                        const std::int64_t rest =
                            digits.radix == 2 ? left >> 1 : left / digits.radix;
                        places[digits.is_highest_first ? count - 1 - i : i] =
                            static_cast<double>(left - rest * digits.radix);
                        left = rest;
                    }
                }
            },
            len, digits.count};
}

/// Returns the cell of one digit of the position.
Cell digit_cell(std::int64_t position, const Digits& digits, std::int64_t channel) {
    const std::int64_t place = digits.is_highest_first ? digits.count - 1 - channel : channel;
    std::int64_t rest = position;
    for (std::int64_t i = 0; i < place; ++i) rest /= digits.radix;
    const Term digit = number_term(static_cast<double>(rest % digits.radix));
    return {.value = {digit.value, fmt::format("floor({} / {}^{}) mod {}", position, digits.radix,
                                               place, digits.radix)}};
}

Plan plan(Parameters given, std::string_view) {
    const Parameters p = resolve_bits(std::move(given));
    const std::int64_t len = p.integer("len"), start = p.integer("start"), bits = p.integer("bits");
    const Digits digits{p.integer("radix"), bits, p.flag("highest-first")};
    return {.parameters = p,
            .shape = {len, bits},
            .axes = {position_axis(Positions(static_cast<double>(start), 1, len)),
                     {.kind = AxisKind::channel, .name = "bit", .label = "Bit"}},
            .make_rows =
                [=](DType dtype) {
                    if (digits.radix > 2) {
                        check_holds(dtype, static_cast<double>(digits.radix - 1),
                                    "the largest digit");
                    }
                    return rounded(digit_rows(start, len, digits), dtype);
                },
            .cell =
                [=](std::span<const std::int64_t> index) {
                    return digit_cell(start + index[0], digits, index[1]);
                }};
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the bits of each position, (len, bits)",
                                      .title = "Binary Encoding (bits={bits}, max_len={len})",
                                      .value_label = "Bit",
                                      .promises = "unique bounded",
                                      .has_whole_values = true}};

}  // namespace

/// pos = start ... start + len - 1. Bit 0, which changes fastest, comes first, or last with
/// --highest-first.
/// Table: encoding (len, bits), axes (position, bit). Bits are exact in every dtype; digits of a
/// larger radix are rounded to the dtype.
extern constinit const Encoding binary{
    .name = "binary",
    .summary = "the binary digits of the position",
    .formula =
        "PE[pos, b] = floor(pos / 2^b) mod 2\n"
        "with --radix r instead of 2",
    .source = "the usual motivation of the sinusoidal encoding; no paper proposes it",
    .examples =
        "binary --len 8\n"
        "binary --len 64 --png binary.png\n"
        "binary --start 1000 --len 4 --bits 16",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
