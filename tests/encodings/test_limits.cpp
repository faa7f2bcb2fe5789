#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "formats/registry.h"

using namespace pegen;

namespace {

bool is_whole(const ParameterSpec& spec) {
    return spec.type == ParameterType::integer || spec.type == ParameterType::integers;
}

bool is_number(const ParameterSpec& spec) {
    return is_whole(spec) || spec.type == ParameterType::real ||
           spec.type == ParameterType::reals || spec.type == ParameterType::size;
}

/// Returns the number as one types it for the parameter.
std::string typed(const ParameterSpec& spec, double number) {
    std::string text =
        is_whole(spec) ? fmt::format("{}", static_cast<std::int64_t>(number)) : shortest(number);
    return spec.type == ParameterType::size ? fmt::format("{}x{}", text, text) : text;
}

/// Returns the next number of the parameter's type.
double next(const ParameterSpec& spec, double number, int direction) {
    // Beyond 2^53 doubles do not represent every whole number.
    if (is_whole(spec)) return number + direction * (std::fabs(number) < two_to_53 ? 1 : 2);
    const double far = direction > 0 ? any_number.highest : any_number.lowest;
    return std::nextafter(number, far);
}

/// Returns why the parameter refuses the text, "" if it does not.
std::string refusal_of(const ParameterSpec& spec, const std::string& text) {
    Parameters parameters{std::span(&spec, 1)};
    try {
        parameters.set(spec.name, text, Origin::user);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

/// Checks both ends of the range, and the numbers beyond.
void check_ends(const ParameterSpec& spec) {
    CAPTURE(spec.name);
    const auto check = [&](double end, int outwards, bool is_open) {
        if (!std::isfinite(end)) return;
        const double inside = is_open ? next(spec, end, -outwards) : end;
        const double outside = is_open ? end : next(spec, end, outwards);
        CHECK(refusal_of(spec, typed(spec, inside)) == "");
        CHECK(refusal_of(spec, typed(spec, outside)).find(": must be ") != std::string::npos);
    };
    check(spec.range.lowest, -1, spec.range.lowest_is_open);
    check(spec.range.highest, 1, false);
}

std::vector<double> ends_of(const ParameterSpec& spec) {
    std::vector<double> ends;
    for (const double end : {spec.range.lowest, spec.range.highest}) {
        if (!std::isfinite(end)) continue;
        for (const int step : {-1, 0, 1}) {
            const double number = step == 0 ? end : next(spec, end, step);
            if (spec.range.contains(number)) ends.push_back(number);
        }
    }
    return ends;
}

/// Plans the table, and reads its first and its last row unless it is large. Returns false if the
/// table is refused.
bool is_made(const Encoding& encoding, const TableSpec& table, const Parameters& parameters) {
    constexpr double large = 0x1p22;
    try {
        if (plan_table(encoding, table, parameters, table.dtype).terms > large) return true;
        const Table made = make_table(encoding, table, parameters, table.dtype);
        for (const std::int64_t row : {std::int64_t{0}, made.shape.rows() - 1}) {
            CHECK(std::ssize(read_rows(made, {row, 1})) == made.shape.columns());
        }
        return true;
    } catch (const UsageError& error) {
        CHECK(std::string_view(error.what()) != "");
        return false;
    }
}

}  // namespace

TEST_CASE("limits: a number at the end of its range is taken, the next one is not") {
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        for (const ParameterSpec& spec : encoding->parameters) {
            if (is_number(spec)) check_ends(spec);
        }
    }
    for (const Format* format : all_formats()) {
        CAPTURE(format->name);
        for (const ParameterSpec& spec : format->parameters()) {
            if (is_number(spec)) check_ends(spec);
        }
    }
}

TEST_CASE(
    "limits: each number of an encoding at an end of its range makes a table, or is refused") {
    int made = 0;
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        for (const ParameterSpec& spec : encoding->parameters) {
            if (!is_number(spec)) continue;
            CAPTURE(spec.name);
            for (const double end : ends_of(spec)) {
                CAPTURE(end);
                Parameters parameters(encoding->parameters);
                parameters.set(spec.name, typed(spec, end), Origin::user);
                for (const TableSpec& table : encoding->tables) {
                    CAPTURE(table.name);
                    made += is_made(*encoding, table, parameters) ? 1 : 0;
                }
            }
        }
    }
    CHECK(made > 500);
}
