#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/signals.h"

namespace pegen {

/// The name of a file that must not stay: .pe-gen-FILE-PID-RANDOM, which no other run takes. The
/// name is removed with the object, and before a signal ends the program; after SIGKILL it stays.
class TemporaryName {
  public:
    /// Makes up a name for the folder that is open as `folder`, which must outlive the object.
    /// `file` is the name of the file beside which the new one will be.
    TemporaryName(int folder, const std::string& file);
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName();

    const std::string& text() const { return place_.name; }

    /// Leaves the name alone from now on, because it does not exist any more, or shall stay.
    void release() { is_ours_ = false; }

  private:
    struct Place {
        int folder;
        std::string name;
    };
    static void remove(const void* place);

    Place place_;
    BeforeSignal removal_;
    bool is_ours_ = true;
};

/// A file under a temporary name, or a negative result and errno.
struct NamedFile {
    int result;
    std::unique_ptr<TemporaryName> name;
};

/// Calls `create` with a temporary name, and again with other names as long as it fails with
/// EEXIST.
NamedFile create_beside(int folder, const std::string& file,
                        const std::function<int(const char* name)>& create);

}  // namespace pegen
