#include "recognition/identify/kernel_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "cli/identify/kernel_report.h"
#include "recognition/kernel/kernel.h"
#include "recognition/rotary/frequency_settings.h"

namespace pegen::trials {
namespace {

using evidence::Setting;
using recognition::KernelIdentification;
using recognition::RotaryKernel;
using testing::Kernel;
using testing::Pairs;

/// Returns one of the choices, each with the same probability. List a usual choice several times.
template <class T, std::size_t n>
T one_of(Random& random, const std::array<T, n>& choices) {
    return choices[random() % n];
}

/// Scalings as model configurations have them.
std::vector<Setting> drawn_settings(Random& random) {
    using Settings = std::vector<Setting>;
    const std::array bases{"", "", "", "5e+05", "1e+06", "100", "5e+06", "77"};
    const std::array scalings{
        Settings{},
        Settings{},
        Settings{},
        Settings{},
        Settings{{"scaling", "linear"}, {"factor", "4"}},
        Settings{{"scaling", "ntk"}, {"factor", "8"}},
        Settings{
            {"scaling", "yarn"}, {"factor", "4"}, {"original-max-position-embeddings", "32768"}},
        Settings{
            {"scaling", "llama3"}, {"factor", "8"}, {"original-max-position-embeddings", "8192"}},
    };
    Settings settings = one_of(random, scalings);
    const std::string base = one_of(random, bases);
    if (!base.empty()) settings.insert(settings.begin(), {"base", base});
    return settings;
}

/// Returns the factor of cos and sin.
double attention_factor(const std::vector<Setting>& settings) {
    const bool is_yarn = std::ranges::any_of(
        settings, [](const Setting& setting) { return setting.value == "yarn"; });
    return is_yarn ? 0.1 * std::log(4) + 1 : 1;
}

std::string text_of(const std::vector<Setting>& settings) {
    std::string text;
    for (const Setting& setting : settings) {
        text += fmt::format(" --{} {}", setting.name, setting.value);
    }
    return text;
}

/// Adds a mistake that ports have, and returns its name; "" in half of all cases.
std::string add_mistake(Kernel& kernel, Random& random) {
    switch (random() % 10) {
        case 0:
            kernel.layout = kernel.layout == Pairs::halves ? Pairs::neighbours : Pairs::halves;
            return ", angles laid out otherwise";
        case 1:
            kernel.lacks_minus = true;
            return ", no minus";
        case 2:
            kernel.exchanges = true;
            return ", cos and sin exchanged";
        case 3:
            kernel.sign = -1;
            return ", -sin";
        case 4:
            if (kernel.pairing == Pairs::neighbours) return "";
            kernel.reads_neighbours = true;
            return ", neighbours written in halves";
        default:
            return "";
    }
}

rows::Pairing pairing_of(Pairs pairs) {
    return pairs == Pairs::halves ? rows::Pairing::half : rows::Pairing::interleaved;
}

RotaryKernel truth_of(const Kernel& kernel, const std::vector<Setting>& settings) {
    return {.convention = {.first = kernel.first,
                           .dim = kernel.dim,
                           .pairing = pairing_of(kernel.pairing),
                           .layout = pairing_of(kernel.layout),
                           .reads_neighbours = kernel.reads_neighbours,
                           .lacks_minus = kernel.lacks_minus},
            .is_exchanged = kernel.exchanges,
            .is_inverse = kernel.sign < 0,
            .settings = settings,
            .frequencies = kernel.frequencies,
            .start = kernel.start,
            .step = kernel.step,
            .factor = kernel.factor};
}

/// True if the kernels turn their pairs by the same angles, at the positions of the array and at
/// those that would follow.
bool have_same_angles(const RotaryKernel& a, const RotaryKernel& b, std::int64_t rows) {
    if (a.frequencies.size() != b.frequencies.size()) return false;
    const Positions of_a = a.positions(4 * rows), of_b = b.positions(4 * rows);
    const double sign = a.is_inverse == b.is_inverse ? 1 : -1;
    for (std::int64_t row = 0; row < 4 * rows; ++row) {
        for (std::size_t m = 0; m < a.frequencies.size(); ++m) {
            const double angle = of_a[row] * a.frequencies[m];
            const double off = angle - sign * of_b[row] * b.frequencies[m];
            if (std::abs(off) > 1e-6 + 1e-6 * std::abs(angle)) return false;
        }
    }
    return true;
}

bool are_same(const RotaryKernel& a, const RotaryKernel& b, std::int64_t rows) {
    return terms_of(a.convention) == terms_of(b.convention) && a.is_exchanged == b.is_exchanged &&
           std::abs(a.factor / b.factor - 1) < 1e-6 && have_same_angles(a, b, rows);
}

/// True if the kernel is among the other kernels that the answer names, by its command or by the
/// command of its cos and sin.
bool is_among_others(const KernelTrial& trial, const KernelIdentification& answer) {
    const auto command = command_of(trial.truth, "x.npy", trial.before.columns(), {});
    const std::string table =
        fmt::format("pe-gen rope --d {}{}", trial.kernel.dim, text_of(trial.truth.settings));
    return std::ranges::any_of(answer.alternatives, [&](const recognition::OtherKernel& other) {
        return other.command.empty() ? other.findings.find(table) != std::string::npos
                                     : other.command == command;
    });
}

Outcome outcome_of(const KernelTrial& trial, const KernelIdentification& answer) {
    using recognition::Verdict;
    if (answer.verdict == Verdict::not_identified || !answer.rotary) return Outcome::missed;
    const std::int64_t rows = trial.before.extents[1];
    const bool is_right = are_same(*answer.rotary, trial.truth, rows);
    if (answer.verdict == Verdict::identified) return is_right ? Outcome::right : Outcome::wrong;
    return is_right || is_among_others(trial, answer) ? Outcome::ambiguous : Outcome::unnamed;
}

}  // namespace

KernelTrial drawn_kernel(Random& random) {
    const std::array formats{DType::float64, DType::float32, DType::float16, DType::bfloat16};
    const DType dtype = one_of(random, formats);
    const std::int64_t samples = one_of(random, std::array<std::int64_t, 3>{1, 2, 4});
    const std::int64_t rows = one_of(random, std::array<std::int64_t, 5>{6, 12, 40, 80, 200});
    const std::int64_t channels = one_of(random, std::array<std::int64_t, 5>{16, 32, 64, 96, 128});
    const std::vector<Setting> settings = drawn_settings(random);
    Kernel kernel{.dim = one_of(random, std::array{channels, channels, channels / 2}),
                  .pairing = one_of(random, std::array{Pairs::halves, Pairs::neighbours}),
                  .start = one_of(random, std::array{0.0, 0.0, 0.0, 1.0, 17.0, 4096.0}),
                  .step = one_of(random, std::array{1.0, 1.0, 1.0, 1.0, 2.0}),
                  .factor = attention_factor(settings)};
    kernel.layout = kernel.pairing;
    kernel.frequencies = recognition::frequencies_of(settings, kernel.dim);
    if (random() % 2 == 0) kernel.arithmetic = testing::Arithmetic::exact;
    const std::string mistake = add_mistake(kernel, random);
    Array before = testing::random_array({samples, rows, channels}, dtype, random());
    Array after = testing::applied(kernel, before, 1);
    return {fmt::format("{} x {} x {} {}, {} of {} channels,{}, from {:g} by {:g}{}{}", samples,
                        rows, channels, info(dtype).name,
                        kernel.pairing == Pairs::halves ? "halves" : "neighbours", kernel.dim,
                        text_of(settings), kernel.start, kernel.step,
                        kernel.arithmetic == testing::Arithmetic::exact ? ", exact" : "", mistake),
            kernel, truth_of(kernel, settings), std::move(before), std::move(after)};
}

Judgement judge(const KernelTrial& trial) {
    const auto start = std::chrono::steady_clock::now();
    const recognition::KernelQuestion question{
        .before = table_of(trial.before), .after = table_of(trial.after), .path = "x.npy"};
    const KernelIdentification answer = recognition::identify_kernel(question);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    return {outcome_of(trial, answer), cli::as_text(answer, question), time.count()};
}

}  // namespace pegen::trials
