#include "cli/batch_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/one_line.h"
#include "core/to_size.h"
#include "files/json_text.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::up_to_date:
            return "up to date";
        case Outcome::written:
            return "written";
        case Outcome::out_of_date:
            return "out of date";
        case Outcome::missing:
            return "missing";
        case Outcome::planned:
            return "planned";
        case Outcome::failed:
            return "failed";
        case Outcome::orphan:
            break;
    }
    return "orphan";
}

/// A line on a file; "" if there is nothing to say.
std::string line_of(const FileReport& file, const std::string& shown) {
    switch (file.outcome) {
        case Outcome::up_to_date:
        case Outcome::failed:
            return "";
        case Outcome::written:
            return fmt::format("wrote {}\n", shown);
        case Outcome::planned:
            return fmt::format("{}: {}\n", shown, file.plan);
        case Outcome::out_of_date:
        case Outcome::missing:
        case Outcome::orphan:
            break;
    }
    return fmt::format("{}: {}{}{}\n", name_of(file.outcome), shown,
                       file.reason.empty() ? "" : ": ", file.reason);
}

std::string plural(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// What all files of a job share.
Json head_of(const Batch& batch, const JobReport& report) {
    Json json = Json::object();
    json["job"] = report.job ? Json(batch.manifest.job(*report.job).place) : Json();
    return json;
}

std::string json_of(const Batch& batch, Json head, const FileReport& file,
                    const std::optional<Failure>& failure) {
    if (file.outcome == Outcome::orphan) head["job"] = nullptr;
    head["path"] = file.path;
    head["from_cwd"] = batch.from_start(file.path);
    head["format"] = text_or_null(file.format);
    head["status"] = name_of(file.outcome);
    if (!file.reason.empty()) head["reason"] = file.reason;
    if (!file.plan.empty()) head["plan"] = file.plan;
    if (file.outcome == Outcome::failed && failure) head["message"] = failure->message;
    return json_line(head) + "\n";
}

}  // namespace

std::string text_of(const Batch& batch, const std::vector<JobReport>& reports) {
    std::string text;
    for (const JobReport& report : reports) {
        for (const FileReport& file : report.files) {
            text += line_of(file, one_line(batch.from_start(file.path)));
        }
    }
    return text;
}

std::string summary_of(const Batch& batch, const std::vector<JobReport>& reports) {
    if (batch.mode == BatchMode::describe) return "";
    std::array<std::int64_t, to_size(static_cast<int>(Outcome::orphan)) + 1> counts{};
    std::int64_t jobs = 0;
    std::int64_t failed = 0;
    for (const JobReport& report : reports) {
        jobs += report.job ? 1 : 0;
        failed += report.job && report.failure ? 1 : 0;
        for (const FileReport& file : report.files) {
            ++counts[static_cast<std::size_t>(file.outcome)];
        }
    }
    const auto count = [&](Outcome outcome) { return counts[static_cast<std::size_t>(outcome)]; };
    const std::string stale =
        batch.mode == BatchMode::write
            ? plural(count(Outcome::written), "file") + " written"
            : plural(count(Outcome::out_of_date) + count(Outcome::missing), "file") +
                  " out of date or missing";
    std::string text = fmt::format("{}: {}, {} up to date", plural(jobs, "job"), stale,
                                   count(Outcome::up_to_date));
    if (count(Outcome::orphan) > 0) text += ", " + plural(count(Outcome::orphan), "orphan");
    if (failed > 0) text += fmt::format(", {} failed", plural(failed, "job"));
    return text + "\n";
}

std::string json_of(const Batch& batch, const std::vector<JobReport>& reports) {
    std::string text;
    for (const JobReport& report : reports) {
        const Json head = head_of(batch, report);
        for (const FileReport& file : report.files) {
            text += json_of(batch, head, file, report.failure);
        }
        if (!report.failure || !report.files.empty()) continue;
        Json json = head;
        json["status"] = name_of(Outcome::failed);
        json["message"] = report.failure->message;
        text += json_line(json) + "\n";
    }
    return text;
}

}  // namespace pegen::cli
