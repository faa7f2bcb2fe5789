#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/tensor_fill.h"
#include "draws/jax/fill.h"
#include "encodings/corruption.h"
#include "encodings/registry.h"

using namespace pegen;

namespace {

/// Returns a table of the encoding `name`, its first one, with a corruption: "--noise 0.1".
Table corrupted_table(std::string_view name, std::string_view settings, std::string_view corruption,
                      DType dtype = DType::float32, int number = 0) {
    const Encoding& encoding = *find_encoding(name);
    Parameters parameters(encoding.parameters);
    parameters.set_all(settings, Origin::user);
    Parameters flaws(corruption_parameters());
    flaws.set_all(corruption, Origin::user);
    PlannedTable planned = plan_table(encoding, encoding.tables[number], parameters, dtype);
    if (is_corruption(flaws)) planned = corrupted(std::move(planned), flaws, number);
    planned.table.rows = planned.make_rows(ignore_progress);
    return std::move(planned.table);
}

std::vector<double> values(const Table& table) { return read_rows(table, {0, table.shape.rows()}); }

std::vector<double> values_of(std::string_view name, std::string_view settings,
                              std::string_view corruption, DType dtype = DType::float32) {
    return values(corrupted_table(name, settings, corruption, dtype));
}

/// The draw of step `step` of table `table`, with jax.random's fold_in written out.
jax::Draw draw(std::uint32_t seed, std::uint32_t table, std::uint32_t step, std::int64_t size) {
    const jax::Words of_table = jax::threefry({0, seed}, {0, table});
    return {jax::threefry(of_table, {0, step}), size, jax::Counting::elements};
}

std::string refusal(std::string_view name, std::string_view corruption, int number = 0) {
    try {
        corrupted_table(name, "", corruption, find_encoding(name)->tables[number].dtype, number);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("corruption: noise is what jax.random draws, added in the table's dtype") {
    const auto plain = values_of("sinusoid", "--d 6 --len 700", "");
    const auto noisy = values_of("sinusoid", "--d 6 --len 700", "--noise 0.25 --corruption-seed 7");
    const auto drawn = elements_of(jax::normal_fill(draw(7, 0, 0, 4200), 0, 0.25), 0, 4200);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        REQUIRE(noisy[i] == static_cast<double>(static_cast<float>(plain[i] + drawn[i])));
    }
    CHECK(values_of("sinusoid", "--d 6 --len 700", "--noise normal:0,0.25 --corruption-seed 7") ==
          noisy);
    const auto uniform = values_of("learned", "--init constant:0 --d 3 --len 5",
                                   "--noise uniform:2,3", DType::float64);
    CHECK(uniform == elements_of(jax::uniform_fill(draw(0, 0, 0, 15), 2, 3), 0, 15));
    // Another table of an encoding has other noise.
    const Table sines = corrupted_table("rope", "--d 4 --len 3", "--noise 1", DType::float64, 1);
    const Table pure = corrupted_table("rope", "--d 4 --len 3", "", DType::float64, 1);
    const auto second = elements_of(jax::normal_fill(draw(0, 1, 0, 12), 0, 1), 0, 12);
    CHECK(values(sines)[5] == values(pure)[5] + second[5]);
}

TEST_CASE("corruption: dropout sets values to 0 and divides the others") {
    const auto plain = values_of("learned", "--init constant:3 --d 64 --len 1000", "");
    const auto dropped =
        values_of("learned", "--init constant:3 --d 64 --len 1000", "--dropout 0.25");
    const auto zeros = static_cast<double>(std::ranges::count(dropped, 0));
    CHECK(static_cast<double>(std::ranges::count(dropped, 4)) + zeros == 64'000);
    CHECK(std::fabs(zeros / 64'000 - 0.25) < 4 * std::sqrt(0.25 * 0.75 / 64'000));
    const auto drawn = elements_of(jax::uniform_fill(draw(0, 0, 1, 64'000), 0, 1), 0, 64'000);
    for (std::size_t i = 0; i < drawn.size(); ++i) REQUIRE((dropped[i] == 0) == (drawn[i] >= 0.75));
    CHECK(values_of("learned", "--init constant:3 --d 64 --len 1000", "--dropout 0") == plain);
}

TEST_CASE("corruption: values are rounded to a coarser type and stay in their own") {
    for (const auto& [word, dtype] :
         {std::pair("float16", DType::float16), std::pair("bfloat16", DType::bfloat16)}) {
        CHECK(values_of("sinusoid", "--d 6 --len 300", std::string("--round-to ") + word) ==
              values_of("sinusoid", "--d 6 --len 300", "", dtype));
    }
}

TEST_CASE("corruption: rows and columns are cropped, then shuffled") {
    const Table cropped =
        corrupted_table("sinusoid", "--d 6 --len 9", "--crop-rows 2:-1 --crop-columns :4");
    CHECK(to_string(cropped.shape) == "(6, 4)");
    CHECK(position_at(cropped.axes[0], 0) == 2);
    CHECK(values(cropped)[5] == values_of("sinusoid", "--d 6 --len 9", "")[3 * 6 + 1]);
    const auto rows = values_of("index", "--len 2000", "--shuffle rows");
    CHECK(std::set(rows.begin(), rows.end()).size() == 2000);
    CHECK_FALSE(std::ranges::is_sorted(rows));
    std::vector<double> drawn = elements_of(jax::uniform_fill(draw(0, 0, 2, 2000), 0, 1), 0, 2000);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        REQUIRE(drawn[static_cast<std::size_t>(rows[i - 1])] <=
                drawn[static_cast<std::size_t>(rows[i])]);
    }
    // One order of the columns for all rows.
    const Table both = corrupted_table("sinusoid", "--d 6 --len 9", "--shuffle both");
    const auto mixed = values(both), plain = values_of("sinusoid", "--d 6 --len 9", "");
    const auto row_of = [](const std::vector<double>& all, std::size_t row) {
        std::multiset<double> values(all.begin() + row * 6, all.begin() + row * 6 + 6);
        return values;
    };
    std::multiset<std::multiset<double>> before, after;
    for (std::size_t row = 0; row < 9; ++row) {
        before.insert(row_of(plain, row));
        after.insert(row_of(mixed, row));
    }
    CHECK(before == after);
    CHECK(mixed != plain);
    // Of a table with three axes, the first and the last.
    const Table bias =
        corrupted_table("alibi", "--heads 4 --len 5", "--crop-rows 1:3 --shuffle rows");
    CHECK(to_string(bias.shape) == "(2, 5, 5)");
}

TEST_CASE("corruption: any part of the rows is the same, and the title names the flaws") {
    const Table table =
        corrupted_table("sinusoid", "--d 50 --len 300", "--shuffle rows --noise 0.1 --dropout 0.5");
    const auto all = values(table);
    for (const std::int64_t first : {0, 1, 127, 299}) {
        const auto row = read_rows(table, {first, 1});
        CHECK(std::equal(row.begin(), row.end(), all.begin() + first * 50));
    }
    CHECK(table.title ==
          "Positional Encoding (d_model=50, max_len=300), shuffle rows, noise 0.1, "
          "dropout 0.5");
    CHECK_FALSE(table.sibling);
}

TEST_CASE("corruption: what changes nothing is no corruption") {
    const auto effective_of = [](std::string_view settings) {
        Parameters flaws(corruption_parameters());
        flaws.set_all(settings, Origin::user);
        return is_corruption(effective(flaws));
    };
    for (const char* nothing :
         {"--noise 0", "--noise none", "--noise normal:0,0", "--dropout 0", "--corruption-seed 7",
          "--noise 0 --dropout 0 --corruption-seed 1"}) {
        CAPTURE(nothing);
        CHECK_FALSE(effective_of(nothing));
    }
    for (const char* flaw : {"--noise normal:1,0", "--noise 1/9", "--dropout 1/9", "--shuffle rows",
                             "--crop-rows :1", "--round-to f16"}) {
        CAPTURE(flaw);
        CHECK(effective_of(flaw));
    }
}

TEST_CASE("corruption: indices keep their names when cropped, and lose them when shuffled") {
    const Table heads = corrupted_table("alibi", "--heads 4 --len 5", "--crop-rows 2:");
    CHECK(index_name(heads.axes[0], 0) == "head 2");
    const Table rows = corrupted_table("sinusoid", "--start 100 --d 4 --len 5", "--shuffle rows");
    CHECK(rows.axes[0].name == "row");
    CHECK_FALSE(rows.axes[0].positions);
    const Table columns = corrupted_table("sinusoid", "--d 6 --len 5", "--crop-columns 2:4");
    CHECK(columns.axes[1].name == "channel");
    CHECK(position_at(columns.axes[1], 0) == 0);
}

TEST_CASE("corruption: what cannot be is refused") {
    CHECK(refusal("t5", "--noise 1") ==
          "--noise: the table bucket holds integers; --table bias holds reals");
    CHECK(refusal("shaw", "--round-to bfloat16")
              .starts_with("--round-to: the table index holds integers; --table "));
    CHECK(refusal("deberta", "--dropout 0.1") == "--dropout: the table bucket holds integers");
    CHECK(refusal("sinusoid", "--noise -1") ==
          "--noise -1: must be at least 0: it is the standard deviation");
    CHECK(refusal("sinusoid", "--noise constant:1") ==
          "--noise constant:1: must be a standard deviation, normal:MEAN,STD or uniform:LOW,HIGH");
    for (const std::string noise : {"xavier-uniform", "nan", "inf", "1e999", "0.1x"}) {
        CHECK(refusal("sinusoid", "--noise " + noise) ==
              "--noise " + noise +
                  ": must be a standard deviation, normal:MEAN,STD or uniform:LOW,HIGH");
    }
    CHECK(refusal("sinusoid", "--crop-columns 5:2") ==
          "--crop-columns 5:2: there are columns 0 to 511");
    CHECK(refusal("sinusoid", "--crop-rows 5") == "--crop-rows 5: must be FROM:TO");
    CHECK(refusal("sinusoid", "--crop-rows 8:8") == "--crop-rows 8:8: there are rows 0 to 511");
    CHECK(refusal("rope", "--shuffle both", 2) ==
          "--shuffle: the table inv-freq has rows only, of one value each");
    CHECK(refusal("sinusoid", "--dropout 1").starts_with("--dropout 1: must be"));
    CHECK(refusal("t5", "--shuffle both") == "accepted");
}
