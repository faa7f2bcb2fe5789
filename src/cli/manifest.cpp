#include "cli/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "files/json_text.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_jobs = 100'000;
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of the settings of all jobs

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

/// Throws: FormatError unless each job says what it is of.
void check_name(const Part& part, const JobFamily& family, const Manifest& manifest) {
    const bool is_there = std::ranges::count(family.settings, encoding_key, &Setting::key) > 0 ||
                          std::ranges::count(family.sweeps, encoding_key, &Sweep::key) > 0 ||
                          std::ranges::count(manifest.defaults, encoding_key, &Setting::key) > 0;
    if (!is_there) part.refuse("needs an \"encoding\"");
}

std::size_t combinations(const Part& part, const std::vector<Sweep>& sweeps) {
    std::size_t count = 1;
    for (const Sweep& sweep : sweeps) {
        count *= sweep.settings.size();
        if (count > most_jobs) part.refuse(fmt::format("sweeps over more than {} jobs", most_jobs));
    }
    return count;
}

std::size_t bytes_of(const std::vector<Setting>& settings) {
    std::size_t bytes = 0;
    for (const Setting& setting : settings) bytes += setting.key.size() + setting.text.size();
    return bytes;
}

/// The bytes of the settings of all `count` jobs together.
std::size_t bytes_of(const JobFamily& family, std::size_t count) {
    std::size_t bytes = count * bytes_of(family.settings);
    for (const Sweep& sweep : family.sweeps) {
        bytes += count / sweep.settings.size() * bytes_of(sweep.settings);
    }
    return bytes;
}

/// Appends the jobs of `part`; returns the bytes of their settings.
std::size_t append_jobs(const Part& part, Manifest& manifest) {
    check_object(part, "{\"encoding\": ...}");
    JobFamily family{manifest.size, part.place, settings_of(part), {}};
    family.sweeps = sweeps_of(part, family.settings);
    check_name(part, family, manifest);
    const std::size_t count = combinations(part, family.sweeps);
    if (manifest.size + count > most_jobs) part.refuse(fmt::format("more than {} jobs", most_jobs));
    const std::size_t bytes = bytes_of(family, count);
    manifest.size += count;
    manifest.families.push_back(std::move(family));
    return bytes;
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
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < list.json.size(); ++i) {
        bytes += append_jobs(list.at(i), manifest);
        if (bytes <= most_bytes) continue;
        list.at(i).refuse(
            "the values of all jobs up to here are longer than 2^30 bytes together; sweep over "
            "less");
    }
    return manifest;
}

Job Manifest::job(std::size_t number) const {
    const JobFamily& family =
        *std::prev(std::ranges::upper_bound(families, number, {}, &JobFamily::first));
    Job job{family.place, "", {}};
    for (const Setting& setting : family.settings) job.settings.push_back(&setting);
    std::size_t rest = number - family.first;
    for (auto sweep = family.sweeps.rbegin(); sweep != family.sweeps.rend(); ++sweep) {
        job.settings.push_back(&sweep->settings[rest % sweep->settings.size()]);
        rest /= sweep->settings.size();
    }
    std::reverse(job.settings.end() - std::ssize(family.sweeps), job.settings.end());
    for (std::size_t i = family.settings.size(); i < job.settings.size(); ++i) {
        job.place += fmt::format("{} {} {}", i == family.settings.size() ? " with" : ",",
                                 job.settings[i]->key, job.settings[i]->text);
    }
    const auto is_name = [](const Setting* setting) { return setting->key == encoding_key; };
    const auto own = std::ranges::find_if(job.settings, is_name);
    if (own == job.settings.end()) {
        job.name = std::ranges::find(defaults, encoding_key, &Setting::key)->text;
    } else {
        job.name = (*own)->text;
        job.settings.erase(own);
    }
    return job;
}

}  // namespace pegen::cli
