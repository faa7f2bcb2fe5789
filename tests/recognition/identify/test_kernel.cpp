#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/dtype.h"
#include "encodings/drawn/command.h"
#include "recognition/identify/kernel_trials.h"
#include "recognition/identify/kernels.h"
#include "recognition/identify/scoreboard.h"
#include "recognition/kernel/kernel.h"
#include "recognition/rotary/frequency_settings.h"

using namespace pegen;
using namespace pegen::recognition;
using pegen::testing::applied;
using pegen::testing::Arithmetic;
using pegen::testing::asked;
using pegen::testing::Kernel;
using pegen::testing::Pairs;
using pegen::testing::random_array;
using pegen::testing::says;
using pegen::trials::Array;

namespace {

/// Returns the command without "pe-gen apply rope --x x.npy"; "none" if there is none.
std::string settings_of(const KernelIdentification& answer) {
    if (answer.command.size() < 5) return "none";
    return fmt::format("{}", fmt::join(answer.command.begin() + 5, answer.command.end(), " "));
}

constexpr std::array formats{DType::float64, DType::float32, DType::float16, DType::bfloat16};

std::vector<double> linear_frequencies(std::int64_t dim, double base, double factor) {
    std::vector<double> frequencies;
    for (std::int64_t m = 0; m < dim / 2; ++m) {
        frequencies.push_back(
            std::pow(base, -2.0 * static_cast<double>(m) / static_cast<double>(dim)) / factor);
    }
    return frequencies;
}

/// Llama 3.1's frequencies.
std::vector<double> llama3_frequencies() {
    std::vector<double> frequencies = linear_frequencies(128, 500000, 1);
    for (double& w : frequencies) {
        const double turns = 8192 * w / (2 * std::acos(-1.0));
        if (turns > 4) continue;
        w = turns < 1 ? w / 8 : w / 8 + (w - w / 8) * (turns - 1) / 3;
    }
    return frequencies;
}

/// A kernel of public code, and the settings of `apply rope` that do the same; "none" if there are
/// none, with a part of the finding about it.
struct PublicCode {
    const char* code;
    Kernel kernel;
    std::int64_t channels;
    const char* settings;
    const char* finding = "";
};

std::vector<PublicCode> public_code() {
    const auto neighbours = [](Kernel kernel) {
        kernel.pairing = kernel.layout = Pairs::neighbours;
        return kernel;
    };
    return {
        {"transformers, Llama", {.dim = 64}, 64, ""},
        {"transformers, Llama 3", {.dim = 128, .base = 500000}, 128, "--base 500000"},
        {"transformers, Llama 3.1",
         {.dim = 128, .frequencies = llama3_frequencies()},
         128,
         "--base 500000 --scaling llama3 --factor 8 --original-max-position-embeddings 8192"},
        {"transformers, Gemma 3",
         {.dim = 64, .frequencies = linear_frequencies(64, 1e6, 8)},
         64,
         "--base 1000000 --scaling linear --factor 8"},
        {"GPT-NeoX", {.dim = 24}, 96, "--rotary-dim 24", "last 72 channels are not rotated"},
        {"Phi-2", {.dim = 32}, 80, "--rotary-dim 32", "last 48 channels are not rotated"},
        {"GPT-J", neighbours({.dim = 64}), 128, "--pairing interleaved --rotary-dim 64"},
        {"RoFormer", neighbours({.dim = 64}), 64, "--pairing interleaved"},
        {"Meta's Llama, complex numbers", neighbours({.dim = 128}), 128, "--pairing interleaved"},
        {"Cohere", neighbours({.dim = 64, .base = 8e6}), 64,
         "--pairing interleaved --base 8000000"},
        {"GLM-4", neighbours({.dim = 32}), 64, "--pairing interleaved --rotary-dim 32"},
        {"DeepSeek in transformers",
         {.dim = 64, .reads_neighbours = true},
         64,
         "--pairing interleaved",
         "written in halves"},
        {"V-JEPA 2",
         {.dim = 32, .pairing = Pairs::neighbours, .layout = Pairs::halves},
         32,
         "none",
         "rotated as neighbours, channels 2m and 2m + 1, where cos and sin are laid out as halves"},
        {"rotate_half with repeat_interleave",
         {.dim = 64, .pairing = Pairs::halves, .layout = Pairs::neighbours},
         64,
         "none",
         "rotated as halves, channels m and m + 32, where cos and sin are laid out as interleaved"},
        {"rotate_half without the minus",
         {.dim = 64, .lacks_minus = true},
         64,
         "none",
         "minus sign is missing"},
        {"rotate_half forgotten",
         {.dim = 64, .sign = 0},
         64,
         "none",
         "The part with the sines is missing: x[a] cos where"},
        {"neighbours without x * cos, from 1 on", neighbours({.dim = 64, .start = 1, .of_cos = 0}),
         64, "none", "The part with the cosines is missing: -x[b] sin where"},
        {"cos and sin in each other's place",
         {.dim = 64, .exchanges = true},
         64,
         "none",
         "cos and sin are exchanged"},
        {"a cache that begins at 1",
         {.dim = 64, .start = 1},
         64,
         "--start 1",
         "Positions start at 1."},
        {"the inverse rotation",
         {.dim = 64, .sign = -1},
         64,
         "--inverse",
         "sin has the wrong sign"},
        {"the last channels rotated",
         {.dim = 32, .first = 32},
         64,
         "none",
         "The rotated channels are 32 to 63"},
        {"a decoder's cache at 4096", neighbours({.dim = 64, .start = 4096}), 64,
         "--pairing interleaved --start 4096"},
        {"a softmax scale in cos and sin",
         {.dim = 64, .factor = 0.125},
         64,
         "--scaling yarn --factor 1 --original-max-position-embeddings 4096 --attention-factor "
         "0.125",
         "multiplied by 0.125"},
    };
}

}  // namespace

TEST_CASE("kernel: each convention of public code is found, in every format") {
    for (const PublicCode& convention : public_code()) {
        for (const DType dtype : formats) {
            CAPTURE(std::string(convention.code));
            CAPTURE(info(dtype).name);
            const Array x = random_array({2, 80, convention.channels}, dtype, 7);
            const KernelIdentification answer = asked(x, applied(convention.kernel, x, 1));
            CAPTURE(fmt::format("{}", fmt::join(answer.findings, " ")));
            const bool is_named = settings_of(answer) == convention.settings;
            // With 8 significant bits, llama3.1 and llama3.2 are equal at 80 positions, and the
            // answer says so.
            const bool is_among =
                std::ranges::any_of(answer.alternatives, [&](const OtherKernel& other) {
                    return fmt::format("{}", fmt::join(other.command, " "))
                        .ends_with(convention.settings);
                });
            CHECK_MESSAGE((is_named || is_among), settings_of(answer));
            CHECK((answer.verdict ==
                   (answer.alternatives.empty() ? Verdict::identified : Verdict::ambiguous)));
            CHECK(says(answer, convention.finding));
        }
    }
}

TEST_CASE("kernel: kernels that are drawn are found, or what they do is said to be uncertain") {
    // Only some are tried here; `make trials` tries a thousand.
    constexpr int tried = 24;
    trials::Scoreboard board;
    for (unsigned seed = 0; seed < tried; ++seed) {
        trials::Random random(seed);
        board.add("kernel", trials::drawn_kernel(random));
    }
    INFO(fmt::format("{}", fmt::join(board.failures(), "\n")));
    CHECK(board.count(trials::Outcome::wrong) == 0);
    CHECK(board.count(trials::Outcome::right) >= tried / 2);
    CHECK(board.count(trials::Outcome::missed) <= tried / 8);
}

TEST_CASE("kernel: a scaling is found of rows that are two positions apart") {
    const Array x = random_array({40, 128}, DType::float32, 27);
    const Kernel kernel{.dim = 128, .step = 2, .frequencies = llama3_frequencies()};
    CHECK(settings_of(asked(x, applied(kernel, x, 0))) ==
          "--base 500000 --scaling llama3 --factor 8 --original-max-position-embeddings 8192 "
          "--step 2");
}

TEST_CASE("kernel: a scaling that few coarse positions do not show is named beside the base") {
    const Array x = random_array({2, 6, 16}, DType::bfloat16, 28);
    const KernelIdentification answer = asked(x, applied({.dim = 16, .base = 1e6}, x, 1));
    CHECK((answer.verdict == Verdict::ambiguous));
    CHECK(settings_of(answer) == "--base 1000000");
    const bool is_named = std::ranges::any_of(answer.alternatives, [](const OtherKernel& other) {
        return fmt::format("{}", fmt::join(other.command, " ")).find("llama3") != std::string::npos;
    });
    CHECK(is_named);
}

TEST_CASE("kernel: an original length that few coarse positions do not show is one of several") {
    const std::vector<Setting> yarn{{"base", "100"},
                                    {"scaling", "yarn"},
                                    {"factor", "4"},
                                    {"original-max-position-embeddings", "32768"}};
    Kernel kernel{.dim = 128, .start = 17, .factor = 1 + 0.1 * std::log(4)};
    kernel.frequencies = recognition::frequencies_of(yarn, 128);
    const Array x = random_array({1, 6, 128}, DType::bfloat16, 31);
    const KernelIdentification answer = asked(x, applied(kernel, x, 1));
    CHECK((answer.verdict == Verdict::ambiguous));
    const auto has = [&](const std::string& length) {
        return std::ranges::any_of(answer.alternatives, [&](const OtherKernel& other) {
            return std::ranges::find(other.command, length) != other.command.end();
        });
    };
    REQUIRE(answer.rotary);
    const bool is_best = answer.rotary->settings.back().value == "32768";
    CHECK((is_best || has("32768")));
}

TEST_CASE("kernel: one array of a few rows is enough") {
    for (const DType dtype : {DType::float32, DType::float16}) {
        const Array x = random_array({6, 16}, dtype, 1);
        const Kernel neighbours{
            .dim = 16, .pairing = Pairs::neighbours, .layout = Pairs::neighbours};
        CHECK(settings_of(asked(x, applied({.dim = 16}, x, 0))) == "");
        CHECK(settings_of(asked(x, applied(neighbours, x, 0))) == "--pairing interleaved");
    }
}

TEST_CASE("kernel: within rounding if the kernel computes exactly, else as its format makes it") {
    for (const DType dtype : formats) {
        const Array x = random_array({40, 64}, dtype, 2);
        Kernel kernel{.dim = 64, .arithmetic = Arithmetic::exact};
        CHECK((asked(x, applied(kernel, x, 0)).agreement.level == Level::rounding));
        kernel.arithmetic = Arithmetic::stepwise;
        CHECK((asked(x, applied(kernel, x, 0)).agreement.level == Level::float32));
    }
}

TEST_CASE("kernel: the axis of the positions is found") {
    struct Case {
        std::vector<std::int64_t> extents;
        int axis;
        const char* settings;
    };
    const std::array cases{Case{{12, 32}, 0, ""}, Case{{2, 3, 12, 32}, 2, ""},
                           Case{{2, 12, 3, 32}, 1, "--position-axis 1"},
                           Case{{12, 2, 32}, 0, "--position-axis 0"}};
    for (const Case& each : cases) {
        const Array x = random_array(each.extents, DType::float32, 3);
        CHECK(settings_of(asked(x, applied({.dim = 32}, x, each.axis))) == each.settings);
    }
}

TEST_CASE("kernel: positions that are no progression are listed, and those rounded are named") {
    const Array x = random_array({2, 40, 64}, DType::float32, 4);
    Kernel kernel{.dim = 64};
    for (int row = 0; row < 40; ++row) kernel.positions.push_back(row % 20);
    const KernelIdentification packed = asked(x, applied(kernel, x, 1));
    CHECK((packed.verdict == Verdict::identified));
    REQUIRE(packed.rotary);
    CHECK(packed.rotary->list == kernel.positions);
    CHECK(says(packed, "Positions count from 0 in rows 0 to 19, count from 0 in rows 20 to 39."));

    for (std::size_t row = 0; row < 40; ++row) {
        kernel.positions[row] = widen(round_to<bfloat16>(240.0 + static_cast<double>(row)));
    }
    CHECK(says(asked(x, applied(kernel, x, 1)), "Positions are rounded to bfloat16: 257 is 256."));
}

TEST_CASE("kernel: repeated positions are listed, of any usual base") {
    const Array x = random_array({2, 16, 32}, DType::float16, 21);
    Kernel kernel{.dim = 32, .base = 160000};
    for (int row = 0; row < 16; ++row) kernel.positions.push_back(row / 2);
    const KernelIdentification answer = asked(x, applied(kernel, x, 1));
    CHECK((answer.verdict != Verdict::not_identified));
    REQUIRE(answer.rotary);
    CHECK(answer.rotary->list == kernel.positions);
}

TEST_CASE("kernel: long runs of rounded positions are no long list of exceptions") {
    const Array x = random_array({320, 16}, DType::float32, 22);
    Kernel kernel{.dim = 16, .base = 8e6};
    for (int row = 0; row < 320; ++row) kernel.positions.push_back(widen(round_to<bfloat16>(row)));
    const KernelIdentification answer = asked(x, applied(kernel, x, 0));
    CHECK((answer.verdict == Verdict::identified));
    CHECK(says(answer, "Positions are rounded to bfloat16: 257 is 256."));
}

TEST_CASE("kernel: positions are found in rows behind the first thousand, too") {
    constexpr int rows = 2500;
    const Array x = random_array({2, rows, 32}, DType::float32, 24);
    const auto asked_of = [&](double (*position)(int)) {
        Kernel kernel{.dim = 32};
        for (int row = 0; row < rows; ++row) kernel.positions.push_back(position(row));
        return asked(x, applied(kernel, x, 1));
    };
    const auto clamped = [](int row) { return std::min(row, 2047) + 0.0; };
    const auto clamped_early = [](int row) { return std::min(row, 700) + 0.0; };
    const auto packed = [](int row) { return row % 1300 + 0.0; };
    const auto coarse = [](int row) { return widen(round_to<float16>(row)); };
    CHECK(settings_of(asked_of(clamped)) == "--positions 0:2047,2047x453");
    CHECK(settings_of(asked_of(clamped_early)) == "--positions 0:700,700x1800");
    CHECK(settings_of(asked_of(packed)) == "--positions 0:1300,0:1200");
    CHECK(says(asked_of(coarse), "Positions are rounded to float16: 2049 is 2048."));

    Kernel two{.dim = 32};  // rows behind 1999 turn by no positions
    Array y = applied(two, x, 1);
    const auto begin = static_cast<std::ptrdiff_t>(y.values.size()) - 500 * 32;
    std::copy(x.values.end() - 500 * 32, x.values.end(), y.values.begin() + begin);
    const KernelIdentification answer = asked(x, y);
    CHECK((answer.verdict == Verdict::not_identified));
    CHECK(answer.departure == "in rows 2000 to 2499 of the positions, at 1 of axis 0");
}

TEST_CASE("kernel: one token of several heads has its position along the axis of extent 1") {
    const Array x = random_array({1, 8, 64}, DType::float32, 23);
    Kernel kernel{.dim = 64, .start = 7, .step = 0};
    CHECK(settings_of(asked(x, applied(kernel, x, 0))) == "--start 7 --position-axis 0");
}

TEST_CASE("kernel: a base that few digits measure is no certain answer") {
    const Array x = random_array({3, 8, 32}, DType::float16, 24);
    const KernelIdentification answer = asked(x, applied({.dim = 32, .base = 658000}, x, 1));
    CHECK((answer.verdict == Verdict::ambiguous));
    CHECK(says(answer, "is no usual number, or not known exactly"));
}

TEST_CASE("kernel: YaRN of a few rows in bfloat16 is told by its attention factor") {
    const Array x = random_array({2, 12, 96}, DType::bfloat16, 25);
    Kernel kernel{.dim = 96, .start = 1, .factor = 0.1 * std::log(40) + 1};
    constexpr double low = 15, high = 34;  // the ramp of base 10000 and 4096 positions
    for (int m = 0; m < 48; ++m) {
        const double w = std::pow(10000, -m / 48.0),
                     share = std::clamp((m - low) / (high - low), 0.0, 1.0);
        kernel.frequencies.push_back(w * (1 - share) + w / 40 * share);
    }
    const KernelIdentification answer = asked(x, applied(kernel, x, 1));
    CHECK((answer.verdict != Verdict::not_identified));
    CHECK(settings_of(answer).starts_with("--scaling yarn --factor 40"));
}

TEST_CASE("kernel: pairs that are rotated by unknown angles are said to be rotated") {
    const Array x = random_array({40, 16}, DType::float32, 26);
    Array y = x;
    for (std::int64_t row = 0; row < 40; ++row) {
        for (std::int64_t m = 0; m < 8; ++m) {
            const double angle = std::sqrt(static_cast<double>(row * (m + 1)));
            const double a = x.at(row, m), b = x.at(row, m + 8);
            y.at(row, m) = a * std::cos(angle) - b * std::sin(angle);
            y.at(row, m + 8) = a * std::sin(angle) + b * std::cos(angle);
        }
    }
    const KernelIdentification answer = asked(x, rounded_to(y, DType::float32));
    CHECK((answer.verdict == Verdict::not_identified));
    CHECK(says(answer, "Channels m and m + 8 are rotated along axis 0"));
}

TEST_CASE("kernel: of unknown frequencies, eight are named") {
    for (const std::int64_t pairs : {8, 9}) {
        CAPTURE(pairs);
        const Array x = random_array({40, 2 * pairs}, DType::float32, 27);
        Kernel kernel{.dim = 2 * pairs};
        std::string named;
        for (std::int64_t m = 0; m < pairs; ++m) {
            kernel.frequencies.push_back(0.7 / std::sqrt(static_cast<double>(m * m * m + 1)));
            if (m < 8)
                named += fmt::format("{}{:.4g}", m > 0 ? ", " : "", kernel.frequencies.back());
        }
        const KernelIdentification answer = asked(x, applied(kernel, x, 0));
        CHECK((answer.verdict == Verdict::not_identified));
        CHECK(says(answer, fmt::format("cannot be told: {}{}.", named, pairs > 8 ? ", ..." : "")));
    }
}

TEST_CASE("kernel: what code rounds too early is named") {
    const Array x = random_array({2, 40, 64}, DType::float32, 5);
    Kernel kernel{.dim = 64, .frequencies = linear_frequencies(64, 10000, 1)};
    for (double& w : kernel.frequencies) w = widen(round_to<bfloat16>(w));
    const KernelIdentification frequencies = asked(x, applied(kernel, x, 1));
    CHECK((frequencies.verdict == Verdict::identified));
    CHECK(frequencies.command == std::vector<std::string>{"pe-gen", "apply", "rope", "--x", "x.npy",
                                                          "--arith", "bfloat16", "--rounded",
                                                          "frequencies"});
    CHECK(says(frequencies, "The frequencies are rounded to bfloat16"));
}

TEST_CASE("kernel: a frequency's exponent that is divided otherwise is named") {
    const Array x = random_array({40, 64}, DType::float32, 6);
    Kernel kernel{.dim = 64};
    for (int m = 0; m < 32; ++m) kernel.frequencies.push_back(std::pow(10000, -2.0 * m / 63));
    CHECK(says(asked(x, applied(kernel, x, 0)), "divided by 63, not by 64"));
    for (std::size_t m = 0; m < 32; ++m)
        kernel.frequencies[m] = std::pow(10000, -2.0 * static_cast<double>(m + 1) / 64);
    CHECK(says(asked(x, applied(kernel, x, 0)), "m counts from 1 in the exponent"));
}

TEST_CASE("kernel: positions in any order are counted from 0 up") {
    const Array x = random_array({20, 64}, DType::float32, 16);
    Kernel kernel{.dim = 64};
    kernel.positions = {3, 17, 9, 1, 0, 12, 7, 5, 19, 2, 11, 4, 16, 8, 6, 18, 10, 13, 15, 14};
    const KernelIdentification answer = asked(x, applied(kernel, x, 0));
    REQUIRE(answer.rotary);
    CHECK(!answer.rotary->is_inverse);
    CHECK(answer.rotary->list == kernel.positions);
}

TEST_CASE("kernel: positions in any order may be far from 0") {
    const Array x = random_array({8, 64}, DType::float32, 16);
    Kernel kernel{.dim = 64, .arithmetic = Arithmetic::exact};
    kernel.positions = {900001, 3, 131072, 262144, 17, 1023, 524289, 70000};
    const KernelIdentification answer = asked(x, applied(kernel, x, 0));
    CHECK((answer.verdict == Verdict::identified));
    REQUIRE(answer.rotary);
    CHECK(answer.rotary->list == kernel.positions);
}

TEST_CASE("kernel: the opposite of a rotation is named") {
    const Array x = random_array({3, 40, 64}, DType::float32, 29);
    const auto opposite_of = [&](const Kernel& kernel) {
        Array y = applied(kernel, x, 1);
        for (double& value : y.values) value = -value;
        return asked(x, y);
    };
    const KernelIdentification plain = opposite_of({.dim = 64, .start = 5});
    CHECK((plain.verdict == Verdict::identified));
    CHECK(plain.command.empty());
    CHECK(says(plain,
               "Every value is negated after the rotation, which pe-gen apply rope --x "
               "x.npy --start 5 does."));
    REQUIRE(plain.rotary);
    CHECK(plain.rotary->factor == -1);
    const KernelIdentification odd = opposite_of({.dim = 64, .lacks_minus = true});
    CHECK(says(odd, "Every value is negated after the rotation."));
    CHECK(says(odd, "minus sign is missing"));
}

TEST_CASE("kernel: dropout after a rotation is named") {
    const Array x = random_array({1, 2, 300, 64}, DType::float32, 30);
    Array y = applied({.dim = 64, .start = 1}, x, 2);
    trials::Random random(7);
    for (double& value : y.values) value = random() % 10 < 2 ? 0 : value / 0.8;
    const KernelIdentification answer = asked(x, rounded_to(y, y.dtype));
    CHECK((answer.verdict == Verdict::identified));
    CHECK(answer.command.empty());
    CHECK(says(answer,
               "Dropout of 0.2 is on after the rotation, which pe-gen apply rope --x x.npy "
               "--start 1 does: 20 % of the values are 0, the others are multiplied by 1.25."));
    for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] += i % 1000 == 1 ? 0.5 : 0;
    CHECK((asked(x, y).verdict == Verdict::not_identified));
}

TEST_CASE("kernel: scaling and nothing at all are told from rotations") {
    const Array x = random_array({3, 20, 64}, DType::float32, 9);
    CHECK((asked(x, x).kind == KernelKind::none));
    CHECK((asked(x, x).verdict == Verdict::not_identified));
    Array scaled = x;
    for (double& value : scaled.values) value = 0;
    CHECK(says(asked(x, scaled), "Every value of the second array is 0"));
    CHECK((asked(x, scaled).verdict == Verdict::not_identified));
    scaled = x;
    for (double& value : scaled.values) value *= 8;
    const KernelIdentification answer = asked(x, scaled);
    CHECK((answer.verdict == Verdict::identified));
    CHECK((answer.kind == KernelKind::scaled));
    CHECK(says(answer, "multiplied by 8, the square root of 64"));
}

TEST_CASE("kernel: scaling is found beside values that are not finite") {
    Array x = random_array({4, 16}, DType::float32, 27);
    x.at(0, 3) = std::nan("");
    Array half = x;
    for (double& value : half.values) value *= 0.5;
    CHECK((asked(x, half).kind == KernelKind::scaled));
}

TEST_CASE("kernel: a last axis of two values may be complex numbers, and this is said") {
    const Array x = random_array({8, 16, 2}, DType::float64, 28);
    CHECK(says(asked(x, x), "parts of complex numbers"));
}

TEST_CASE("kernel: nothing is claimed of functions that are no rotation by positions") {
    using Function = std::function<void(const Array&, Array&)>;
    const auto each = [](double (*f)(double)) -> Function {
        return [f](const Array& x, Array& y) {
            std::ranges::transform(x.values, y.values.begin(), f);
        };
    };
    const std::vector<Function> functions{
        [](const Array&, Array& y) { y = random_array(y.extents, y.dtype, 99); },
        each([](double v) { return std::max(v, 0.0); }),
        each([](double v) { return std::tanh(v); }),
        each([](double v) { return v * v; }),
        each([](double) { return 0.0; }),
        each([](double v) { return v + 1; }),
        each([](double) { return std::nan(""); }),
        each([](double v) { return v / 0.0; }),
        [](const Array& x, Array& y) {
            std::ranges::rotate_copy(x.values, x.values.begin() + 1, y.values.begin());
        },
        [](const Array& x, Array& y) {  // the same turn of all pairs at all positions
            for (std::size_t i = 0; i < x.values.size(); i += 2) {
                y.values[i] = 0.6 * x.values[i] - 0.8 * x.values[i + 1];
                y.values[i + 1] = 0.8 * x.values[i] + 0.6 * x.values[i + 1];
            }
        },
        [](const Array& x, Array& y) {  // random turns
            const Array angles = random_array(x.extents, DType::float64, 12);
            for (std::size_t i = 0; i < x.values.size(); i += 2) {
                const double c = std::cos(angles.values[i % 640]),
                             s = std::sin(angles.values[i % 640]);
                y.values[i] = c * x.values[i] - s * x.values[i + 1];
                y.values[i + 1] = s * x.values[i] + c * x.values[i + 1];
            }
        },
        [](const Array& x, Array& y) {  // RMS norm
            for (std::int64_t row = 0; row < x.rows(); ++row) {
                double square = 0;
                for (int c = 0; c < 32; ++c) square += x.at(row, c) * x.at(row, c);
                for (int c = 0; c < 32; ++c) y.at(row, c) = x.at(row, c) / std::sqrt(square / 32);
            }
        },
    };
    for (std::size_t i = 0; i < functions.size(); ++i) {
        CAPTURE(i);
        const DType dtype = i % 2 == 0 ? DType::float32 : DType::bfloat16;
        const Array x = random_array({20, 32}, dtype, 10 + i);
        Array y = x;
        functions[i](x, y);
        const KernelIdentification answer = asked(x, rounded_to(y, dtype));
        CHECK((answer.verdict == Verdict::not_identified));
        CHECK(answer.command.empty());
    }
}

TEST_CASE("kernel: little data in a coarse format makes no claim of many digits") {
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const Array x = random_array({3, 8}, DType::bfloat16, seed);
        const Kernel odd{.dim = 8, .base = 7321.5, .start = 17.25, .step = 0.37};
        const KernelIdentification answer = asked(x, applied(odd, x, 0));
        CHECK((answer.verdict == Verdict::not_identified));
    }
}

TEST_CASE("kernel: a table that was added is found, also after a multiplication") {
    const Array x = random_array({3, 30, 64}, DType::float32, 11);
    Array sum = x, scaled = x;
    for (std::int64_t row = 0; row < x.rows(); ++row) {
        for (std::int64_t c = 0; c < 64; ++c) {
            const double angle = static_cast<double>(row % 30) *
                                 std::pow(10000, -static_cast<double>(c - c % 2) / 64);
            const double wave = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
            sum.at(row, c) += wave;
            scaled.at(row, c) = 8 * x.at(row, c) + wave;
        }
    }
    const KernelIdentification added = asked(x, rounded_to(sum, DType::float32));
    CHECK((added.verdict == Verdict::identified));
    CHECK(fmt::format("{}", fmt::join(added.command, " ")) ==
          "pe-gen apply add --x x.npy -- sinusoid --len 30 --d 64");
    const KernelIdentification twice = asked(x, rounded_to(scaled, DType::float32));
    CHECK((twice.kind == KernelKind::added));
    CHECK(says(twice, "multiplied by 8, the square root of 64"));
    CHECK(says(twice, "pe-gen sinusoid --len 30 --d 64"));
}

TEST_CASE("kernel: a long table that was added is found, and where it is not added") {
    const Array x = random_array({9000, 64}, DType::float32, 12);
    const std::vector<double> table =
        read_rows(trials::made_by(trials::command_of("sinusoid --len 9000 --d 64")), {0, 9000});
    Array sum = x, partly = x;
    for (std::size_t i = 0; i < table.size(); ++i) {
        sum.values[i] = 8 * x.values[i] + table[i];
        partly.values[i] += i / 64 < 8000 ? table[i] : 0;
    }
    const KernelIdentification scaled = asked(x, rounded_to(sum, DType::float32));
    CHECK((scaled.verdict == Verdict::identified));
    CHECK(says(scaled, "multiplied by 8, the square root of 64"));
    CHECK(says(scaled, "pe-gen sinusoid --len 9000 --d 64"));
    const KernelIdentification departing = asked(x, rounded_to(partly, DType::float32));
    CHECK((departing.verdict == Verdict::not_identified));
    CHECK(fmt::format("{}", fmt::join(departing.nearest, " "))
              .ends_with("-- sinusoid --len 9000 --d 64"));
    CHECK(departing.departure == "in rows 8000 to 8999 of the positions");
    const KernelIdentification noise = asked(x, random_array({9000, 64}, DType::float32, 13));
    CHECK((noise.verdict == Verdict::not_identified));
    CHECK(noise.nearest.empty());
}

TEST_CASE("kernel: an array of several blocks and a rest is compared to its last value") {
    // A block has 2^18 values: 1024 positions.
    const Array x = random_array({2500, 256}, DType::float32, 3);
    Array y = applied({.dim = 256}, x, 0);
    const KernelIdentification whole = asked(x, y);
    CHECK((whole.verdict == Verdict::identified));
    CHECK(whole.agreement.values == 2500 * 256);
    y.at(2499, 255) += 1;
    const KernelIdentification spoiled = asked(x, y);
    CHECK((spoiled.verdict == Verdict::not_identified));
    CHECK(spoiled.agreement.place == std::vector<std::int64_t>{2499, 255});
    CHECK(spoiled.departure.find("2499") != std::string::npos);
}
