#include "cli/batch/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/batch/job_request.h"
#include "cli/generate.h"
#include "cli/inputs.h"
#include "core/error.h"
#include "core/parallel.h"

namespace pegen::cli {

void check_beneath(std::string_view path) {
    namespace fs = std::filesystem;
    const auto refuse = [&](std::string_view why) {
        throw UsageError(
            fmt::format("{}: {}; a path of a manifest stays in the manifest's folder", path, why));
    };
    const fs::path whole(path);
    if (whole.is_absolute()) refuse("is absolute");
    fs::path so_far;
    for (const fs::path& part : whole) {
        if (part == "..") refuse("leads upwards");
        so_far /= part;
        std::error_code error;  // a file that does not exist is not a link
        if (fs::is_symlink(fs::symlink_status(so_far, error))) {
            refuse(fmt::format("{} is a symbolic link", so_far.string()));
        }
    }
}

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
    bool is_shared = false;  ///< the only target is an archive that other jobs may write to
    std::int64_t bytes = 0;  ///< of the arrays, if the archive has a {shard}
    std::vector<std::string> inputs{};
    std::string invalid{};                 ///< why its options are invalid; "" if they are not
    std::exception_ptr failure = nullptr;  ///< for the whole manifest
};

std::int64_t bytes_of(const Request& request) {
    std::int64_t bytes = 0;
    for (const RequestedTable& wanted : request.tables) {
        const std::int64_t own = total_bytes(planned_table(request, wanted).table);
        if (__builtin_add_overflow(bytes, own, &bytes))
            return std::numeric_limits<std::int64_t>::max();
    }
    return bytes;
}

JobFiles job_files(const Manifest& manifest, std::size_t number, std::string_view path) {
    JobFiles files;
    try {
        const Job job = manifest.job(number);
        files.place = job.place;
        const Request request = job_request(job, manifest.defaults, path);
        const std::vector<Target> targets = all_targets(request);
        for (const Target& target : targets) files.targets.push_back(target.path);
        files.is_shared = targets.size() == 1 && !targets.front().arrays.empty();
        if (files.is_shared && has_shard(targets.front().path)) files.bytes = bytes_of(request);
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

/// The shard of archives that is being filled.
struct Filling {
    std::int64_t number = 0;
    std::int64_t bytes = 0;
};

/// The files and units of jobs, which are added in their order.
class Collector {
  public:
    Collector(const Manifest& manifest, std::string_view path) : manifest_(manifest), path_(path) {
        files_.owners.emplace(std::filesystem::path(path).filename().string(), this_manifest);
        add_index(files_, manifest, path);
    }

    void add(std::size_t number, const JobFiles& job) {
        if (job.failure) std::rethrow_exception(job.failure);
        begin_family_of(number);
        for (const std::string& input : job.inputs) {
            readers_.emplace(normal(std::string(archive_and_arrays(input).first)), number);
        }
        if (!job.invalid.empty()) {
            if (files_.unknown.empty()) files_.unknown = job.invalid;
            add_invalid(number);
        } else if (job.is_shared) {
            add_to_archive(number, job);
        } else {
            for (const std::string& target : job.targets) own(number, job, target);
            files_.units.push_back({number});
        }
    }

    BatchFiles result() && {
        end_family();
        if (manifest_.shard_size > 0 && fillings_.empty() && files_.unknown.empty()) {
            throw FormatError(path_,
                              "shard-size: has no effect without {shard} in the name of an "
                              "archive, as in {shard:03}.npz:{sample}");
        }
        check_folders(files_, manifest_, path_);
        check_readers(readers_, files_, manifest_, path_);
        std::ranges::sort(files_.units, {}, &Unit::first);
        return std::move(files_);
    }

  private:
    void begin_family_of(std::size_t number) {
        if (number < family_end_) return;
        end_family();
        const auto next =
            std::ranges::upper_bound(manifest_.families, number, {}, &JobFamily::first);
        family_end_ = next == manifest_.families.end() ? manifest_.size : next->first;
    }

    /// Adds a job to the archive that is being filled, or will be: it must not be written without
    /// the job.
    void add_invalid(std::size_t number) {
        if (archive_) {
            files_.units[*archive_].others.push_back(number);
        } else {
            invalid_.push_back(number);
        }
    }

    /// Ends a family. What was invalid before it had an archive runs, and fails, alone.
    void end_family() {
        for (const std::size_t number : std::exchange(invalid_, {}))
            files_.units.push_back({number});
        archive_ = {};
    }

    /// Makes the file a target of the job. Throws: FormatError if it is another job's.
    void own(std::size_t number, const JobFiles& job, const std::string& target) {
        bytes_ += target.size();
        if (bytes_ > most_bytes_of_names) {
            throw FormatError(path_, fmt::format("{}: the names of all files up to here are "
                                                 "longer than {} bytes together",
                                                 job.place, most_bytes_of_names));
        }
        const auto [owner, is_new] = files_.owners.emplace(normal(target), number);
        if (is_new) return;
        throw FormatError(path_, fmt::format("{}: {} is {}", job.place, target,
                                             owner_text(manifest_, owner->second)));
    }

    void add_to_archive(std::size_t number, const JobFiles& job) {
        std::string target = job.targets.front();
        if (has_shard(target)) {
            if (manifest_.shard_size == 0) {
                throw FormatError(path_,
                                  fmt::format("{}: {}: needs \"shard-size\" beside \"jobs\", "
                                              "such as \"1G\"",
                                              job.place, target));
            }
            Filling& filling = fillings_[target];
            if (filling.bytes > 0 && job.bytes > manifest_.shard_size - filling.bytes) {
                filling = {filling.number + 1, 0};
            }
            filling.bytes += job.bytes;
            target = with_shard(target, filling.number);
        }
        const auto [archive, is_new] = archives_.emplace(normal(target), files_.units.size());
        if (is_new) {
            own(number, job, target);
            files_.units.push_back({number, {}, target});
        } else {
            files_.units[archive->second].others.push_back(number);
        }
        archive_ = archive->second;
        for (const std::size_t other : std::exchange(invalid_, {})) add_invalid(other);
    }

    const Manifest& manifest_;
    std::string_view path_;
    BatchFiles files_;
    std::map<std::string, std::size_t> readers_;   ///< a job that reads each input file
    std::map<std::string, std::size_t> archives_;  ///< the unit of each shared archive
    std::map<std::string, Filling> fillings_;      ///< by the path with its {shard}
    std::vector<std::size_t> invalid_;    ///< the family's invalid jobs before its first archive
    std::optional<std::size_t> archive_;  ///< the unit of the archive that the family fills
    std::size_t family_end_ = 0;          ///< number of the first job of the next family
    std::size_t bytes_ = 0;               ///< of all names
};

}  // namespace

bool BatchFiles::has(const std::string& path) const { return owners.contains(normal(path)); }

BatchFiles files_of(const Manifest& manifest, std::span<const std::size_t> jobs,
                    std::string_view path) {
    check_defaults(manifest.defaults, path);
    Collector collector(manifest, path);
    constexpr std::size_t at_once = 4096;
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(at_once, jobs.size()))) {
        const auto some = jobs.first(std::min(at_once, jobs.size()));
        std::vector<JobFiles> found(some.size());
        parallel_for(std::ssize(some),
                     [&](std::int64_t i) { found[i] = job_files(manifest, some[i], path); });
        for (std::size_t i = 0; i < some.size(); ++i) collector.add(some[i], found[i]);
    }
    return std::move(collector).result();
}

bool has_shared_archives(const Manifest& manifest) {
    const auto names_arrays = [](const std::vector<Setting>& settings) {
        return std::ranges::any_of(settings, [](const Setting& setting) {
            return !archive_and_arrays(setting.value.text).second.empty();
        });
    };
    return names_arrays(manifest.defaults) ||
           std::ranges::any_of(manifest.families, [&](const JobFamily& family) {
               return names_arrays(family.settings) ||
                      std::ranges::any_of(family.sweeps, [&](const Sweep& sweep) {
                          return names_arrays(sweep.settings);
                      });
           });
}

}  // namespace pegen::cli
