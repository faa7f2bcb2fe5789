#include "identify/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"
#include "identify/frequency_model.h"
#include "identify/kernel_confirm.h"
#include "identify/kernel_rivals.h"
#include "identify/kernel_scaling.h"
#include "identify/kernel_sections.h"
#include "identify/kernel_sum.h"
#include "identify/rotary_search.h"

namespace pegen::identify {
namespace {

void check(const KernelQuestion& question) {
    const Shape& shape = question.before.shape;
    if (shape != question.after.shape) {
        throw UsageError(
            fmt::format("the array before has shape {}, the one after {}; a kernel keeps the shape",
                        to_string(shape), to_string(question.after.shape)));
    }
    if (shape.rank() < 2 || shape.size() == 0) {
        throw UsageError(fmt::format("the arrays have shape {}; they need the axes (..., len, d)",
                                     to_string(shape)));
    }
}

/// Returns the axis of positions if `apply rope` must be told.
std::optional<int> axis_to_say(const KernelView& view) {
    const bool is_last_but_one =
        view.axes.position == view.before.shape.rank() - 2 && view.axes.heads == 1;
    return is_last_but_one ? std::nullopt : std::optional(view.axes.position);
}

std::vector<std::string> command_of(const RotaryKernel& kernel, const KernelView& view,
                                    const KernelQuestion& question) {
    if (!kernel.has_command()) return {};
    std::vector<std::string> command =
        command_of(kernel, question.path, view.channels, axis_to_say(view));
    if (view.axes.heads > 1) {
        command.emplace_back("--heads");
        command.push_back(fmt::format("{}", view.axes.heads));
    }
    return command;
}

/// Returns the step that puts neighbours into halves after the rotation.
std::vector<std::string> reordering(const RotaryKernel& kernel, const KernelView& view) {
    if (!kernel.has_command() || kernel.convention.order == ReadOrder::as_stored) return {};
    std::vector<std::string> words{"pe-gen",
                                   "apply",
                                   "rope-permute",
                                   "--from",
                                   "interleaved",
                                   "--to",
                                   "half",
                                   "--axis",
                                   "-1",
                                   "--heads",
                                   fmt::format("{}", view.axes.heads)};
    if (kernel.convention.dim != view.channels) {
        words.emplace_back("--rotary-dim");
        words.push_back(fmt::format("{}", kernel.convention.dim));
    }
    words.insert(words.end(), {"--x", "-"});
    return words;
}

/// Returns the place of a row of channels along the axes of the array.
std::vector<std::int64_t> place_in(const KernelView& view, const std::vector<std::int64_t>& place) {
    if (place.size() != 2) return {};
    const std::int64_t element = place[0] * view.channels + place[1];
    return index_of(element, view.before.shape.extents());
}

KernelIdentification answer_of(const RotaryFinding& best, const KernelView& view) {
    KernelIdentification answer;
    answer.kind = KernelKind::rotated;
    answer.axes = view.axes;
    answer.agreement = best.found.agreement;
    answer.agreement.place = place_in(view, best.found.agreement.place);
    answer.rotary = best.kernel;
    answer.factor = best.kernel.factor;
    answer.findings = findings_of(best.kernel, view.channels);
    return answer;
}

/// Returns the kernel that computes exactly, with the same settings.
RotaryKernel without_rounding(RotaryKernel kernel) {
    kernel.frequency_format = kernel.angle_format = kernel.table_format = {};
    kernel.frequencies = frequencies_of(kernel.settings, kernel.convention.dim);
    if (rounding_of(kernel.list)) {
        kernel.start = kernel.list.front();
        kernel.list.clear();
    }
    return kernel;
}

KernelIdentification near_answer(RotaryFinding nearest, const KernelView& view,
                                 const KernelSample& sample, const KernelQuestion& question,
                                 const Progress& progress) {
    nearest.found = compare_all(view, nearest.kernel, sample.precision, progress);
    std::string departure = departure_of(nearest.found, view);
    // What is off all over was not rounded as this kernel rounds.
    if (departure.empty() && nearest.kernel.rounds()) {
        nearest.kernel = without_rounding(nearest.kernel);
        nearest.found = compare_all(view, nearest.kernel, sample.precision, progress);
        departure = departure_of(nearest.found, view);
    }
    KernelIdentification answer = answer_of(nearest, view);
    answer.nearest = command_of(nearest.kernel, view, question);
    answer.departure = std::move(departure);
    // All else agrees only where what is off is in one place.
    if (answer.departure.empty()) answer.findings.clear();
    return answer;
}

/// Looks at the first and at the last sample by themselves: those of a batch may have positions of
/// their own.
std::optional<KernelIdentification> samples_apart(const KernelView& view,
                                                  const KernelSample& sample,
                                                  const KernelQuestion& question,
                                                  const Progress& progress) {
    if (sample.samples == 1) return {};
    const RotaryFindings first = find_rotary_kernels(only_sample(sample, 0), view);
    if (first.agreeing.empty()) return {};
    const RotaryKernel& of_first = first.agreeing.front().kernel;
    KernelIdentification answer =
        near_answer(first.agreeing.front(), view, sample, question, progress);
    const std::vector<std::string> own = findings_of(of_first, view.channels);
    answer.findings.clear();
    if (!own.empty()) {
        answer.findings.push_back(fmt::format("Of the first sample: {}", fmt::join(own, " ")));
    }
    const RotaryFindings last = find_rotary_kernels(only_sample(sample, sample.samples - 1), view);
    if (!last.agreeing.empty() && !turn_alike(of_first, last.agreeing.front().kernel)) {
        const std::vector<std::string> findings =
            findings_of(last.agreeing.front().kernel, view.channels);
        answer.findings.push_back(
            fmt::format("The last sample is turned otherwise. {}", fmt::join(findings, " ")));
    }
    return answer;
}

KernelIdentification unexplained_answer(const UnexplainedTurns& turns, const KernelView& view) {
    KernelIdentification answer;
    answer.agreement.values = answer.agreement.differing = view.before.shape.size();
    answer.findings = oddities_of(turns.convention, view.channels);
    const bool is_half = turns.convention.pairing == rows::Pairing::half;
    std::string what = fmt::format(
        "Channels {} are rotated along axis {}, ",
        is_half ? fmt::format("m and m + {}", turns.convention.dim / 2) : "2m and 2m + 1",
        view.axes.position);
    if (turns.steps.empty()) {
        what +=
            "but the angles are not known to be positions of rows times frequencies of pairs: "
            "positions along two axes, as of an image, make such angles, and sections, as in "
            "mrope.";
    } else {
        const bool is_turned_further = std::ranges::any_of(
            turns.steps,
            [](const evidence::Measured& step) { return std::fabs(step.value) > 4 * step.error; });
        if (!is_turned_further) {
            answer.findings.push_back(what + "all rows by the same angles.");
            return answer;
        }
        std::vector<std::string> some;
        for (const evidence::Measured& step : turns.steps) {
            if (some.size() < 8) some.push_back(fmt::format("{:.4g}", step.value));
        }
        what += fmt::format(
            "each pair by equal angles from most rows to the next, but which base and scaling "
            "these angles are of cannot be told: {}{}.",
            fmt::join(some, ", "), some.size() < turns.steps.size() ? ", ..." : "");
    }
    answer.findings.push_back(std::move(what));
    return answer;
}

/// Looks for a rotation; none if nothing comes near one.
std::optional<KernelIdentification> rotation(const KernelView& view, const KernelSample& sample,
                                             const KernelQuestion& question,
                                             const Progress& progress) {
    RotaryFindings findings = find_rotary_kernels(sample, view);
    for (auto best = findings.agreeing.begin(); best != findings.agreeing.end(); ++best) {
        best->found = compare_all(view, best->kernel, sample.precision, progress);
        if (best->found.agreement.level == Level::none) continue;
        KernelIdentification answer = answer_of(*best, view);
        answer.format = sample.precision.dtype;
        answer.verdict = best->kernel.doubts.empty() ? Verdict::identified : Verdict::ambiguous;
        for (const std::string& doubt : best->kernel.doubts) {
            answer.findings.push_back(fmt::format(
                "{} is no usual number, or not known exactly: another number or another scaling "
                "may turn alike at these positions. More positions{} may show which.",
                doubt, sample.precision.digits < 24 ? ", or float32," : ""));
        }
        answer.command = command_of(best->kernel, view, question);
        answer.then = reordering(best->kernel, view);
        for (RotaryFinding& rival : rivals_of(*best, findings.agreeing)) {
            rival.found = compare_sample(sample, rival.kernel, sample.half_unit());
            if (rival.found.agreement.level == Level::none) continue;
            rival.found = compare_all(view, rival.kernel, sample.precision);
            if (rival.found.agreement.level == Level::none) continue;
            answer.verdict = Verdict::ambiguous;
            answer.alternatives.push_back(
                {command_of(rival.kernel, view, question),
                 fmt::format("{}", fmt::join(findings_of(rival.kernel, view.channels), " "))});
        }
        return answer;
    }
    std::optional<RotaryFinding> nearest = findings.nearest;
    if (!findings.agreeing.empty()) nearest = findings.agreeing.front();
    if (!nearest) {
        if (auto answer = samples_apart(view, sample, question, progress)) return answer;
        if (findings.unexplained) return unexplained_answer(*findings.unexplained, view);
        return {};
    }
    return near_answer(*nearest, view, sample, question, progress);
}

/// True if all rows have the same position in a list. They may be heads of one token, whose
/// positions are counted along an axis of extent 1.
bool has_one_position(const KernelIdentification& answer) {
    if (!answer.rotary || answer.rotary->list.empty()) return false;
    const std::vector<double>& list = answer.rotary->list;
    return std::ranges::all_of(list, [&](double position) { return position == list.front(); });
}

KernelIdentification identified(const KernelQuestion& question, const Progress& progress) {
    if (auto answer = scaling(question, progress)) return *answer;
    std::optional<KernelIdentification> nearest, one_position;
    std::vector<KernelView> views;
    for (const KernelAxes& axes :
         possible_axes(question.before.shape, question.position_axis, question.heads)) {
        views.push_back(view_of(question.before, question.after, axes));
    }
    for (const KernelView& view : views) {
        const KernelSample sample = read_sample(view);
        std::optional<KernelIdentification> answer = rotation(view, sample, question, progress);
        if (!answer) continue;
        if (answer->verdict != Verdict::not_identified) {
            if (!has_one_position(*answer)) return *answer;
            if (!one_position) one_position = std::move(answer);
            continue;
        }
        const auto is_nearer = [](const KernelIdentification& a, const KernelIdentification& b) {
            return a.agreement.differing < b.agreement.differing;
        };
        if (!nearest || is_nearer(*answer, *nearest)) nearest = std::move(answer);
    }
    if (one_position) return *one_position;
    // What is mostly a rotation is no sum.
    const bool is_mostly_turned =
        nearest && 4 * nearest->agreement.differing < 3 * nearest->agreement.values;
    if (!is_mostly_turned) {
        if (auto answer = sum(question, progress)) return *answer;
    }
    KernelIdentification answer = nearest.value_or(KernelIdentification());
    if (answer.nearest.empty()) {
        const Sections found = sections_of(views);
        // More is known of what turns than which channels these are.
        if (!found.turnings.empty()) answer.findings.clear();
        if (answer.findings.empty() && !found.pairs.empty()) answer.findings = {found.pairs};
        answer.findings.insert(answer.findings.end(), found.turnings.begin(), found.turnings.end());
    }
    return answer;
}

}  // namespace

KernelIdentification identify_kernel(const KernelQuestion& question, const Progress& progress) {
    check(question);
    KernelIdentification answer = identified(question, progress);
    const Shape& shape = question.before.shape;
    if (answer.verdict == Verdict::not_identified && shape.rank() > 2 && shape.columns() == 2) {
        answer.findings.emplace_back(
            "The last axis has 2 values. If they are the parts of complex numbers, save the pairs "
            "as neighbouring channels: numpy's x.view(x.real.dtype), torch's "
            "view_as_real(x).flatten(-2).");
    }
    return answer;
}

}  // namespace pegen::identify
