#include "encodings/parameters/numpy_initializer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/to_size.h"

namespace pegen::encodings {

using Kind = Initializer::Kind;

std::optional<numpy::Generator> numpy_generator(const Parameters& parameters) {
    const std::string& rng = parameters.word("rng");
    if (!rng.starts_with("numpy")) return {};
    const std::int64_t seed = parameters.integer("seed");
    const bool is_legacy = rng == "numpy-legacy";
    if (seed < 0 || (is_legacy && seed > numpy::largest_legacy_seed)) {
        throw UsageError(fmt::format("--seed {}: NumPy's seeds are {}", seed,
                                     is_legacy ? "from 0 to 2^32 - 1" : "not negative"));
    }
    return is_legacy ? numpy::Generator::legacy : numpy::Generator::modern;
}

void check_of_numpy(const Initializer& initializer) {
    if (initializer.kind != Kind::trunc_normal && initializer.kind != Kind::xavier_uniform) return;
    throw UsageError(
        "--rng numpy: NumPy draws normal, uniform and constant values only; use --rng torch");
}

std::vector<double> drawn_by_numpy(const Initializer& initializer, numpy::Stream& stream,
                                   std::int64_t count) {
    const std::vector<double>& x = initializer.numbers;
    std::vector<double> values(to_size(count), x[0]);
    if (initializer.kind == Kind::constant) return values;
    if (initializer.kind == Kind::normal) {
        std::ranges::generate(values, [&] { return x[0] + x[1] * stream.normal(); });
    } else {
        const double width = x[1] - x[0];
        std::ranges::generate(values, [&] { return x[0] + width * stream.unit(); });
    }
    return values;
}

}  // namespace pegen::encodings
