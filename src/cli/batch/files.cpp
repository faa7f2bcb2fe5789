#include "cli/batch/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <limits>
#include <vector>

#include "cli/batch/beneath.h"
#include "cli/batch/job_request.h"
#include "cli/inputs.h"
#include "core/error.h"
#include "core/parallel.h"

namespace pegen::cli {
namespace {

constexpr auto this_manifest = std::numeric_limits<std::size_t>::max();
constexpr auto this_index = this_manifest - 1;

/// Limit on the length of the names of all targets together.
constexpr std::size_t most_bytes_of_names = std::size_t{64} << 20;

std::string normal(const std::string& path) {
    return std::filesystem::path(path).lexically_normal().string();
}

std::string owner_text(const Manifest& manifest, std::size_t owner) {
    if (owner == this_manifest) return "this manifest itself";
    if (owner == this_index) return "the index";
    return fmt::format("also the target of {}", manifest.job(owner).place);
}

/// Throws: FormatError if the path of a file is also a folder of another file.
void check_folders(const BatchFiles& files, const Manifest& manifest, std::string_view path) {
    for (const auto& [file, owner] : files.owners) {
        const std::string folder = file + "/";
        const auto inner = files.owners.lower_bound(folder);
        if (inner == files.owners.end() || !inner->first.starts_with(folder)) continue;
        throw FormatError(path, fmt::format("{}: {} cannot be a folder: it is {}", inner->first,
                                            file, owner_text(manifest, owner)));
    }
}

void check_readers(const std::map<std::string, std::size_t>& readers, const BatchFiles& files,
                   const Manifest& manifest, std::string_view path) {
    for (const auto& [file, reader] : readers) {
        const auto owner = files.owners.find(file);
        if (owner == files.owners.end()) continue;
        throw FormatError(path, fmt::format("{}: reads {}, which is {}; jobs run in any order",
                                            manifest.job(reader).place, file,
                                            owner_text(manifest, owner->second)));
    }
}

void add_index(BatchFiles& files, const Manifest& manifest, std::string_view path) {
    if (manifest.index.empty()) return;
    try {
        check_beneath(manifest.index);
    } catch (const UsageError& error) {
        throw FormatError(path, fmt::format("index: {}", error.what()));
    }
    if (!files.owners.emplace(normal(manifest.index), this_index).second) {
        throw FormatError(path, fmt::format("index: {} is this manifest itself", manifest.index));
    }
}

/// What one job writes and reads.
struct JobFiles {
    std::string place{};
    std::vector<std::string> targets{};
    std::vector<std::string> inputs{};
    std::string invalid{};                 ///< why its options are invalid; "" if they are not
    std::exception_ptr failure = nullptr;  ///< for the whole manifest
};

JobFiles job_files(const Manifest& manifest, std::size_t number, std::string_view path) {
    JobFiles files;
    try {
        const Job job = manifest.job(number);
        files.place = job.place;
        const Request request = job_request(job, manifest.defaults, path);
        for (const Target& target : all_targets(request)) files.targets.push_back(target.path);
        for (const NamedFile& input : files_of(request.parameters)) {
            files.inputs.push_back(input.file);
        }
    } catch (const UsageError& error) {
        files.invalid = fmt::format("{}: {}", files.place, error.what());
    } catch (...) {
        files.failure = std::current_exception();
    }
    return files;
}

}  // namespace

bool BatchFiles::has(const std::string& path) const { return owners.contains(normal(path)); }

BatchFiles files_of(const Manifest& manifest, std::span<const std::size_t> jobs,
                    std::string_view path) {
    check_defaults(manifest.defaults, path);
    BatchFiles files;
    files.owners.emplace(std::filesystem::path(path).filename().string(), this_manifest);
    add_index(files, manifest, path);
    std::map<std::string, std::size_t> readers;  // a job that reads each input file
    std::size_t bytes = 0;
    const auto add = [&](std::size_t number, const JobFiles& job) {
        if (job.failure) std::rethrow_exception(job.failure);
        if (files.unknown.empty()) files.unknown = job.invalid;
        for (const std::string& input : job.inputs) readers.emplace(normal(input), number);
        for (const std::string& target : job.targets) {
            bytes += target.size();
            if (bytes > most_bytes_of_names) {
                throw FormatError(path, fmt::format("{}: the names of all files up to here are "
                                                    "longer than {} bytes together",
                                                    job.place, most_bytes_of_names));
            }
            const auto [owner, is_new] = files.owners.emplace(normal(target), number);
            if (is_new) continue;
            throw FormatError(path, fmt::format("{}: {} is {}", job.place, target,
                                                owner_text(manifest, owner->second)));
        }
    };
    constexpr std::size_t at_once = 4096;
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(at_once, jobs.size()))) {
        const auto some = jobs.first(std::min(at_once, jobs.size()));
        std::vector<JobFiles> found(some.size());
        parallel_for(std::ssize(some),
                     [&](std::int64_t i) { found[i] = job_files(manifest, some[i], path); });
        for (std::size_t i = 0; i < some.size(); ++i) add(some[i], found[i]);
    }
    check_folders(files, manifest, path);
    check_readers(readers, files, manifest, path);
    return files;
}

}  // namespace pegen::cli
