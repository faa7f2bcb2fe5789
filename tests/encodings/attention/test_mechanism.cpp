#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "files/archive.h"
#include "files/array_file.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

std::string float64_file(const char* shape, const std::vector<double>& values) {
    return npy_file(
        "<f8", "False", shape,
        std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)));
}

bool is_input(std::string_view name) {
    const std::vector<std::string_view> inputs{
        "x",    "x-keys", "x-values", "wq",      "wk",      "wv",      "bq",      "bk",     "bv",
        "w-kr", "u",      "v",        "table-k", "table-v", "table-h", "table-w", "table-t"};
    return std::ranges::count(inputs, name) > 0;
}

/// Inputs and tables of attention, as public code computes them in float64: a file of this folder.
struct Golden {
    std::string path;
    Archive archive;

    explicit Golden(std::string_view file)
        : path(fmt::format("{}/tests/encodings/attention/{}", PEGEN_SOURCE_DIR, file)),
          archive(open_archive(std::make_shared<const InputFile>(path))) {}

    /// Returns the options that name the inputs.
    std::string inputs() const {
        std::string options;
        for (const ArchiveMember& member : archive.members) {
            if (is_input(member.name)) options += fmt::format(" --{0} {1}:{0}", member.name, path);
        }
        return options;
    }

    /// Returns the names of the tables.
    std::vector<std::string> tables() const {
        std::vector<std::string> names;
        for (const ArchiveMember& member : archive.members) {
            if (!is_input(member.name)) names.push_back(member.name);
        }
        return names;
    }

    std::vector<double> values(std::string_view name) const {
        return all_values(open_array(fmt::format("{}:{}", path, name)).table);
    }
};

std::vector<double> float64_values(const std::string& command) {
    return values_of(command, DType::float64);
}

/// Returns the largest difference; infinity if the tables have different sizes.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return INFINITY;
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i]) largest = std::max(largest, std::fabs(a[i] - b[i]));
    }
    return largest;
}

std::string failure_of(const std::string& command) {
    try {
        table_of(command);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

// dot_product_attention_relative of tensorflow/tensor2tensor, called with q / sqrt(d-head).
// max_relative_position is 2.
TEST_CASE("attention shaw: every table is that of tensor2tensor") {
    const Golden golden("shaw.npz");
    for (const std::string& table : golden.tables()) {
        CAPTURE(table);
        const auto ours =
            float64_values(fmt::format("attention shaw{} --table {}", golden.inputs(), table));
        CHECK(largest_difference(ours, golden.values(table)) < 1e-12);
    }
}

// BertSelfAttention of huggingface/transformers, position_embedding_type relative_key; z is
// (tokens, heads * d-head).
TEST_CASE("attention shaw: without vectors for values it is that of BERT, relative_key") {
    const Golden golden("bert.npz");
    const std::string command =
        "attention shaw" + golden.inputs() + " --heads 2 --sign query-key --outside error --table ";
    CHECK(largest_difference(float64_values(command + "alpha"), golden.values("alpha")) < 1e-12);
    CHECK(float64_values(command + "z-position") == std::vector<double>(40, 0.0));
    const std::vector<double> z = float64_values(command + "z"), merged = golden.values("z");
    for (std::size_t head = 0; head < 2; ++head) {
        for (std::size_t token = 0; token < 5; ++token) {
            for (std::size_t channel = 0; channel < 4; ++channel) {
                CHECK(z[(head * 5 + token) * 4 + channel] ==
                      doctest::Approx(merged[token * 8 + head * 4 + channel]).epsilon(1e-12));
            }
        }
    }
}

// RelPartialLearnableMultiHeadAttn of kimiyoung/transformer-xl. It rounds the scores to float32; b
// and d hold values of other rows where a key comes after its query.
TEST_CASE("attention transformer-xl: every table is that of its own code") {
    const Golden golden("transformer_xl.npz");
    const std::string command =
        "attention transformer-xl" + golden.inputs() + " --score-dtype float32 --table ";
    for (const std::string& table : golden.tables()) {
        CAPTURE(table);
        std::vector<double> ours = float64_values(command + table);
        std::vector<double> theirs = golden.values(table);
        const bool is_by_distance = table == "b" || table == "d";
        for (std::size_t i = 0; is_by_distance && i < theirs.size(); ++i) {
            if (i % 6 > i / 6 % 6) ours[i] = theirs[i] = 0;
        }
        CHECK(largest_difference(ours, theirs) < 1e-12);
    }
}

// Attention of facebookresearch/segment-anything, image_encoder.py, with 3 x 4 tokens; in the
// second file the tables are of 5 x 3 tokens, and the code resizes them.
TEST_CASE("attention decomposed: every table is that of Segment Anything") {
    for (const char* file : {"decomposed.npz", "decomposed-resized.npz"}) {
        const Golden golden(file);
        for (const std::string& table : golden.tables()) {
            CAPTURE(table);
            const auto ours = float64_values(
                fmt::format("attention decomposed{} --heads 2 --height 3 --width 4 --table {}",
                            golden.inputs(), table));
            CHECK(largest_difference(ours, golden.values(table)) < 1e-12);
        }
    }
    const std::string own = "attention decomposed --height 2 --width 3 --d 8 --heads 2 --table ";
    const auto content = float64_values(own + "e-content"), rows = float64_values(own + "e-height");
    const auto columns = float64_values(own + "e-width"), sum = float64_values(own + "e");
    const auto positions = float64_values(own + "e-position");
    for (std::size_t i = 0; i < sum.size(); ++i) {
        CHECK(positions[i] == rows[i] + columns[i]);
        CHECK(sum[i] == doctest::Approx(content[i] + rows[i] + columns[i]).epsilon(1e-14));
    }
    // Keys of a row have the same distance along y.
    CHECK(rows[0] == rows[2]);
    CHECK(columns[0] == columns[3]);
    CHECK(refusal_of("attention decomposed --height 2 --width 3 --tokens 5") ==
          "--tokens 5: --height 2 --width 3 says tokens = 6");
    CHECK(refusal_of("attention decomposed --init normal:0,-1") ==
          "--init normal:0,-1: STD must be at least 0");
}

TEST_CASE("attention: files and lists of the bias say how many heads there are") {
    const TemporaryFolder folder;
    put(folder.path("t.npy"), npy_of_doubles("(9, 3)", std::vector<double>(27, 0.5)));
    const std::string swin =
        "attention swin --height 2 --width 2 --d 12 --bias-table " + folder.path("t.npy");
    CHECK(table_of(swin + " --table bias").shape == Shape{3, 4, 4});
    CHECK(refusal_of(swin + " --heads 2").find("says heads = 3") != std::string::npos);
    const std::string alibi = "attention alibi --tokens 3 --d 8 --slope-list 1,2 --table bias";
    CHECK(float64_values(alibi) == float64_values("alibi --slope-list 1,2 --len 3"));
    CHECK(refusal_of(alibi + " --heads 4").find("says heads = 2") != std::string::npos);
    CHECK(float64_values("attention alibi --image 2x3 --heads 2 --d 8 --table bias") ==
          float64_values("alibi --image 2x3 --heads 2"));
}

TEST_CASE("attention decomposed: keys are --x unless they are in other places") {
    const TemporaryFolder folder;
    std::vector<double> numbers(12);
    std::iota(numbers.begin(), numbers.end(), -4.5);
    put(folder.path("x.npy"), npy_of_doubles("(4, 3)", numbers));
    const std::string own =
        fmt::format("attention decomposed --height 2 --width 2 --heads 1 --x {} --table k",
                    folder.path("x.npy"));
    const auto keys = float64_values(own);
    CHECK(float64_values(own + " --key-height 2") == keys);
    CHECK(float64_values(fmt::format("{} --x-values {}", own, folder.path("x.npy"))) == keys);
}

// cal_rel_pos_spatial and cal_rel_pos_temporal of facebookresearch/SlowFast, a class token before
// 2 x 3 x 4 queries and 2 x 2 x 6 keys, and a table of 7 rows, which the code resizes.
TEST_CASE("attention decomposed: keys in other places than the queries are those of SlowFast") {
    const Golden golden("decomposed-pooled.npz");
    const std::string sizes =
        " --heads 2 --depth 2 --height 3 --width 4 --key-height 2 --key-width 6 --prefix cls";
    for (const std::string& table : golden.tables()) {
        CAPTURE(table);
        const auto ours = float64_values(
            fmt::format("attention decomposed{}{} --table {}", golden.inputs(), sizes, table));
        CHECK(largest_difference(ours, golden.values(table)) < 1e-12);
    }
    const std::string drawn = "attention decomposed --d 8 --heads 2 --table ";
    // Pairs with the class token have no distance.
    const auto rows = float64_values(drawn + "e-height" + sizes);
    CHECK(std::vector(rows.begin(), rows.begin() + 25) == std::vector<double>(25, 0.0));
    CHECK(float64_values(drawn + "e-depth --height 2 --width 2") == std::vector<double>(32, 0.0));
    CHECK(refusal_of(drawn + "e --key-depth 2") == "--key-depth: needs --depth");
    CHECK(refusal_of(drawn + "e --height 2000000 --width 1") ==
          "--height 2000000 --width 1: an image has at most 2^31 tokens, and 2^20 along an axis");
}

TEST_CASE("attention decomposed: a place of the shorter axis is many places of the longer one") {
    // 2 queries at 0 and 3 of 6 keys: row 3 i - j + 5 of the 11.
    const std::string command =
        "attention decomposed --height 2 --width 1 --key-height 6 --d 1 "
        "--heads 1 --init normal:0,1 --table ";
    const auto scores = float64_values(command + "e-height"), q = float64_values(command + "q");
    const auto vectors = values_of("learned --len 11 --d 1 --init normal:0,1 --seed 8");
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
            CHECK(scores[i * 6 + j] == doctest::Approx(q[i] * vectors[3 * i - j + 5]));
        }
    }
}

// OCAB of Andrew0613/X-Restormer, whose RelPosEmb is HaloNet's: 3 x 3 queries in the middle of 5 x
// 5 keys.
TEST_CASE("attention decomposed: keys in an overlapping window are those of X-Restormer") {
    const Golden golden("decomposed-window.npz");
    const std::string sizes =
        " --heads 2 --height 3 --width 3 --key-height 5 --key-width 5 --query-stride 1 "
        "--sign key-query --scale-positions";
    for (const std::string& table : golden.tables()) {
        CAPTURE(table);
        const auto ours = float64_values(
            fmt::format("attention decomposed{}{} --table {}", golden.inputs(), sizes, table));
        CHECK(largest_difference(ours, golden.values(table)) < 1e-12);
    }
    // 3 queries at 0, 2 and 4 of 4 keys: distance 0 is row 4 of 9.
    const std::string command =
        "attention decomposed --height 3 --width 1 --key-height 4 --d 1 --heads 1 --init "
        "normal:0,1 --query-stride 2 --table ";
    const auto scores = float64_values(command + "e-height"), q = float64_values(command + "q");
    const auto turned = float64_values(command + "e-height --sign key-query");
    const auto vectors = values_of("learned --len 9 --d 1 --init normal:0,1 --seed 8");
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            CHECK(scores[i * 4 + j] == doctest::Approx(q[i] * vectors[4 + 2 * i - j]));
            CHECK(turned[i * 4 + j] == doctest::Approx(q[i] * vectors[4 + j - 2 * i]));
        }
    }
    // Pooled, the smallest distance has row 0, whichever sign it has.
    const std::string pooled =
        "attention decomposed --height 4 --width 1 --key-height 2 --d 1 --heads 1 --init "
        "normal:0,1 --sign key-query --table ";
    const auto later = float64_values(pooled + "e-height"), own = float64_values(pooled + "q");
    const auto seven = values_of("learned --len 7 --d 1 --init normal:0,1 --seed 8");
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
            CHECK(later[i * 2 + j] == doctest::Approx(own[i] * seven[2 * j - i + 3]));
        }
    }
    CHECK(refusal_of("attention decomposed --height 1000 --width 1 --query-stride 2000") ==
          "--query-stride 2000: 1000 queries along an axis take more than 2^20 places; use a "
          "smaller stride");
}

TEST_CASE("attention: drawn inputs, memory and masks give what PyTorch gives in float64") {
    struct LastRow {
        const char* command;
        std::vector<double> last_row_of_z;
    };
    // The expected values were computed with torch.manual_seed, normal_, xavier_uniform_, einsum
    // and softmax.
    const std::vector<LastRow> rows{
        {"attention alibi --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2",
         {-0.13476438121951012, -0.2776243830481814, -0.26239892636648626, 0.05630558069609416}},
        {"attention shaw --max-distance 2 --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2",
         {0.17843497564818428, -0.5659223083330853, -0.47891485908102943, 0.044023020721331685}},
        {"attention xlnet --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2",
         {-0.20970357158950112, -0.03357447621394671, -0.17319444406857595, 0.14643131864137401}},
        {"attention xlnet --no-scale --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2",
         {-0.3724916816956126, -0.01726382859258923, -0.2129207863791788, 0.07955987582452212}},
        {"attention xlnet --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --clamp 3",
         {-0.12478492188960089, -0.011926148187754837, -0.11509330179587829, 0.18040120785830316}},
        {"attention xlnet --no-scale --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --clamp 3",
         {-0.280346602554212, 0.009570159614760106, -0.16422827505389664, 0.126817050310792}},
        {"attention t5 --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2",
         {0.04234203039294919, -0.5286487353367066, -0.3917165878361698, 0.056534211305110264}},
        {"attention rope --pairing half --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2",
         {0.021518652953680287, -0.15421269224199613, -0.04550521973062892, 0.08932007557856042}},
        {"attention rope --pairing interleaved --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2",
         {-0.29540322270317615, -0.3316316771223593, -0.4558576503344918, 0.07068639178712573}},
        {"attention alibi --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal",
         {-0.13476438121951012, -0.2776243830481814, -0.26239892636648626, 0.05630558069609416}},
        {"attention shaw --max-distance 2 --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal",
         {0.17843497564818428, -0.5659223083330853, -0.47891485908102943, 0.044023020721331685}},
        {"attention transformer-xl --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal",
         {-0.20970357158950112, -0.03357447621394671, -0.17319444406857595, 0.14643131864137401}},
        {"attention xlnet --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal",
         {-0.20970357158950112, -0.03357447621394671, -0.17319444406857595, 0.14643131864137401}},
        {"attention xlnet --no-scale --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal",
         {-0.3724916816956126, -0.01726382859258923, -0.2129207863791788, 0.07955987582452212}},
        {"attention transformer-xl --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal "
         "--clamp 3",
         {-0.12478492188960089, -0.011926148187754837, -0.11509330179587829, 0.18040120785830316}},
        {"attention xlnet --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal --clamp 3",
         {-0.12478492188960089, -0.011926148187754837, -0.11509330179587829, 0.18040120785830316}},
        {"attention xlnet --no-scale --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal "
         "--clamp 3",
         {-0.280346602554212, 0.009570159614760106, -0.16422827505389664, 0.126817050310792}},
        {"attention t5 --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal",
         {0.04234203039294919, -0.5286487353367066, -0.3917165878361698, 0.056534211305110264}},
        {"attention rope --pairing half --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 --causal",
         {0.021518652953680287, -0.15421269224199613, -0.04550521973062892, 0.08932007557856042}},
        {"attention rope --pairing interleaved --tokens 5 --d 8 --heads 2 --seed 3 --mem-len 2 "
         "--causal",
         {-0.29540322270317615, -0.3316316771223593, -0.4558576503344918, 0.07068639178712573}},
        {"attention swin --height 2 --width 3 --d 8 --heads 2 --seed 3",
         {-0.28825877121416105, -0.1710692916559418, -0.6932116288106872, 0.1928176430497308}},
    };
    for (const LastRow& golden : rows) {
        CAPTURE(golden.command);
        const auto z = float64_values(fmt::format("{} --table z", golden.command));
        const std::vector<double> last(z.end() - 4, z.end());
        CHECK(largest_difference(last, golden.last_row_of_z) < 1e-14);
    }
}

TEST_CASE("attention: the tables of every mechanism go together") {
    for (const Encoding* mechanism : all_mechanisms()) {
        CAPTURE(mechanism->name);
        const bool is_image =
            mechanism->name == "attention swin" || mechanism->name == "attention decomposed";
        const std::string command =
            fmt::format("{} --d 8 --heads 2 {} --table ", mechanism->name,
                        is_image ? "--height 3 --width 4" : "--tokens 12 --mem-len 5 --causal");
        const std::size_t queries = 12, keys = is_image ? 12 : 17, width = 4;
        const std::vector<double> alpha = float64_values(command + "alpha");
        const std::vector<double> v = float64_values(command + "v");
        std::vector<double> z = float64_values(command + "z");
        if (find_table(*mechanism, "z-content")) z = float64_values(command + "z-content");
        REQUIRE(alpha.size() == 2 * queries * keys);
        for (std::size_t row = 0; row < 2 * queries; ++row) {
            double sum = 0;
            std::vector<double> mixed(width);
            for (std::size_t key = 0; key < keys; ++key) {
                const double weight = alpha[row * keys + key];
                sum += weight;
                CHECK((weight > 0) == (is_image || key <= row % queries + 5));
                for (std::size_t i = 0; i < width; ++i) {
                    mixed[i] += weight * v[(row / queries * keys + key) * width + i];
                }
            }
            CHECK(sum == doctest::Approx(1).epsilon(1e-14));
            for (std::size_t i = 0; i < width; ++i) {
                CHECK(z[row * width + i] == doctest::Approx(mixed[i]).epsilon(1e-13));
            }
        }
    }
}

TEST_CASE("attention: terms has the terms of each head") {
    const std::string command = "attention xlnet --tokens 5 --d 8 --heads 2 --mem-len 2 --table ";
    const Table terms = table_of(command + "terms", DType::float64);
    CHECK(terms.shape == Shape{2, 4, 5, 7});
    const std::vector<double> all = all_values(terms);
    for (const char name : {'a', 'b', 'c', 'd'}) {
        const std::vector<double> term = float64_values(command + name);
        for (std::size_t i = 0; i < term.size(); ++i) {
            const std::size_t head = i / 35, place = static_cast<std::size_t>(name - 'a');
            CHECK(all[(head * 4 + place) * 35 + i % 35] == term[i]);
        }
    }
}

TEST_CASE("attention: any rows are those of the whole table") {
    for (const Encoding* mechanism : all_mechanisms()) {
        for (const TableSpec& spec : mechanism->tables) {
            CAPTURE(mechanism->name);
            CAPTURE(spec.name);
            const Table table =
                table_of(fmt::format("{} --d 16 --heads 4 --table {}", mechanism->name, spec.name),
                         DType::float64);
            const std::vector<double> all = all_values(table);
            const std::int64_t columns = table.shape.columns();
            for (const RowRange range : {RowRange{0, 1}, RowRange{47, 5}, RowRange{60, 100}}) {
                const std::vector<double> some = read_rows(table, range);
                CHECK(std::ranges::equal(
                    some, std::span(all).subspan(static_cast<std::size_t>(range.first * columns),
                                                 some.size())));
            }
        }
    }
}

TEST_CASE("attention: weights may be a matrix of nn.Linear, or a matrix for each head") {
    const TemporaryFolder folder;
    const std::vector<double> linear{1, 2, 3, 4, 5, 6, 7, 8};   // (heads * d-head, d) = (4, 2)
    const std::vector<double> by_head{1, 3, 2, 4, 5, 7, 6, 8};  // (heads, d, d-head) = (2, 2, 2)
    put(folder.path("linear.npy"), float64_file("(4, 2)", linear));
    put(folder.path("heads.npy"), float64_file("(2, 2, 2)", by_head));
    const std::string command = "attention alibi --tokens 3 --wk " + folder.path("");
    CHECK(float64_values(command + "linear.npy --heads 2 --table k") ==
          float64_values(command + "heads.npy --table k"));
}

TEST_CASE("attention: extents that contradict each other are named, with the axis of the file") {
    const TemporaryFolder folder;
    const auto file = [&](const char* name, const char* shape, std::size_t size) {
        put(folder.path(name), float64_file(shape, std::vector<double>(size, 0.5)));
        return folder.path(name);
    };
    const std::string x = file("x.npy", "(3, 4)", 12), w = file("w.npy", "(4, 5)", 20);
    const std::string u = file("u.npy", "(2, 2)", 4), flat = file("flat.npy", "(4,)", 4);
    const std::string odd = file("odd.npy", "(5, 4)", 20);
    const auto failure = [](const std::string& options) {
        return failure_of("attention transformer-xl" + options);
    };
    CHECK(failure(" --x " + x + " --wq " + w + " --heads 2") ==
          w + ": axis 1: says d = 5, but axis 1 of " + x + " says 4");
    CHECK(failure(" --x " + x + " --tokens 8") ==
          x + ": axis 0: says tokens = 3, but --tokens 8 says 8");
    CHECK(failure(" --u " + u + " --heads 3") ==
          u + ": axis 0: says heads = 2, but --heads 3 says 3");
    CHECK(failure(" --wq " + odd) ==
          "--heads: is needed: axis 0 of " + odd + ", 5, is heads * d-head");
    CHECK(failure(" --wq " + odd + " --heads 2") ==
          odd + ": axis 0, 5: is heads * d-head, and heads = 2 does not divide it");
    CHECK(failure(" --x " + flat) == flat + ": shape (4,): must be (tokens, d)");
    CHECK(failure(" --d 10 --heads 4") ==
          "--heads 4: does not divide d = 10; use another number, or give --d-head");
    CHECK(failure(" --x " + x + " --wq " + odd + " --d-head 5") == "accepted");
}

TEST_CASE("attention: alibi hides the future unless its form is symmetric") {
    const auto values = [](const std::string& options) {
        return float64_values("attention alibi --tokens 4 --d 8 --heads 2" + options);
    };
    for (const std::string form : {"signed", "causal", "key", "last-key"}) {
        CHECK(values(" --form " + form) == values(" --causal --form " + form));
    }
    CHECK(values(" --form symmetric") != values(" --causal --form symmetric"));
}

TEST_CASE("attention: of equal tokens only positions make the weights differ") {
    const std::vector<double> equal =
        float64_values("attention alibi --content equal --tokens 5 --d 8 --heads 1");
    double sum = 0;
    for (int key = 0; key < 5; ++key) sum += std::exp(-(4 - key) / 256.0);
    for (int key = 0; key < 5; ++key) {
        CHECK(equal[20 + key] == doctest::Approx(std::exp(-(4 - key) / 256.0) / sum));
    }
    const std::vector<double> q = float64_values(
        "attention transformer-xl --content equal --tokens 3 --mem-len 2 --d 4 "
        "--heads 1 --table k");
    for (std::size_t i = 4; i < q.size(); ++i) CHECK(q[i] == q[i % 4]);
    CHECK(float64_values("attention alibi --tokens 3 --d 8 --table q") ==
          float64_values("attention alibi --content random --tokens 3 --d 8 --table q"));
    const TemporaryFolder folder;
    put(folder.path("x.npy"), float64_file("(1, 2)", {0.5, 1}));
    CHECK(
        refusal_of("attention alibi --content equal --d 2 --heads 1 --x " + folder.path("x.npy")) ==
        "--content equal: --x has the tokens; leave one of the two out");
}

TEST_CASE("attention: equal words are equal tokens, and the others those without words") {
    const auto q = [](const std::string& options) {
        return float64_values("attention alibi --d 8 --heads 1 --table q " + options);
    };
    const std::vector<double> plain = q("--tokens 3");
    CHECK(q("--words=a") == q("--tokens 1"));
    const Table named = table_of("attention alibi --d 8 --heads 1 --words=a");
    CHECK(named.axes[1].index_names == std::vector<std::string>{"a"});
    CHECK(named.axes[2].index_names == std::vector<std::string>{"a"});
    const Encoding& alibi = *find_encoding("attention alibi");
    Parameters parameters(alibi.parameters);
    parameters.set("words", "the cat the", Origin::user);
    parameters.set("d", "8", Origin::user);
    parameters.set("heads", "1", Origin::user);
    const std::vector<double> words =
        all_values(make_table(alibi, *find_table(alibi, "q"), parameters, DType::float64));
    for (int i = 0; i < 8; ++i) {
        CHECK(words[i] == plain[i]);
        CHECK(words[8 + i] == plain[8 + i]);
        CHECK(words[16 + i] == plain[i]);
    }
}

TEST_CASE("attention: inputs must be finite floats") {
    const TemporaryFolder folder;
    put(folder.path("x.npy"), float64_file("(1, 2)", {0.5, NAN}));
    put(folder.path("i.npy"), npy_file("<i4", "False", "(1, 2)", std::string(8, '\0')));
    CHECK(failure_of("attention rope --heads 1 --x " + folder.path("x.npy")) ==
          folder.path("x.npy") + ": inputs[0, 1] is nan: must be finite");
    CHECK(failure_of("attention rope --heads 1 --x " + folder.path("i.npy")) ==
          folder.path("i.npy") + ": dtype int32: inputs must be floats; save inputs.astype(float)");
}

TEST_CASE("attention: a product beyond the largest double is refused, and is no mask") {
    const TemporaryFolder folder;
    put(folder.path("x.npy"), float64_file("(2, 1)", {1e200, 1}));
    put(folder.path("w.npy"), float64_file("(1, 1)", {1e100}));
    put(folder.path("m.npy"), float64_file("(1, 1)", {-1e100}));
    const std::string command =
        fmt::format("attention alibi --heads 1 --x {} --wq {} --wk {}", folder.path("x.npy"),
                    folder.path("w.npy"), folder.path("m.npy"));
    CHECK(float64_values(command + " --table q") == std::vector<double>{1e300, 1e100});
    for (const std::string table : {"content", "score", "alpha", "z", "terms"}) {
        CAPTURE(table);
        CHECK_THROWS_AS(float64_values(command + " --causal --table " + table), UsageError);
    }
    put(folder.path("w.npy"), float64_file("(1, 1)", {1e150}));
    CHECK_THROWS_AS(float64_values(command + " --table q"), UsageError);
}

TEST_CASE(
    "attention: weights under a causal mask have a title for figures that leave the keys out") {
    const Table causal = table_of("attention rope --tokens 4 --heads 1 --causal");
    CHECK(causal.title == "Attention Weights (tokens=4)");
    CHECK(causal.masked_title == "Attention Weights (tokens=4), under a causal mask");
    CHECK(all_values(causal)[1] == 0);
    CHECK(table_of("attention rope --tokens 4 --heads 1").masked_title.empty());
    CHECK(table_of("attention rope --tokens 4 --heads 1 --causal --table score").masked_title ==
          "");
}
