#include "cli/batch/files.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <vector>

#include "cli/batch/beneath.h"
#include "cli/batch/job_request.h"
#include "cli/inputs.h"
#include "core/error.h"

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

}  // namespace

bool BatchFiles::has(const std::string& path) const { return owners.contains(normal(path)); }

BatchFiles files_of(const Manifest& manifest, std::string_view path) {
    check_defaults(manifest.defaults, path);
    BatchFiles files;
    files.owners.emplace(std::filesystem::path(path).filename().string(), this_manifest);
    add_index(files, manifest, path);
    std::map<std::string, std::size_t> readers;  // a job that reads each input file
    std::size_t bytes = 0;
    for (std::size_t number = 0; number < manifest.size; ++number) {
        const Job job = manifest.job(number);
        std::vector<Target> targets;
        try {
            const Request request = job_request(job, manifest.defaults, path);
            targets = all_targets(request);
            for (const NamedFile& input : files_of(request.parameters)) {
                readers.emplace(normal(input.file), number);
            }
        } catch (const UsageError& error) {
            if (files.unknown.empty()) {
                files.unknown = fmt::format("{}: {}", job.place, error.what());
            }
            continue;
        }
        for (const Target& target : targets) {
            bytes += target.path.size();
            if (bytes > most_bytes_of_names) {
                throw FormatError(path, fmt::format("{}: the names of all files up to here are "
                                                    "longer than {} bytes together",
                                                    job.place, most_bytes_of_names));
            }
            const auto [owner, is_new] = files.owners.emplace(normal(target.path), number);
            if (is_new) continue;
            throw FormatError(path, fmt::format("{}: {} is {}", job.place, target.path,
                                                owner_text(manifest, owner->second)));
        }
    }
    check_folders(files, manifest, path);
    check_readers(readers, files, manifest, path);
    return files;
}

}  // namespace pegen::cli
