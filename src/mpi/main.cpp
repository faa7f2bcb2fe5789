#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/batch/run.h"
#include "cli/batch/shard.h"
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/help/topics.h"
#include "cli/print.h"
#include "cli/process.h"
#include "cli/progress_line.h"
#include "cli/request.h"
#include "cli/run.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/table.h"
#include "files/byte_sink.h"
#include "files/open_file.h"
#include "files/output_file.h"
#include "files/target.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "formats/write.h"
#include "numerics/self_test.h"

namespace pegen::mpi {
namespace {

using Arguments = std::span<const std::string_view>;

using Json = nlohmann::json;

/// A file that all ranks write through MPI-IO, each rank in places of its own. Each rank opens the
/// file by itself, so that no rank waits for one that failed.
class SharedFile {
  public:
    /// Opens the file, which is at `path` now; messages call it `shown`. Throws: FileError.
    SharedFile(const std::string& path, std::string shown);
    SharedFile(SharedFile&& other) noexcept;
    SharedFile& operator=(SharedFile&&) = delete;
    ~SharedFile();

    /// Writes bytes at an offset. Any number of threads may call it, one at a time. Throws:
    /// FileError.
    void write(std::int64_t offset, Bytes bytes);

    /// Closes the file after writing and, if `waits` is true, waits until it is on the disk.
    /// Throws: FileError.
    void finish(bool waits);

  private:
    struct State;
    std::string shown_;
    std::unique_ptr<State> state_;
};

/// Returns the errno that explains the failure of an MPI function, as far as MPI knows it.
int error_number(int result) {
    int kind = MPI_ERR_OTHER;
    ::MPI_Error_class(result, &kind);
    switch (kind) {
        case MPI_ERR_NO_SPACE:
            return ENOSPC;
        case MPI_ERR_QUOTA:
            return EDQUOT;
        case MPI_ERR_ACCESS:
            return EACCES;
        case MPI_ERR_NO_SUCH_FILE:
            return ENOENT;
        case MPI_ERR_READ_ONLY:
            return EROFS;
        default:
            return errno != 0 ? errno : EIO;
    }
}

struct SharedFile::State {
    MPI_File file = MPI_FILE_NULL;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (file != MPI_FILE_NULL) ::MPI_File_close(&file);
    }
};

SharedFile::SharedFile(const std::string& path, std::string shown)
    : shown_(std::move(shown)), state_(std::make_unique<State>()) {
    errno = 0;
    const int result =
        ::MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &state_->file);
    if (result != MPI_SUCCESS) throw FileError(shown_, "cannot open", error_number(result));
}

SharedFile::SharedFile(SharedFile&& other) noexcept = default;
SharedFile::~SharedFile() = default;

void SharedFile::write(std::int64_t offset, Bytes bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;  // MPI counts as int
    while (!bytes.empty()) {
        const Bytes part = bytes.first(std::min(most, bytes.size()));
        MPI_Status status{};
        errno = 0;
        const int result = ::MPI_File_write_at(state_->file, offset, part.data(),
                                               static_cast<int>(part.size()), MPI_BYTE, &status);
        if (result != MPI_SUCCESS) throw FileError(shown_, "cannot write", error_number(result));
        int written = 0;
        ::MPI_Get_count(&status, MPI_BYTE, &written);
        if (written <= 0) throw FileError(shown_, "cannot write", errno != 0 ? errno : EIO);
        offset += written;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void SharedFile::finish(bool waits) {
    errno = 0;
    int result = waits ? ::MPI_File_sync(state_->file) : MPI_SUCCESS;
    if (result == MPI_SUCCESS) result = ::MPI_File_close(&state_->file);
    if (result != MPI_SUCCESS) throw FileError(shown_, "cannot write", error_number(result));
}

/// A guard for MPI, from MPI_Init to MPI_Finalize. A process has one. Only the first rank has a
/// standard output: the output of other ranks is dropped.
class Session {
  public:
    Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();
};

/// The failure of one rank, which stopped all ranks.
struct Stopped {
    cli::Failure failure;
};

/// A number that all ranks count up. All ranks must construct it, and destroy it.
class SharedCounter {
  public:
    SharedCounter();
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;
    ~SharedCounter();

    /// Returns 0, 1, 2, ..., each number once on one of the ranks. Any number of threads may call
    /// it. Ends the step, like end_with_others(), if the step of another rank has failed.
    std::int64_t next();

  private:
    struct State;
    std::mutex calling_;
    std::unique_ptr<State> state_;
};

constexpr int failure_tag = 1;
constexpr int text_tag = 2;

/// Thrown when the step of another rank has failed.
struct OtherHasFailed {};

/// The ranks on this machine.
class Neighbours {
  public:
    Neighbours() {
        ::MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &ranks_);
    }
    Neighbours(const Neighbours&) = delete;
    Neighbours& operator=(const Neighbours&) = delete;
    ~Neighbours() { ::MPI_Comm_free(&ranks_); }

    MPI_Comm ranks() const { return ranks_; }
    int count() const {
        int count = 0;
        ::MPI_Comm_size(ranks_, &count);
        return count;
    }

  private:
    MPI_Comm ranks_{};
};

/// Does the step. Returns its failure, if it failed. Throws: Stopped if all ranks already know of
/// it.
std::optional<cli::Failure> failure_of(const std::function<void()>& step) {
    try {
        step();
    } catch (const Stopped&) {
        throw;
    } catch (const OtherHasFailed&) {
    } catch (...) {
        return cli::current_failure();
    }
    return {};
}

/// Returns the number of this process among the processes that were started together, from 0 to
/// rank_count() - 1.
int rank() {
    int number = 0;
    ::MPI_Comm_rank(MPI_COMM_WORLD, &number);
    return number;
}

int rank_count() {
    int count = 0;
    ::MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

/// Messages to all other ranks; the destructor waits until they have been received.
class Announcement {
  public:
    explicit Announcement(const std::string& text) {
        for (int other = 0; other < rank_count(); ++other) {
            if (other == rank()) continue;
            ::MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, other, failure_tag,
                        MPI_COMM_WORLD, &requests_.emplace_back());
        }
    }
    Announcement(const Announcement&) = delete;
    Announcement& operator=(const Announcement&) = delete;
    ~Announcement() {
        ::MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    }

  private:
    std::vector<MPI_Request> requests_;
};

std::string text_from(int other, int tag) {
    MPI_Status status{};
    int size = 0;
    ::MPI_Probe(other, tag, MPI_COMM_WORLD, &status);
    ::MPI_Get_count(&status, MPI_CHAR, &size);
    std::string text(size, ' ');
    ::MPI_Recv(text.data(), size, MPI_CHAR, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return text;
}

Session::Session() {
    // By default Open MPI prepares shared file pointers, which are not used here, by files beside
    // the target; with "sm" these files are in Open MPI's own folder.
    ::setenv("OMPI_MCA_sharedfp", "sm", 0);
    int provided = 0;
    // Any thread may write to a file, but only one at a time.
    ::MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (rank() == 0) return;
    const Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    ::dup2(nowhere.number(), STDOUT_FILENO);
}

Session::~Session() { ::MPI_Finalize(); }

/// True if all ranks run on one machine and see each other's processes in /proc.
bool see_each_other() {
    struct stat processes {};  // zeros if there is no /proc
    ::stat("/proc/self/ns/pid", &processes);
    const auto number = static_cast<std::int64_t>(processes.st_ino);
    // The minima of a number and of its negative tell whether the number is the same on all ranks.
    std::int64_t least[] = {Neighbours().count(), number, -number};
    ::MPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least[0] == rank_count() && number != 0 && least[1] == -least[2];
}

/// Returns how many processors this rank may use: ranks that may run on the same processors share
/// them.
int own_processors() {
    const Neighbours neighbours;
    cpu_set_t own{};
    ::sched_getaffinity(0, sizeof own, &own);
    std::vector<cpu_set_t> all(neighbours.count());
    ::MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                    neighbours.ranks());
    const auto sharing = std::ranges::count_if(
        all, [&](const cpu_set_t& other) { return CPU_EQUAL(&own, &other) != 0; });
    return std::max(1, thread_count() / static_cast<int>(sharing));
}

/// Does a step on this rank, and returns when every rank has done it: all ranks must call it. A
/// step may consist of other steps. Throws: Stopped, on every rank, if the step throws on one rank.
/// If several fail, Stopped has the failure of the lowest rank, whose message names the rank unless
/// it is the first.
void together(const std::function<void()>& step) {
    std::optional<cli::Failure> failure = failure_of(step);
    std::optional<Announcement> announcement;
    if (failure) announcement.emplace(failure->message);

    const int status = failure ? static_cast<int>(failure->status) : 0;
    std::vector<int> statuses(rank_count());
    ::MPI_Allgather(&status, 1, MPI_INT, statuses.data(), 1, MPI_INT, MPI_COMM_WORLD);

    std::optional<int> first;
    std::string message;
    for (int other = 0; other < rank_count(); ++other) {
        if (statuses[other] == 0) continue;
        std::string text = other == rank() ? failure->message : text_from(other, failure_tag);
        if (first) continue;
        first = other;
        message = std::move(text);
    }
    if (!first) return;
    if (*first > 0) message = fmt::format("rank {}: {}", *first, message);
    throw Stopped{{static_cast<cli::ExitStatus>(statuses[*first]), message}};
}

/// Ends the step if the step of another rank has failed. Must be called often in a step that takes
/// long.
void end_with_others() {
    int has_failed = 0;
    ::MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, MPI_COMM_WORLD, &has_failed, MPI_STATUS_IGNORE);
    if (has_failed) throw OtherHasFailed{};
}

/// Returns rank 0's text on every rank. All ranks must call it.
std::string text_of_first(const std::string& text) {
    std::string copy = text;
    auto size = static_cast<int>(copy.size());
    ::MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    copy.resize(size);
    ::MPI_Bcast(copy.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
    return copy;
}

/// Returns the texts of all ranks on the first rank, and nothing on other ranks. All ranks must
/// call it.
std::vector<std::string> texts_at_first(const std::string& text) {
    if (rank() != 0) {
        ::MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, text_tag,
                   MPI_COMM_WORLD);
        return {};
    }
    std::vector<std::string> texts{text};
    for (int other = 1; other < rank_count(); ++other) {
        texts.push_back(text_from(other, text_tag));
    }
    return texts;
}

struct SharedCounter::State {
    MPI_Win window{};
    std::int64_t* count = nullptr;  ///< on the first rank
};

SharedCounter::SharedCounter() : state_(std::make_unique<State>()) {
    const MPI_Aint size = rank() == 0 ? sizeof(std::int64_t) : 0;
    ::MPI_Win_allocate(size, sizeof(std::int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &state_->count,
                       &state_->window);
    if (rank() == 0) *state_->count = 0;
    ::MPI_Barrier(MPI_COMM_WORLD);
    ::MPI_Win_lock_all(0, state_->window);
}

SharedCounter::~SharedCounter() {
    ::MPI_Win_unlock_all(state_->window);
    ::MPI_Win_free(&state_->window);
}

std::int64_t SharedCounter::next() {
    const std::lock_guard lock(calling_);
    end_with_others();
    const std::int64_t one = 1;
    std::int64_t before = 0;
    ::MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, 0, MPI_SUM, state_->window);
    ::MPI_Win_flush(0, state_->window);
    return before;
}

/// Bytes at a place in a file.
struct PlacedText {
    std::int64_t offset;
    std::string bytes;
};

/// The places of all parts in a file of tables whose rows have the same bytes as in memory.
struct Layout {
    std::vector<PlacedText> texts;   ///< all bytes that are not rows
    std::vector<std::int64_t> rows;  ///< for each table, where its rows begin
};

std::string text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Layout layout_of_archive(const ArchiveFormat& archive, const Parameters& parameters,
                         std::span<const Table> tables) {
    Layout layout;
    layout.rows.resize(tables.size());
    std::int64_t end = 0;
    const ByteSink sink{
        [&](Bytes bytes) {
            layout.texts.push_back({end, text_of(bytes)});
            end += std::ssize(bytes);
        },
        nullptr,
    };
    archive.write(tables, parameters, sink, [&](const Table& table, const WriteBytes&) {
        for (std::size_t i = 0; i < tables.size(); ++i) {
            if (tables[i].name == table.name) layout.rows[i] = end;
        }
        end += total_bytes(table);
    });
    return layout;
}

/// True if the places of the rows in a file of this format are known before the file is written.
bool has_layout(const Format& format) {
    return format.archive ? !format.archive->is_rewritten : is_raw(format);
}

/// Returns the layout of a file of these tables; the file has one table unless the format is an
/// archive.
/// Throws: UsageError if the format cannot hold the tables. Precondition: has_layout(format).
Layout layout_of(const Format& format, const Parameters& parameters,
                 std::span<const Table> tables) {
    if (format.archive) return layout_of_archive(*format.archive, parameters, tables);
    const Table& table = tables.front();
    const PlacedText head{0, beginning(table, format, parameters).file};
    const std::int64_t rows = std::ssize(head.bytes);
    return {{head, {rows + total_bytes(table), ending(table, format, parameters)}}, {rows}};
}

Json json_of(const cli::FileReport& file) {
    return {file.path, file.format, file.outcome, file.reason, file.plan, file.entry};
}

Json json_of(const cli::JobReport& report) {
    Json json{{"job", *report.job},
              {"jobs", report.jobs},
              {"notes", report.notes},
              {"files", Json::array()}};
    for (const cli::FileReport& file : report.files) json["files"].push_back(json_of(file));
    if (report.failure) json["failure"] = {report.failure->status, report.failure->message};
    return json;
}

std::string_view format_named(const std::string& name) {
    return (*std::ranges::find(all_formats(), name, &Format::name))->name;
}

cli::JobReport report_of(const Json& json) {
    cli::JobReport report{.job = json["job"], .jobs = json["jobs"], .notes = json["notes"]};
    for (const Json& file : json["files"]) {
        report.files.push_back(
            {file[0], format_named(file[1]), file[2], file[3], file[4], file[5]});
    }
    if (json.contains("failure")) report.failure = {json["failure"][0], json["failure"][1]};
    return report;
}

/// Returns reports on jobs as bytes, to be read by another process of the same program.
std::string bytes_of(const std::vector<cli::JobReport>& reports) {
    Json json = Json::array();
    for (const cli::JobReport& report : reports) json.push_back(json_of(report));
    std::string bytes;
    Json::to_cbor(json, bytes);  // texts may not be UTF-8
    return bytes;
}

/// Returns the reports of several processes, in the order of the manifest.
std::vector<cli::JobReport> reports_of(std::span<const std::string> bytes) {
    std::vector<cli::JobReport> reports;
    for (const std::string& some : bytes) {
        for (const Json& json : Json::from_cbor(some)) reports.push_back(report_of(json));
    }
    std::ranges::sort(reports, {}, &cli::JobReport::job);
    return reports;
}

/// Checks the target. Throws: UsageError if the ranks cannot write it together.
void check_target(const cli::Target& target) {
    if (target.format->is_shown || target.path == "-") {
        throw UsageError(
            "pe-gen-mpi prints no tables; name a file: --npy FILE or --safetensors FILE");
    }
    if (!has_layout(*target.format)) {
        throw UsageError(
            fmt::format("--{} {}: the places of rows are not known before it is written, so ranks "
                        "cannot write it "
                        "together; use pe-gen, or --npy or --safetensors",
                        target.format->name, target.path));
    }
    if (find_target(target.path).is_written_directly()) {
        throw UsageError(
            fmt::format("--{} {}: ranks write at many places of a file; name one, or use pe-gen",
                        target.format->name, target.path));
    }
}

/// A file to be written, and the tables that it contains.
struct File {
    const cli::Target* target;
    std::size_t first_table;
    Layout layout;
    std::optional<SharedFile> shared{};  ///< has a value while the file is written

    /// Returns where the rows of a table begin; nothing if the table is not in the file.
    std::optional<std::int64_t> rows_of(std::size_t table) const {
        const bool has_table = table >= first_table && table - first_table < layout.rows.size();
        return has_table ? std::optional(layout.rows[table - first_table]) : std::nullopt;
    }
};

/// The tables and files of a request, known to every rank before a value is computed.
struct Plan {
    std::vector<PlannedTable> planned;
    std::vector<Table> tables;
    std::vector<File> files;
};

Plan plan_of(const cli::Request& request) {
    Plan plan;
    for (const cli::RequestedTable& wanted : request.tables) {
        plan.planned.push_back(cli::planned_table(request, wanted));
        plan.tables.push_back(plan.planned.back().table);
    }
    const std::span<const Table> tables = plan.tables;
    const auto add = [&](const cli::Target& target, std::size_t first, std::size_t count) {
        check_target(target);
        plan.files.push_back(
            {&target, first,
             layout_of(*target.format, target.parameters, tables.subspan(first, count))});
    };
    for (std::size_t i = 0; i < tables.size(); ++i) {
        for (const cli::Target& target : request.tables[i].targets) add(target, i, 1);
    }
    for (const cli::Target& archive : request.archives) add(archive, 0, tables.size());
    return plan;
}

/// Opens the files on the first rank, and so finds a disk without room for them.
std::vector<Output> opened(const Plan& plan, const Placing& placing) {
    std::vector<Output> outputs;
    for (const File& file : plan.files) {
        const cli::Target& target = *file.target;
        outputs.push_back({target.format, target.parameters, OutputFile(target.path, placing)});
        if (target.format->archive) {
            reserve(plan.tables, outputs.back());
        } else {
            reserve(plan.tables[file.first_table], {&outputs.back(), 1});
        }
    }
    return outputs;
}

/// Returns the tiles of a table that this rank writes; the numbers of tiles of two ranks differ by
/// at most one.
TileRange own_tiles(const Table& table) {
    if (table.shape.size() == 0) return {0, 0};
    const std::int64_t tiles = tiles_of(table).count();
    const auto begin_of = [&](std::int64_t number) {
        return tiles / rank_count() * number + std::min(number, tiles % rank_count());
    };
    return {begin_of(rank()), begin_of(rank() + 1) - begin_of(rank())};
}

/// Writes the bytes that are not rows to all files.
void write_texts(Plan& plan) {
    for (File& file : plan.files) {
        for (const auto& [offset, bytes] : file.layout.texts) {
            file.shared->write(offset, std::as_bytes(std::span(bytes)));
        }
    }
}

/// Writes this rank's rows of a table to all files that contain the table.
void write_rows_of(Plan& plan, std::size_t number, const Progress& progress) {
    const Table& table = plan.tables[number];
    take_tiles(
        table, own_tiles(table),
        [&](RowRange rows, Bytes elements) {
            end_with_others();
            for (File& file : plan.files) {
                const std::optional<std::int64_t> begin = file.rows_of(number);
                if (begin) file.shared->write(*begin + rows.first * row_bytes(table), elements);
            }
        },
        progress);
}

/// The data on an open file that the first rank sends to the others.
struct OpenedFile {
    std::string path;    ///< the file's place until it has its final name
    std::string number;  ///< number of its inode, which is the same on all machines
    bool is_waited_for;
};

/// Returns the number of the inode; "" if there is no such file.
std::string inode_of(const std::string& path) {
    struct stat file {};
    return ::stat(path.c_str(), &file) == 0 ? std::to_string(file.st_ino) : "";
}

/// Returns, on every rank, the files that the first rank has opened.
std::vector<OpenedFile> told(std::span<const Output> outputs) {
    std::string text;
    for (const Output& output : outputs) {
        const std::string path = output.file.path_for_others();
        for (const std::string& part :
             {path, inode_of(path), std::string(output.file.is_waited_for() ? "waits" : "")}) {
            text += part + '\0';
        }
    }
    text = text_of_first(text);
    const std::vector<std::string_view> parts = fields(text, '\0');
    std::vector<OpenedFile> files;
    for (std::size_t i = 0; i + 3 <= parts.size(); i += 3) {
        files.push_back({std::string(parts[i]), std::string(parts[i + 1]), !parts[i + 2].empty()});
    }
    return files;
}

/// A guard: while it lives, this rank removes the hidden names of files before a signal ends it,
/// since the first rank, which made the names, may have been ended in a way that leaves it no time
/// to do so.
class HiddenNames {
  public:
    explicit HiddenNames(std::span<const OpenedFile> files) : files_(files) {}
    HiddenNames(const HiddenNames&) = delete;
    HiddenNames& operator=(const HiddenNames&) = delete;

  private:
    static void remove(const void* names) {
        const auto& files = static_cast<const HiddenNames*>(names)->files_;
        for (const OpenedFile& file : files) ::unlink(file.path.c_str());
    }

    std::span<const OpenedFile> files_;
    BeforeSignal removal_{remove, this};
};

/// Opens a file of the first rank. Throws: FileError if the path leads to another file on this
/// rank, as in a container of its own.
SharedFile shared_file(const OpenedFile& file, const std::string& shown) {
    const std::string number = inode_of(file.path);
    if (number != file.number) {
        throw FileError(shown,
                        fmt::format("is {} for this rank at {}; start all ranks with the same "
                                    "file systems",
                                    number.empty() ? "not there" : "another file", file.path));
    }
    return SharedFile(file.path, shown);
}

/// Makes the tables of a request on all ranks. Each rank writes its share of the rows to its place
/// in every file. After all files are written, and on the disk if they are waited for, the first
/// rank puts them in their places. The files have the bytes that one process writes.
/// Throws: Stopped, on every rank; then no file has been changed.
void generate(const cli::Request& request) {
    const bool is_first = rank() == 0;
    const std::string title(request.subject.name());
    cli::ProgressLine line(is_first ? request.run.verbosity : cli::Verbosity::quiet);
    const Progress progress = [&](std::int64_t done, std::int64_t total) {
        line.update(done, total);
    };
    const int processors = own_processors();
    limit_threads(request.run.threads.value_or(processors));
    Plan plan;
    together([&] {
        numerics::self_test();
        plan = plan_of(request);
    });

    Placing placing = request.run.placing;
    placing.has_name = !see_each_other();
    std::vector<Output> outputs;
    together([&] {
        if (!is_first) return;
        cli::check_targets(cli::all_targets(request), request.run);
        outputs = opened(plan, placing);
        cli::print_notes(plan.planned.front().notes, request.run.verbosity);
    });
    const std::vector<OpenedFile> files = told(outputs);
    {
        std::optional<HiddenNames> hidden;
        if (placing.has_name && !is_first) hidden.emplace(files);
        together([&] {
            for (std::size_t i = 0; i < plan.files.size(); ++i) {
                plan.files[i].shared.emplace(shared_file(files[i], plan.files[i].target->path));
            }
        });
        together([&] {
            line.begin(title + ": preparing");
            for (std::size_t i = 0; i < plan.tables.size(); ++i) {
                plan.tables[i].rows = plan.planned[i].make_rows(progress);
            }
            if (is_first) write_texts(plan);
            for (std::size_t i = 0; i < plan.tables.size(); ++i) {
                line.begin(title, row_bytes(plan.tables[i]));
                write_rows_of(plan, i, progress);
            }
            line.begin(title + ": waiting for the disk");
            for (std::size_t i = 0; i < plan.files.size(); ++i) {
                plan.files[i].shared->finish(files[i].is_waited_for);
            }
        });
    }
    line.hide();
    together([&] {
        if (!is_first) return;
        finish(outputs);
        end_with([&] { commit(outputs); });
    });
}

/// Runs jobs until no rank finds another one. Returns the reports of all ranks on the first rank.
std::optional<std::vector<cli::JobReport>> run_dealt(const cli::Batch& batch, cli::Jobs jobs,
                                                     MadeFolders& folders,
                                                     cli::ProgressLine& line) {
    together([&] {
        const std::vector<std::int64_t> costs = cli::costs_of(batch, jobs.units);
        std::vector<std::size_t> order(costs.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::ranges::greater(),
                                 [&](std::size_t unit) { return costs[unit]; });
        std::vector<cli::Unit> units;
        for (const std::size_t unit : order) units.push_back(std::move(jobs.units[unit]));
        jobs.units = std::move(units);
    });
    SharedCounter counter;
    jobs.next = [&] { return static_cast<std::size_t>(counter.next()); };
    std::string reports;
    together([&] { reports = bytes_of(cli::run_jobs(batch, jobs, folders, line)); });
    const std::vector<std::string> all = texts_at_first(reports);
    if (rank() != 0) return {};
    return reports_of(all);
}

/// Does what `pe-gen batch arguments...` asks for, on all ranks: a rank that is free takes the next
/// job, the most expensive jobs first. The first rank reports, and writes the index. Throws:
/// Stopped, on every rank, if the manifest is refused.
cli::ExitStatus run_batch(std::span<const std::string_view> arguments) {
    limit_threads(own_processors());
    cli::ExitStatus status = cli::ExitStatus::done;
    together([&] { status = cli::run_batch(arguments, run_dealt); });
    return static_cast<cli::ExitStatus>(
        std::stoi(text_of_first(std::to_string(static_cast<int>(status)))));
}

/// True if the arguments only ask for something to be printed.
bool is_question(Arguments arguments) {
    if (arguments.empty() || cli::help_question(arguments)) return true;
    return arguments.front() == "--version" || arguments.front() == "-V";
}

/// Checks the arguments. Throws: UsageError for standard input, which only the first rank has, and
/// for standard output.
void check_words(Arguments arguments) {
    if (std::ranges::count(arguments, "-") == 0) return;
    throw UsageError(
        "-: ranks share neither standard input nor standard output; name a file, or use pe-gen");
}

/// Checks the command. Throws: UsageError if it makes no table.
void check_command(std::string_view name) {
    const bool makes_tables = name == "attention" || name == "plot";
    if (!cli::find_command(name) || makes_tables) return;
    throw UsageError(fmt::format(
        "{}: pe-gen-mpi makes tables, and the jobs of batch; use pe-gen {}", name, name));
}

/// Runs a command that only prints, on the first rank.
void print_on_first(Arguments arguments) {
    together([&] {
        if (rank() == 0) cli::run(arguments);
    });
}

void run_table(Arguments arguments) {
    cli::Request request;
    together([&] {
        check_command(arguments.front());
        const cli::NamedArguments named = cli::named_arguments(arguments);
        request = cli::parse_request(named.subject, named.rest);
    });
    if (request.run.action == cli::Action::generate) return generate(request);
    print_on_first(arguments);  // --dry-run, --version
}

/// Does what `pe-gen-mpi arguments...` asks for, on all ranks together: makes a table, or runs the
/// jobs of batch. Returns the same status on every rank; failures have been reported by the first
/// rank.
cli::ExitStatus run(Arguments arguments) {
    const Session session;
    try {
        together([&] { check_words(arguments); });
        if (is_question(arguments)) {
            print_on_first(arguments);
        } else if (arguments.front() == "batch") {
            return run_batch(arguments.subspan(1));
        } else {
            run_table(arguments);
        }
        return cli::ExitStatus::done;
    } catch (const Stopped& stopped) {
        if (rank() == 0) cli::print_error(fmt::format("pe-gen: {}\n", stopped.failure.message));
        return stopped.failure.status;
    }
}

}  // namespace
}  // namespace pegen::mpi

int main(int argc, char** argv) { return pegen::cli::run_process(argc, argv, pegen::mpi::run); }
