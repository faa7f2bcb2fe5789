#include "cli/identify/kernel_report.h"

#include <fmt/format.h>

#include "cli/identify/report.h"
#include "core/json.h"
#include "core/number.h"

namespace pegen::cli {
namespace {

using recognition::Agreement;
using recognition::KernelIdentification;
using recognition::KernelKind;
using recognition::KernelQuestion;
using recognition::RotaryKernel;
using recognition::Verdict;

/// Returns how many values differ, by how much, and where: "3 of 2048 values differ, by up to 0.5,
/// in rows 21 of the positions".
std::string departure_text(const Agreement& agreement, const std::string& places) {
    std::string text = fmt::format("{} of {} values differ", agreement.differing, agreement.values);
    if (agreement.differing > agreement.nans) {
        text += fmt::format(", by up to {:.2g}", agreement.largest);
    }
    if (agreement.nans > 0) {
        text += agreement.nans == agreement.differing
                    ? ": NaN in one of the arrays"
                    : fmt::format(", {} of them NaN in one of the arrays", agreement.nans);
    }
    return places.empty() ? text : fmt::format("{}, {}", text, places);
}

/// Returns one line that says how the kernel changes the array; "" if it is unknown.
std::string kernel_text(const KernelIdentification& answer, const KernelQuestion& question) {
    switch (answer.kind) {
        case KernelKind::none:
            return "none";
        case KernelKind::scaled:
            return "scales";
        case KernelKind::added:
            return "adds a table";
        case KernelKind::rotated:
            break;
        case KernelKind::unknown:
            return "";
    }
    if (!answer.rotary) return "rotates sections of channels by positions of their own";
    const recognition::Convention& convention = answer.rotary->convention;
    const bool is_half = convention.pairing == rows::Pairing::half;
    std::string text =
        fmt::format("{} channels {}, {} of {}", convention.is_rotation() ? "rotates" : "mixes",
                    is_half ? fmt::format("m and m + {}", convention.dim / 2) : "2m and 2m + 1",
                    convention.dim, question.before.shape.columns() / question.heads);
    if (question.before.shape.rank() > 2) {
        text += fmt::format("; positions along axis {}", answer.axes->position);
    }
    return text;
}

std::string command_line(const std::vector<std::string>& command,
                         const std::vector<std::string>& then) {
    if (then.empty()) return command_text(command);
    return fmt::format("{} --npy - | {}", command_text(command), command_text(then));
}

Json words_json(const std::vector<std::string>& words) {
    if (words.empty()) return nullptr;
    return Json(words);
}

Json format_json(std::optional<DType> format) {
    return format ? Json(info(*format).name) : Json(nullptr);
}

Json rotary_json(const RotaryKernel& kernel) {
    const recognition::Convention& convention = kernel.convention;
    Json json{{"pairing", recognition::name_of(convention.pairing)},
              {"layout", recognition::name_of(convention.layout)},
              {"order", convention.reads_neighbours ? "neighbours to halves" : "as stored"},
              {"minus", !convention.lacks_minus},
              {"cosines", convention.lacking != recognition::Lacking::cosines},
              {"sines", convention.lacking != recognition::Lacking::sines},
              {"exchanged", kernel.is_exchanged},
              {"direction", kernel.is_inverse ? -1 : 1},
              {"first_channel", convention.first},
              {"rotary_dim", convention.dim},
              {"factor", kernel.factor},
              {"start", nullptr},
              {"step", nullptr},
              {"positions", nullptr},
              {"frequencies", kernel.frequencies},
              {"frequency_dtype", format_json(kernel.frequency_format)},
              {"angle_dtype", format_json(kernel.angle_format)},
              {"table_dtype", format_json(kernel.table_format)}};
    if (kernel.list.empty()) {
        json["start"] = kernel.start;
        json["step"] = kernel.step;
    } else {
        json["positions"] = kernel.list;
    }
    return json;
}

std::string_view kind_name(KernelKind kind) {
    switch (kind) {
        case KernelKind::none:
            return "none";
        case KernelKind::scaled:
            return "scaled";
        case KernelKind::added:
            return "added";
        case KernelKind::rotated:
            return "rotated";
        case KernelKind::unknown:
            break;
    }
    return "unknown";
}

}  // namespace

std::string as_text(const KernelIdentification& answer, const KernelQuestion& question) {
    std::string text = report_line(
        "verdict", verdict_text(answer.verdict, "identified up to what these arrays do not show"));
    if (const std::string kernel = kernel_text(answer, question); !kernel.empty()) {
        text += report_line("kernel", kernel);
    }
    if (!answer.command.empty()) {
        text += report_line("command", command_line(answer.command, answer.then));
    }
    if (answer.verdict != Verdict::not_identified) {
        text += report_line(
            "agreement",
            agreement_text(answer.agreement,
                           answer.format == DType::float64 ? DType::float32 : answer.format));
    }
    for (const recognition::OtherKernel& other : answer.alternatives) {
        text +=
            report_line("or", other.command.empty() ? other.findings : command_text(other.command));
    }
    if (!answer.nearest.empty()) text += report_line("nearest", command_text(answer.nearest));
    if (answer.verdict == Verdict::not_identified && !answer.nearest.empty()) {
        text += report_line("departure", departure_text(answer.agreement, answer.departure));
    }
    for (const std::string& finding : answer.findings) text += report_line("note", finding);
    return text;
}

Json as_json(const KernelIdentification& answer, const KernelQuestion& question,
             std::string_view after) {
    Json json{{"before", question.path},
              {"after", after},
              {"shape", question.before.shape.extents()},
              {"dtype", info(question.after.dtype).name},
              {"verdict", answer.verdict == Verdict::identified  ? "identified"
                          : answer.verdict == Verdict::ambiguous ? "ambiguous"
                                                                 : "not identified"},
              {"kind", kind_name(answer.kind)},
              {"command", words_json(answer.command)},
              {"then", words_json(answer.then)},
              {"agreement", agreement_json(answer.agreement)},
              {"position_axis", answer.axes ? Json(answer.axes->position) : Json(nullptr)},
              {"heads", question.heads},
              {"factor", answer.factor},
              {"rotary", answer.rotary ? rotary_json(*answer.rotary) : Json(nullptr)},
              {"alternatives", Json::array()},
              {"nearest", nullptr},
              {"notes", answer.findings}};
    for (const recognition::OtherKernel& other : answer.alternatives) {
        json["alternatives"].push_back(
            {{"command", words_json(other.command)}, {"notes", other.findings}});
    }
    if (answer.verdict == Verdict::not_identified && answer.rotary) {
        json["nearest"] = {{"command", words_json(answer.nearest)},
                           {"departure", departure_text(answer.agreement, answer.departure)},
                           {"differing", answer.agreement.differing}};
    }
    return json;
}

}  // namespace pegen::cli
