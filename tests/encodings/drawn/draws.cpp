#include "encodings/drawn/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/error.h"
#include "core/names.h"

namespace pegen::trials {
namespace {

/// How a parameter is drawn: its probability of being given, and its values.
struct Draw {
    std::string_view encoding;  ///< "" for every encoding without a row of its own
    std::string_view parameter;
    double chance;
    std::string_view values;
};

constexpr std::string_view initialisers =
    "normal:0,1 normal:0,0.02 normal:0,1/sqrt(d) uniform:-1,1 uniform:0,1 uniform:-0.05,0.05 "
    "trunc-normal:0,0.02,-2,2 trunc-normal:0,0.02,-0.04,0.04 xavier-uniform normal:0,0.01";

/// Values that occur in public code, and some that do not.
constexpr std::array draws{
    Draw{"", "len", 1, "7 12 16 24 30 31 47 50 64 100 128 200"},
    Draw{"", "d", 1, "4 6 8 12 16 20 24 32 36 48 60 64 96 128"},
    Draw{"", "base", 0.6, "10000 100 500 20 1000 50000 500000 1000000 12345 77 2.5 30000 1e7"},
    Draw{"", "start", 0.4, "1 2 3 0 100 -5 0.5 1000"},
    Draw{"", "step", 0.25, "1 2 0.5 0.1 3 10 0.25 1000"},
    Draw{"", "positions", 0.12,
         "0,1,2,4,8,16,32,64,128 0,0,1,2,3,0,1,2,3,4 5,9,1,0,3,7,2 0,0.5,1.5,3,7.25,100 "
         "10,20,30,50,70,110,130,170,190"},
    Draw{"", "denom-shift", 0.4, "2 1 0"},
    Draw{"", "freq-scale", 0.25, "pi 2*pi 2 0.5 100 30 0.1"},
    Draw{"", "out-scale", 0.25, "1/sqrt(d) sqrt(2/d) 0.5 0.02 2"},
    Draw{"", "standardize", 0.1, "10 1"},
    Draw{"", "zero-row", 0.15, "0 1 2"},
    Draw{"", "prefix-rows", 0.2, "1 2 5"},
    Draw{"", "heads", 1, "1 2 4 8 12 16 6"},
    Draw{"", "key-len", 0.3, "20 40 64 150"},
    Draw{"", "mem-len", 0.4, "8 20 64"},
    Draw{"", "seed", 0.6, "0 1 42 1234 2024 9999 7 123"},
    Draw{"", "init", 0.7, initialisers},
    Draw{"", "height", 1, "3 4 5 7 8 10 14"},
    Draw{"", "width", 1, "3 4 6 7 8 11 14"},
    Draw{"", "depth", 0.3, "2 3 4"},
    Draw{"", "num-pos-feats", 1, "4 8 16 32 24"},
    Draw{"", "max-size", 0.4, "20 32 50"},
    Draw{"", "batch", 0.3, "2 3"},
    Draw{"", "clamp", 0.3, "5 16"},
    Draw{"", "max-distance", 0.5, "2 4 8 32 128 20"},
    Draw{"", "num-buckets", 0.5, "8 16 32 64"},
    Draw{"", "freqs", 0.2, "1,100 0.5,20 1,10"},
    Draw{"alibi", "image", 0.1, "3 4 3x5"},
    Draw{"alibi", "max-bias", 0.4, "8 4 16 10"},
    Draw{"alibi", "prefix", 0.1, "cls"},
    Draw{"alibi", "slope-list", 0.1, "0.5 0.3,0.07 1,0.5,0,-0.25"},
    Draw{"alibi", "groups", 0.1, "1 2 3"},
    Draw{"alibi", "first-key", 0.1, "1 5"},
    Draw{"alibi", "out-scale", 0.1, "96 0.3"},
    Draw{"binary", "start", 0.4, "0 1 5 100"},
    Draw{"binary", "bits", 0.4, "8 10 16"},
    Draw{"buckets", "value", 1, "min(abs(q-k),31) (k-q)%32 clip(k-q+16,0,31)"},
    Draw{"buckets", "buckets", 0.3, "32 40"},
    Draw{"buckets", "image", 0, "3x3"},
    Draw{"deberta", "position-buckets", 0.5, "16 32 64 256"},
    Draw{"deberta", "max-position", 0.5, "64 128 512"},
    Draw{"deberta", "clamp", 0.5, "true"},
    Draw{"deberta", "sign", 0.3, "key-query"},
    Draw{"deberta", "shift", 0.3, "-1 1"},
    Draw{"detr", "temperature", 0.5, "10000 20 1000 20,30 100,20,30"},
    Draw{"detr", "frames", 0.3, "1 2 3 4"},
    Draw{"detr", "axes", 0.3, "xy tyx txy ytx yxt xty xyt"},
    Draw{"detr", "layout", 0.3, "halves"},
    Draw{"detr", "valid", 0.3, "5x4 7x6,5x5 10x8,6x8,9x3"},
    Draw{"detr", "normalize", 0.6, "true"},
    Draw{"detr", "scale", 0.3, "2*pi 1 6.28"},
    Draw{"detr", "offset", 0.4, "-0.5 0.5 -1"},
    Draw{"detr", "eps", 0.2, "1e-6 1e-5 0"},
    Draw{"fire", "c", 0.4, "0.1 1 0.5"},
    Draw{"fire", "threshold", 0.4, "512 100 20"},
    Draw{"fire", "width", 0.3, "32 16 8"},
    Draw{"formula", "value", 1,
         "exp(-abs(q-k)/8) (q-k)^2*0.25+sin(k/3) where(k>q,-1,sqrt(q-k)) log2(q+1)*cos(k*pi/7) "
         "(k-q)%7//2-0.1*q"},
    Draw{"formula", "heads", 0, "3"},
    Draw{"formula", "image", 0, "3x3"},
    Draw{"formula", "d", 0, "3"},
    Draw{"fourier", "coords", 0.5,
         "linspace:-1:1 linspace:0:1 center:1 center:512 linspace:-0.5:0.5"},
    Draw{"fourier", "freqs", 0.7,
         "pow2:4 pow2:6 linear:1:32:8 geometric:2:6 1,2,4,8 pow2:-2:5 linear:1:10:5 1,3,5,7"},
    Draw{"fourier", "raw", 0.4, "before after after-each"},
    Draw{"grid", "d", 1, "8 12 16 24 32 48 64 96"},
    Draw{"grid", "base", 0.5, "10000 100 20 1000 12345 10000,100"},
    Draw{"grid", "start", 0.3, "1 0 0.5 1,2"},
    Draw{"grid", "step", 0.2, "0.5 2 10"},
    Draw{"grid", "out-scale", 0.15, "0.5 2"},
    Draw{"grid", "split", 0.15, "8,16 16,8 1/4,3/4 1/2,1/4,1/4"},
    Draw{"gpsa", "heads", 1, "1 4 9 16"},
    Draw{"gpsa", "locality-strength", 0.5, "1 0.5 0.3 10"},
    Draw{"kerple", "p", 0.5, "1 0.5 2 1.5"},
    Draw{"kerple", "a", 0.5, "0.5 1 0.1"},
    Draw{"learned", "padding-row", 0.25, "0 1"},
    Draw{"learned", "burn", 0.3, "1 2"},
    Draw{"mrope", "sequence", 0.8,
         "text:5,image:4x6,text:3 text:12 image:3x4 text:2,video:3x2x4,text:4 "
         "text:3,image:2x2,text:2,image:4x2,text:1"},
    Draw{"mrope", "frame-step", 0.15, "2 0.5 1.5"},
    Draw{"mrope", "d", 1, "16 32 64 128"},
    Draw{"mrope", "base", 0.5, "1000000 10000 500000"},
    Draw{"mrope", "sections", 0.8, "16,24,24 8,12,12 4,6,6 2,3,3 24,20,20"},
    Draw{"normalized", "len", 1, "64 100 200 77"},
    Draw{"periodic", "alpha", 0.7, "10 1 5 0.5 100 7.5"},
    Draw{"periodic", "len", 1, "50 64 100 200"},
    Draw{"random-fourier", "coords", 0.3, "linspace:0:1 linspace:-1:1 center:1"},
    Draw{"random-fourier", "skip", 0.1, "64 512"},
    Draw{"random-fourier", "weight-scale", 0.5, "16 30 10 0.5 2*pi"},
    Draw{"random-fourier", "phase-init", 0.2, "normal:0,1 uniform:0,1"},
    Draw{"relpos", "len", 0.5, "12"},
    Draw{"relpos", "chains", 0.8, "4x2,4 5,4,3 3x4 2,6,1x4 12"},
    Draw{"relpos", "blocks", 0.4, "residue residue,entity,chain chain,token entity"},
    Draw{"relpos", "max-residue", 0.6, "2 32 3,1 0"},
    Draw{"relpos", "max-token", 0.3, "1 2,3"},
    Draw{"relpos", "max-chain", 0.4, "1 0 1,2"},
    Draw{"rope", "d", 1, "8 16 32 64 80 128"},
    Draw{"rope", "partial-rotary-factor", 0.15, "0.5 0.25"},
    Draw{"rope", "rotary-dim", 0.15, "4 12 24"},
    Draw{"rope", "start", 0.3, "1 2 100"},
    Draw{"rope", "step", 0.1, "0.25 0.5 2"},
    Draw{"rope", "attention-factor", 0.1, "1.2 0.5"},
    Draw{"rope-grid", "d", 1, "8 12 16 24 32 48 64"},
    Draw{"rope-grid", "split", 0.15, "8,16 16,24,24 4,6,6"},
    Draw{"rope-grid", "freqs", 0.3, "1,100 0.5,20 3.14,31.4"},
    Draw{"rope-grid", "base", 0.4, "10000 100 1000 100,10000"},
    Draw{"rope-grid", "start", 0.2, "1 0.5 1,-2"},
    Draw{"rope-grid", "step", 0.15, "0.5 2 0.5,2"},
    Draw{"rope-grid", "unrotated", 0.15, "2 4"},
    Draw{"rope-grid", "prefix-rows", 0.1, "1 3"},
    Draw{"rope-grid", "ref-extent", 0.15, "16 7 14,14"},
    Draw{"rope-grid", "merge", 0.15, "2"},
    Draw{"rope-grid", "window", 0.15, "2 4"},
    Draw{"rope-grid", "prefix-tokens", 0.15, "1 5"},
    Draw{"rope-grid", "suffix-tokens", 0.1, "1"},
    Draw{"rope-mixed", "d", 1, "8 12 16 64"},
    Draw{"rope-mixed", "depth", 0, "2"},
    Draw{"rope-mixed", "heads", 1, "1 2 3"},
    Draw{"rope-mixed", "base", 0.4, "10 100 20"},
    Draw{"rope-mixed", "start", 0.2, "1 0.5 1,-2"},
    Draw{"rope-mixed", "step", 0.15, "0.5 2 0.5,2"},
    Draw{"sandwich", "d", 0.6, "128 32 64"},
    Draw{"segments", "lengths", 0.8, "5,7 12 3,1,9 20,30"},
    Draw{"segments", "max-within", 0.3, "4 100"},
    Draw{"shaw", "max-distance", 0.6, "4 8 16 20"},
    Draw{"shaw", "left", 0.2, "4 8"},
    Draw{"shaw", "right", 0.2, "3 8"},
    Draw{"shaw", "d", 1, "4 8 16 32"},
    Draw{"shaw", "shift", 0.2, "1 2"},
    Draw{"shaw", "len", 1, "12 16 24 30"},
    Draw{"swin", "query-stride", 0.1, "2 3"},
    Draw{"swin", "key-height", 0.1, "6 12 21"},
    Draw{"swin", "key-width", 0.1, "5 12 21"},
    Draw{"swin-v2", "pretrained-window", 0.5, "0 8 12 6x7 4x6x7"},
    Draw{"transformer-xl", "len", 1, "12 24 50 64"},
    Draw{"xpos", "scale-base", 0.4, "512 256 100"},
    Draw{"xpos", "gamma", 0.3, "0.4 0.2 1"},
    Draw{"xpos", "centre", 0.4, "floor ceil 0 10"},
};

/// A combination of settings that are only valid together, drawn for every second table.
struct Bundle {
    std::string_view encoding;
    std::string_view settings;
};

constexpr std::array bundles{
    Bundle{"rope", "--scaling linear --factor 4"},
    Bundle{"rope", "--scaling linear --factor 2.5"},
    Bundle{"rope", "--scaling ntk --factor 8"},
    Bundle{"rope", "--scaling dynamic --factor 2 --max-position-embeddings 2048 --seq-len 4096"},
    Bundle{"rope", "--scaling yarn --factor 4 --original-max-position-embeddings 4096"},
    Bundle{"rope",
           "--scaling yarn --factor 32 --original-max-position-embeddings 4096 "
           "--beta-fast 32 --beta-slow 1 --no-truncate"},
    Bundle{"rope",
           "--scaling yarn --factor 40 --original-max-position-embeddings 4096 --mscale 1 "
           "--mscale-all-dim 1"},
    Bundle{"rope",
           "--scaling llama3 --factor 8 --low-freq-factor 1 --high-freq-factor 4 "
           "--original-max-position-embeddings 8192"},
    Bundle{"rope", "--scaling llama3 --factor 32 --original-max-position-embeddings 8192"},
};

/// Parameters that are not drawn one by one: names of files, options about reading a file, and
/// members of bundles. Of the rare parameters, only those with a row of their own are drawn.
constexpr std::string_view left_out =
    "points weights module phases mask w1 b1 w2 b2 "
    "key-table value-table bias-table config position-ids freqs-file slopes-file "
    "positions-file max-point residue-index token-index asym-id entity-id sym-id cyclic-period "
    "ids tokens separators "
    "layer-type scaling factor "
    "max-position-embeddings original-max-position-embeddings seq-len beta-fast beta-slow mscale "
    "mscale-all-dim no-truncate low-freq-factor high-freq-factor short-factor long-factor";

const Draw* draw_of(const Encoding& encoding, std::string_view parameter) {
    for (const std::string_view owner : {encoding.name, std::string_view()}) {
        const auto found = std::ranges::find_if(draws, [=](const Draw& draw) {
            return draw.encoding == owner && draw.parameter == parameter;
        });
        if (found != draws.end()) return &*found;
    }
    return nullptr;
}

bool is_by_chance(double chance, Random& random) {
    return std::uniform_real_distribution(0.0, 1.0)(random) < chance;
}

template <class List>
const auto& one_of(const List& list, Random& random) {
    return list[std::uniform_int_distribution<std::size_t>(0, std::size(list) - 1)(random)];
}

void draw_parameter(Parameters& parameters, const Encoding& encoding, const ParameterSpec& spec,
                    Random& random) {
    constexpr double usual = 0.35;
    const bool is_rng_or_arith = spec.name == "rng" || spec.name == "arith";
    if (is_rng_or_arith) return;  // not a convention, but a way to compute values
    const Draw* const draw = draw_of(encoding, spec.name);
    if (spec.is_rare && !(draw && draw->encoding == encoding.name)) return;
    if (draw) {
        if (!is_by_chance(draw->chance, random)) return;
        parameters.set(spec.name, one_of(words(draw->values), random), Origin::user);
    } else if (spec.type == ParameterType::word) {
        if (!is_by_chance(usual, random)) return;
        parameters.set(spec.name, one_of(words(spec.choices), random), Origin::user);
    } else if (spec.type == ParameterType::flag && is_by_chance(usual / 2, random)) {
        parameters.set(spec.name, "true", Origin::user);
    }
}

DType drawn_dtype(const TableSpec& table, Random& random) {
    if (!is_floating(table.dtype)) return table.dtype;
    constexpr std::array usual{DType::float32, DType::float32, DType::float32, DType::float32,
                               DType::float64, DType::float16, DType::bfloat16};
    return one_of(usual, random);
}

void draw_bundle(Parameters& parameters, const Encoding& encoding, Random& random) {
    std::vector<std::string_view> own;
    for (const Bundle& bundle : bundles) {
        if (bundle.encoding == encoding.name) own.push_back(bundle.settings);
    }
    if (own.empty() || !is_by_chance(0.5, random)) return;
    parameters.set_all(one_of(own, random), Origin::user);
}

}  // namespace

Command drawn_command(const Encoding& encoding, Random& random) {
    constexpr std::int64_t fewest = 48, most = 40000;
    for (int attempt = 0; attempt < 100000; ++attempt) {
        const TableSpec& table =
            is_by_chance(0.6, random) ? encoding.tables.front() : one_of(encoding.tables, random);
        Command command{&encoding, &table, Parameters(encoding.parameters),
                        drawn_dtype(table, random), std::string(encoding.name)};
        try {
            for (const ParameterSpec& spec : encoding.parameters) {
                const bool is_idle =
                    std::ranges::count(words(table.idle_parameters), spec.name) > 0;
                if (!is_idle || spec.is_extent()) {
                    draw_parameter(command.parameters, encoding, spec, random);
                }
            }
            draw_bundle(command.parameters, encoding, random);
            const Table made = made_by(command);
            if (fewest <= made.shape.size() && made.shape.size() <= most) return command;
        } catch (const UsageError&) {
            continue;
        }
    }
    throw std::runtime_error(fmt::format("{}: no drawn parameters were accepted", encoding.name));
}

std::vector<std::string> parameters_never_drawn(const Encoding& encoding) {
    std::vector<std::string> names;
    for (const ParameterSpec& spec : encoding.parameters) {
        const bool is_drawn =
            spec.is_rare || draw_of(encoding, spec.name) || spec.type == ParameterType::word ||
            spec.type == ParameterType::flag || std::ranges::count(words(left_out), spec.name) > 0;
        if (!is_drawn) names.push_back(fmt::format("{} --{}", encoding.name, spec.name));
    }
    return names;
}

}  // namespace pegen::trials
