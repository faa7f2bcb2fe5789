#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>

#include "files/sha256.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

void add(Sha256& digest, std::string_view text) { digest.add(std::as_bytes(std::span(text))); }

}  // namespace

// The digests are those of FIPS 180-4's examples, as sha256sum prints them.
TEST_CASE("sha256: of nothing, of a text and of its pieces") {
    Sha256 digest;
    CHECK(digest.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    add(digest, "a");
    add(digest, "bc");
    CHECK(digest.hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(digest.hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(digest.size() == 3);
}

TEST_CASE("sha256: of a file that is read in pieces") {
    const TemporaryFolder folder;
    put(folder.path("a"), std::string(1'000'000, 'a'));
    const Sha256 digest = sha256_of(InputFile(folder.path("a")));
    CHECK(digest.hex() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK(digest.size() == 1'000'000);
}
