#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "files/array_file.h"
#include "formats/fake_table.h"
#include "formats/npy.h"
#include "formats/safetensors.h"
#include "formats/up_to_date.h"
#include "formats/write.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

Table named(Table table, std::string name) {
    table.name = std::move(name);
    return table;
}

/// A format and its parameters.
struct Kind {
    const Format* format;
    Parameters parameters;

    explicit Kind(const Format& of, std::string_view settings = "")
        : format(&of), parameters(of.parameters()) {
        parameters.set_all(settings, Origin::user);
    }
};

const std::vector<Kind> all_kinds{Kind(formats::npz), Kind(formats::npz, "--compress"),
                                  Kind(formats::safetensors)};

/// Writes the tables to the file `path`.
void write_to(const std::string& path, const Kind& kind, const std::vector<Table>& tables) {
    Output output{kind.format, kind.parameters, OutputFile(path)};
    reserve(tables, output);
    write_archive(tables, output);
    finish({&output, 1});
    commit(std::span(&output, 1));
}

std::string written(const Kind& kind, const std::vector<Table>& tables) {
    const TemporaryFolder folder;
    write_to(folder.path("file"), kind, tables);
    const std::string file = content(folder.path("file"));
    const auto size = kind.format->archive->size(tables, kind.parameters);
    CHECK(size.value_or(std::ssize(file)) == std::ssize(file));
    return file;
}

std::optional<std::int64_t> size_of(const Format& format, const Table& table) {
    return format.archive->size(std::vector{table}, Parameters(format.parameters()));
}

}  // namespace

TEST_CASE("archives: arrays of every dtype are read back as they were written") {
    const TemporaryFolder folder;
    std::vector<Table> tables;
    for (const DTypeInfo& dtype : dtypes) {
        const double largest = dtype.dtype == DType::boolean ? 1 : 120;
        tables.push_back(
            named(table_of({2, 2}, dtype.dtype, {0, 1, largest, 1}), std::string(dtype.name)));
    }
    tables.push_back(named(counting_table({3, 0}, DType::float32), "empty"));
    tables.push_back(named(counting_table({}, DType::float64), "scalar"));
    for (const Kind& kind : all_kinds) {
        write_to(folder.path("file"), kind, tables);
        for (const Table& table : tables) {
            const Table read = read_array(folder.path("file:") + table.name);
            CHECK((read.dtype == table.dtype));
            CHECK((read.shape == table.shape));
            CHECK(bytes_of(read) == bytes_of(table));
        }
    }
}

TEST_CASE("archives: a safetensors file is a length, a padded header, and wider elements first") {
    const std::vector<Table> tables{named(table_of({1}, DType::float16, {1}), "a"),
                                    named(table_of({2}, DType::float64, {1, 2}), "b")};
    const std::string header = R"({"b":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
                               R"("a":{"dtype":"F16","shape":[1],"data_offsets":[16,18]}})";
    const std::string file = written(Kind(formats::safetensors), tables);
    CHECK(file.substr(0, 8) == std::string("\x70\0\0\0\0\0\0\0", 8));
    CHECK(file.substr(8, 112) == header + std::string(112 - header.size(), ' '));
    CHECK(file.substr(120) == bytes_of(tables[1]) + bytes_of(tables[0]));
}

TEST_CASE("archives: an NPZ file has the very NPY files, dated 1980") {
    const Table table = named(counting_table({3, 4}, DType::float32), "cos");
    const std::string file = written(Kind(formats::npz), {table});
    const std::string header("PK\3\4\x14\0\0\0\0\0\0\0\x21\0", 14);
    CHECK(file.starts_with(header));
    CHECK(file.substr(30, 7) == "cos.npy");
    CHECK(file.substr(37, 128 + 48).ends_with(bytes_of(table)));
}

TEST_CASE("archives: a compressed NPZ file is smaller, and its size depends on the values") {
    const std::vector<Table> tables{named(counting_table({1000, 64}, DType::float32), "cos")};
    const Kind compressed(formats::npz, "--compress");
    CHECK(!formats::npz.archive->size(tables, compressed.parameters));
    CHECK(2 * written(compressed, tables).size() < written(Kind(formats::npz), tables).size());
}

TEST_CASE("archives: the bytes depend neither on threads nor on the time zone") {
    const int before = thread_count();
    const std::vector<Table> tables{named(counting_table({300'000, 3}, DType::float32), "a"),
                                    named(counting_table({5}, DType::int64), "b")};
    for (const Kind& kind : all_kinds) {
        limit_threads(1);
        ::setenv("TZ", "Asia/Tokyo", 1);
        const std::string first = written(kind, tables);
        limit_threads(2);
        ::unsetenv("TZ");
        CHECK((written(kind, tables) == first));
    }
    limit_threads(before);
}

TEST_CASE("archives: each byte that differs makes a file out of date") {
    const TemporaryFolder folder;
    const std::string path = folder.path("file");
    const std::vector<Table> tables{named(counting_table({2, 3}, DType::float32), "a"),
                                    named(counting_table({2}, DType::int64), "b")};
    for (const Kind& kind : all_kinds) {
        const auto state = [&] {
            return compare_with_file(path, tables, *kind.format, kind.parameters).state;
        };
        write_to(path, kind, tables);
        CHECK(state() == Freshness::up_to_date);
        const std::string file = content(path);
        for (std::size_t i = 0; i < file.size(); ++i) {
            std::string other = file;
            other[i] = static_cast<char>(other[i] ^ 1);
            put(path, other);
            CHECK(state() == Freshness::out_of_date);
        }
        put(path, file + " ");
        CHECK(state() == Freshness::out_of_date);
        put(path, "");
        CHECK(state() == Freshness::out_of_date);
    }
    const Kind npz(formats::npz);
    CHECK(compare_with_file(folder.path("none"), tables, *npz.format, npz.parameters).state ==
          Freshness::missing);
}

TEST_CASE("archives: a table without a place in the format is refused before anything is written") {
    Table deep = named(table_of({1}, DType::float32, {1}), "deep");
    deep.shape = Shape(std::vector<std::int64_t>(65, 1));
    CHECK_THROWS_AS(size_of(formats::npz, deep), UsageError);
    const Table long_name = named(counting_table({1}, DType::float32), std::string(0xffff, 'x'));
    CHECK_THROWS_AS(size_of(formats::npz, long_name), UsageError);
    const Table reserved = named(counting_table({1}, DType::float32), "__metadata__");
    CHECK_THROWS_AS(size_of(formats::safetensors, reserved), UsageError);
}
