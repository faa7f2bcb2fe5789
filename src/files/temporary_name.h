#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/signals.h"

namespace pegen {

/// The name of a file that must not stay: it goes with the object, and before a signal that ends
/// the program. SIGKILL leaves it. So that the next run can tell, such a file is locked (flock)
/// while it is in use.
class TemporaryName {
  public:
    explicit TemporaryName(std::string path);
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName();

    const std::string& path() const { return path_; }

    /// There is no such name any more, or it shall stay.
    void release() { is_ours_ = false; }

  private:
    std::string path_;
    BeforeSignal removal_;
    bool is_ours_ = true;
};

/// Locks a file that has a temporary name, or will. Best effort: some file systems have no locks.
void mark_as_used(int descriptor);

/// A descriptor of the file `path`, locked; -1 if it cannot be opened.
int open_in_use(const char* path);

/// A file under a temporary name, or a negative result and errno.
struct NamedFile {
    int result;
    std::unique_ptr<TemporaryName> name;
};

/// Has `create` make a file of the first name that is free: .pe-gen-a.npy-1 beside a.npy, and so
/// on.
NamedFile create_beside(const std::string& target,
                        const std::function<int(const char* name)>& create);

/// Removes what killed runs left under such names. Not while this process has one of them: a lock
/// may have been refused. Nor if the target is missing: where links are lacking, a killed run may
/// have put its content there.
void remove_abandoned_beside(const std::string& target);

}  // namespace pegen
