#include "encodings/parameters/formula_text.h"

#include <fmt/format.h>

namespace pegen::encodings {
namespace {

/// Returns the value of the parameter as a factor: "1000 * "; "" if it is 1.
std::string factor_text(const Parameters& p, std::string_view name) {
    const std::string factor = to_string(p.value(name));
    return factor == "1" ? "" : fmt::format("{} * ", factor);
}

std::string width_text(const Parameters& p, std::string_view width) {
    const std::string shift = to_string(p.value("denom-shift"));
    return shift == "0" ? std::string(width) : fmt::format("({} - {})", width, shift);
}

std::string base_text(const Parameters& p) {
    const std::string base = to_string(p.value("base"));
    return base.find(',') == base.npos ? base : "base_a";
}

}  // namespace

std::string wave_text(const Parameters& parameters, std::string_view function,
                      const WaveNames& names) {
    return fmt::format("{}{}({}{} / {}^({} / {}))", factor_text(parameters, "out-scale"), function,
                       factor_text(parameters, "freq-scale"), names.position, base_text(parameters),
                       names.exponent, width_text(parameters, names.width));
}

std::string progression_text(std::string_view first, std::string_view step,
                             std::string_view index) {
    const std::string moved =
        step == "1" ? std::string(index) : fmt::format("{} * {}", step, index);
    return first == "0" ? moved : fmt::format("{} + {}", first, moved);
}

}  // namespace pegen::encodings
