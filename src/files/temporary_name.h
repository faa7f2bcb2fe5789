#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/signals.h"

namespace pegen {

/// The name of a file that must not stay: the name is removed with the object, and before a signal
/// ends the program. Only SIGKILL leaves it. So that the next run can tell an abandoned file, such
/// files are locked (flock) while they are in use.
class TemporaryName {
  public:
    explicit TemporaryName(std::string path);
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName();

    const std::string& path() const { return path_; }

    /// Leaves the name alone from now on: it does not exist any more, or it shall stay.
    void release() { is_ours_ = false; }

  private:
    std::string path_;
    BeforeSignal removal_;
    bool is_ours_ = true;
};

/// Locks a file that has a temporary name, or will have one. Best effort: some file systems have no
/// locks.
void mark_as_used(int descriptor);

/// Opens the file `path` and locks it. Returns its descriptor, or -1 if it cannot be opened.
int open_in_use(const char* path);

/// A file under a temporary name, or a negative result and errno.
struct NamedFile {
    int result;
    std::unique_ptr<TemporaryName> name;
};

/// Calls `create` with the first temporary name for `target` that is free: .pe-gen-a.npy-1 in the
/// folder of a.npy, then -2 and so on.
NamedFile create_beside(const std::string& target,
                        const std::function<int(const char* name)>& create);

/// Removes the files that killed runs left under such names. Must not be called while this process
/// has one of them, because its lock may have failed; nor if the target does not exist, because
/// without hard links a killed run may have moved the target's content there.
void remove_abandoned_beside(const std::string& target);

}  // namespace pegen
