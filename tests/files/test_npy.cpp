#include <doctest/doctest.h>

#include "core/error.h"
#include "files/npy.h"

using namespace pegen;

namespace {

constexpr std::string_view dictionary =
    "{'shape': (400, 128), 'descr': '<f4', 'fortran_order': True, }";

}  // namespace

TEST_CASE("npy dictionary: says what is written and where in the file") {
    const NpyDictionary read = parse_npy_dictionary(dictionary, 10, "a.npy");
    CHECK(read.shape == std::vector<std::int64_t>{400, 128});
    CHECK(read.shape_offset == 20);
    CHECK(read.descr == "<f4");
    CHECK(read.descr_offset == 41);
    CHECK(read.fortran_order);
}

TEST_CASE("npy dictionary: no part of one is one") {
    for (std::size_t length = 0; length < dictionary.size(); ++length) {
        CHECK_THROWS_AS(parse_npy_dictionary(dictionary.substr(0, length), 10, "a.npy"),
                        FormatError);
    }
}

TEST_CASE("npy element: the descr of every dtype stands for it in either byte order") {
    for (const DTypeInfo& known : dtypes) {
        const NpyElement native = npy_element(known.npy, 0, "a.npy");
        CHECK(native.dtype == known.dtype);
        CHECK_FALSE(native.is_big_endian);
        const NpyElement big = npy_element('>' + std::string(known.npy.substr(1)), 0, "a.npy");
        CHECK(big.dtype == known.dtype);
        CHECK(big.is_big_endian == (known.size > 1));
    }
}
