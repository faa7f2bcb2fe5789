#include "mpi/job_reports.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "formats/registry.h"

namespace pegen::mpi {
namespace {

using Json = nlohmann::json;

Json json_of(const cli::FileReport& file) {
    return {file.path, file.format, file.outcome, file.reason, file.plan, file.entry};
}

Json json_of(const cli::JobReport& report) {
    Json json{{"job", *report.job}, {"notes", report.notes}, {"files", Json::array()}};
    for (const cli::FileReport& file : report.files) json["files"].push_back(json_of(file));
    if (report.failure) json["failure"] = {report.failure->status, report.failure->message};
    return json;
}

std::string_view format_named(const std::string& name) {
    return (*std::ranges::find(all_formats(), name, &Format::name))->name;
}

cli::JobReport report_of(const Json& json) {
    cli::JobReport report{.job = json["job"], .notes = json["notes"]};
    for (const Json& file : json["files"]) {
        report.files.push_back(
            {file[0], format_named(file[1]), file[2], file[3], file[4], file[5]});
    }
    if (json.contains("failure")) report.failure = {json["failure"][0], json["failure"][1]};
    return report;
}

}  // namespace

std::string bytes_of(const std::vector<cli::JobReport>& reports) {
    Json json = Json::array();
    for (const cli::JobReport& report : reports) json.push_back(json_of(report));
    std::string bytes;
    Json::to_cbor(json, bytes);  // texts may be no UTF-8
    return bytes;
}

std::vector<cli::JobReport> reports_of(std::span<const std::string> bytes) {
    std::vector<cli::JobReport> reports;
    for (const std::string& some : bytes) {
        for (const Json& json : Json::from_cbor(some)) reports.push_back(report_of(json));
    }
    std::ranges::sort(reports, {}, &cli::JobReport::job);
    return reports;
}

}  // namespace pegen::mpi
