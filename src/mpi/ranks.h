#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/exit_status.h"

namespace pegen::mpi {

/// MPI, from MPI_Init to MPI_Finalize. A process has one. Only the first rank has a standard
/// output: what others print is dropped.
class Session {
  public:
    Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();
};

/// The processes that were started together are numbered from 0 to rank_count() - 1.
int rank();
int rank_count();

/// True if all ranks run on one machine and see each other's processes in /proc.
bool see_each_other();

/// Returns how many processors this rank may use: ranks that may run on the same ones share them.
int own_processors();

/// What failed on a rank, and stopped all.
struct Stopped {
    cli::Failure failure;
};

/// Does a step on this rank, and returns when every rank has done it: all ranks must call it. A
/// step may consist of others. Throws: Stopped, on every rank, if the step throws on one; of
/// several failures that of the lowest rank, whose message says which it is unless it is the first.
void together(const std::function<void()>& step);

/// To be called often in a step that takes long: ends the step if that of another rank has failed.
void end_with_others();

/// Returns rank 0's text on every rank. All ranks must call it.
std::string text_of_first(const std::string& text);

/// Returns the texts of all ranks on the first one, and nothing on others. All ranks must call it.
std::vector<std::string> texts_at_first(const std::string& text);

/// A number that all ranks count up. All ranks must make it, and destroy it.
class SharedCounter {
  public:
    SharedCounter();
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;
    ~SharedCounter();

    /// Returns 0, 1, 2, ..., each once on one of the ranks. Any number of threads may call it. Ends
    /// the step in the way of end_with_others().
    std::int64_t next();

  private:
    struct State;
    std::mutex calling_;
    std::unique_ptr<State> state_;
};

}  // namespace pegen::mpi
