#include "cli/batch/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "cli/batch/manifest_part.h"
#include "cli/batch/sweep_values.h"
#include "core/json.h"
#include "core/names.h"
#include "files/json_text.h"

namespace pegen::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of the settings of all jobs
constexpr std::size_t most_labels = 64;                   // of a job, a sweep or the defaults

/// Keys of a job that are not options.
constexpr const char* sweep_key = "sweep";
constexpr const char* labels_key = "labels";
constexpr std::string_view encoding_key = "encoding";

/// True if the names are equal, where '_' and '-' count as the same.
bool is_called(std::string_view key, std::string_view name) {
    const auto hyphen = [](char c) { return c == '_' ? '-' : c; };
    return std::ranges::equal(key, name, {}, hyphen, hyphen);
}

bool has_key(const std::vector<Setting>& settings, std::string_view name) {
    return std::ranges::any_of(
        settings, [&](const Setting& setting) { return is_called(setting.key, name); });
}

Setting setting_of(const std::string& key, const Part& part) { return {key, typed_value(part)}; }

std::vector<Setting> settings_of(const Part& part) {
    std::vector<Setting> settings;
    for (const auto& [key, value] : part.json.items()) {
        if (key == sweep_key || key == labels_key) continue;
        const std::string name = hyphenated(key);
        if (std::ranges::find(settings, name, &Setting::key) != settings.end()) {
            part.at(key).refuse("is there twice, with '_' and with '-'");
        }
        settings.push_back(setting_of(name, part.at(key)));
    }
    return settings;
}

/// Returns the labels of a job or of a sweep.
/// Throws: FormatError if there are too many, or if one has an invalid name.
Part labels_part(const Part& part, std::string_view example) {
    const Part labels = part.at(labels_key);
    labels.check_object(example);
    if (labels.json.size() > most_labels) {
        labels.refuse(fmt::format("more than {} labels", most_labels));
    }
    for (const auto& [name, value] : labels.json.items()) {
        if (name.empty() || name.find_first_of("{}:/") != name.npos) {
            labels.at(name).refuse("the name of a label has no '{', '}', ':' or '/'");
        }
    }
    return labels;
}

std::vector<Setting> labels_of(const Part& part) {
    std::vector<Setting> labels;
    if (!part.json.contains(labels_key)) return labels;
    const Part all = labels_part(part, "{\"split\": \"train\"}");
    for (const auto& [name, value] : all.json.items()) {
        const Part label = all.at(name);
        if (value.is_array() || value.is_object() || value.is_null()) {
            label.refuse("must be a text, a number, true or false");
        }
        if (has_key(labels, name)) label.refuse("is there twice, with '_' and with '-'");
        labels.push_back(setting_of(name, label));
    }
    return labels;
}

std::vector<Sweep> sweeps_of(const Part& job, const JobFamily& family) {
    std::vector<Sweep> sweeps;
    if (!job.json.contains(sweep_key)) return sweeps;
    const Part part = job.at(sweep_key);
    part.check_object("{\"d\": [64, 128]}");
    std::size_t jobs = 1;
    const auto add = [&](const Part& list, const std::string& key, bool is_label) {
        const bool is_there = has_key(is_label ? family.labels : family.settings, key) ||
                              std::ranges::any_of(sweeps, [&](const Sweep& other) {
                                  return other.is_label == is_label && is_called(other.key, key);
                              });
        const SweepValues values = sweep_values(list);
        if (is_there) list.refuse("is there twice, in the sweep and outside of it");
        // The jobs are counted before any value is made.
        jobs *= values.count;
        if (jobs > most_jobs) job.refuse(fmt::format("sweeps over more than {} jobs", most_jobs));
        Sweep sweep{key, is_label, {}};
        for (std::size_t i = 0; i < values.count; ++i) {
            sweep.settings.push_back({key, values.at(i)});
        }
        sweeps.push_back(std::move(sweep));
    };
    for (const auto& [key, values] : part.json.items()) {
        if (key != labels_key) {
            add(part.at(key), hyphenated(key), false);
            continue;
        }
        const Part labels = labels_part(part, "{\"fold\": [0, 1]}");
        for (const auto& [name, list] : labels.json.items()) add(labels.at(name), name, true);
    }
    return sweeps;
}

/// Throws: FormatError unless each job names an encoding: in its settings, its sweep or the
/// defaults.
void check_name(const Part& part, const JobFamily& family, const Manifest& manifest) {
    const bool is_swept = std::ranges::any_of(family.sweeps, [](const Sweep& sweep) {
        return !sweep.is_label && sweep.key == encoding_key;
    });
    const bool is_there = is_swept || has_key(family.settings, encoding_key) ||
                          has_key(manifest.defaults, encoding_key);
    if (is_there) return;
    part.refuse(
        "needs an \"encoding\": the name of an encoding or of a preset, such as \"sinusoid\" or "
        "\"bert\"");
}

std::size_t count_of(const JobFamily& family) {
    std::size_t count = 1;
    for (const Sweep& sweep : family.sweeps) count *= sweep.settings.size();
    return count;
}

std::size_t bytes_of(const std::vector<Setting>& settings) {
    std::size_t bytes = 0;
    for (const Setting& setting : settings) bytes += setting.key.size() + setting.value.text.size();
    return bytes;
}

/// Returns the number of bytes in the settings of all `count` jobs together.
std::size_t bytes_of(const JobFamily& family, std::size_t count) {
    std::size_t bytes = count * (bytes_of(family.settings) + bytes_of(family.labels));
    for (const Sweep& sweep : family.sweeps) {
        bytes += count / sweep.settings.size() * bytes_of(sweep.settings);
    }
    return bytes;
}

/// Appends the jobs of `part`. Returns the number of bytes in their settings.
std::size_t append_jobs(const Part& part, Manifest& manifest) {
    part.check_object("{\"encoding\": ...}");
    JobFamily family{manifest.size, part.place, settings_of(part), labels_of(part), {}};
    family.sweeps = sweeps_of(part, family);
    check_name(part, family, manifest);
    const std::size_t count = count_of(family);
    if (manifest.size + count > most_jobs) part.refuse(fmt::format("more than {} jobs", most_jobs));
    const std::size_t bytes = bytes_of(family, count);
    manifest.size += count;
    manifest.families.push_back(std::move(family));
    return bytes;
}

void check_keys(const Part& manifest) {
    constexpr std::array<std::string_view, 5> known{"$schema", "mkdir", "index", "defaults",
                                                    "jobs"};
    for (const auto& [key, value] : manifest.json.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        manifest.refuse(
            fmt::format("{}: unknown key{}", key, did_you_mean(key, {known.begin(), known.end()})));
    }
    if (!manifest.json.contains("jobs")) manifest.refuse("needs \"jobs\": [...]");
}

/// Reads everything but the jobs: mkdir, index and defaults.
Manifest read_head(const Part& whole) {
    Manifest manifest;
    if (whole.json.contains("$schema") && !whole.json["$schema"].is_string()) {
        whole.at("$schema").refuse("must be a text, the address of a schema");
    }
    if (whole.json.contains("mkdir")) {
        const Part part = whole.at("mkdir");
        if (!part.json.is_boolean()) part.refuse("must be true or false");
        manifest.makes_folders = part.json.get<bool>();
    }
    if (whole.json.contains("index")) {
        const Part part = whole.at("index");
        const bool is_name =
            part.json.is_string() && part.json.get<std::string>().ends_with(".jsonl");
        if (!is_name) part.refuse("must be a name that ends in .jsonl, such as \"index.jsonl\"");
        manifest.index = part.json.get<std::string>();
    }
    if (whole.json.contains("defaults")) {
        const Part part = whole.at("defaults");
        part.check_object("{\"dtype\": \"float64\"}");
        if (part.json.contains(sweep_key)) part.refuse("sweep: is of a job");
        manifest.defaults = settings_of(part);
        manifest.labels = labels_of(part);
    }
    return manifest;
}

}  // namespace

Manifest parse_manifest(std::string_view text, std::string_view path) {
    const Json json = parse_json(text, path);
    const Part whole{path, "", json};
    whole.check_object("{\"jobs\": [...]}");
    check_keys(whole);
    Manifest manifest = read_head(whole);
    const Part list = whole.at("jobs");
    list.check_array();
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
    Job job{family.place, "", {}, {}};
    std::vector<const Setting*> swept(family.sweeps.size());
    std::size_t rest = number - family.first;
    for (std::size_t i = swept.size(); i-- > 0;) {
        const std::vector<Setting>& values = family.sweeps[i].settings;
        swept[i] = &values[rest % values.size()];
        rest /= values.size();
    }
    for (const Setting& setting : family.settings) job.settings.push_back(&setting);
    for (const Setting& label : family.labels) job.labels.push_back(&label);
    for (std::size_t i = 0; i < swept.size(); ++i) {
        job.place +=
            fmt::format("{} {} {}", i == 0 ? " with" : ",", swept[i]->key, swept[i]->value.text);
        (family.sweeps[i].is_label ? job.labels : job.settings).push_back(swept[i]);
    }
    for (const Setting& label : labels) {
        const bool is_there = std::ranges::any_of(
            job.labels, [&](const Setting* own) { return is_called(own->key, label.key); });
        if (!is_there) job.labels.push_back(&label);
    }
    const auto is_name = [](const Setting* setting) { return setting->key == encoding_key; };
    const auto own = std::ranges::find_if(job.settings, is_name);
    if (own == job.settings.end()) {
        job.name = std::ranges::find(defaults, encoding_key, &Setting::key)->value.text;
    } else {
        job.name = (*own)->value.text;
        job.settings.erase(own);
    }
    return job;
}

}  // namespace pegen::cli
