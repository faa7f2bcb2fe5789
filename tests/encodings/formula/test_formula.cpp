#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/axis.h"
#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

using Values = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string axes_of(std::string_view command) {
    std::string names;
    for (const Axis& axis : table_of(command).axes) names += axis.name + " ";
    return names;
}

}  // namespace

TEST_CASE("formula: small tables by hand") {
    CHECK(values_of("formula --value q-2*k --len 2 --key-len 3") == Values{1, -1, -3, 2, 0, -2});
    CHECK(values_of("formula --value pos^2 --len 4") == Values{0, 1, 4, 9});
    CHECK(values_of("formula --value 10*pos+i --len 2 --d 3") == Values{0, 1, 2, 10, 11, 12});
    CHECK(values_of("formula --value h-q*k --heads 2 --len 2") == Values{0, 0, 0, -1, 1, 1, 1, 0});
    CHECK(values_of("formula --value x+10*y+100*t --image 2x1x2") == Values{0, 1, 100, 101});
    CHECK(values_of("formula --value x+pos --image 2x2") == Values{0, 2, 2, 4});
    CHECK(values_of("formula --value where(k>q,-inf,0) --len 2") == Values{0, -infinity, 0, 0});
    CHECK(values_of("formula --value d/(i+1) --d 4", DType::float64) == Values{4, 2, 4.0 / 3, 1});
}

TEST_CASE("formula: the names are the axes") {
    CHECK(axes_of("formula --value i*h*q") == "head query key channel ");
    CHECK(axes_of("formula --value i*pos*h") == "head position channel ");
    CHECK(axes_of("formula --value xq+h --image 2x3") == "head query key ");
    CHECK(axes_of("formula --value x*i --image 2x3") == "height width channel ");
    CHECK(axes_of("formula --value x --image 2x2x3") == "depth height width ");
    CHECK(axes_of("formula --value 2^h") == "head ");
}

TEST_CASE("formula: of more keys than queries, the queries are the last") {
    CHECK(values_of("formula --value q --len 2 --key-len 3") == Values{1, 1, 1, 2, 2, 2});
    CHECK(values_of("formula --value q --len 2 --key-len 1") == Values{0, 1});
    CHECK(values_of("formula --value q-key_len+len --len 2 --key-len 3") ==
          Values{0, 0, 0, 1, 1, 1});
}

TEST_CASE("formula: tables with a name of their own have the same bits") {
    struct Pair {
        const char* formula;
        const char* named;
    };
    for (const Pair& pair : {
             Pair{"sin(pos/10000^(2*(i//2)/d)+pi/2*(i%2)) --len 40 --d 64",
                  "sinusoid --len 40 --d 64"},
             Pair{"where(k>q,-inf,-2^(-8*(h+1)/heads)*(q-k)) --heads 4 --len 20",
                  "alibi --heads 4 --len 20 --mask causal"},
             Pair{"-log(1+0.5*max(q-k,0)) --len 30", "kerple --heads 1 --len 30"},
             Pair{"clip(k-q,-8,8)+8 --len 20", "shaw --max-distance 8 --len 20"},
             Pair{"(yq-yk+2)*7+xq-xk+3 --image 3x4", "swin --height 3 --width 4"},
             Pair{"pos//2^i%2 --len 30 --d 5", "binary --bits 5 --len 30"},
         }) {
        for (const DType dtype :
             {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
            CAPTURE(std::string(pair.formula));
            CHECK(values_of(std::string("formula --value ") + pair.formula, dtype) ==
                  values_of(pair.named, dtype));
        }
    }
}

TEST_CASE("formula: places from a file") {
    const TemporaryFolder folder;
    put(folder.path("p.npy"), npy_of_doubles("(2, 2)", {1, 2, 3, 5}));
    put(folder.path("ids.npy"), npy_of_doubles("(3, 1)", {7, -1, 7}));
    const auto of = [&](const std::string& value, const char* file) {
        return values_of("formula --points " + folder.path(file) + " --value " + value);
    };
    CHECK(of("10*y+x", "p.npy") == Values{12, 35});
    CHECK(of("xq-yk", "p.npy") == Values{1, -1, 4, 2});
    CHECK(of("xq==xk", "ids.npy") == Values{1, 0, 1, 0, 1, 0, 1, 0, 1});
    CHECK(of("q-k+0*xq", "ids.npy") == Values{0, -1, -2, 1, 0, -1, 2, 1, 0});
}

TEST_CASE("formula: rows are the same alone, and in any dtype that holds them") {
    const Table table = table_of("formula --value exp(-abs(q-k)*(h+1)/8) --heads 3 --len 9");
    const Values whole = all_values(table);
    for (std::int64_t row = 0; row < table.shape.rows(); ++row) {
        const Values alone = read_rows(table, {row, 1});
        CHECK(std::equal(alone.begin(), alone.end(), whole.begin() + row * 9));
    }
    CHECK(values_of("formula --value 2^q --len 16 --key-len 1", DType::float16).back() == 32768);
    CHECK_THROWS_WITH_AS(values_of("formula --value 2^q --len 17 --key-len 1", DType::float16),
                         "--dtype float16: cannot hold 2^16, 65536; its largest value is 65504",
                         UsageError);
    CHECK_THROWS_WITH_AS(values_of("formula --value log(3-pos) --len 5"),
                         "--value log(3-pos): there is no logarithm of 0 or less, with pos = 3",
                         UsageError);
}

TEST_CASE("formula: values of distances are those of each pair by itself") {
    for (const auto& [value, extents] : {
             std::pair<std::string, std::string>{"exp(-abs(q-k)/8)", ""},
             {"where(k>q,-inf,k-q)", ""},
             {"(q<k)+2*(k<=q)+4*(q==k)", ""},
             {"0<=q-k<3", ""},
             {"q-k+len", ""},
             {"(h+1)*(k-q)", " --heads 3"},
             {"sin((q-k)/10000^(i/d))", " --d 5"},
             {"(q-k)*i+h", " --heads 3 --d 5"},
         }) {
        for (const char* const lengths :
             {" --len 1", " --len 6", " --len 3 --key-len 8", " --len 8 --key-len 3"}) {
            const std::string options = lengths + extents;
            const std::string own = "formula --value " + value + options;
            CAPTURE(own);
            for (const DType dtype : {DType::float32, DType::float64, DType::float16}) {
                // A formula with q by itself is evaluated for each pair.
                const Table each = table_of("formula --value (" + value + ")+0*q" + options, dtype);
                const Table table = table_of(own, dtype);
                CHECK(table.shape == each.shape);
                CHECK(all_values(table) == all_values(each));
                const std::int64_t last = table.shape.rows() - 1;
                CHECK(read_rows(table, {last, 1}) == read_rows(each, {last, 1}));
            }
        }
    }
}

TEST_CASE("formula: a distance without a value is refused where its first pair is asked for") {
    const Table table = table_of("formula --value 1/(q-k-2) --len 5");
    CHECK(read_rows(table, {1, 1}) == values_of("formula --value 1/(-1-pos) --len 5"));
    CHECK_THROWS_WITH_AS(all_values(table), "--value 1/(q-k-2): it divides by 0, with q = 2, k = 0",
                         UsageError);
    CHECK_THROWS_WITH_AS(values_of("formula --value 2^(8*(q-k)) --len 5", DType::float16),
                         "--dtype float16: cannot hold 2^(8*(2-0)), 65536; its largest value is "
                         "65504",
                         UsageError);
}
