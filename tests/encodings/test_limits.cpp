#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "encodings/drawn/command.h"
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

TEST_CASE("limits: sizes that several parameters make together end where they are said to end") {
    struct Limit {
        std::string_view taken;
        std::string_view refused;
        std::string_view reason;
    };
    constexpr std::array limits{
        Limit{"swin-v2 --table bias --height 2 --width 2 --units 65536 --heads 1022",
              "swin-v2 --table bias --height 2 --width 2 --units 65536 --heads 1023",
              "at most 2^26 weights"},
        Limit{"swin-v2 --table bias --heads 1 --width 16384 --height 1024",
              "swin-v2 --table bias --heads 1 --width 16384 --height 1025",
              "as many biases of all offsets"},
        Limit{"fire --len 2 --width 65536 --heads 1024", "fire --len 2 --width 65536 --heads 1025",
              "at most 65472"},
        Limit{"gpsa --heads 4 --width 16384 --height 256",
              "gpsa --heads 4 --width 16384 --height 257", "at most 2^26 offsets of all heads"},
        Limit{"alibi --heads 4 --form manhattan --image 1024x16384",
              "alibi --heads 4 --form manhattan --image 1025x16384",
              "at most 2^26 values of all heads"},
        Limit{"relpos --chains 524288,524288", "relpos --chains 524288,524289",
              "ends at 2^20 residues"},
        Limit{"segments --lengths 1,16777215", "segments --lengths 2,16777215",
              "at most 2^24 tokens"},
        Limit{"learned --rng numpy --init uniform:0,1 --len 1048576 --d 128",
              "learned --rng numpy --init uniform:0,1 --len 1048576 --d 129", "they end at 2^27"},
        Limit{"learned --rng numpy --len 1048576 --d 65536",
              "learned --rng numpy --len 1048576 --d 65537", "they end at 2^36"},
        Limit{"learned-grid --height 65536 --width 65536 --max-size 65536 --num-pos-feats 512",
              "learned-grid --height 65536 --width 65536 --max-size 65536 --num-pos-feats 513",
              "at most 512"},
        Limit{"sinusoid --view channels-first --len 1048576 --d 256",
              "sinusoid --view channels-first --len 1048576 --d 258", "end at 2^28"},
        Limit{"rope-grid --merge 2 --height 4096 --width 4096",
              "rope-grid --merge 2 --height 4096 --width 4098", "at most 2^24"},
        Limit{"fourier --freqs linear:1:2:65536", "fourier --freqs linear:1:2:65537",
              "between 1 and 65536"}};
    // Only planned, since the rows would take a while.
    const auto refusal = [](std::string_view text) -> std::string {
        const trials::Command command = trials::command_of(text);
        try {
            plan_of(*command.encoding, command.parameters, command.table->name);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    for (const Limit& limit : limits) {
        CAPTURE(limit.refused);
        CHECK(refusal(limit.taken) == "");
        CHECK(refusal(limit.refused).find(limit.reason) != std::string::npos);
    }
}
