#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/agreement.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/identify/array.h"

using namespace pegen;
using recognition::Agreement;
using recognition::Level;
using recognition::Scope;

namespace {

/// Compares a table with itself, of which one element has another value.
Agreement agreement_with(const Table& table, std::int64_t element, double value,
                         const evidence::Proposal& proposal = {}, Scope scope = Scope::leading) {
    std::vector<double> values = all_values(table);
    values[static_cast<std::size_t>(element)] = value;
    return recognition::agreement_of(table, sample_of(table, values), proposal, scope);
}

double value_of(const Table& table, std::int64_t element) {
    return all_values(table)[static_cast<std::size_t>(element)];
}

/// Returns the level of an array whose element departs by this much.
Level level_at(const Table& table, std::int64_t element, double apart,
               const evidence::Proposal& proposal = {}) {
    return agreement_with(table, element, value_of(table, element) + apart, proposal).level;
}

}  // namespace

TEST_CASE("agreement: counts what differs, and names the place of the largest difference") {
    const Table table = table_of("sinusoid --len 5 --d 4");
    const Agreement same = agreement_with(table, 0, value_of(table, 0));
    CHECK((same.level == Level::rounding));
    CHECK(same.values == 20);
    CHECK(same.largest == 0);
    CHECK(same.unequal == 0);
    CHECK(same.differing == 0);
    const Agreement other = agreement_with(table, 7, 3);
    CHECK((other.level == Level::none));
    CHECK(other.largest == 3 - value_of(table, 7));
    CHECK(other.place == std::vector<std::int64_t>{1, 3});
    CHECK(other.unequal == 1);
    CHECK(other.differing == 1);
    const Agreement nan = agreement_with(table, 19, std::nan(""));
    CHECK((nan.level == Level::none));
    CHECK(nan.largest == std::numeric_limits<double>::infinity());
    CHECK(nan.place == std::vector<std::int64_t>{4, 3});
}

TEST_CASE(
    "agreement: within one unit by rounding, within two units and the angle's error as float32") {
    // The value is cos(1) = 0.54, whose unit is 2^-24; the amplitude is 1.
    const Table table = table_of("sinusoid --len 5 --d 4");
    const double unit = 0x1p-24;
    CHECK((level_at(table, 5, unit) == Level::rounding));
    CHECK((level_at(table, 5, -unit) == Level::rounding));
    CHECK((level_at(table, 5, 2 * unit) == Level::float32));
    CHECK((level_at(table, 5, 4 * unit) == Level::float32));
    CHECK((level_at(table, 5, 5 * unit) == Level::none));
    evidence::Proposal proposal;
    proposal.angle = [](std::int64_t row, std::int64_t column) {
        return row == 1 && column == 1 ? -3.0 : 0.0;
    };
    // 2 units and 2^-23 of 1 + 8 * 3
    CHECK((level_at(table, 5, 52 * unit, proposal) == Level::float32));
    CHECK((level_at(table, 5, 53 * unit, proposal) == Level::none));
    CHECK((level_at(table, 4, 53 * unit, proposal) == Level::none));
}

TEST_CASE("agreement: of doubles, within one unit and 2^-50 of the angle; float32 code must show") {
    const Table table = table_of("sinusoid --len 5 --d 4", DType::float64);
    const double unit = 0x1p-53;
    // A unit, and 8 units of 2^-50
    CHECK((level_at(table, 5, 9 * unit) == Level::rounding));
    CHECK((level_at(table, 5, 10 * unit) == Level::none));
    evidence::Proposal proposal;
    proposal.angle = [](std::int64_t, std::int64_t) { return 2.0; };
    CHECK((level_at(table, 5, 25 * unit, proposal) == Level::rounding));
    CHECK((level_at(table, 5, 26 * unit, proposal) == Level::none));
    // As float32 code makes them, some values are sines of numbers of float32: here 3 or 4.
    std::vector<double> values = all_values(table);
    const auto level = [&] {
        return recognition::agreement_of(table, sample_of(table, values), {}, Scope::leading).level;
    };
    for (const std::size_t element : {4, 5, 8}) {
        const double rounded = static_cast<float>(values[element]);
        REQUIRE(rounded != values[element]);
        values[element] = rounded;
    }
    CHECK((level() == Level::none));
    values[9] = static_cast<float>(values[9]);
    CHECK((level() == Level::float32));
}

TEST_CASE("agreement: reads the whole array, block by block, and only its leading rows if asked") {
    const Table table = table_of("sinusoid --len 40000 --d 4");
    trials::Array array = trials::array_of(table);
    array.at(39999, 3) += 1;
    evidence::Sample sample = sample_of(table);
    sample.table = trials::table_of(array);
    const Agreement leading = recognition::agreement_of(table, sample, {}, Scope::leading);
    CHECK((leading.level == Level::rounding));
    CHECK(leading.values == 160000);
    const Agreement whole = recognition::agreement_of(table, sample, {}, Scope::whole);
    CHECK((whole.level == Level::none));
    CHECK(whole.values == 160000);
    CHECK(recognition::agrees_at({20000, 0}, table, sample, {}));
    CHECK(!recognition::agrees_at({39999, 0}, table, sample, {}));
}

TEST_CASE("agreement: evidence is looked for after the rows that repeat at the begin") {
    std::string positions;
    for (int i = 0; i < 1100; ++i) positions += "0,";
    const Table table = table_of("sinusoid --d 64 --positions " + positions + "1,2,3,4");
    const double evidence = agreement_with(table, 0, value_of(table, 0)).evidence;
    const Table rest = table_of("sinusoid --d 64 --positions 0,1,2,3,4");
    CHECK(evidence > agreement_with(rest, 0, value_of(rest, 0)).evidence / 2);
}

TEST_CASE("agreement: compares the rows and channels that a proposal has") {
    const Table table = table_of("sinusoid --len 6 --d 8");
    const Table part =
        recognition::selected(table, {.settings = {}, .rows = {4, 2}, .channels = {7, 0, 1}});
    CHECK(part.shape.extents() == std::vector<std::int64_t>{2, 3});
    const std::vector<double> all = all_values(table);
    CHECK(all_values(part) ==
          std::vector<double>{all[39], all[32], all[33], all[23], all[16], all[17]});
    CHECK(recognition::selected(table, {.settings = {}, .rows = {6}}).shape.size() == 0);
    CHECK(recognition::selected(table, {.settings = {}, .channels = {-1}}).shape.size() == 0);
    CHECK(recognition::selected(table, {.settings = {}, .channels = {8}}).shape.size() == 0);
    CHECK(recognition::selected(table, {.settings = {}, .channels = {7}}).shape.columns() == 1);
}
