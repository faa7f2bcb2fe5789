#include "mpi/ranks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/to_size.h"
#include "files/descriptor.h"

namespace pegen::mpi {
namespace {

constexpr int failure_tag = 1;
constexpr int text_tag = 2;

/// The step of another rank has failed.
struct OtherHasFailed {};

/// The ranks of this machine.
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

/// Does the step. Returns what failed. Throws: Stopped if all ranks know of it already.
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

/// Messages to all other ranks, until they have been received.
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
    std::string text(to_size(size), ' ');
    ::MPI_Recv(text.data(), size, MPI_CHAR, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return text;
}

}  // namespace

Session::Session() {
    // By default Open MPI prepares shared file pointers, which nobody uses here, by files beside
    // the target; these it has in its own folder.
    ::setenv("OMPI_MCA_sharedfp", "sm", 0);
    int provided = 0;
    // Any thread may write to a file, but one at a time.
    ::MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (rank() == 0) return;
    const Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    ::dup2(nowhere.number(), STDOUT_FILENO);
}

Session::~Session() { ::MPI_Finalize(); }

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

bool see_each_other() {
    struct stat processes {};  // zeros if there is no /proc
    ::stat("/proc/self/ns/pid", &processes);
    const auto number = static_cast<std::int64_t>(processes.st_ino);
    // Of some numbers, the least and that of the largest: whether all are the same.
    std::int64_t least[] = {Neighbours().count(), number, -number};
    ::MPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least[0] == rank_count() && number != 0 && least[1] == -least[2];
}

int own_processors() {
    const Neighbours neighbours;
    cpu_set_t own{};
    ::sched_getaffinity(0, sizeof own, &own);
    std::vector<cpu_set_t> all(to_size(neighbours.count()));
    ::MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                    neighbours.ranks());
    const auto sharing = std::ranges::count_if(
        all, [&](const cpu_set_t& other) { return CPU_EQUAL(&own, &other) != 0; });
    return std::max(1, thread_count() / static_cast<int>(sharing));
}

void together(const std::function<void()>& step) {
    std::optional<cli::Failure> failure = failure_of(step);
    std::optional<Announcement> announcement;
    if (failure) announcement.emplace(failure->message);

    const int status = failure ? static_cast<int>(failure->status) : 0;
    std::vector<int> statuses(to_size(rank_count()));
    ::MPI_Allgather(&status, 1, MPI_INT, statuses.data(), 1, MPI_INT, MPI_COMM_WORLD);

    std::optional<int> first;
    std::string message;
    for (int other = 0; other < rank_count(); ++other) {
        if (statuses[to_size(other)] == 0) continue;
        std::string text = other == rank() ? failure->message : text_from(other, failure_tag);
        if (first) continue;
        first = other;
        message = std::move(text);
    }
    if (!first) return;
    if (*first > 0) message = fmt::format("rank {}: {}", *first, message);
    throw Stopped{{static_cast<cli::ExitStatus>(statuses[to_size(*first)]), message}};
}

void end_with_others() {
    int has_failed = 0;
    ::MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, MPI_COMM_WORLD, &has_failed, MPI_STATUS_IGNORE);
    if (has_failed) throw OtherHasFailed{};
}

std::string text_of_first(const std::string& text) {
    std::string copy = text;
    auto size = static_cast<int>(copy.size());
    ::MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    copy.resize(to_size(size));
    ::MPI_Bcast(copy.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
    return copy;
}

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

}  // namespace pegen::mpi
