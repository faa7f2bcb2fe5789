#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/number.h"
#include "encodings/cell.h"
#include "encodings/registry.h"
#include "files/temporary_folder.h"
#include "inspect/cell_text.h"
#include "inspect/every_name.h"
#include "inspect/explanation.h"
#include "numerics/ziv_loop.h"

using namespace pegen;
using namespace pegen::testing;
using numerics::Real;

namespace {

/// A table of an encoding or a preset.
struct Named {
    const Encoding& encoding;
    const TableSpec& table;
    Parameters parameters;
    std::string preset;
};

/// Reads "mae --height 4 --table encoding"; the table comes last.
Named named(std::string_view command) {
    const std::string_view name = command.substr(0, command.find(' '));
    std::string_view settings = command.substr(name.size());
    const Preset* preset = find_preset(name);
    const Encoding& encoding = preset ? *preset->encoding : *find_encoding(name);
    const TableSpec* table = &encoding.tables.front();
    constexpr std::string_view table_option = " --table ";
    if (const auto at = settings.find(table_option); at != settings.npos) {
        table = find_table(encoding, settings.substr(at + table_option.size()));
        settings = settings.substr(0, at);
    }
    Parameters parameters = preset ? parameters_of(*preset) : Parameters(encoding.parameters);
    parameters.set_all(settings, Origin::user);
    return {encoding, *table, parameters, preset ? std::string(name) : ""};
}

Explanation explained(std::string_view command, const std::vector<std::int64_t>& at) {
    const Named named_table = named(command);
    return explanation_of(named_table.encoding, named_table.table, named_table.parameters,
                          named_table.preset, at);
}

std::string refusal(std::string_view command, const std::vector<std::int64_t>& at) {
    try {
        explained(command, at);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "explained";
}

/// Some cells of a table of this shape: the corners, and others all over it.
std::vector<std::vector<std::int64_t>> some_cells(const Shape& shape) {
    constexpr std::int64_t most = 24;
    std::vector<std::vector<std::int64_t>> cells;
    const std::int64_t size = shape.size();
    // A step that has no factor in common with usual extents reaches every row and channel.
    const std::int64_t step = std::max<std::int64_t>(size / most, 1) | 1;
    for (std::int64_t element = 0; element < size; element += step) {
        cells.push_back(index_of(element, shape.extents()));
    }
    if (size > 0) cells.push_back(index_of(size - 1, shape.extents()));
    return cells;
}

bool is_exact(const Parameters& parameters) {
    return std::ranges::all_of(parameters.entries(), [](const Parameters::Entry& entry) {
        return entry.spec->name != "arith" || to_string(entry.value) == "exact";
    });
}

/// Checks that the table has the cell's value, correctly rounded to `dtype`, and the element that
/// the cell computes alone.
void check_rounded(const Plan& plan, const std::vector<std::int64_t>& index, DType dtype,
                   const Rows& rows) {
    const Cell cell = plan.cell(index);
    if (!cell.value.value && !cell.held) return;
    const std::vector<std::int64_t> strides = strides_of(plan.shape.extents());
    std::int64_t element = 0;
    for (std::size_t i = 0; i < index.size(); ++i) element += index[i] * strides[i];
    const std::int64_t columns = plan.shape.columns();
    Table table;
    table.shape = plan.shape;
    table.dtype = dtype;
    table.rows = rows;
    const double held = read_rows(table, {element / columns, 1})[element % columns];
    CAPTURE(cell.value.text);
    CAPTURE(held);
    const auto is_held = [&](double number) {
        return with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            return widen(round_to<T>(number)) == held;
        });
    };
    if (cell.held) CHECK(is_held(cell.held(dtype)));
    if (!cell.value.value) return;
    const Real value = cell.value.value();
    const bool is_finite = mpfr_number_p(value.get()) != 0;
    const double rounded =
        is_finite ? numerics::for_rounding_to(dtype, value) : numerics::nearest_double(value);
    CAPTURE(rounded);
    CHECK(is_held(rounded));
}

}  // namespace

TEST_CASE("explanation: every cell that says its value has it in the table, correctly rounded") {
    std::int64_t tables = 0;
    for_each_name([&](std::string_view name, const Encoding& encoding, const Parameters& parameters,
                      std::string_view) {
        for (const TableSpec& spec : encoding.tables) {
            CAPTURE(name);
            CAPTURE(spec.name);
            if (!is_exact(parameters)) continue;
            const Plan plan = plan_of(encoding, parameters, spec.name);
            if (!plan.cell) continue;
            ++tables;
            const bool is_whole = !is_floating(spec.dtype);
            for (const DType dtype : {DType::float64, DType::float32, DType::bfloat16}) {
                const DType own = is_whole ? DType::int64 : dtype;
                const Rows rows = plan.make_rows(own);
                for (const auto& index : some_cells(plan.shape)) {
                    CAPTURE(fmt::format("{}", index.front()));
                    CAPTURE(index.back());
                    check_rounded(plan, index, own, rows);
                }
            }
        }
    });
    CHECK(tables > 200);
}

TEST_CASE("explanation: cells are those of the table, whatever the parameters") {
    const TemporaryFolder folder;
    const std::string path = folder.path("positions.txt");
    put(path, "0 120 7 1000 300");
    std::vector<std::string> commands{
        "sinusoid --len 9 --d 7 --odd zero-pad --layout halves --first cos --start -2.5 --step "
        "0.1",
        "sinusoid --len 9 --d 7 --odd round-up --pairing shared --out-scale 0.3 --prefix-rows 2",
        "sinusoid --d 8 --positions 3,1,0.1 --reverse --zero-row 1 --keep-channels ::-1",
        "sinusoid --len 9 --d 8 --view channels-first --denom-shift 1 --freq-scale 2*pi",
        "grid --height 3 --width 5 --d 18 --odd zero-pad --prefix-rows 1 --tokens column",
        "grid --height 3 --width 5 --depth 2 --d 24 --order fak --axes xty --view grid",
        "grid --height 3 --width 5 --d 16 --order kfa --start 1,2 --base 100,50 --first cos",
        "grid --height 3 --width 5 --depth 2 --d 32 --split 16,8,8 --view channels-first",
        "detr --num-pos-feats 6 --height 4 --width 5 --valid 4x5,2x3 --normalize",
        "detr --num-pos-feats 6 --height 4 --width 5 --frames 2 --axes xyt --layout halves",
        "detr --num-pos-feats 6 --height 4 --width 5 --pairing per-channel --temperature 9,50",
        "fourier --height 3 --width 4 --raw before --first cos --order kaf --pad-to 60",
        "fourier --height 3 --width 4 --raw after-each --order akf --axes xy --coords center:1",
        "fourier --height 3 --width 4 --freqs linear:1:8:3 --freq-scale 0.7",
        "random-fourier --height 3 --width 4 --d 12 --raw before --axes xy --layout interleaved",
        "random-fourier --height 3 --width 4 --d 6 --function cos --phase-init uniform:0,6",
        "relative --len 5 --d 6 --order descending --layout halves",
        "transformer-xl --len 4 --mem-len 3 --d 6 --range full --clamp 2",
        "alibi --heads 6 --len 4 --key-len 7 --form symmetric --mask causal",
        "alibi --heads 6 --len 4 --key-len 7 --form causal --slopes geometric --max-bias 3",
        "alibi --heads 6 --len 4 --key-len 7 --form last-key --table row",
        "alibi --heads 6 --len 4 --form key --table bias",
        "alibi --heads 6 --table slopes",
        "alibi --heads 6 --groups 2 --out-scale 96 --table slopes",
        "alibi --heads 6 --groups 3 --len 5 --form sqrt",
        "alibi --slope-list 0.3,0.1 --len 5 --form key --first-key 1",
        "alibi --heads 3 --image 2x3 --prefix cls",
        "alibi --heads 3 --image 2x3 --form manhattan",
        "swin --height 3 --width 2 --key-height 4 --key-width 5 --sign key-query",
        "swin --height 3 --width 4 --depth 2 --query-stride 2 --axes xy",
        "swin --height 3 --width 4 --depth 2 --offsets absolute --prefix cls",
        "swin --height 3 --width 4 --heads 2 --prefix cls --table bias",
        "hat --height 2 --width 3 --key-height 4 --key-width 5",
        "swin-v2 --height 3 --width 2 --depth 2 --heads 2 --units 5 --table bias",
        "swin-v2 --height 1 --width 4 --spacing log --sigmoid 0 --units 5 --table bias",
        "t5 --len 5 --key-len 9 --num-buckets 8 --max-distance 6",
        "t5 --len 9 --num-buckets 8 --max-distance 6 --causal",
        "t5 --len 5 --heads 2 --out-scale 0.3 --table bias",
        "shaw --len 4 --key-len 7 --left 2 --right 1 --sign query-key --shift 3",
        "shaw --len 5 --max-distance 2 --outside zero",
        "deberta --len 5 --key-len 12 --position-buckets 4 --max-position 6 --clamp",
        "deberta --len 12 --position-buckets 4 --max-position 6 --shift 1 --table index",
        "relpos --chains 2x2,3 --max-residue 1",
        "relpos --chains 3,2 --max-residue 1 --other first --sign key-query",
        "relpos --chains 3,2 --max-residue 1,2 --entities order --chain-offsets other-chain",
        "binary --len 9 --start 100 --radix 3 --highest-first",
        "periodic --function cos --alpha 3 --start -4",
        "index --positions 0.1,3,-7",
        "rope --len 5 --d 12 --rotary-dim 8 --layout interleaved --table sin",
        "rope --len 5 --d 8 --pairing interleaved --table rotation",
        "rope --len 5 --d 8 --start -1.5 --table angles",
        "rope --len 5 --d 8 --table freqs-cis",
        "rope --len 5 --d 8 --scaling yarn --factor 4 --max-position-embeddings 64 --table cos",
        "rope --len 5 --d 8 --scaling linear --factor 4 --table matrices",
        "rope --len 5 --d 8 --scaling ntk --factor 4 --table wavelengths",
        "rope-grid --height 4 --width 6 --d 16 --merge 2 --table sin",
        "rope-grid --height 4 --width 6 --d 16 --window 2 --layout axis-half --table cos",
        "rope-grid --height 4 --width 6 --d 16 --prefix-tokens 1 --suffix-tokens 2 --table sin",
        "rope-grid --height 4 --width 6 --depth 2 --d 24 --axes xyt --table matrices",
        "rope-grid --height 4 --width 6 --d 16 --spectrum strided --coords cells --table sin-cos",
        "rope-grid --height 4 --width 6 --d 16 --spectrum linear --freqs 1,9 --table freqs-cis",
        "rope-grid --height 4 --width 6 --d 16 --spectrum sections --table inv-freq",
        "rope-grid --height 4 --width 6 --d 16 --coords linspace --ref-extent 3 --table cos",
        "mrope --sequence text:2,video:2x2x3,text:2 --d 16 --sections 4,2,2 --table sin",
        "mrope --sequence text:2,image:2x3 --d 16 --sections 4,2,2 --order interleaved",
        "xpos --len 9 --d 8 --layout half --gamma 0.2 --table sin-k",
        "xpos --len 9 --d 8 --table scale"};
    for (const char* start : {"t5 --num-buckets 64", "sinusoid --d 6"}) {
        commands.push_back(fmt::format("{} --positions-file {}", start, path));
    }
    commands.push_back(fmt::format("t5 --heads 3 --seed 2 --positions-file {} --table bias", path));
    for (const std::string& command : commands) {
        CAPTURE(command);
        const Named table = named(command);
        const Plan plan = plan_of(table.encoding, table.parameters, table.table.name);
        REQUIRE(plan.cell);
        const Rows rows = plan.make_rows(DType::float64);
        for (std::int64_t element = 0; element < plan.shape.size(); ++element) {
            CAPTURE(element);
            check_rounded(plan, index_of(element, plan.shape.extents()), DType::float64, rows);
        }
    }
}

TEST_CASE("explanation: every table of every encoding and preset is explained") {
    for_each_name([](std::string_view name, const Encoding& encoding, const Parameters& parameters,
                     std::string_view) {
        for (const TableSpec& spec : encoding.tables) {
            CAPTURE(name);
            CAPTURE(spec.name);
            const Plan plan = plan_of(encoding, parameters, spec.name);
            if (plan.shape.size() == 0) continue;
            const auto at = some_cells(plan.shape)[some_cells(plan.shape).size() / 2];
            const Explanation found = explanation_of(encoding, spec, parameters, "", at);
            CHECK(found.at.size() == plan.axes.size());
            CHECK_FALSE(found.value.empty());
            CHECK_FALSE(found.dtypes.empty());
            CHECK(found.dtypes.front().value.find("nan") == std::string::npos);
            if (is_floating(spec.dtype)) continue;
            CHECK(found.kind == ValueKind::exact);
            CHECK(found.dtypes.front().error == "0");
        }
    });
}

// The values are those of mpmath with 60 digits.
TEST_CASE("explanation: an index or a bucket has its offset and its formula") {
    const auto check = [](std::string_view command, const std::vector<std::int64_t>& at,
                          std::string_view formula, std::string_view value, std::string_view note) {
        CAPTURE(command);
        const Explanation found = explained(command, at);
        CHECK(found.formula == formula);
        CHECK(found.value == value);
        REQUIRE(found.notes.size() == 1);
        CHECK(found.notes.front() == note);
    };
    check("swin", {20, 33}, "(-2 + 6) * 13 + (1 + 6)", "59", "dy = -2, dx = 1.");
    check("swin --depth 2", {20, 30}, "((0 + 1) * 13 + (-2 + 6)) * 13 + (4 + 6)", "231",
          "dt = 0, dy = -2, dx = 4.");
    check("swin --offsets absolute", {20, 30}, "2 * 7 + 4", "18", "|dy| = 2, |dx| = 4.");
    check("hat", {20, 30}, "(0 - 7) * 39 + (2 - 7)", "-278", "dy = 0, dx = 2.");
    check("beit", {0, 5}, "729 + 0", "729", "The query is the class token.");
    check("beit", {5, 0}, "729 + 1", "730", "The key is the class token.");
    check("beit", {0, 0}, "729 + 2", "731", "The query and the key are the class token.");
    check("t5 --len 9999", {3, 23}, "min(8 + floor(8 * ln(20 / 8) / ln(128 / 8)), 15) + 16", "26",
          "The key is 20 positions after the query.");
    check("t5 --causal", {3, 5}, "0", "0", "The key is 2 positions after the query.");
    check("t5", {5, 4}, "1", "1", "The key is 1 position before the query.");
    check("shaw --len 9 --max-distance 3", {7, 2}, "clip(-5, -3, 3) + 3", "0",
          "The key is 5 positions before the query.");
    check("shaw --max-distance 3 --outside zero", {7, 2}, "-1, no row", "-1",
          "The key is 5 positions before the query.");
    check("deberta --len 400 --table index", {3, 310},
          "clip(-(128 + ceil(127 * ln(307 / 128) / ln(511 / 128))) + 256, 0, 511)", "47",
          "The key is 307 positions after the query.");
    check("deberta --table index", {7, 7}, "clip(0 + 256, 0, 511)", "256",
          "The key is at the position of the query.");
    check("relpos --max-residue 1", {0, 5, 2}, "clip(3, -1, 1) + 1", "2",
          "The offset, query - key, is 3.");
    check("relpos --chains 2,2", {0, 1, 2}, "65", "65",
          "The pair has no offset in the block residue.");

    CHECK(explained("swin --table bias", {3, 20, 33}).formula ==
          "table[(-2 + 6) * 13 + (1 + 6), 3]");
    const Explanation bias = explained("t5 --out-scale 2 --table bias", {3, 5, 4});
    CHECK(bias.formula == "2 * weights[1, 3]");
    CHECK(bias.notes ==
          std::vector<std::string>{"The key is 1 position before the query. Its bucket is 1 = 1."});
    CHECK(explained("relpos --chains 2,2 --table pair", {0, 3, 7}).formula ==
          "weights[65, 7] + weights[131, 7] + weights[138, 7]");
    CHECK(explained("swin-v2 --height 3 --width 3 --table bias", {0, 8, 0}).formula ==
          "16 / (1 + exp(-network(1.0566416671474375, 1.0566416671474375)))");
}

TEST_CASE(
    "explanation: a cell of a table that could not be computed whole costs no more than itself") {
    CHECK(explained("t5 --len 1000000000", {999999999, 0}).value == "15");
    CHECK(explained("t5 --len 1000000000 --heads 2 --table bias", {1, 5, 5}).dtypes.size() == 4);
    CHECK(explained("shaw --len 1000000000", {0, 9}).value == "25");
    CHECK(explained("deberta --len 1000000000", {0, 9}).value == "-9");
    // All 16,000 offsets of its network would take a minute.
    CHECK(explained("swin-v2 --height 64 --width 64 --table bias", {0, 0, 0}).dtypes.size() == 4);
}

TEST_CASE("explanation: values have 40 digits of the formula") {
    const auto check = [](std::string_view command, const std::vector<std::int64_t>& at,
                          std::string_view formula, std::string_view value) {
        CAPTURE(command);
        const Explanation found = explained(command, at);
        CHECK(found.formula == formula);
        CHECK(found.value == value);
        CHECK(found.kind == ValueKind::formula);
    };
    check("sinusoid --d 4", {7, 3}, "cos(7 * 10000^(-2/4))",
          "0.9975510002532795746209083899397383393352");
    check("sinusoid --d 128", {7, 3}, "cos(7 * 10000^(-2/128))",
          "0.9755832755440747836481698168084891592228");
    check("sinusoid --d 128 --denom-shift 2 --freq-scale 1000", {7, 4},
          "sin(7 * 1000 * 10000^(-4/(128 - 2)))", "-0.7602533193897967068458972834727645346564");
    check("fairseq --d 2", {5, 0}, "sin(5 * 10000^(0))",
          "-0.9589242746631384688931544061559939733525");
    check("sinusoid --len 1000001", {1000000, 3}, "cos(1000000 * 10000^(-2/512))",
          "-0.5078516532796234989337044064450629991850");
    check("rope --len 4096 --table sin", {4000, 70}, "sin(4000 * 10000^(-12/128))",
          "0.2466687387858921190948142947269898560349");
    check("rope --d 8 --table matrices", {5, 1, 0, 1}, "sin(-5 * 10000^(-2/8))",
          "-0.4794255386042030002732879352155713880818");
    check("alibi --heads 16", {2, 9, 4}, "-5 * 2^(-8 * 3/16)",
          "-1.767766952966368811002110905262122598212");
    check("sinusoid --d 16 --table wavelengths", {2}, "2 * pi / (10000^(-4/16))",
          "62.83185307179586476925286766559005768394");
    check("periodic", {13, 1}, "cos(13 * 1/10)", "0.2674988286245874069979841092928713592759");
    check("normalized --len 10", {3, 0}, "3/9", "0.3333333333333333333333333333333333333333");
}

TEST_CASE("explanation: a value that ends is exact, one without a formula is the nearest float64") {
    const Explanation zero = explained("sinusoid", {0, 0});
    CHECK(zero.value == "0");
    CHECK(zero.kind == ValueKind::exact);
    CHECK(explained("sinusoid", {0, 1}).value == "1");
    CHECK(explained("alibi", {0, 9, 4}).value == "-2.5");
    CHECK(explained("alibi", {0, 9, 4}).kind == ValueKind::exact);
    CHECK(explained("normalized --len 11", {3, 0}).value == "0.3");
    CHECK(explained("binary --len 8", {5, 2}).kind == ValueKind::exact);
    CHECK(explained("t5 --len 8", {4, 5}).kind == ValueKind::exact);
    CHECK(explained("alibi --mask causal", {0, 3, 4}).value == "-inf");
    const Explanation drawn = explained("learned --len 9", {3, 4});
    CHECK(drawn.kind == ValueKind::nearest_float64);
    CHECK(drawn.formula.empty());
    CHECK(drawn.dtypes.front().error == "0");
}

TEST_CASE("explanation: pair, partner, frequency and wavelength of a channel") {
    const Explanation found = explained("sinusoid --d 4 --start 2 --layout halves", {5, 3});
    CHECK(found.at[0].axis == "position");
    CHECK(found.at[0].index == 5);
    CHECK(found.at[0].stands_for == "7");
    CHECK(found.at[1].stands_for.empty());
    CHECK(found.function == "cos");
    CHECK(found.pair == 1);
    CHECK(found.partner == 1);
    CHECK(found.frequency == "0.01");
    CHECK(found.wavelength == "628.31853071795864769");
    CHECK(found.angle == "0.07");
    // With --keep-channels, the partner has its new channel number.
    CHECK(explained("sinusoid --d 8 --keep-channels 6,2,3", {1, 2}).partner == 1);
    CHECK_FALSE(explained("sinusoid --d 8 --keep-channels 6,2,3", {1, 0}).partner);
    CHECK(explained("sinusoid --d 8 --view channels-first", {3, 1}).formula ==
          "cos(1 * 10000^(-2/8))");
    CHECK_FALSE(explained("note1 --d 8", {1, 3}).partner);
    CHECK_FALSE(explained("rope --d 8 --table cos", {1, 3}).partner);
    CHECK(explained("rope --d 8 --table sin-cos", {1, 1}).partner == 5);
}

TEST_CASE("explanation: on a grid, the axis of the channel and the point of the token") {
    const Explanation found = explained("grid --height 3 --width 4 --d 16", {1, 2, 13});
    CHECK(found.at[0].axis == "token");
    CHECK(found.at[0].index == 6);
    CHECK(found.at[0].stands_for == "1,2");
    CHECK(found.of == "x");
    CHECK(found.formula == "cos(2 * 10000^(-4/8))");
    const Explanation same = explained("grid --height 3 --width 4 --d 16", {6, 13});
    CHECK(same.value == found.value);
    CHECK(same.at[0].stands_for == found.at[0].stands_for);
    const Explanation pixel =
        explained("grid --height 3 --width 4 --d 16 --view channels-first", {13, 1, 2});
    CHECK(pixel.value == found.value);
    CHECK(pixel.at[2].stands_for == "2");
    CHECK(explained("grid --height 3 --width 4 --d 16 --tokens column", {1, 2, 13}).at[0].index ==
          7);
    CHECK(explained("mrope --table ids", {1, 7}).at[0].stands_for == "y");
    CHECK(explained("rope-grid --d 16 --height 2 --width 3", {1, 2, 1}).of == "y");
}

TEST_CASE("explanation: each dtype has the table's own value and its distance from the exact one") {
    const Explanation found = explained("sinusoid --d 4", {7, 3});
    REQUIRE(found.dtypes.size() == 4);
    CHECK(found.dtypes[0].dtype == DType::float64);
    CHECK(found.dtypes[0].value == "0.997551000253279585");
    CHECK(found.dtypes[0].error == "1e-17");
    CHECK(found.dtypes[1].value == "0.997551024");
    CHECK(found.dtypes[1].error == "2.4e-08");
    CHECK(found.dtypes[2].dtype == DType::float16);
    CHECK(found.dtypes[3].value == "0.99609375");
    CHECK(found.dtypes[3].error == "-0.0015");
    const Explanation integers = explained("t5 --len 8", {4, 5});
    REQUIRE(integers.dtypes.size() == 2);
    CHECK(integers.dtypes[0].dtype == DType::int64);
    // What a float16 cannot hold is left out, with the reason.
    const Explanation large = explained("index --len 70000", {69999, 0});
    CHECK(large.dtypes.size() == 3);
    REQUIRE(large.notes.size() == 1);
    CHECK(large.notes[0].starts_with("The table cannot be float16: "));
}

TEST_CASE("explanation: float32 arithmetic is that of the table with --arith float32") {
    const Explanation found = explained("fairseq --len 1000001", {1000000, 5});
    REQUIRE(found.float32);
    CHECK(found.float32->value == "0.8796539");
    CHECK(found.float32->error == "-0.023");
    CHECK(found.float32->ulps == "-3.9e+05");
    CHECK(found.notes.empty());
    const Explanation float32 = explained("fairseq --len 1000001 --arith float32", {1000000, 5});
    CHECK(float32.value == found.value);
    CHECK(float32.dtypes[1].value == found.float32->value);
    CHECK(float32.notes.size() == 1);
    CHECK_FALSE(explained("sinusoid --d 4 --table frequencies", {1}).float32);
    CHECK_FALSE(explained("alibi", {0, 9, 4}).float32);
}

TEST_CASE("explanation: why a value is zero") {
    const auto note = [](std::string_view command, const std::vector<std::int64_t>& at) {
        const Explanation found = explained(command, at);
        CHECK(found.value == "0");
        REQUIRE(found.notes.size() == 1);
        return found.notes.front();
    };
    CHECK(note("sinusoid --prefix-rows 1", {0, 3}) ==
          "The row is one of --prefix-rows, which are zero.");
    CHECK(note("sinusoid --zero-row 1", {1, 3}) == "The row is that of --zero-row, which is zero.");
    CHECK(note("sinusoid --d 5 --odd zero-pad", {1, 4}) == "The channel is filled up with zeros.");
    CHECK(note("rope --d 8 --table rotation", {1, 0, 1}) ==
          "The channels are of two pairs, which do not mix.");
}

TEST_CASE("explanation: refuses indices that the table does not have") {
    CHECK(refusal("sinusoid --len 400", {400, 3}) ==
          "--at 400,3: the axis position has indices 0 to 399");
    CHECK(refusal("sinusoid --len 400", {4, -1}) ==
          "--at 4,-1: the axis channel has indices 0 to 511");
    CHECK(refusal("sinusoid", {7}) == "--at 7: must be 2 indices: position,channel");
    CHECK(refusal("sinusoid --table frequencies", {7, 1}) ==
          "--at 7,1: must be 1 index: frequency");
    CHECK(refusal("grid", {7}) == "--at 7: must be 2 indices: token,channel, or y,x,channel");
    CHECK(refusal("grid", {7, 14, 3}) == "--at 7,14,3: the axis x has indices 0 to 13");
}
