#include "cli/batch/run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/batch/index.h"
#include "cli/batch/job_request.h"
#include "cli/batch/manifest.h"
#include "cli/generate.h"
#include "cli/inputs.h"
#include "cli/open_files.h"
#include "cli/print.h"
#include "cli/request.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/table.h"
#include "core/utf8.h"
#include "files/folders.h"
#include "files/sha256.h"
#include "files/target.h"
#include "formats/up_to_date.h"
#include "inspect/out_of_date.h"
#include "numerics/self_test.h"
#include "rows/arranged.h"

namespace pegen::cli {
namespace {

/// A file of a job and the tables in it.
struct JobFile {
    const Target* target;
    std::size_t first;  ///< index of its first table in BatchJob::tables
    std::span<const Table> tables;
};

/// A job of a manifest, or several that share an archive, while it runs. A failure ends it and is
/// recorded in its report.
struct BatchJob {
    const Batch* batch;
    JobReport* report;
    Job job;            ///< of several jobs the first, or the one that fails
    Request request{};  ///< of several jobs without tables: the archive has all of `tables`
    std::vector<Table> tables{};
    std::vector<JobFile> files{};
    std::string entries{};                ///< of the index, for the arrays of several jobs
    std::vector<Sha256> digests{};        ///< one for each of `files`
    std::vector<std::string> paths{};     ///< with which a message may begin
    std::vector<std::size_t> stale{};     ///< indices in `files` of the files not up to date
    std::optional<StagedFiles> staged{};  ///< stale files, written, not yet in place
};

/// Returns the files of a job in the order of all_targets().
std::vector<JobFile> job_files(const Request& request, std::span<const Table> tables) {
    std::vector<JobFile> files;
    for (std::size_t i = 0; i < request.tables.size(); ++i) {
        for (const Target& target : request.tables[i].targets) {
            files.push_back({&target, i, tables.subspan(i, 1)});
        }
    }
    for (const Target& archive : request.archives) files.push_back({&archive, 0, tables});
    return files;
}

std::string plan_of(const JobFile& file, const Request& request) {
    const auto& [target, first, tables] = file;
    const std::string_view name = request.subject.name();
    if (request.tables.empty()) {
        return fmt::format("{} arrays of several jobs, {}", tables.size(),
                           size_text(*target, tables));
    }
    if (target->format->archive) {
        return fmt::format("{}, {} table{}, {}", name, tables.size(), tables.size() == 1 ? "" : "s",
                           size_text(*target, tables));
    }
    const Table& table = tables.front();
    return fmt::format("{}, {} {}, {}", name, to_string(table.shape), info(table.dtype).name,
                       size_text(*target, table));
}

Outcome outcome_of(Freshness state) {
    switch (state) {
        case Freshness::up_to_date:
            return Outcome::up_to_date;
        case Freshness::out_of_date:
            return Outcome::out_of_date;
        case Freshness::missing:
            break;
    }
    return Outcome::missing;
}

bool is_indexed(const BatchJob& job) { return !job.batch->manifest.index.empty(); }

void enter_in_index(BatchJob& job, std::size_t i) {
    if (!is_indexed(job)) return;
    FileReport& report = job.report->files[i];
    const bool is_right =
        report.outcome == Outcome::up_to_date || report.outcome == Outcome::written;
    const JobFile& file = job.files[i];
    const Sha256* const digest = is_right ? &job.digests[i] : nullptr;
    report.entry = job.entries.empty()
                       ? index_entry(job.job, *file.target, file.tables, digest)
                       : fmt::format("{}\n{}", job.entries,
                                     index_entry_of_archive(*file.target, file.tables, digest));
}

/// Compares all files with the content that they should have.
void look_at_files(BatchJob& job) {
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        const auto& [target, first, tables] = job.files[i];
        const Standing standing =
            compare_with_file(target->path, tables, *target->format, target->parameters,
                              is_indexed(job) ? &job.digests[i] : nullptr);
        FileReport& report = job.report->files[i];
        report.outcome = outcome_of(standing.state);
        if (report.outcome == Outcome::out_of_date && job.batch->says_why) {
            report.reason = why_out_of_date(target->path, standing, tables, *target->format,
                                            target->parameters);
        }
        const bool is_final =
            report.outcome == Outcome::up_to_date || job.batch->mode == BatchMode::check;
        if (is_final) enter_in_index(job, i);
    }
}

/// Writes the files that are not up to date, without moving them to their final places.
void write_stale(BatchJob& job, MadeFolders& folders) {
    std::vector<TableOfTargets> stale;
    for (const Table& table : job.tables) stale.push_back({table, {}});
    std::vector<Target> archives;
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        FileReport& report = job.report->files[i];
        if (report.outcome == Outcome::up_to_date) continue;
        report.outcome = Outcome::failed;  // until the file is in its final place
        job.stale.push_back(i);
        const auto& [target, first, tables] = job.files[i];
        (target->format->archive ? archives : stale[first].targets).push_back(*target);
    }
    if (job.stale.empty()) return;
    for (const std::size_t i : job.stale) {
        prepare_folder(*job.batch, job.report->files[i].path, folders);
    }
    job.staged = staged(stale, archives, is_indexed(job) ? Hashing::sha256 : Hashing::none,
                        {Existing::replaced, job.batch->sync});
}

/// Returns the files with which a message on a job may begin.
std::vector<std::string> paths_of(const Request& request) {
    std::vector<std::string> paths;
    for (const Target& target : all_targets(request)) paths.push_back(target.path);
    for (const NamedFile& input : files_of(request.parameters)) paths.push_back(input.file);
    return paths;
}

/// Brings the files of job.tables up to date, or only examines or plans them.
void do_files(BatchJob& job, MadeFolders& folders) {
    job.files = job_files(job.request, job.tables);
    std::vector<FileReport>& reports = job.report->files;
    job.digests.resize(reports.size());
    if (job.batch->mode == BatchMode::describe) {
        for (std::size_t i = 0; i < reports.size(); ++i) {
            reports[i].plan = plan_of(job.files[i], job.request);
            reports[i].outcome = Outcome::planned;
        }
        return;
    }
    look_at_files(job);
    if (job.batch->mode == BatchMode::write) write_stale(job, folders);
}

Request request_of(const Batch& batch, const Job& job) {
    return job_request(job, batch.manifest.defaults, batch.path);
}

void do_job(BatchJob& job, MadeFolders& folders) {
    job.request = request_of(*job.batch, job.job);
    job.paths = paths_of(job.request);
    for (const Target& target : all_targets(job.request)) {
        job.report->files.push_back({target.path, target.format->name, Outcome::failed});
    }
    for (const RequestedTable& wanted : job.request.tables) {
        job.tables.push_back(table_of(job.request, wanted));
    }
    do_files(job, folders);
}

/// A table of a job, which becomes an array, or a part of one, in an archive of several jobs.
struct Member {
    std::size_t job;    ///< number of the job
    std::size_t table;  ///< which of its tables
};

/// The rows of the tables in an archive of several jobs. They are made when they are asked for, in
/// the order of the tables, and forgotten again, so that memory does not grow with their number.
/// Any number of threads may ask.
class MembersRows {
  public:
    MembersRows(const Batch& batch, std::vector<Member> members)
        : batch_(batch), members_(std::move(members)) {}

    void fill(std::size_t member, RowRange range, std::span<std::byte> out) {
        const std::shared_ptr<const Made> made = made_member(member);
        const std::int64_t row = made->rows.bytes_per_row();
        if (made->bytes.empty()) {
            made->rows(range, out);
        } else {
            std::ranges::copy(std::span(made->bytes).subspan(range.first * row, range.count * row),
                              out.begin());
        }
    }

  private:
    struct Made {
        Rows rows;
        std::vector<std::byte> bytes;  ///< of all rows, if they are few
    };

    /// Returns the table. Makes it and those that follow, several at a time, if it is not there.
    std::shared_ptr<const Made> made_member(std::size_t member) {
        constexpr std::size_t at_once = 64;
        const std::lock_guard lock(mutex_);
        if (member < first_ || member >= first_ + made_.size()) {
            // If a table cannot be made, what is there stays.
            std::vector<std::shared_ptr<const Made>> next(
                std::min(at_once, members_.size() - member));
            parallel_for(std::ssize(next), [&](std::int64_t i) { next[i] = make(member + i); });
            first_ = member;
            made_ = std::move(next);
        }
        return made_[member - first_];
    }

    std::shared_ptr<const Made> make(std::size_t member) const {
        constexpr std::int64_t most_bytes = std::int64_t{1} << 20;
        const auto [number, table] = members_[member];
        const Request request = request_of(batch_, batch_.manifest.job(number));
        Made made{table_of(request, request.tables[table]).rows, {}};
        const std::int64_t rows = made.rows.count(), bytes_per_row = made.rows.bytes_per_row();
        if (bytes_per_row > 0 && rows <= most_bytes / bytes_per_row) {
            made.bytes.resize(rows * bytes_per_row);
            made.rows({0, rows}, made.bytes);
        }
        return std::make_shared<const Made>(std::move(made));
    }

    const Batch& batch_;
    std::vector<Member> members_;
    std::mutex mutex_;
    std::size_t first_ = 0;  ///< the member that made_ begins with
    std::vector<std::shared_ptr<const Made>> made_;
};

/// Members first, first + 1, ... first + count - 1.
struct MemberRange {
    std::size_t first;
    std::size_t count;
};

/// Returns the rows of members, one behind the other, each of this shape and dtype.
Rows rows_of(const std::shared_ptr<MembersRows>& all, MemberRange members, const Shape& shape,
             DType dtype) {
    const std::int64_t each = shape.rows();
    const std::int64_t bytes = shape.columns() * static_cast<std::int64_t>(info(dtype).size);
    return {[=](RowRange range, std::span<std::byte> out) {
                while (range.count > 0) {
                    const std::int64_t member = range.first / each, row = range.first % each;
                    const std::int64_t some = std::min(each - row, range.count);
                    all->fill(members.first + member, {row, some}, out.first(some * bytes));
                    out = out.subspan(some * bytes);
                    range = {range.first + some, range.count - some};
                }
            },
            static_cast<std::int64_t>(members.count) * each, shape.columns(), dtype};
}

/// What is known of a job with tables in a shared archive before they are made.
struct PlannedMembers {
    std::vector<Table> tables{};       ///< without rows; called as the arrays
    std::vector<ArrayPlace> places{};  ///< of the tables
    std::exception_ptr failure{};
};

/// A name that ends so is the name of an array of several tables, along a new first axis.
constexpr std::string_view stacked = "[]";

/// The arrays of an archive of several jobs.
class Arrays {
  public:
    explicit Arrays(std::string path) : path_(std::move(path)) {}

    /// Adds a planned table, which has the name of its array. Throws: UsageError if another array
    /// has the name, or the table does not go into the stack.
    ArrayPlace add(const Member& member, const Table& table) {
        const bool is_stack = table.name.ends_with(stacked);
        const std::string name =
            table.name.substr(0, table.name.size() - (is_stack ? stacked.size() : 0));
        if (name.empty()) {
            throw UsageError(fmt::format("{}: needs a name before [], as in x[]", path_));
        }
        const auto [found, is_new] = by_name_.emplace(name, arrays_.size());
        if (is_new) arrays_.push_back({name, table.shape, table.dtype, is_stack, {}});
        Array& array = arrays_[found->second];
        if (!is_new && !(is_stack && array.is_stack)) {
            throw UsageError(fmt::format(
                "{}: has two arrays called {}; put a {{name}} or a text of its own into "
                "the name of one, or [] behind both to stack them",
                path_, name));
        }
        if (table.shape != array.shape || table.dtype != array.dtype) {
            throw UsageError(fmt::format(
                "{}: {} has tables {} {} and {} {}; what is stacked has one shape and dtype", path_,
                name, to_string(array.shape), info(array.dtype).name, to_string(table.shape),
                info(table.dtype).name));
        }
        array.members.push_back(member);
        return {name, is_stack ? std::optional(std::ssize(array.members) - 1) : std::nullopt};
    }

    /// Returns the arrays as tables without axes and provenance.
    std::vector<Table> tables(const Batch& batch) const {
        std::vector<Member> members;
        for (const Array& array : arrays_) {
            members.insert(members.end(), array.members.begin(), array.members.end());
        }
        const auto all = std::make_shared<MembersRows>(batch, std::move(members));
        std::size_t first = 0;
        std::vector<Table> tables;
        for (const Array& array : arrays_) {
            std::vector<std::int64_t> extents = array.shape.extents();
            if (array.is_stack) extents.insert(extents.begin(), std::ssize(array.members));
            Table& table = tables.emplace_back();
            table.shape = Shape(std::move(extents));
            table.dtype = array.dtype;
            // In a table with one axis each element is a row, in a stack of them each table.
            table.rows = rows::reshaped(
                rows_of(all, {first, array.members.size()}, array.shape, array.dtype),
                table.shape.columns());
            table.name = array.name;
            first += array.members.size();
        }
        return tables;
    }

  private:
    struct Array {
        std::string name;
        Shape shape;  ///< of each table
        DType dtype;
        bool is_stack;
        std::vector<Member> members;
    };

    std::string path_;
    std::vector<Array> arrays_;
    std::map<std::string, std::size_t> by_name_;
};

PlannedMembers planned_members(const Batch& batch, std::size_t number, const Target& archive) {
    PlannedMembers planned;
    try {
        const Request request = request_of(batch, batch.manifest.job(number));
        const Target& own = request.archives.front();
        const bool is_same = std::ranges::equal(
            own.parameters.entries(), archive.parameters.entries(),
            [](const auto& a, const auto& b) { return are_same(a.value, b.value); });
        if (!is_same || own.format != archive.format) {
            throw UsageError(fmt::format("{}: its jobs must have the same format and options of {}",
                                         own.path, archive.format->name));
        }
        for (const RequestedTable& wanted : request.tables) {
            planned.tables.push_back(planned_table(request, wanted).table);
        }
    } catch (...) {
        planned.failure = std::current_exception();
    }
    return planned;
}

/// Throws: the failure of planned[first], as UsageError with the number of jobs that fail behind
/// it.
[[noreturn]] void rethrow_first(const std::vector<PlannedMembers>& planned, std::size_t first,
                                const std::string& archive) {
    const auto others = std::ranges::count_if(
        planned.begin() + static_cast<std::ptrdiff_t>(first) + 1, planned.end(),
        [](const PlannedMembers& other) { return other.failure != nullptr; });
    if (others == 0) std::rethrow_exception(planned[first].failure);
    try {
        std::rethrow_exception(planned[first].failure);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}; {} more job{} of {} fail{}", error.what(), others,
                                     others == 1 ? "" : "s", archive, others == 1 ? "s" : ""));
    }
}

/// Plans the arrays of an archive, job.request.archives.front(), to which several jobs write.
/// Throws: UsageError if two arrays have one name, or tables that are stacked differ in shape.
void plan_arrays(BatchJob& job, const Unit& unit) {
    const Batch& batch = *job.batch;
    const Target& archive = job.request.archives.front();
    std::vector<std::size_t> numbers{unit.first};
    numbers.insert(numbers.end(), unit.others.begin(), unit.others.end());
    Arrays arrays(archive.path);
    constexpr std::size_t at_once = 1024;  // planned tables take more memory than what is kept
    for (std::size_t begin = 0; begin < numbers.size(); begin += at_once) {
        const auto some =
            std::span(numbers).subspan(begin, std::min(at_once, numbers.size() - begin));
        std::vector<PlannedMembers> planned(some.size());
        parallel_for(std::ssize(some), [&](std::int64_t i) {
            planned[i] = planned_members(batch, some[i], archive);
        });
        for (std::size_t i = 0; i < some.size(); ++i) {
            // The place of the job is in the message if it fails.
            job.job = batch.manifest.job(some[i]);
            if (planned[i].failure) rethrow_first(planned, i, archive.path);
            for (std::size_t table = 0; table < planned[i].tables.size(); ++table) {
                planned[i].places.push_back(arrays.add({some[i], table}, planned[i].tables[table]));
            }
        }
        if (!is_indexed(job)) continue;
        std::vector<std::string> entries(some.size());
        parallel_for(std::ssize(some), [&](std::int64_t i) {
            const Job own = batch.manifest.job(some[i]);
            for (std::size_t table = 0; table < planned[i].tables.size(); ++table) {
                entries[i] += '\n' + index_entry_of_array(own, archive, planned[i].places[table],
                                                          planned[i].tables[table]);
            }
        });
        for (const std::string& entry : entries) job.entries += entry;
    }
    if (!job.entries.empty()) job.entries.erase(0, 1);  // the line break before the first line
    job.job = batch.manifest.job(unit.first);
    job.tables = arrays.tables(batch);
}

/// Writes the archive to which all jobs of the unit write.
void do_archive(BatchJob& job, const Unit& unit, MadeFolders& folders) {
    job.request = request_of(*job.batch, job.job);
    Target& archive = job.request.archives.front();
    archive.path = unit.archive;
    job.paths = {archive.path};
    job.report->files.push_back({archive.path, archive.format->name, Outcome::failed});
    job.request.tables.clear();
    plan_arrays(job, unit);
    do_files(job, folders);
}

/// Runs a step of the job. A failure ends the job and is recorded in its report.
template <class Step>
void take(BatchJob& job, const Step& step) {
    try {
        step();
    } catch (...) {
        job.staged.reset();
        job.report->failure = failure_at(*job.batch, job.job.place, job.paths);
    }
}

/// Begins the jobs of the unit: examines their files and, in the mode write, writes files that are
/// not up to date.
std::unique_ptr<BatchJob> begun_unit(const Unit& unit, const Batch& batch, MadeFolders& folders,
                                     JobReport& report) {
    report.job = unit.first;
    report.jobs = 1 + unit.others.size();
    std::unique_ptr<BatchJob> job(new BatchJob{&batch, &report, batch.manifest.job(unit.first)});
    take(*job,
         [&] { unit.archive.empty() ? do_job(*job, folders) : do_archive(*job, unit, folders); });
    return job;
}

/// Waits until the job's files that must be flushed are on the disk.
void wait_for(BatchJob& job) {
    if (job.staged) take(job, [&] { finish(*job.staged); });
}

/// Moves the files of the job to their final places, all or none, and adds the folders that must be
/// flushed.
void put_in_place(BatchJob& job, ChangedFolders& folders) {
    if (!job.staged) return;
    take(job, [&] {
        place(*job.staged, folders);
        for (std::size_t i = 0; i < job.stale.size(); ++i) {
            if (is_indexed(job)) job.digests[job.stale[i]] = job.staged->digests[i];
            job.report->files[job.stale[i]].outcome = Outcome::written;
            enter_in_index(job, job.stale[i]);
        }
        for (const std::string& note : job.staged->notes) {
            job.report->notes.push_back(
                fmt::format("{}: {}: {}", job.batch->path, job.job.place, note));
        }
    });
}

/// Moves the files of one worker's jobs to their final places. Jobs whose files must be flushed to
/// the disk first are collected in groups, since the disk writes a whole group in the time of a few
/// files.
class CommitGroups {
  public:
    /// `committing` is locked while a group is moved: a folder that changes would wait for each
    /// commit of the file system's journal that the files of another group ask for.
    CommitGroups(int workers, std::mutex& committing);

    /// Moves the files of the job to their final places, now or with a later job of its group.
    void add(std::unique_ptr<BatchJob> job);

    /// Moves all files that are still waiting to their final places. Must be called after the last
    /// job.
    void commit();

  private:
    std::mutex& committing_;
    std::vector<std::unique_ptr<BatchJob>> group_;
    std::int64_t files_ = 0;
    std::int64_t bytes_ = 0;
    std::int64_t most_files_;
};

/// Returns the maximum number of files in the group of each worker, which are all open at once.
std::int64_t files_in_group(int workers) {
    constexpr std::int64_t most = 256, others = 64, descriptors_of_file = 2;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) < 0) return 1;
    const auto allowed = static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
    return std::clamp<std::int64_t>((allowed - others) / (workers * descriptors_of_file), 1, most);
}

std::int64_t bytes_of(const BatchJob& job) {
    std::int64_t bytes = 0;
    for (const Table& table : job.tables) bytes += total_bytes(table);
    return bytes;
}

void put_all_in_place(std::span<const std::unique_ptr<BatchJob>> jobs) {
    std::vector<OutputFile*> files;
    for (const auto& job : jobs)
        std::ranges::copy(files_of(job->staged->files), std::back_inserter(files));
    write_back(files);
    for (const auto& job : jobs) wait_for(*job);
    ChangedFolders folders;
    for (const auto& job : jobs) put_in_place(*job, folders);
    folders.sync();
}

CommitGroups::CommitGroups(int workers, std::mutex& committing)
    : committing_(committing), most_files_(files_in_group(workers)) {}

void CommitGroups::add(std::unique_ptr<BatchJob> job) {
    constexpr std::int64_t most_bytes = std::int64_t{64} << 20;
    if (!job->staged) return;
    if (!is_waited_for(*job->staged)) return put_all_in_place({&job, 1});
    files_ += std::ssize(job->stale);
    bytes_ += bytes_of(*job);
    group_.push_back(std::move(job));
    if (files_ >= most_files_ || bytes_ >= most_bytes) commit();
}

void CommitGroups::commit() {
    const auto group = std::exchange(group_, {});
    const std::lock_guard lock(committing_);
    put_all_in_place(group);
    files_ = bytes_ = 0;
}

}  // namespace

std::string Batch::from_start(std::string_view file) const {
    return folder.empty() ? std::string(file) : fmt::format("{}/{}", folder, file);
}

Failure failure_at(const Batch& batch, const std::string& place,
                   const std::vector<std::string>& paths) {
    Failure failure = current_failure();
    // An invalid option in a manifest is an error of the manifest, not of the command line.
    if (failure.status == ExitStatus::usage) failure.status = ExitStatus::malformed;
    const bool begins_with_path = std::ranges::any_of(paths, [&](const std::string& path) {
        return failure.message.starts_with(one_line(path) + ":");
    });
    const std::string message =
        begins_with_path ? batch.from_start(failure.message) : failure.message;
    failure.message = printable(fmt::format("{}: {}: {}", batch.path, place, message));
    return failure;
}

void prepare_folder(const Batch& batch, const std::string& path, MadeFolders& folders) {
    if (batch.manifest.makes_folders) return folders.make_for(path);
    if (folders.has_folder_of(path)) return;
    throw FileError(path, fmt::format("the folder {} does not exist; make it, or let \"mkdir\": "
                                      "true of a manifest in JSON do so",
                                      batch.from_start(folder_of(path))));
}

std::vector<JobReport> run_jobs(const Batch& batch, const Jobs& jobs, MadeFolders& folders,
                                ProgressLine& line) {
    numerics::self_test();
    std::mutex adding, committing;
    std::deque<JobReport> begun;  // a deque, since jobs keep pointers to their reports
    const auto new_report = [&]() -> JobReport& {
        const std::lock_guard lock(adding);
        return begun.emplace_back();
    };
    const std::vector<Unit>& units = jobs.units;
    line.begin(batch.path);
    const auto work = [&](std::int64_t) {
        CommitGroups groups(jobs.workers, committing);
        for (std::size_t i = jobs.next(); i < units.size(); i = jobs.next()) {
            groups.add(begun_unit(units[i], batch, folders, new_report()));
            line.update(static_cast<std::int64_t>(i) + 1, std::ssize(units));
        }
        groups.commit();
    };
    if (jobs.workers > 1) {
        limit_threads(jobs.workers);
        parallel_for(jobs.workers, work);
    } else {
        work(0);
    }
    line.hide();
    std::vector<JobReport> reports(std::move_iterator(begun.begin()),
                                   std::move_iterator(begun.end()));
    std::ranges::sort(reports, {}, &JobReport::job);
    return reports;
}

}  // namespace pegen::cli
