#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "files/open_file.h"
#include "files/temporary_folder.h"
#include "files/temporary_name.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// A folder that is open.
struct OpenFolder {
    TemporaryFolder folder;
    Descriptor descriptor{::open(folder.path("").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};

    int number() const { return descriptor.number(); }
    int make(const char* name) const {
        put(folder.path(name), "made");
        return 0;
    }
};

}  // namespace

TEST_CASE("temporary name: the file goes with the object unless it is released") {
    const OpenFolder open;
    for (const bool is_released : {false, true}) {
        const NamedFile file =
            create_beside(open.number(), "a", [&](const char* name) { return open.make(name); });
        CHECK(open.folder.names() == std::set<std::string>{file.name->text()});
        if (is_released) file.name->release();
    }
    CHECK(open.folder.names().size() == 1);
}

TEST_CASE("temporary name: each is another one and names the file") {
    const OpenFolder open;
    std::set<std::string> names;
    for (int i = 0; i < 1000; ++i) {
        const std::string name = TemporaryName(open.number(), "a.npy").text();
        CHECK(name.starts_with(".pe-gen-a.npy-"));
        names.insert(name);
    }
    CHECK(names.size() == 1000);
}

TEST_CASE("temporary name: a name that is taken is passed over and stays") {
    const OpenFolder open;
    std::string taken;
    const NamedFile file = create_beside(open.number(), "a", [&](const char* name) {
        open.make(name);
        if (!taken.empty()) return 0;
        taken = name;
        errno = EEXIST;
        return -1;
    });
    CHECK(open.folder.names() == std::set<std::string>{taken, file.name->text()});
}

TEST_CASE("temporary name: a file that cannot be made has no name and errno says why") {
    const OpenFolder open;
    const NamedFile file = create_beside(open.number(), "a", [](const char*) {
        errno = ENOSPC;
        return -1;
    });
    CHECK(errno == ENOSPC);
    CHECK(file.result < 0);
    CHECK(file.name == nullptr);
}
