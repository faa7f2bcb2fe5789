#include "cli/batch/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "cli/batch/varied_values.h"
#include "cli/options.h"
#include "cli/table_command.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/corruption.h"
#include "files/json_text.h"
#include "files/sha256.h"

namespace pegen::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of the settings of all jobs
constexpr std::size_t most_labels = 64;                   // of a job, a sweep or the defaults

/// Keys of a job that are not options.
constexpr const char* sweep_key = "sweep";
constexpr const char* labels_key = "labels";
constexpr const char* sample_key = "sample";
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

bool is_drawn(const std::vector<Drawn>& drawn, std::string_view name, bool is_label) {
    return std::ranges::any_of(drawn, [&](const Drawn& other) {
        return other.is_label == is_label && is_called(other.key, name);
    });
}

/// Appends the option or label to the settings or, if its value is a distribution, to what is
/// drawn. Throws: FormatError if it is there already.
void add_setting(const std::string& key, const Part& part, bool is_label,
                 std::vector<Setting>& settings, std::vector<Drawn>& drawn) {
    if (has_key(settings, key) || is_drawn(drawn, key, is_label)) {
        part.refuse("is there twice, with '_' and with '-'");
    }
    if (part.json.is_object()) {
        drawn.push_back({key, is_label, distribution(part), false});
    } else {
        settings.push_back({key, typed_value(part)});
    }
}

std::vector<Setting> settings_of(const Part& part, std::vector<Drawn>& drawn) {
    constexpr std::array<std::string_view, 3> others{sweep_key, labels_key, sample_key};
    std::vector<Setting> settings;
    for (const auto& [key, value] : part.json.items()) {
        if (std::ranges::count(others, key) > 0) continue;
        if (key == encoding_key && value.is_array()) {
            part.at(key).refuse("is a list; \"sweep\": {\"encoding\": [...]} makes a job for each");
        }
        add_setting(hyphenated(key), part.at(key), false, settings, drawn);
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

std::vector<Setting> labels_of(const Part& part, std::vector<Drawn>& drawn) {
    std::vector<Setting> labels;
    if (!part.json.contains(labels_key)) return labels;
    const Part all = labels_part(part, "{\"split\": \"train\"}");
    for (const auto& [name, value] : all.json.items()) {
        const Part label = all.at(name);
        if (value.is_array() || value.is_null()) {
            label.refuse("must be a text, a number, true or false");
        }
        add_setting(name, label, true, labels, drawn);
    }
    return labels;
}

/// Reads "sample" of a job, whose place in the list goes into its draws.
/// Throws: FormatError, also if a job draws values without a sample.
std::optional<Sample> sample_of(const Part& job, std::size_t place, std::vector<Drawn> drawn) {
    if (!job.json.contains(sample_key)) {
        if (drawn.empty()) return {};
        job.refuse(fmt::format("{}: a distribution needs \"sample\": the number of jobs to draw",
                               drawn.front().key));
    }
    const Part part = job.at(sample_key);
    const auto whole = [](const Part& number, std::uint64_t least, std::uint64_t most,
                          std::string_view rule) {
        const bool is_whole = number.json.is_number_unsigned();
        const auto value = is_whole ? number.json.get<std::uint64_t>() : 0;
        if (!is_whole || value < least || value > most) number.refuse(rule);
        return value;
    };
    const auto count = [&](const Part& number) {
        return whole(number, 1, most_jobs, "must be a number of jobs, from 1 to a million");
    };
    Sample sample{1, 0, place, std::move(drawn)};
    if (!part.json.is_object()) {
        sample.count = count(part);
        return sample;
    }
    for (const auto& [key, value] : part.json.items()) {
        if (key != "count" && key != "seed") {
            part.at(key).refuse(fmt::format("unknown key{}", did_you_mean(key, {"count", "seed"})));
        }
    }
    if (!part.json.contains("count")) part.refuse("needs \"count\": the number of jobs");
    sample.count = count(part.at("count"));
    if (part.json.contains("seed")) {
        sample.seed = whole(part.at("seed"), 0, std::numeric_limits<std::uint64_t>::max(),
                            "must be a whole number, at least 0");
    }
    return sample;
}

/// True if the family sets, sweeps or draws the option or label.
bool has(const JobFamily& family, std::string_view key, bool is_label) {
    return has_key(is_label ? family.labels : family.settings, key) ||
           (family.sample && is_drawn(family.sample->drawn, key, is_label)) ||
           std::ranges::any_of(family.sweeps, [&](const Sweep& sweep) {
               return sweep.is_label == is_label && is_called(sweep.key, key);
           });
}

/// Adds what "sweep" of a job varies. Throws: FormatError.
void add_sweeps(const Part& job, JobFamily& family) {
    if (!job.json.contains(sweep_key)) return;
    const Part part = job.at(sweep_key);
    part.check_object("{\"d\": [64, 128]}");
    std::size_t jobs = family.sample ? family.sample->count : 1;
    const auto add = [&](const Part& list, const std::string& key, bool is_label) {
        const SweepValues values = sweep_values(list);
        if (has(family, key, is_label)) {
            list.refuse("is there twice, in the sweep and outside of it");
        }
        // The jobs are counted before any value is made.
        jobs *= values.count;
        if (jobs > most_jobs) job.refuse(fmt::format("sweeps over more than {} jobs", most_jobs));
        Sweep sweep{key, is_label, {}};
        for (std::size_t i = 0; i < values.count; ++i) {
            sweep.settings.push_back({key, values.at(i)});
        }
        family.sweeps.push_back(std::move(sweep));
    };
    for (const auto& [key, values] : part.json.items()) {
        if (key != labels_key) {
            add(part.at(key), hyphenated(key), false);
            continue;
        }
        const Part labels = labels_part(part, "{\"fold\": [0, 1]}");
        for (const auto& [name, list] : labels.json.items()) add(labels.at(name), name, true);
    }
}

/// Adds what the defaults draw for a sample and, where it has random flaws, a seed for them.
/// Throws: FormatError if nothing is drawn.
void complete_sample(const Part& job, JobFamily& family, const Manifest& manifest) {
    const auto is_there = [&](std::string_view key) {
        return has(family, key, false) || has_key(manifest.defaults, key);
    };
    std::vector<Drawn>& drawn = family.sample->drawn;
    for (const Drawn& other : manifest.drawn) {
        if (!has(family, other.key, other.is_label)) drawn.push_back(other);
    }
    if (std::ranges::any_of(random_flaws, is_there) && !is_there(corruption_seed)) {
        const Distribution bits{10, [](std::uint64_t number, std::uint64_t) {
                                    return TypedValue{std::to_string(number >> 32), false};
                                }};
        drawn.push_back({std::string(corruption_seed), false, bits, true});
    }
    if (!drawn.empty()) return;
    job.at(sample_key)
        .refuse("nothing is drawn; give an option a distribution, {\"loguniform\": [100, 1e6]}");
}

/// Throws: FormatError unless each job names an encoding: in its settings, its sweep or the
/// defaults.
void check_name(const Part& part, const JobFamily& family, const Manifest& manifest) {
    if (has(family, encoding_key, false) || has_key(manifest.defaults, encoding_key)) return;
    part.refuse(
        "needs an \"encoding\": the name of an encoding or of a preset, such as \"sinusoid\" or "
        "\"bert\"");
}

std::size_t count_of(const JobFamily& family) {
    std::size_t count = family.sample ? family.sample->count : 1;
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
    if (family.sample) {
        for (const Drawn& one : family.sample->drawn) {
            bytes += count * (one.key.size() + one.distribution.longest);
        }
    }
    return bytes;
}

/// Returns the jobs of a command line, one: its words become what an object would have.
/// Throws: FormatError, if the line is none.
JobFamily family_of(std::span<const std::string> words, const Part& part, std::size_t first) {
    JobFamily family{first, part.place, {}, {}, {}, {}};
    std::vector<std::string_view> views(words.begin(), words.end());
    if (!views.empty() && views.front() == "pe-gen") views.erase(views.begin());
    if (views.empty()) part.refuse("is empty; it needs a command, as in sinusoid --d 8 -o a.npy");
    try {
        const TableCommand command = table_command(views);
        family.settings.push_back(
            {std::string(encoding_key), {std::string(command.subject.name()), true}});
        for (const GivenOption& option : command.given.options) {
            if (is_among(run_options, option.spec)) {
                part.refuse(fmt::format("--{}: is of a command of its own; leave it out",
                                        option.spec->name));
            }
            family.settings.push_back({std::string(option.spec->name), {option.text, true}});
        }
    } catch (const UsageError& error) {
        part.refuse(error.what());
    }
    return family;
}

/// Words of a command, and the number of the line, from 1, in which they begin.
struct CommandLine {
    std::size_t line;
    std::vector<std::string> words;
};

/// Splits a text into command lines and words as a POSIX shell does, but expands nothing. By hand,
/// since wordexp() expands variables, and takes one line without comments.
/// Throws: FormatError if a quotation mark is missing.
std::vector<CommandLine> command_lines(const Part& part, std::string_view text) {
    std::vector<CommandLine> lines{{1, {}}};
    std::size_t line = 1;
    std::string word;
    bool is_in_word = false;
    char quote = '\0';
    bool is_octal = false;  // in $'...', as shell_word() writes it: \ and three digits
    const auto end_word = [&] {
        if (is_in_word) lines.back().words.push_back(std::exchange(word, {}));
        is_in_word = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_escape = c == '\\' && quote != '\'' && i + 1 < text.size();
        if (c == '\n') ++line;
        const bool is_number = is_octal && c == '\\' && i + 3 < text.size() &&
                               text.find_first_not_of("01234567", i + 1) > i + 3;
        if (is_number) {
            word += static_cast<char>((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 |
                                      (text[i + 3] - '0'));
            i += 3;
        } else if (quote == '\0' && c == '$' && text.substr(i + 1).starts_with('\'')) {
            is_octal = is_in_word = true;
            quote = text[++i];
        } else if (is_escape && text[i + 1] == '\n') {
            ++i, ++line;
        } else if (is_escape && (quote == '\0' || text[i + 1] == '"' || text[i + 1] == '\\')) {
            word += text[++i];
            is_in_word = true;
        } else if (quote != '\0' && c == quote) {
            quote = '\0';
            is_octal = false;
        } else if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
            is_in_word = true;
        } else if (quote != '\0' || std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
            if (quote == '\0' && c == '#' && !is_in_word) {
                i = std::min(text.find('\n', i), text.size()) - 1;
                continue;
            }
            word += c;
            is_in_word = true;
        } else {
            end_word();
            if (c != '\n') continue;
            if (lines.back().words.empty()) lines.pop_back();
            lines.push_back({line, {}});
        }
    }
    if (quote != '\0') {
        throw FormatError(
            part.path,
            fmt::format("{}: a quotation mark, {}, is missing",
                        part.place.empty() ? fmt::format("line {}", lines.back().line) : part.place,
                        quote));
    }
    end_word();
    if (lines.back().words.empty()) lines.pop_back();
    return lines;
}

/// Appends the family. Returns the number of bytes in the settings of its jobs.
std::size_t append(JobFamily family, const Part& part, Manifest& manifest) {
    const std::size_t count = count_of(family);
    if (manifest.size + count > most_jobs) part.refuse(fmt::format("more than {} jobs", most_jobs));
    const std::size_t bytes = bytes_of(family, count);
    manifest.size += count;
    manifest.families.push_back(std::move(family));
    return bytes;
}

/// Appends the jobs of `part`. Returns the number of bytes in their settings.
std::size_t append_jobs(const Part& part, Manifest& manifest) {
    if (part.json.is_string()) {
        const std::vector<CommandLine> lines = command_lines(part, part.json.get<std::string>());
        if (lines.size() > 1) part.refuse("has more than one line; each job is a text of its own");
        return append(family_of(lines.empty() ? std::vector<std::string>() : lines.front().words,
                                part, manifest.size),
                      part, manifest);
    }
    part.check_object("{\"encoding\": ...}");
    std::vector<Drawn> drawn;
    JobFamily family{manifest.size,          part.place, settings_of(part, drawn),
                     labels_of(part, drawn), {},         {}};
    family.sample = sample_of(part, manifest.families.size(), std::move(drawn));
    add_sweeps(part, family);
    if (family.sample) complete_sample(part, family, manifest);
    check_name(part, family, manifest);
    return append(std::move(family), part, manifest);
}

void check_keys(const Part& manifest) {
    constexpr std::array<std::string_view, 6> known{"$schema",    "mkdir",    "index",
                                                    "shard-size", "defaults", "jobs"};
    for (const auto& [key, value] : manifest.json.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        manifest.refuse(
            fmt::format("{}: unknown key{}", key, did_you_mean(key, {known.begin(), known.end()})));
    }
    if (!manifest.json.contains("jobs")) manifest.refuse("needs \"jobs\": [...]");
}

/// Reads a number of bytes: 1000000, "500K", "64M" or "1G", with powers of 1024 as of split(1).
std::int64_t bytes_in(const Part& part) {
    constexpr std::string_view units = "KMG";
    std::string text = typed_value(part).text;
    int shift = 0;
    if (const std::size_t unit = text.empty() ? units.npos : units.find(text.back());
        unit != units.npos) {
        shift = 10 * (static_cast<int>(unit) + 1);
        text.pop_back();
    }
    try {
        const std::int64_t number = parse_integer(text, "");
        if (number > 0 && number <= std::int64_t{1} << (62 - shift)) return number << shift;
    } catch (const UsageError&) {
        // refused below
    }
    part.refuse("must be a number of bytes, such as 1000000, \"64M\" or \"1G\"");
}

/// Reads everything but the jobs: mkdir, index, shard-size and defaults.
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
    if (whole.json.contains("shard-size")) manifest.shard_size = bytes_in(whole.at("shard-size"));
    if (whole.json.contains("defaults")) {
        const Part part = whole.at("defaults");
        part.check_object("{\"dtype\": \"float64\"}");
        for (const char* key : {sweep_key, sample_key}) {
            if (part.json.contains(key)) part.refuse(fmt::format("{}: is of a job", key));
        }
        std::vector<Drawn> drawn;
        manifest.defaults = settings_of(part, drawn);
        manifest.labels = labels_of(part, drawn);
        manifest.drawn = std::move(drawn);
        for (Drawn& one : manifest.drawn) one.is_default = true;
    }
    return manifest;
}

/// True if the text is a manifest in JSON: it has the name or the beginning of one.
bool is_json(std::string_view text, std::string_view path) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return path.ends_with(".json") || begin == text.npos ||
           std::string_view("{[\"/").find(text[begin]) != std::string_view::npos;
}

/// Returns the value of `drawn` in sample `number`.
TypedValue drawn_value(const Drawn& drawn, const Sample& sample, std::size_t number) {
    Sha256 hash;
    const std::string text =
        fmt::format("{}/{}/{}/{}", sample.seed, sample.place, drawn.key, number);
    hash.add(std::as_bytes(std::span(text)));
    const std::string bytes = hash.bytes();
    const auto word = [&](std::size_t first) {
        std::uint64_t value = 0;
        for (std::size_t i = first; i < first + 8; ++i) {
            value = value << 8 | static_cast<unsigned char>(bytes[i]);
        }
        return value;
    };
    return drawn.distribution.value(word(0), word(8));
}

}  // namespace

Manifest parse_manifest(std::string_view text, std::string_view path) {
    const bool has_lines = !is_json(text, path);
    const Json json = has_lines ? Json(Json::array()) : parse_json(text, path, Comments::ignored);
    const Part whole{path, "", json};
    Manifest manifest;
    std::size_t bytes = 0;
    const auto add = [&](const Part& part, const auto& append_part) {
        bytes += append_part();
        if (bytes <= most_bytes) return;
        part.refuse(
            "the values of all jobs up to here are longer than 2^30 bytes together; sweep over "
            "less");
    };
    if (has_lines) {
        for (const CommandLine& line : command_lines(whole, text)) {
            const Part part{path, fmt::format("line {}", line.line), json};
            add(part,
                [&] { return append(family_of(line.words, part, manifest.size), part, manifest); });
        }
        return manifest;
    }
    whole.check_object("{\"jobs\": [...]}");
    check_keys(whole);
    manifest = read_head(whole);
    const Part list = whole.at("jobs");
    list.check_array();
    for (std::size_t i = 0; i < list.json.size(); ++i) {
        add(list.at(i), [&] { return append_jobs(list.at(i), manifest); });
    }
    return manifest;
}

Job Manifest::job(std::size_t number) const {
    const JobFamily& family =
        *std::prev(std::ranges::upper_bound(families, number, {}, &JobFamily::first));
    Job job;
    job.place = family.place;
    std::vector<const Setting*> swept(family.sweeps.size());
    std::size_t rest = number - family.first;
    if (family.sample) {
        job.sample = rest % family.sample->count;
        rest /= family.sample->count;
    }
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
    if (family.sample) {
        job.place += fmt::format("{} sample {}", swept.empty() ? " with" : ",", *job.sample);
        for (const Drawn& one : family.sample->drawn) {
            job.drawn.emplace_back(
                new Setting{one.key, drawn_value(one, *family.sample, *job.sample)});
            const bool is_default = one.is_default && one.key != encoding_key;
            (one.is_label ? job.labels
             : is_default ? job.defaults
                          : job.settings)
                .push_back(job.drawn.back().get());
        }
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
