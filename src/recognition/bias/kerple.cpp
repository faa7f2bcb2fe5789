#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/names.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/attention_settings.h"

namespace pegen::recognition {
namespace {

/// The penalty that a head subtracts from the scores at a distance, with its error.
struct Point {
    double distance;
    double penalty;
    double error;
};

/// A kind of kernel: a function of the distance with two parameters.
struct Kind {
    const char* name;
    bool is_power;
    double (*penalty)(double p, double a, double distance);
    double (*by_p)(double p, double a, double distance);  ///< derivatives by p and a
    double (*by_a)(double p, double a, double distance);
};

constexpr Kind log_kind{"log", false,
                        [](double p, double a, double d) { return p * std::log1p(a * d); },
                        [](double, double a, double d) { return std::log1p(a * d); },
                        [](double p, double a, double d) { return p * d / (1 + a * d); }};

constexpr Kind power_kind{
    "power", true, [](double p, double a, double d) { return a * std::pow(d, p); },
    [](double p, double a, double d) { return a * std::pow(d, p) * std::log(d); },
    [](double p, double, double d) { return std::pow(d, p); }};

struct Kernel {
    double p;
    double a;
};

/// Returns the kernel through the first and the last point.
Kernel first_guess(const Kind& kind, const std::vector<Point>& points) {
    const Point near = points.front(), far = points.back();
    const double ratio = far.penalty / near.penalty;
    if (kind.is_power) {
        const double p = std::log(ratio) / std::log(far.distance / near.distance);
        return {p, near.penalty / std::pow(near.distance, p)};
    }
    // As a grows, the ratio falls from the ratio of the distances to 1.
    double low = -60, high = 60;
    for (int step = 0; step < 80; ++step) {
        const double a = std::exp((low + high) / 2);
        const double there = std::log1p(a * far.distance) / std::log1p(a * near.distance);
        (there > ratio ? low : high) = (low + high) / 2;
    }
    const double a = std::exp(low);
    return {near.penalty / std::log1p(a * near.distance), a};
}

struct MeasuredKernel {
    Measured p;
    Measured a;
};

/// Returns the kernel fitted to all points by least squares.
MeasuredKernel refined(const Kind& kind, const std::vector<Point>& points, Kernel kernel) {
    MeasuredKernel measured{};
    for (int step = 0; step < 6; ++step) {
        double pp = 0, pa = 0, aa = 0, pr = 0, ar = 0;
        for (const Point& point : points) {
            const double d = point.distance, weight = 1 / (point.error * point.error);
            const double by_p = kind.by_p(kernel.p, kernel.a, d);
            const double by_a = kind.by_a(kernel.p, kernel.a, d);
            const double rest = point.penalty - kind.penalty(kernel.p, kernel.a, d);
            pp += weight * by_p * by_p;
            pa += weight * by_p * by_a;
            aa += weight * by_a * by_a;
            pr += weight * by_p * rest;
            ar += weight * by_a * rest;
        }
        const double determinant = pp * aa - pa * pa;
        const Kernel next{kernel.p + (aa * pr - pa * ar) / determinant,
                          kernel.a + (pp * ar - pa * pr) / determinant};
        measured = {{kernel.p, 3 * std::sqrt(std::fabs(aa / determinant))},
                    {kernel.a, 3 * std::sqrt(std::fabs(pp / determinant))}};
        if (!(next.p > 0) || !(next.a > 0) || !std::isfinite(next.p + next.a)) break;
        kernel = next;
        measured.p.value = kernel.p;
        measured.a.value = kernel.a;
    }
    return measured;
}

bool fits(const Kind& kind, const Kernel& kernel, const std::vector<Point>& points) {
    return std::ranges::all_of(points, [&](const Point& point) {
        const double there = kind.penalty(kernel.p, kernel.a, point.distance);
        return std::fabs(there - point.penalty) <= 3 * point.error;
    });
}

/// The kernel of a head as a user would type it.
struct TypedKernel {
    std::string p;
    std::string a;
};

std::optional<TypedKernel> kernel_of(const Kind& kind, const std::vector<Point>& points) {
    const Kernel guess = first_guess(kind, points);
    if (!(guess.p > 0) || !(guess.a > 0) || !std::isfinite(guess.p + guess.a)) return {};
    const MeasuredKernel measured = refined(kind, points, guess);
    if (!fits(kind, {measured.p.value, measured.a.value}, points)) return {};
    struct Choice {
        TypedKernel typed;
        Kernel kernel;
        double bits;
    };
    std::vector<Choice> choices;
    for (const SimpleNumber& p : evidence::simple_numbers(measured.p, 5)) {
        for (const SimpleNumber& a : evidence::simple_numbers(measured.a, 5)) {
            choices.push_back({{p.text, a.text}, {p.value, a.value}, p.bits + a.bits});
        }
    }
    choices.push_back({{fmt::format("{}", measured.p.value), fmt::format("{}", measured.a.value)},
                       {measured.p.value, measured.a.value},
                       100});
    std::ranges::stable_sort(choices, {}, &Choice::bits);
    const auto found = std::ranges::find_if(
        choices, [&](const Choice& choice) { return fits(kind, choice.kernel, points); });
    if (found == choices.end()) return {};
    return found->typed;
}

/// Returns the points of a head at some hundred distances; none if the biases do not fall with the
/// distance.
std::vector<Point> points_of(const Sample& sample, const evidence::Lines& lines,
                             std::int64_t head) {
    const std::int64_t farthest = lines.extents.keys - 1;
    constexpr double code_error = 0x1p-23;
    std::vector<Point> points;
    double growth = 1.05;
    for (double at = 1; at <= static_cast<double>(farthest); at = std::ceil(at * growth)) {
        const double penalty = -lines.at(head, -static_cast<std::int64_t>(at));
        if (!(penalty > 0)) return {};
        points.push_back({at, penalty, sample.error_of(penalty) + code_error * penalty});
    }
    return points;
}

bool is_zero_from_query_on(const evidence::Lines& lines) {
    for (std::int64_t head = 0; head < lines.extents.heads; ++head) {
        if (lines.at(head, 0) != 0) return false;
        if (lines.is_causal) continue;
        for (std::int64_t distance = 1; distance < lines.extents.queries; ++distance) {
            if (lines.at(head, distance) != 0) return false;
        }
    }
    return true;
}

std::string list_of(const std::vector<std::string>& numbers) {
    const bool are_equal = std::ranges::all_of(
        numbers, [&](const std::string& number) { return number == numbers.front(); });
    return are_equal ? numbers.front() : joined(numbers, ",");
}

std::optional<Proposal> proposal_of(const Sample& sample, const evidence::Lines& lines,
                                    const Kind& kind) {
    std::vector<std::string> p, a;
    for (std::int64_t head = 0; head < lines.extents.heads; ++head) {
        constexpr std::size_t fewest = 3;
        const std::vector<Point> points = points_of(sample, lines, head);
        if (points.size() < fewest) return {};
        const std::optional<TypedKernel> kernel = kernel_of(kind, points);
        if (!kernel) return {};
        p.push_back(kernel->p);
        a.push_back(kernel->a);
    }
    Proposal proposal{.settings = bias_settings(lines.extents)};
    proposal.settings.push_back({"kind", kind.name});
    proposal.settings.push_back({"p", list_of(p)});
    proposal.settings.push_back({"a", list_of(a)});
    if (lines.is_causal) proposal.settings.push_back({"mask", "causal"});
    return proposal;
}

}  // namespace

/// Returns the proposals for an array, with p and a of each head found from the values.
std::vector<Proposal> recognize_kerple(const Sample& sample) {
    std::vector<Proposal> proposals;
    for (const evidence::AttentionExtents& extents : attention_extents(sample)) {
        const std::optional<evidence::Lines> lines = lines_of(sample, extents);
        if (!lines || !is_zero_from_query_on(*lines)) continue;
        for (const Kind* kind : {&log_kind, &power_kind}) {
            if (auto proposal = proposal_of(sample, *lines, *kind)) {
                proposals.push_back(std::move(*proposal));
            }
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
