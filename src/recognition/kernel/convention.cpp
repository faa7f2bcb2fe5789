#include "recognition/kernel/convention.h"

#include <fmt/format.h>

namespace pegen::recognition {
namespace {

using rows::Pairing;

/// Returns the channel of the row that the kernel reads as channel `j`.
std::int64_t read_from(std::int64_t j, const Convention& c) {
    if (!c.reads_neighbours) return j;
    const std::int64_t half = c.dim / 2;
    return j < half ? 2 * j : 2 * (j - half) + 1;
}

/// Returns "m and m + 8" or "2m and 2m + 1".
std::string pair_text(Pairing pairing, std::int64_t dim) {
    return pairing == Pairing::half ? fmt::format("m and m + {}", dim / 2) : "2m and 2m + 1";
}

}  // namespace

std::vector<Term> terms_of(const Convention& c) {
    const std::int64_t half = c.dim / 2;
    std::vector<Term> terms;
    for (std::int64_t j = 0; j < c.dim; ++j) {
        const bool is_half = c.pairing == Pairing::half;
        const bool is_first = is_half ? j < half : j % 2 == 0;
        const std::int64_t apart = is_half ? half : 1;
        const std::int64_t partner = is_first ? j + apart : j - apart;
        const double sign = is_first && !c.lacks_minus ? -1 : 1;
        terms.push_back({.own = c.first + read_from(j, c),
                         .partner = c.first + read_from(partner, c),
                         .angle = c.layout == Pairing::half ? j % half : j / 2,
                         .sign = c.lacking == Lacking::sines ? 0 : sign,
                         .of_own = c.lacking == Lacking::cosines ? 0.0 : 1.0});
    }
    return terms;
}

std::vector<Convention> conventions_of(std::int64_t first, std::int64_t dim) {
    std::vector<Convention> all;
    for (const bool lacks_minus : {false, true}) {
        for (const bool reads_neighbours : {false, true}) {
            for (const bool is_laid_out_alike : {true, false}) {
                for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
                    const Pairing other =
                        pairing == Pairing::half ? Pairing::interleaved : Pairing::half;
                    all.push_back({.first = first,
                                   .dim = dim,
                                   .pairing = pairing,
                                   .layout = is_laid_out_alike ? pairing : other,
                                   .reads_neighbours = reads_neighbours,
                                   .lacks_minus = lacks_minus});
                }
            }
        }
    }
    return all;
}

std::vector<std::string> oddities_of(const Convention& c, std::int64_t channels) {
    std::vector<std::string> sentences;
    if (c.pairing != c.layout) {
        sentences.push_back(fmt::format(
            "Pairs are rotated as {}, channels {}, where cos and sin are laid out as {}: the two "
            "channels of a pair are turned by different angles, which is no rotation.",
            c.pairing == Pairing::half ? "halves" : "neighbours", pair_text(c.pairing, c.dim),
            c.layout == Pairing::half ? "halves" : "interleaved neighbours"));
    }
    if (c.lacks_minus) {
        sentences.push_back(fmt::format(
            "The minus sign is missing: x[a] cos + x[b] sin where x[a] cos - x[b] sin belongs, "
            "for the pairs (a, b) of channels {}; that is no rotation.",
            pair_text(c.pairing, c.dim)));
    }
    if (c.lacking != Lacking::nothing) {
        const bool has_cosines = c.lacking == Lacking::sines;
        sentences.push_back(fmt::format(
            "The part with the {} is missing: {} where x[a] cos - x[b] sin belongs, for the pairs "
            "(a, b) of channels {}; that is no rotation.",
            has_cosines ? "sines" : "cosines", has_cosines ? "x[a] cos" : "-x[b] sin",
            pair_text(c.pairing, c.dim)));
    }
    if (c.reads_neighbours) {
        sentences.emplace_back(
            c.pairing == Pairing::half
                ? "Neighbours are read as a pair, and the result is written in halves, as "
                  "DeepSeek's code in transformers does it."
                : "The even channels, then the odd ones are put before the rotation of "
                  "neighbours.");
    }
    if (c.first > 0) {
        sentences.push_back(
            fmt::format("The rotated channels are {} to {}; the first {} are not "
                        "rotated.",
                        c.first, c.first + c.dim - 1, c.first));
    }
    const std::int64_t left = channels - c.first - c.dim;
    if (left > 0) sentences.push_back(fmt::format("The last {} channels are not rotated.", left));
    return sentences;
}

std::string_view name_of(Pairing pairing) {
    return pairing == Pairing::half ? "half" : "interleaved";
}

}  // namespace pegen::recognition
