#include <doctest/doctest.h>

#include "core/error.h"
#include "core/shape.h"
#include "files/npy.h"
#include "formats/fake_table.h"
#include "formats/npy.h"

using namespace pegen;
using namespace pegen::testing;
using namespace std::string_literals;

namespace {

/// The header that numpy.save of NumPy 1.24 writes, its spaces counted by hand.
std::string header_of(const std::string& dictionary, std::size_t spaces) {
    return "\x93NUMPY\x01\0v\0"s + dictionary + std::string(spaces, ' ') + "\n";
}

std::vector<Shape> shapes() {
    return {Shape{},     Shape{5},       Shape{0},         Shape{3, 4},
            Shape{3, 0}, Shape{2, 3, 2}, Shape{2, 1, 3, 2}};
}

/// Returns bytes that differ; if the dtype is bool, only values that a bool may have.
std::string some_bytes(const Shape& shape, DType dtype) {
    std::string bytes(shape.size() * info(dtype).size, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(dtype == DType::boolean ? i % 3 == 0 : i * 37 + 11);
    }
    return bytes;
}

}  // namespace

TEST_CASE("npy: header bytes are those of numpy.save for a 4 x 10 float32 array") {
    const std::string file = written(counting_table({4, 10}, DType::float32), formats::npy);
    CHECK(file.substr(0, 128) ==
          header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 10), }", 57));
    CHECK(file.size() == 128 + 160);
}

TEST_CASE("npy: header bytes are those of numpy.save for other ranks and dtypes") {
    const auto header = [](Shape shape, DType dtype) {
        return formats::npy.head(table_of_bytes(std::move(shape), dtype, ""), Parameters());
    };
    CHECK(header({}, DType::float64) ==
          header_of("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 62));
    CHECK(header({5}, DType::int64) ==
          header_of("{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }", 60));
    CHECK(header({2, 3, 4}, DType::boolean) ==
          header_of("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3, 4), }", 55));
    CHECK(header({4, 10}, DType::bfloat16) ==
          header_of("{'descr': '<V2', 'fortran_order': False, 'shape': (4, 10), }", 57));
    CHECK(
        header({1'000'000'000'000, 128}, DType::float16) ==
        header_of("{'descr': '<f2', 'fortran_order': False, 'shape': (1000000000000, 128), }", 44));
}

TEST_CASE("npy: a header that would end on the boundary grows by a whole line as NumPy's does") {
    std::vector<std::int64_t> extents(13, 1);
    extents.push_back(100);
    Table deep = table_of_bytes(Shape(), DType::float32, "");
    deep.shape = Shape(extents);
    const std::string header = formats::npy.head(deep, Parameters());
    CHECK(header.size() == 192);
    CHECK(header.substr(8, 2) == "\xb6\0"s);
    CHECK(header.ends_with("100), }" + std::string(84, ' ') + "\n"));
}

TEST_CASE("npy: a table comes back from its file in every dtype and rank") {
    const TemporaryFolder folder;
    for (const DTypeInfo& dtype : dtypes) {
        for (const Shape& shape : shapes()) {
            CAPTURE(dtype.name);
            CAPTURE(to_string(shape));
            const Table table = table_of_bytes(shape, dtype.dtype, some_bytes(shape, dtype.dtype));
            put(folder.path("t.npy"), written(table, formats::npy));
            const Table read = read_npy(folder.path("t.npy"));
            CHECK(read.shape == shape);
            CHECK(read.dtype == dtype.dtype);
            CHECK(read.axes.size() == to_size(shape.rank()));
            CHECK(bytes_of(read) == bytes_of(table));
        }
    }
}

TEST_CASE("npy: a rank beyond that of any NumPy array is refused") {
    Table deep = table_of_bytes(Shape(), DType::float32, "");
    deep.shape = Shape(std::vector<std::int64_t>(65, 1));
    CHECK_THROWS_WITH_AS(formats::npy.head(deep, Parameters()),
                         "npy: a table of 65 axes: NumPy has at most 64", UsageError);
}
