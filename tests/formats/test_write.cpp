#include <doctest/doctest.h>

#include <array>
#include <map>
#include <mutex>
#include <stdexcept>

#include "core/error.h"
#include "core/parallel.h"
#include "formats/csv.h"
#include "formats/fake_table.h"
#include "formats/json.h"
#include "formats/npy.h"
#include "formats/registry.h"
#include "formats/safetensors.h"
#include "formats/text.h"
#include "formats/write.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// A table of any size that needs no memory: element i is i modulo 251.
Table large_table(Shape shape) {
    Table table = table_of_bytes(std::move(shape), DType::uint16, "");
    const std::size_t columns = table.shape.columns();
    table.rows = rows_like(table, [columns](RowRange range, std::span<std::byte> out) {
        for (std::size_t i = 0; i < out.size() / 2; ++i) {
            const std::size_t element = range.first * columns + i;
            const auto value = static_cast<std::uint16_t>(element % 251);
            std::memcpy(out.data() + 2 * i, &value, 2);
        }
    });
    return table;
}

std::vector<Output> outputs_in(const TemporaryFolder& folder,
                               std::initializer_list<const Format*> formats) {
    std::vector<Output> outputs;
    for (const Format* format : formats) {
        outputs.push_back({format, Parameters(format->parameters()),
                           OutputFile(folder.path(std::to_string(outputs.size())))});
    }
    return outputs;
}

}  // namespace

TEST_CASE("tiles: cover each row once whatever the size") {
    for (const Shape& shape : {Shape{}, Shape{0, 4}, Shape{7}, Shape{1'000'003, 5},
                               Shape{3, 2'000'000}, Shape{1'500'000, 0}}) {
        const Tiles tiles = tiles_of(large_table(shape));
        std::int64_t next = 0;
        for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
            CHECK(tiles[tile].first == next);
            CHECK(tiles[tile].count >= 1);
            next += tiles[tile].count;
        }
        CHECK(next == shape.rows());
    }
}

TEST_CASE("tiles: hold half a mebibyte or one row") {
    CHECK(tiles_of(large_table({1'000'000, 64})).rows_per_tile == 4096);
    CHECK(tiles_of(large_table({1'000, 3'000'000})).rows_per_tile == 1);
}

TEST_CASE("write: the bytes do not depend on the number of threads") {
    const int before = thread_count();
    const Table table = large_table({300'001, 7});
    std::map<std::string_view, std::string> first;
    for (const int threads : {1, 2, 7}) {
        limit_threads(threads);
        for (const Format* format : {&formats::npy, &formats::json, &formats::csv}) {
            const std::string file = written(table, *format);
            CHECK((first.emplace(format->name, file).first->second == file));
        }
    }
    limit_threads(before);
    CHECK((first["npy"].substr(128) == bytes_of(table)));
}

TEST_CASE("write: text formatted in tiles is the text formatted at once") {
    const Table table = large_table({70, 41, 3, 61});
    REQUIRE(tiles_of(table).count() > 1);
    std::string rows(bytes_of(table));
    for (const Format* format : {&formats::json, &formats::csv}) {
        const Parameters parameters(format->parameters());
        std::string whole = format->head(table, parameters);
        format->append_rows(table, parameters, {0, table.shape.rows()},
                            std::as_bytes(std::span(rows)), whole);
        whole += format->tail(table, parameters);
        CHECK((written(table, *format) == whole));
    }
}

TEST_CASE("write: the parts of a file are the whole file") {
    const Table table = large_table({70, 41, 3, 61});
    for (const Format* format : {&formats::npy, &formats::json, &formats::csv}) {
        CAPTURE(format->name);
        const Parameters parameters(format->parameters());
        const auto next = file_parts(table, *format, parameters);
        std::string file;
        int parts = 0;
        for (std::string part = next(); !part.empty(); part = next()) {
            file += part;
            ++parts;
        }
        CHECK((file == whole_file(table, *format, parameters)));
        CHECK(parts > 1);
        CHECK(next().empty());
    }
}

TEST_CASE("write: each row is filled once for any number of outputs") {
    const TemporaryFolder folder;
    Table table = large_table({200'000, 9});
    std::mutex mutex;
    std::vector<int> filled(200'000);
    table.rows = rows_like(table, [&, rows = table.rows](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        const std::lock_guard lock(mutex);
        for (std::int64_t i = 0; i < range.count; ++i) {
            ++filled[range.first + i];
        }
    });
    std::vector<Output> outputs =
        outputs_in(folder, {&formats::npy, &formats::csv, &formats::json, &formats::npy});
    write_table(table, outputs);
    CHECK(std::count(filled.begin(), filled.end(), 1) == 200'000);
    commit(outputs);
    CHECK((content(folder.path("0")) == content(folder.path("3"))));
    CHECK((content(folder.path("1")) == written(large_table({200'000, 9}), formats::csv)));
}

TEST_CASE("write: for formats that take no rows only those they ask for are filled") {
    const TemporaryFolder folder;
    Table table = large_table({1'000'000, 2});
    std::int64_t asked = 0;
    table.rows = rows_like(table, [&, rows = table.rows](RowRange range, std::span<std::byte> out) {
        asked += range.count;
        rows(range, out);
    });
    std::vector<Output> outputs = outputs_in(folder, {&formats::text});
    write_table(table, outputs);
    CHECK(asked == 6);
}

TEST_CASE("write: progress counts the rows asked for and then the rows written") {
    const TemporaryFolder folder;
    const Table table = large_table({200'000, 9});
    std::vector<Output> outputs = outputs_in(folder, {&formats::npy, &formats::text});
    std::vector<std::pair<std::int64_t, std::int64_t>> heard;
    write_table(table, outputs,
                [&](std::int64_t done, std::int64_t total) { heard.emplace_back(done, total); });
    const std::int64_t tile = tiles_of(table).rows_per_tile;
    std::vector<std::pair<std::int64_t, std::int64_t>> expected;
    for (std::int64_t row = 1; row <= 6; ++row) expected.emplace_back(row, 0);
    for (std::int64_t row = tile; row < 200'000; row += tile) expected.emplace_back(row, 200'000);
    expected.emplace_back(200'000, 200'000);
    CHECK(heard == expected);
}

TEST_CASE("write: the size of a file is known before it is written where rows are bytes") {
    const Table table = large_table({300, 7});
    const auto size_of = [&](const Format& format) {
        return file_size(table, format, Parameters(format.parameters()));
    };
    CHECK(size_of(formats::npy) == written(table, formats::npy).size());
    CHECK(!size_of(formats::csv));
    CHECK(!size_of(formats::text));
}

TEST_CASE("write: an NPY file without elements costs nothing however long its shape") {
    const Table table = large_table({std::int64_t{1} << 62, 0});
    CHECK(written(table, formats::npy).size() == 128);
}

TEST_CASE("write: a format that refuses the table does so before a byte is written") {
    const TemporaryFolder folder;
    Table table = large_table({2, 2});
    table.shape = Shape(std::vector<std::int64_t>(65, 1));
    table.axes.resize(65);
    std::vector<Output> outputs = outputs_in(folder, {&formats::csv, &formats::npy});
    CHECK_THROWS_AS(write_table(table, outputs), UsageError);
    commit(std::span(outputs).first(1));
    CHECK(content(folder.path("0")).empty());
}

TEST_CASE("write: an exception of a row source is passed on and leaves no file") {
    const TemporaryFolder folder;
    Table table = large_table({5'000'000, 2});
    table.rows = rows_like(table, [](RowRange range, std::span<std::byte>) {
        if (range.first > 1'000'000) throw FileError("in.npy", "cannot read");
    });
    {
        std::vector<Output> outputs = outputs_in(folder, {&formats::npy});
        CHECK_THROWS_AS(write_table(table, outputs), FileError);
    }
    CHECK(folder.names().empty());
}

TEST_CASE("registry: formats are found by extension in upper and lower case") {
    CHECK(format_by_extension("out/a.npy") == &formats::npy);
    CHECK(format_by_extension("a.npz") == &formats::npz);
    CHECK(format_by_extension("a.safetensors") == &formats::safetensors);
    CHECK(format_by_extension("a.b.JSON") == &formats::json);
    CHECK(format_by_extension("a.csv") == &formats::csv);
    CHECK(format_by_extension("a.txt") == &formats::text);
    CHECK(format_by_extension("out/.npy") == &formats::npy);
    for (const char* path : {"a", "a.", "npy", "a.npy/b", "a.np", ""}) {
        CHECK(format_by_extension(path) == nullptr);
    }
}

TEST_CASE("registry: every format is complete and shares no name with another") {
    std::set<std::string_view> names;
    for (const Format* format : all_formats()) {
        CAPTURE(format->name);
        CHECK(names.insert(format->name).second);
        CHECK(!format->summary.empty());
        const bool has_rows = !format->archive && !format->draw;
        CHECK((format->archive == nullptr || format->draw == nullptr));
        CHECK((format->head != nullptr) == has_rows);
        CHECK((format->tail != nullptr) == has_rows);
        if (format->is_shown) continue;
        CHECK(format_by_extension("a." + std::string(format->extensions.substr(
                                             0, format->extensions.find(' ')))) == format);
    }
}
