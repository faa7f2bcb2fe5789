#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "core/names.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "inspect/properties/concatenation.h"
#include "inspect/properties/displaced.h"
#include "inspect/properties/measured.h"
#include "inspect/properties/property.h"
#include "rows/kept.h"

using namespace pegen;

namespace {

/// Returns a table as read from a file: the meaning of its axes is unknown.
Table file_of(std::vector<std::int64_t> extents, const std::vector<double>& values,
              DType dtype = DType::float64) {
    Table table;
    table.shape = Shape(std::move(extents));
    table.dtype = dtype;
    table.axes.resize(static_cast<std::size_t>(table.shape.rank()));
    table.rows = rounded(rows::kept_rows(values, table.shape.columns()), dtype);
    return table;
}

/// Rows of a sine and a cosine of frequency 1.
std::vector<double> circle(std::int64_t rows) {
    std::vector<double> values;
    for (std::int64_t t = 0; t < rows; ++t) {
        values.push_back(std::sin(static_cast<double>(t)));
        values.push_back(std::cos(static_cast<double>(t)));
    }
    return values;
}

Finding finding_of(const Table& table, std::string_view property) {
    Measured measured(table, 0, ignore_progress);
    return find_property(property)->measure(measured);
}

std::string_view verdict_of(const Table& table, std::string_view property) {
    return name_of(finding_of(table, property).verdict);
}

template <class T>
T number_of(const Finding& finding, std::string_view name) {
    const auto found = std::ranges::find(finding.numbers, name, &ReportNumber::name);
    REQUIRE(found != finding.numbers.end());
    return std::get<T>(found->value);
}

/// Returns the promises that a table breaks: "rotation offset".
std::string broken_promises(const Table& table, std::string_view promises) {
    Measured measured(table, 0, ignore_progress);
    std::string broken;
    for (const std::string_view name : words(promises)) {
        if (find_property(name)->measure(measured).verdict != Verdict::fails) continue;
        broken += fmt::format("{}{}", broken.empty() ? "" : " ", name);
    }
    return broken;
}

/// Sets extents that keep tables small.
Parameters made_short(Parameters parameters) {
    const auto set = [&](std::string_view name, std::string_view extent) {
        const bool is_there = std::ranges::any_of(parameters.entries(), [&](const auto& entry) {
            return entry.spec->name == name && entry.spec->is_extent();
        });
        if (is_there) parameters.set(name, extent, Origin::user);
    };
    set("len", "48");
    const bool has_axes = std::ranges::any_of(
        parameters.entries(), [](const auto& entry) { return entry.spec->name == "axes"; });
    const bool has_one_axis =
        has_axes && parameters.has("axes") && to_string(parameters.value("axes")) == "x";
    if (!has_one_axis) set("height", "8");
    set("width", "12");
    return parameters;
}

}  // namespace

TEST_CASE("properties: the list has names and words and promises name what is in it") {
    std::set<std::string_view> names;
    for (const Property* property : all_properties()) {
        CHECK(names.insert(property->name).second);
        CHECK(find_property(property->name) == property);
        CHECK_FALSE(property->formula.empty());
        CHECK_FALSE(property->summary.empty());
        CHECK_FALSE(property->source.empty());
    }
    for (const Encoding* encoding : all_encodings()) {
        for (const TableSpec& table : encoding->tables) {
            for (const std::string_view name : words(table.promises)) {
                INFO(encoding->name, " promises ", name);
                REQUIRE(find_property(name));
                CHECK(find_property(name)->has_verdict);
            }
        }
    }
}

TEST_CASE(
    "properties: every encoding and preset keeps its promises but those known to break them") {
    const auto check = [](std::string_view name, const Encoding& encoding,
                          const Parameters& parameters, std::string_view preset) {
        // These presets have a frequency for each channel, or subtract the mean, so pairs do not
        // lie on circles about 0.
        const std::string expected = name == "note1"          ? "rotation offset spacing"
                                     : name == "samlynnevans" ? "rotation offset spacing"
                                     : name == "hf-patchtst"  ? "rotation offset"
                                                              : "";
        for (const TableSpec& spec : encoding.tables) {
            if (spec.promises.empty()) continue;
            CAPTURE(name);
            CAPTURE(spec.name);
            const Table table =
                make_table(encoding, spec, made_short(parameters), spec.dtype, preset);
            CHECK(broken_promises(table, spec.promises) == expected);
        }
    };
    for (const Encoding* encoding : all_encodings()) {
        check(encoding->name, *encoding, Parameters(encoding->parameters), "");
    }
    for (const Preset& preset : all_presets()) {
        check(preset.name, *preset.encoding, parameters_of(preset), preset.name);
    }
}

TEST_CASE("properties: sinusoids keep all laws in every dtype and at any position") {
    for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
        for (const char* command :
             {"sinusoid --d 32 --len 100", "sinusoid --d 32 --len 100 --start 1000000",
              "sinusoid --d 33 --len 50 --odd exact", "fairseq --d 33 --len 50",
              "sinusoid --d 32 --len 64 --step 0.1",
              "sinusoid --d 32 --len 64 --step 0.001 --freq-scale 1570.796",
              "sinusoid --d 32 --len 64 --reverse",
              "sinusoid --d 32 --len 64 --layout halves --first cos --out-scale 3"}) {
            CAPTURE(command);
            CAPTURE(info(dtype).name);
            const Table table = table_of(command, dtype);
            for (const char* property : {"bounded", "rotation", "offset", "spacing"}) {
                CAPTURE(finding_of(table, property).text);
                CHECK(verdict_of(table, property) == "holds");
            }
        }
    }
}

TEST_CASE("rotation: float32 code breaks it at large positions and this table does not") {
    const Table exact = table_of("sinusoid --d 64 --len 401 --start 1000000");
    CHECK(number_of<double>(finding_of(exact, "rotation"), "residual") < 9e-8);
    const Finding code = finding_of(
        table_of("sinusoid --d 64 --len 401 --start 1000000 --arith float32"), "rotation");
    CHECK((code.verdict == Verdict::fails));
    CHECK(number_of<double>(code, "residual") > 0.05);
    // The same table computed here: frequencies and angles are rounded to float32, as PyTorch has
    // them. A sine computed in double and rounded once is at most an ulp from PyTorch's.
    std::vector<double> values;
    for (int t = 1000000; t <= 1000400; ++t) {
        for (int k = 0; k < 32; ++k) {
            const float exponent = static_cast<float>(2 * k) * (-std::log(10000.0F) / 64.0F);
            const float angle = static_cast<float>(t) * std::exp(exponent);
            values.push_back(std::sin(static_cast<double>(angle)));
            values.push_back(std::cos(static_cast<double>(angle)));
        }
    }
    const Finding by_hand = finding_of(file_of({401, 64}, values, DType::float32), "rotation");
    CHECK((by_hand.verdict == Verdict::fails));
    CHECK(number_of<double>(by_hand, "residual") == doctest::Approx(0.0623).epsilon(0.02));
}

TEST_CASE("rotation: the residual is the distance from the circle and its place is named") {
    std::vector<double> values = circle(20);
    CHECK(verdict_of(file_of({20, 2}, values), "rotation") == "holds");
    values[2 * 7] += 0.5;
    const Finding finding = finding_of(file_of({20, 2}, values), "rotation");
    CHECK((finding.verdict == Verdict::fails));
    // The rotation of a displacement is fitted to all rows, so the wrong row changes it a little.
    CHECK(number_of<double>(finding, "residual") == doctest::Approx(0.5).epsilon(0.1));
    const std::int64_t t = number_of<std::int64_t>(finding, "position");
    const std::int64_t offset = number_of<std::int64_t>(finding, "offset");
    CHECK((t == 7 || t + offset == 7));
    CHECK(number_of<std::int64_t>(finding, "first_channel") == 0);
}

TEST_CASE("rotation: the bound is relative to the largest value, however small") {
    const auto bound = [](double factor) {
        std::vector<double> values = circle(20);
        for (double& value : values) value *= factor;
        const Finding finding = finding_of(file_of({20, 2}, values), "rotation");
        CHECK((finding.verdict == Verdict::holds));
        return number_of<double>(finding, "bound");
    };
    CHECK(bound(0x1p-20) == doctest::Approx(0x1p-20 * bound(1)).epsilon(1e-3));
}

TEST_CASE("rotation: the pairing of a file is found and constant pairs do not count") {
    const auto pairing = [](const char* command) {
        Table table = table_of(command);
        for (Axis& axis : table.axes) axis = {};
        table.pairs = nullptr;
        table.provenance = {};
        const Finding finding = finding_of(table, "rotation");
        CHECK((finding.verdict == Verdict::holds));
        return number_of<std::string>(finding, "pairing");
    };
    CHECK(pairing("vaswani --d 12 --len 40") == "interleaved");
    CHECK(pairing("whisper --d 12 --len 40") == "halves");
    CHECK(pairing("hf-marian --d 13 --len 40") == "halves");
    CHECK(pairing("tensor2tensor --d 13 --len 40") == "halves");
    std::vector<double> values;
    for (const double value : circle(20)) {
        values.push_back(value);
        values.push_back(1);
    }
    // The channels are sin, 1, cos, 1: with the pairing of halves, sin has cos as its partner, and
    // 1 has 1.
    const Finding finding = finding_of(file_of({20, 4}, values), "rotation");
    CHECK((finding.verdict == Verdict::holds));
    CHECK(number_of<std::int64_t>(finding, "constant_pairs") == 1);
    CHECK(verdict_of(file_of({5, 2}, std::vector<double>(10, 1.0)), "rotation") == "-");
}

TEST_CASE("rotation: an encoding says which channels of its axes belong together") {
    const auto pairs = [](const char* command) {
        std::string text;
        for (const auto& [first, second] : named_pairing(table_of(command).pairs(), 12).pairs) {
            text += fmt::format("{}-{} ", first, second);
        }
        return text;
    };
    CHECK(pairs("sinusoid --d 12 --len 3 --layout halves") == "0-6 1-7 2-8 3-9 4-10 5-11 ");
    CHECK(pairs("sinusoid --d 11 --len 3 --odd exact") == "0-1 2-3 4-5 6-7 8-9 ");
    CHECK(pairs("note1 --d 12 --len 3") == "0-1 2-3 4-5 6-7 8-9 10-11 ");
    CHECK(pairs("grid --d 12 --height 3 --width 3 --order afk --split 8,4") ==
          "0-4 1-5 2-6 3-7 8-10 9-11 ");
    CHECK(pairs("fourier --height 2 --width 2 --freqs 1,2 --order afk --raw before") ==
          "2-4 3-5 6-8 7-9 ");
    CHECK(named_pairing({{7, 1}, {0, 6}}, 12).name == "by axes");
    CHECK(named_pairing({{1, 0}, {2, 3}}, 4).name == "interleaved");
    CHECK(named_pairing({{0, 3}, {4, 1}}, 5).name == "halves");
}

TEST_CASE("offset: dot products are the sums of cosines of the frequencies") {
    const Finding finding = finding_of(table_of("sinusoid --d 16 --len 64"), "offset");
    CHECK(number_of<double>(finding, "from_cosines") <
          number_of<double>(finding, "from_cosines_bound"));
    CHECK(number_of<double>(finding, "spread") < number_of<double>(finding, "bound"));
    for (const char* command : {"sinusoid --d 2 --len 64", "rope --d 2 --len 64 --table sin-cos"}) {
        CAPTURE(command);
        const double g = number_of<double>(finding_of(table_of(command), "spacing"), "theory");
        CHECK(g == doctest::Approx(2 * std::sin(0.5)).epsilon(1e-7));
    }
}

TEST_CASE("unique: equal pairs are counted and the first is named") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Finding finding =
        finding_of(file_of({6, 2}, {0, 1, 5, 5, -0.0, 1, 7, 7, 0, 1, 5, 5}), "unique");
    CHECK((finding.verdict == Verdict::fails));
    CHECK(number_of<std::int64_t>(finding, "equal_pairs") == 4);
    CHECK(number_of<std::int64_t>(finding, "first") == 0);
    CHECK(number_of<std::int64_t>(finding, "second") == 2);
    CHECK(verdict_of(file_of({2, 2}, {nan, 1, nan, 1}), "unique") == "fails");
    CHECK(verdict_of(file_of({2, 2}, {1, 2, 2, 1}), "unique") == "holds");
    // Images of a batch may be equal.
    CHECK(verdict_of(file_of({2, 2, 1}, {1, 2, 1, 2}), "unique") == "fails");
    CHECK(verdict_of(file_of({2, 2, 2}, {1, 2, 3, 4, 1, 2, 3, 4}), "unique") == "holds");
    CHECK(verdict_of(table_of("detr --batch 2 --height 3 --width 4 --num-pos-feats 4"), "unique") ==
          "holds");
    CHECK(verdict_of(table_of("learned --d 4 --len 9 --init constant:1"), "unique") == "fails");
}

TEST_CASE("bounded: positions themselves grow and scaled sines have the scale") {
    CHECK(verdict_of(table_of("index --len 10"), "bounded") == "fails");
    CHECK(verdict_of(table_of("learned --len 10 --d 4"), "bounded") == "measured");
    const Finding scaled = finding_of(table_of("sinusoid --d 4 --len 9 --out-scale 3"), "bounded");
    CHECK((scaled.verdict == Verdict::holds));
    CHECK(number_of<double>(scaled, "bound") == 3);
    const double infinity = std::numeric_limits<double>::infinity();
    const Finding finding = finding_of(file_of({3, 1}, {0, 1, infinity}), "bounded");
    CHECK((finding.verdict == Verdict::fails));
    CHECK(finding.text == "1 value is not finite, first inf in row 2, channel 0");
    // The rows are read in several parts.
    std::vector<double> many(200'000);
    many[70'000] = many[180'000] = infinity;
    CHECK(finding_of(file_of({200'000, 1}, many), "bounded").text ==
          "2 values are not finite, first inf in row 70000, channel 0");
}

TEST_CASE("relative: an entry that differs from its diagonal is named") {
    Table table = table_of("alibi --heads 2 --len 5");
    CHECK(verdict_of(table, "relative") == "holds");
    table.rows = rows_like(table, [rows = table.rows](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        // Head 1, query 3 is row 8 of 10.
        if (range.first <= 8 && 8 < range.first + range.count) {
            const std::size_t row = static_cast<std::size_t>(8 - range.first) * 5;
            reinterpret_cast<float*>(out.data())[row + 4] += 1;
        }
    });
    const Finding finding = finding_of(table, "relative");
    CHECK((finding.verdict == Verdict::fails));
    CHECK(number_of<double>(finding, "change") == 1);
    CHECK(finding.text.find("at query 2, key 3 of 1") != std::string::npos);
}

TEST_CASE("relative: softmax does not see a constant of each query") {
    const Finding finding = finding_of(table_of("bloom --heads 4 --len 9"), "relative");
    CHECK((finding.verdict == Verdict::holds));
    CHECK(number_of<double>(finding, "change") > 0.2);
    CHECK(verdict_of(table_of("alibi --heads 2 --len 5 --form causal"), "relative") == "holds");
    CHECK(verdict_of(table_of("kerple --heads 2 --len 2"), "relative") == "holds");
    CHECK(verdict_of(table_of("kerple --heads 2 --len 1"), "relative") == "-");
    CHECK(verdict_of(table_of("swin --height 3 --width 4 --table index"), "relative") == "holds");
    CHECK(verdict_of(table_of("beit --height 3 --width 4 --table index"), "relative") == "holds");
    CHECK(verdict_of(table_of("fire --len 64 --threshold 8"), "relative") == "fails");
    CHECK(verdict_of(table_of("sinusoid --d 4 --len 9"), "relative") == "-");
}

TEST_CASE("properties: what has no positions has no vectors") {
    const auto reason = [](const Table& table) { return vectors_of(table).reason; };
    CHECK(reason(table_of("sinusoid --d 4 --table frequencies")) == "it has no axis of positions");
    CHECK(reason(table_of("alibi --len 4")) ==
          "its values belong to pairs of positions, not to positions");
    CHECK(reason(file_of({0, 4}, {})) == "the table has no values");
    CHECK(finding_of(table_of("sinusoid --d 4 --positions 1,2,4,8"), "rotation").text ==
          "its positions are not equally spaced");
    CHECK(finding_of(table_of("sinusoid --d 4 --len 2"), "offset").text ==
          "there are fewer than three positions");
}

TEST_CASE("properties: the axes of a file follow from their order") {
    const auto vectors = [](std::vector<std::int64_t> extents) {
        const Shape shape(extents);
        const VectorsOrReason found = vectors_of(file_of(
            std::move(extents), std::vector<double>(static_cast<std::size_t>(shape.size()))));
        REQUIRE(found.vectors);
        return std::array{found.vectors->groups, found.vectors->positions, found.vectors->channels};
    };
    using Counts = std::array<std::int64_t, 3>;
    CHECK(vectors({7}) == Counts{1, 7, 1});
    CHECK(vectors({7, 3}) == Counts{1, 7, 3});
    CHECK(vectors({1, 7, 3}) == Counts{1, 7, 3});
    CHECK(vectors({7, 1, 3}) == Counts{1, 7, 3});
    CHECK(vectors({2, 7, 3}) == Counts{2, 7, 3});
    CHECK(vectors({1, 3}) == Counts{1, 1, 3});
}

TEST_CASE("properties: channels before the positions are gathered") {
    const Table table =
        table_of("detr --batch 2 --num-pos-feats 2 --height 3 --width 4 --valid 2x3,3x4");
    const PositionVectors vectors = *vectors_of(table).vectors;
    CHECK(vectors.groups == 2);
    CHECK(vectors.channels == 4);
    const std::vector<double> all = all_values(table), some = vectors.read({7, 12});
    for (std::size_t i = 0; i < 12; ++i) {
        for (std::size_t channel = 0; channel < 4; ++channel) {
            const std::size_t position = i + 7;
            CHECK(some[i * 4 + channel] == all[(position / 12 * 4 + channel) * 12 + position % 12]);
        }
    }
    CHECK(vectors.place(7) == "(1, 3) of 0");
    CHECK(vectors_of(table_of("fairseq2 --d 4 --len 3")).vectors->place(0) == "row 1");
}

TEST_CASE("properties: large tables are looked at in runs from the first row to the last") {
    const Table table = table_of("sinusoid --d 64 --len 100000");
    const PositionVectors vectors = *vectors_of(table).vectors;
    const DisplacedVectors displaced = read_displaced(vectors, {0, 1000});
    CHECK(std::ssize(displaced.positions) == 1 << 14);
    CHECK(displaced.positions.front() == 0);
    CHECK(displaced.positions.back() == 98999);
    CHECK(std::ranges::is_sorted(displaced.positions));
}

TEST_CASE("properties: half an ulp is that of the floats just below") {
    CHECK(half_ulp(1, DType::float32) == 0x1p-25);
    CHECK(half_ulp(0.75, DType::float32) == 0x1p-25);
    CHECK(half_ulp(1.5, DType::float32) == 0x1p-24);
    CHECK(half_ulp(1, DType::float64) == 0x1p-54);
    CHECK(half_ulp(1, DType::float16) == 0x1p-12);
    CHECK(half_ulp(1, DType::bfloat16) == 0x1p-9);
    CHECK(half_ulp(0x1p-20, DType::float16) == 0x1p-25);
    CHECK(half_ulp(9, DType::int64) == 0);
}

TEST_CASE("concatenation: both sides agree within rounding and two identities add") {
    // 2^24 + 1 is no float32: on the left it is lost before -2^24 comes, on the right it is not.
    const Matrix x{1, 2, {0x1p24, 1}}, p{1, 2, {-0x1p24, 0}}, w{1, 4, {1, 1, 1, 1}};
    const BlockSums sums = compare_blocks(x, p, w, DType::float32);
    CHECK(sums.values == 1);
    CHECK(sums.beyond == 0);
    CHECK(sums.bound == doctest::Approx(2 * 4 * 0x1p-24 * 0x1p25).epsilon(1e-6));
    CHECK(compare_blocks(x, p, w, DType::float64).largest == 0);
    const Matrix words{2, 3, {0.1, 2, -3, 4, 0.5, 1e-9}}, places{2, 3, {1, 0.7, 3, -4, 5, 1e9}};
    const BlockSums added = compare_blocks(words, places, two_identities(3), DType::float32);
    CHECK(added.values == 6);
    CHECK(added.differing == 0);
}
