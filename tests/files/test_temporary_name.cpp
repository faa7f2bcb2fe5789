#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "files/temporary_folder.h"
#include "files/temporary_name.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

int make(const char* path) {
    put(path, "made");
    return 0;
}

}  // namespace

TEST_CASE("temporary name: the file goes with the object unless it is released") {
    const TemporaryFolder folder;
    for (const bool is_released : {false, true}) {
        const NamedFile file = create_beside(folder.path("a"), make);
        CHECK(folder.names() == std::set<std::string>{".pe-gen-a-1"});
        if (is_released) file.name->release();
    }
    CHECK(folder.names() == std::set<std::string>{".pe-gen-a-1"});
}

TEST_CASE("temporary name: a name that is taken is passed over") {
    const TemporaryFolder folder;
    put(folder.path(".pe-gen-a-1"), "taken");
    const NamedFile file = create_beside(folder.path("a"), [&](const char* path) {
        if (path != folder.path(".pe-gen-a-2")) return make(path);
        errno = EEXIST;  // taken since it was found free
        return -1;
    });
    CHECK(file.name->path() == folder.path(".pe-gen-a-3"));
    CHECK(content(folder.path(".pe-gen-a-1")) == "taken");
}

TEST_CASE("temporary name: a file that cannot be made has no name and errno says why") {
    const TemporaryFolder folder;
    const NamedFile file = create_beside(folder.path("a"), [](const char*) {
        errno = ENOSPC;
        return -1;
    });
    CHECK(errno == ENOSPC);
    CHECK(file.result < 0);
    CHECK(file.name == nullptr);
}

TEST_CASE("temporary name: abandoned files are removed but those in use") {
    const TemporaryFolder folder;
    for (const std::string number : {"1", "2", "3"}) put(folder.path(".pe-gen-a-" + number), "");
    const int user = open_in_use(folder.path(".pe-gen-a-2").c_str());
    REQUIRE(user >= 0);
    remove_abandoned_beside(folder.path("a"));
    CHECK(folder.names() == std::set<std::string>{".pe-gen-a-2"});
    ::close(user);
}
