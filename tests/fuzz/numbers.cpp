// Any text as a value: refused, or a value that reads back as itself when it is written.

#include <array>
#include <bit>
#include <cmath>

#include "core/error.h"
#include "core/number.h"
#include "core/parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/points/coordinates.h"
#include "fuzz_target.h"

namespace {

using namespace pegen;
using pegen::fuzz::require;

/// Calls `read`, which may refuse the text.
template <class Read>
void attempt(Read read) {
    try {
        read();
    } catch (const UsageError&) {
    }
}

constexpr std::array specs{
    ParameterSpec{.name = "integer", .type = ParameterType::integer},
    ParameterSpec{.name = "count", .type = ParameterType::integer, .range = any_count},
    ParameterSpec{.name = "real", .type = ParameterType::real},
    ParameterSpec{.name = "integers", .type = ParameterType::integers},
    ParameterSpec{.name = "reals", .type = ParameterType::reals},
    ParameterSpec{.name = "word", .type = ParameterType::word, .choices = "shared per-channel"},
    ParameterSpec{.name = "text", .type = ParameterType::text},
    ParameterSpec{.name = "flag", .type = ParameterType::flag},
};

void check_integer(std::string_view text) {
    const std::int64_t integer = parse_integer(text, "--n");
    require(std::to_string(integer) == text || text == "-0");
    require(parse_real(text, "--n") == static_cast<double>(integer));
}

void check_real(std::string_view text) {
    const double real = parse_real(text, "--x");
    require(std::isfinite(real));
    const double again = parse_real(shortest(real), "--x");
    require(std::bit_cast<std::uint64_t>(again) == std::bit_cast<std::uint64_t>(real));
}

void check_parameter(std::string_view text, const ParameterSpec& spec) {
    Parameters parameters(specs);
    parameters.set(spec.name, text, Origin::user);
    const Value value = parameters.value(spec.name);
    parameters.set(spec.name, to_string(value), Origin::user);
    require(parameters.value(spec.name) == value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text = fuzz::as_text(bytes, size);
    attempt([=] { check_integer(text); });
    attempt([=] { check_real(text); });
    for (const ParameterSpec& spec : specs) attempt([&] { check_parameter(text, spec); });
    attempt([=] { encodings::grid_coordinates(text, 3); });
    attempt([=] { encodings::parse_initializer(text, 4); });
    return 0;
}
