#include "cli/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "files/json_text.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_jobs = 100'000;

/// A part of the manifest and its place.
struct Part {
    std::string_view path;  ///< of the manifest
    std::string place;      ///< "jobs[3]"; "" for the whole
    const Json& json;

    [[noreturn]] void refuse(std::string_view failure) const {
        throw FormatError(
            path, place.empty() ? std::string(failure) : fmt::format("{}: {}", place, failure));
    }
    Part at(const std::string& key) const {
        return {path, place.empty() ? key : fmt::format("{}.{}", place, key), json[key]};
    }
    Part at(std::size_t index) const {
        return {path, fmt::format("{}[{}]", place, index), json[index]};
    }
};

void check_object(const Part& part, std::string_view what) {
    if (!part.json.is_object()) part.refuse(fmt::format("must be an object, {}", what));
}

void check_array(const Part& part) {
    if (!part.json.is_array()) part.refuse("must be an array, [...]");
}

std::string text_of(const Part& part) {
    const Json& json = part.json;
    if (json.is_string()) return json.get<std::string>();
    if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
    if (json.is_number_unsigned()) return fmt::format("{}", json.get<std::uint64_t>());
    if (json.is_number_integer()) return fmt::format("{}", json.get<std::int64_t>());
    if (json.is_number_float()) return shortest(json.get<double>());
    if (!json.is_array() || json.empty()) {
        part.refuse("must be a text, a number, true or false, or a list of these");
    }
    std::string list;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i].is_array()) part.at(i).refuse("must be a text or a number");
        if (i > 0) list += ',';
        list += text_of(part.at(i));
    }
    return list;
}

/// Keys of a job that are not options.
constexpr std::string_view sweep_key = "sweep";
constexpr std::string_view encoding_key = "encoding";

std::vector<Setting> settings_of(const Part& part) {
    std::vector<Setting> settings;
    for (const auto& [key, value] : part.json.items()) {
        if (key == sweep_key) continue;
        const std::string name = hyphenated(key);
        if (std::ranges::find(settings, name, &Setting::key) != settings.end()) {
            part.at(key).refuse("is there twice, with '_' and with '-'");
        }
        settings.push_back({name, text_of(part.at(key)), value.is_string()});
    }
    return settings;
}

/// An option and the values it takes in turn.
struct Sweep {
    std::string key;
    std::vector<Setting> settings;
};

std::vector<Sweep> sweeps_of(const Part& job, const std::vector<Setting>& settings) {
    if (!job.json.contains(sweep_key)) return {};
    const Part part = job.at(std::string(sweep_key));
    check_object(part, "{\"d\": [64, 128]}");
    std::vector<Sweep> sweeps;
    for (const auto& [key, values] : part.json.items()) {
        const Part list = part.at(key);
        check_array(list);
        if (values.empty()) list.refuse("needs at least one value");
        Sweep sweep{hyphenated(key), {}};
        const bool is_there =
            std::ranges::find(sweeps, sweep.key, &Sweep::key) != sweeps.end() ||
            std::ranges::find(settings, sweep.key, &Setting::key) != settings.end();
        if (is_there) list.refuse("is there twice, in the sweep and outside of it");
        for (std::size_t i = 0; i < values.size(); ++i) {
            sweep.settings.push_back({sweep.key, text_of(list.at(i)), values[i].is_string()});
        }
        sweeps.push_back(std::move(sweep));
    }
    return sweeps;
}

/// Removes "encoding" from the settings and returns its value, or else that of the defaults.
std::string take_name(const Part& part, std::vector<Setting>& settings,
                      const std::vector<Setting>& defaults) {
    const auto own = std::ranges::find(settings, encoding_key, &Setting::key);
    if (own != settings.end()) {
        std::string name = std::move(own->text);
        settings.erase(own);
        return name;
    }
    const auto general = std::ranges::find(defaults, encoding_key, &Setting::key);
    if (general == defaults.end()) part.refuse("needs an \"encoding\"");
    return general->text;
}

std::size_t combinations(const Part& part, const std::vector<Sweep>& sweeps) {
    std::size_t count = 1;
    for (const Sweep& sweep : sweeps) {
        count *= sweep.settings.size();
        if (count > most_jobs) part.refuse(fmt::format("sweeps over more than {} jobs", most_jobs));
    }
    return count;
}

void append_jobs(const Part& part, Manifest& manifest) {
    check_object(part, "{\"encoding\": ...}");
    const std::vector<Setting> settings = settings_of(part);
    const std::vector<Sweep> sweeps = sweeps_of(part, settings);
    const std::size_t count = combinations(part, sweeps);
    if (manifest.jobs.size() + count > most_jobs)
        part.refuse(fmt::format("more than {} jobs", most_jobs));
    for (std::size_t number = 0; number < count; ++number) {
        Job job{part.place, "", settings};
        std::size_t rest = number, block = count;
        for (const Sweep& sweep : sweeps) {
            block /= sweep.settings.size();
            const Setting& setting = sweep.settings[rest / block];
            rest %= block;
            job.settings.push_back(setting);
            job.place += fmt::format("{} {} {}", &sweep == sweeps.data() ? " with" : ",", sweep.key,
                                     setting.text);
        }
        job.name = take_name(part, job.settings, manifest.defaults);
        manifest.jobs.push_back(std::move(job));
    }
}

void check_keys(const Part& manifest) {
    constexpr std::array<std::string_view, 3> known{"$schema", "defaults", "jobs"};
    for (const auto& [key, value] : manifest.json.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        manifest.refuse(
            fmt::format("{}: unknown key{}", key, did_you_mean(key, {known.begin(), known.end()})));
    }
    if (!manifest.json.contains("jobs")) manifest.refuse("needs \"jobs\": [...]");
}

}  // namespace

Manifest parse_manifest(std::string_view text, std::string_view path) {
    const Json json = parse_json(text, path);
    const Part whole{path, "", json};
    check_object(whole, "{\"jobs\": [...]}");
    check_keys(whole);
    Manifest manifest;
    if (json.contains("defaults")) {
        const Part part = whole.at("defaults");
        check_object(part, "{\"dtype\": \"float64\"}");
        if (part.json.contains(sweep_key)) part.refuse("sweep: is of a job");
        manifest.defaults = settings_of(part);
    }
    const Part list = whole.at("jobs");
    check_array(list);
    for (std::size_t i = 0; i < list.json.size(); ++i) append_jobs(list.at(i), manifest);
    return manifest;
}

}  // namespace pegen::cli
