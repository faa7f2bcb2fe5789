#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/frequency_settings.h"

using namespace pegen;
using namespace pegen::recognition;

namespace {

std::string text_of(const PricedSettings& settings) {
    std::string text;
    for (const auto& [name, value] : settings.settings) {
        text += (text.empty() ? "--" : " --") + std::string(name);
        if (value != "true") text += " " + value;
    }
    return text;
}

/// Returns the frequencies of rope with these settings, each with a relative error of up to
/// `noise`.
ShownTurning shown(const std::string& settings, double noise = 1e-9) {
    ShownTurning turning;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const double w : values_of("rope " + settings + " --table inv-freq", DType::float64)) {
        turning.frequencies.push_back({w * (1 + noise * uniform(random)), noise * w});
    }
    return turning;
}

std::string first_of(const ShownTurning& turning) {
    const std::vector<PricedSettings> found = rope_settings(turning);
    return found.empty() ? "none" : text_of(found.front());
}

bool are_among(const std::string& settings, const ShownTurning& turning) {
    const std::vector<PricedSettings> found = rope_settings(turning);
    return std::ranges::find(found, settings, text_of) != found.end();
}

}  // namespace

TEST_CASE("ramps: three frequencies show a ramp, two only if they are exact, one does not") {
    const auto yarn = [](std::int64_t pairs, double noise) {
        const std::string d = fmt::format("--d {}", 2 * pairs);
        return ramps(
            shown(d + " --scaling yarn --factor 40 --original-max-position-embeddings 4096", noise)
                .frequencies);
    };
    CHECK_FALSE(yarn(3, 1e-4).empty());
    CHECK_FALSE(yarn(2, 1e-9).empty());
    CHECK(yarn(2, 1e-4).empty());
    CHECK(yarn(1, 1e-9).empty());
}

TEST_CASE("rope settings: frequencies show the base and the scaling that made them") {
    for (const std::string settings : {
             "--d 64",
             "--d 128 --base 123456",
             "--d 128 --base 5e+05 --scaling linear --factor 4",
             "--d 128 --base 5e+05 --scaling llama3 --factor 8 "
             "--original-max-position-embeddings 8192",
             "--d 128 --base 5e+05 --scaling llama3 --factor 16 "
             "--original-max-position-embeddings 8192 --high-freq-factor 1",
             "--d 128 --scaling yarn --factor 40 --original-max-position-embeddings 4096",
             "--d 64 --base 150000 --scaling yarn --factor 32 "
             "--original-max-position-embeddings 4096 --no-truncate",
             "--d 64 --scaling part-ntk --factor 8 --original-max-position-embeddings 2048",
             "--d 64 --base 1e+06 --scaling proportional --partial-rotary-factor 0.25",
         }) {
        INFO(settings);
        CHECK(first_of(shown(settings)) == settings);
    }
}

TEST_CASE("rope settings: a stretched base is proposed as itself, as ntk and as dynamic") {
    ShownTurning turning = shown("--d 64 --scaling ntk --factor 3");
    CHECK(are_among("--d 64 --scaling ntk --factor 3", turning));
    turning.positions = 4096;
    CHECK(are_among("--d 64 --scaling dynamic --factor 2 --max-position-embeddings 2048", turning));
}

TEST_CASE("rope settings: a base of few digits may be another one, stretched by a usual factor") {
    // 8^(8/6) is 16.
    CHECK(are_among("--d 8 --scaling ntk --factor 8", shown("--d 8 --base 160000")));
    CHECK(are_among("--d 8 --base 2.5 --scaling ntk --factor 8", shown("--d 8 --base 40")));
    CHECK(are_among("--d 8 --base 160000", shown("--d 8 --scaling ntk --factor 8")));
    CHECK(first_of(shown("--d 64 --base 77 --scaling ntk --factor 8")) ==
          "--d 64 --base 77 --scaling ntk --factor 8");
}

TEST_CASE("rope settings: few pairs show a ramp of usual numbers") {
    for (const std::string settings : {
             "--d 8 --base 5e+05 --scaling yarn --factor 32 "
             "--original-max-position-embeddings 4096 --no-truncate",
             "--d 8 --base 12345 --scaling llama3 --factor 8 "
             "--original-max-position-embeddings 8192",
         }) {
        INFO(settings);
        CHECK(are_among(settings, shown(settings)));
    }
}

TEST_CASE("rope settings: a ramp that does not show is proposed beside the plain base") {
    ShownTurning turning = shown("--d 64 --base 500");
    for (evidence::Measured& frequency : turning.frequencies) frequency.error += 5e-3;
    CHECK(first_of(turning) == "--d 64 --base 500");
    CHECK(
        are_among("--d 64 --base 500 --scaling llama3 --factor 32 "
                  "--original-max-position-embeddings 8192",
                  turning));
}

TEST_CASE("rope settings: an attention factor that 8 bits show is yarn's own, or a short number") {
    ShownTurning turning =
        shown("--d 16 --base 20 --scaling yarn --factor 4 --original-max-position-embeddings 4096");
    turning.attention_factor = evidence::Measured{1.14, 4e-3};
    CHECK(first_of(turning) ==
          "--d 16 --base 20 --scaling yarn --factor 4 --original-max-position-embeddings 4096");
    turning.attention_factor = evidence::Measured{1.328, 3e-3};
    CHECK(rope_settings(turning).empty());
}

TEST_CASE("rope settings: the noise of a kernel in bfloat16 leaves the usual models") {
    const double noise = 1e-3;
    CHECK(first_of(shown("--d 128", noise)) == "--d 128");
    CHECK(first_of(shown("--d 128 --base 5e+05", noise)) == "--d 128 --base 5e+05");
    CHECK(
        are_among("--d 128 --base 5e+05 --scaling llama3 --factor 8 "
                  "--original-max-position-embeddings 8192",
                  shown("--d 128 --base 5e+05 --scaling llama3 --factor 8 "
                        "--original-max-position-embeddings 8192",
                        noise)));
}

TEST_CASE("rope settings: the attention factor is said only if it is not yarn's own") {
    const std::string yarn =
        "--d 64 --scaling yarn --factor 40 --original-max-position-embeddings 4096";
    ShownTurning turning = shown(yarn);
    turning.attention_factor = evidence::Measured{0.1 * std::log(40.0) + 1, 1e-7};
    CHECK(first_of(turning) == yarn);
    turning.attention_factor = evidence::Measured{1, 1e-7};
    CHECK(first_of(turning) == yarn + " --attention-factor 1");
}

TEST_CASE("rope settings: frequencies of any divisors are longrope's, but not any frequencies") {
    const std::string factors = "1,1.1,1.25,1.5,2,3,5,8.5";
    CHECK(
        are_among("--d 16 --scaling longrope --short-factor " + factors + " --long-factor " +
                      factors + " --original-max-position-embeddings 4096 --factor 1",
                  shown("--d 16 --scaling longrope --short-factor " + factors + " --long-factor " +
                        factors + " --original-max-position-embeddings 4096 --factor 1")));
    CHECK(rope_settings({{{0.5, 1e-9}, {3, 1e-9}, {0.7, 1e-9}, {11, 1e-9}}}).empty());
}

TEST_CASE("rope settings: no frequencies, and numbers that are none, have no settings") {
    CHECK(rope_settings({}).empty());
    CHECK(rope_settings({{{std::nan(""), 0}}}).empty());
    CHECK(rope_settings({{{-1, 0}, {-2, 0}}}).empty());
}
