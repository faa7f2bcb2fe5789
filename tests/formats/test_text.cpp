#include <doctest/doctest.h>

#include <limits>

#include "core/to_size.h"
#include "formats/fake_table.h"
#include "formats/text.h"

using namespace pegen;
using namespace pegen::testing;

// Every expected text in this file was printed by NumPy 1.24.2: print(array).

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Case {
    const char* promise;
    Shape shape;
    DType dtype;
    std::vector<double> values;
    const char* text;
};

const std::vector<Case> printed_by_numpy{
    {"a sinusoid of four positions wraps its lines",
     Shape{4, 10},
     DType::float32,
     {0,
      1,
      0,
      1,
      0,
      1,
      0,
      1,
      0,
      1,
      0.8414709568023682,
      0.5403022766113281,
      0.15782664716243744,
      0.9874668121337891,
      0.025116221979260445,
      0.9996845126152039,
      0.003981061279773712,
      0.9999920725822449,
      0.0006309573072940111,
      0.9999998211860657,
      0.9092974066734314,
      -0.416146844625473,
      0.3116971552371979,
      0.9501814842224121,
      0.05021660029888153,
      0.9987383484840393,
      0.00796205922961235,
      0.9999682903289795,
      0.0012619143817573786,
      0.9999992251396179,
      0.14112000167369843,
      -0.9899924993515015,
      0.45775455236434937,
      0.8890786170959473,
      0.07528529316186905,
      0.9971620440483093,
      0.011942931450903416,
      0.9999286532402039,
      0.001892870874144137,
      0.9999982118606567},
     R"([[ 0.0000000e+00  1.0000000e+00  0.0000000e+00  1.0000000e+00
   0.0000000e+00  1.0000000e+00  0.0000000e+00  1.0000000e+00
   0.0000000e+00  1.0000000e+00]
 [ 8.4147096e-01  5.4030228e-01  1.5782665e-01  9.8746681e-01
   2.5116222e-02  9.9968451e-01  3.9810613e-03  9.9999207e-01
   6.3095731e-04  9.9999982e-01]
 [ 9.0929741e-01 -4.1614684e-01  3.1169716e-01  9.5018148e-01
   5.0216600e-02  9.9873835e-01  7.9620592e-03  9.9996829e-01
   1.2619144e-03  9.9999923e-01]
 [ 1.4112000e-01 -9.8999250e-01  4.5775455e-01  8.8907862e-01
   7.5285293e-02  9.9716204e-01  1.1942931e-02  9.9992865e-01
   1.8928709e-03  9.9999821e-01]]
)"},
    {"float64 is cut to eight digits",
     Shape{2, 2},
     DType::float64,
     {0.3333333333333333, 0.6666666666666666, 0.1, 12.5},
     R"([[ 0.33333333  0.66666667]
 [ 0.1        12.5       ]]
)"},
    {"the digits of a float32 are its own",
     Shape{3},
     DType::float32,
     {0.10000000149011612, 0.25, 0.3333333432674408},
     R"([0.1        0.25       0.33333334]
)"},
    {"the digits of a float16 are its own",
     Shape{2, 2},
     DType::float16,
     {0.0999755859375, 0.333251953125, -2.5, 7.99609375},
     R"([[ 0.1     0.3333]
 [-2.5     7.996 ]]
)"},
    {"whole floats keep their point",
     Shape{4},
     DType::float32,
     {0, 1, 2, 3},
     R"([0. 1. 2. 3.]
)"},
    {"true digits before the point of a float16",
     Shape{3},
     DType::float16,
     {8792, 65504, 3000},
     R"([ 8792. 65504.  3000.]
)"},
    {"true digits before the point of a float32",
     Shape{3},
     DType::float32,
     {33554430, 16777216, 99999992},
     R"([33554430. 16777216. 99999992.]
)"},
    {"a large value brings exponents",
     Shape{2},
     DType::float32,
     {100000000, 1},
     R"([1.e+08 1.e+00]
)"},
    {"a small value brings exponents with true digits",
     Shape{2},
     DType::float32,
     {0.10000000149011612, 9.999999747378752e-06},
     R"([1.e-01 1.e-05]
)"},
    {"a wide range brings exponents",
     Shape{2},
     DType::float64,
     {0.5, 1000},
     R"([5.e-01 1.e+03]
)"},
    {"a range of a thousand brings none",
     Shape{2},
     DType::float64,
     {0.5, 500},
     R"([  0.5 500. ]
)"},
    {"a range that rounds to a thousand in float16 brings none",
     Shape{2},
     DType::float16,
     {1, 1000},
     R"([   1. 1000.]
)"},
    {"exponents of three digits are common",
     Shape{3},
     DType::float64,
     {1e-100, 1.5, -20000000000},
     R"([ 1.0e-100  1.5e+000 -2.0e+010]
)"},
    {"nine digits in float64 exponents",
     Shape{2},
     DType::float64,
     {1.23456789012e-07, 999999.99999},
     R"([1.23456789e-07 1.00000000e+06]
)"},
    {"a subnormal has its digit",
     Shape{2},
     DType::float64,
     {5e-324, 1e-45},
     R"([5.e-324 1.e-045]
)"},
    {"special values line up with digits",
     Shape{5},
     DType::float64,
     {not_a_number, infinity, -infinity, 0.5, -0.0},
     R"([ nan  inf -inf  0.5 -0. ]
)"},
    {"special values alone",
     Shape{2, 2},
     DType::float32,
     {not_a_number, infinity, -infinity, not_a_number},
     R"([[ nan  inf]
 [-inf  nan]]
)"},
    {"special values beside exponents",
     Shape{3},
     DType::float32,
     {not_a_number, -infinity, 9.999999717180685e-10},
     R"([   nan   -inf 1.e-09]
)"},
    {"zeros",
     Shape{2, 2},
     DType::float32,
     {0, 0, 0, 0},
     R"([[0. 0.]
 [0. 0.]]
)"},
    {"negative zero with exponents",
     Shape{2},
     DType::float32,
     {-0.0, 9.999999717180685e-10},
     R"([-0.e+00  1.e-09]
)"},
    {"integers line up",
     Shape{2, 2},
     DType::int32,
     {1, -20, 300, 4},
     R"([[  1 -20]
 [300   4]]
)"},
    {"unsigned integers of 64 bits",
     Shape{2},
     DType::uint64,
     {9007199254740992.0, 0},
     R"([9007199254740992                0]
)"},
    {"bools line up",
     Shape{2, 2},
     DType::boolean,
     {1, 0, 0, 1},
     R"([[ True False]
 [False  True]]
)"},
    {"no axes float64",
     Shape{},
     DType::float64,
     {0.1},
     R"(0.1
)"},
    {"no axes float32 whole",
     Shape{},
     DType::float32,
     {16777216},
     R"(16777216.0
)"},
    {"no axes float16 with its shortest digits",
     Shape{},
     DType::float16,
     {65504},
     R"(65500.0
)"},
    {"no axes large",
     Shape{},
     DType::float64,
     {1e+16},
     R"(1e+16
)"},
    {"no axes small",
     Shape{},
     DType::float32,
     {1.4999999621068127e-05},
     R"(1.5e-05
)"},
    {"no axes bool",
     Shape{},
     DType::boolean,
     {1},
     R"(True
)"},
    {"no axes integer",
     Shape{},
     DType::int16,
     {-7},
     R"(-7
)"},
    {"no axes nan",
     Shape{},
     DType::float64,
     {not_a_number},
     R"(nan
)"},
    {"no axes minus infinity",
     Shape{},
     DType::float64,
     {-infinity},
     R"(-inf
)"},
    {"one axis wraps",
     Shape{30},
     DType::float32,
     {0,
      0.1428571492433548,
      0.2857142984867096,
      0.4285714328289032,
      0.5714285969734192,
      0.7142857313156128,
      0.8571428656578064,
      1,
      1.1428571939468384,
      1.2857142686843872,
      1.4285714626312256,
      1.5714285373687744,
      1.7142857313156128,
      1.8571428060531616,
      2,
      2.142857074737549,
      2.2857143878936768,
      2.4285714626312256,
      2.5714285373687744,
      2.7142856121063232,
      2.857142925262451,
      3,
      3.142857074737549,
      3.2857143878936768,
      3.4285714626312256,
      3.5714285373687744,
      3.7142856121063232,
      3.857142925262451,
      4,
      4.142857074737549},
     R"([0.         0.14285715 0.2857143  0.42857143 0.5714286  0.71428573
 0.85714287 1.         1.1428572  1.2857143  1.4285715  1.5714285
 1.7142857  1.8571428  2.         2.142857   2.2857144  2.4285715
 2.5714285  2.7142856  2.857143   3.         3.142857   3.2857144
 3.4285715  3.5714285  3.7142856  3.857143   4.         4.142857  ]
)"},
    {"one value too wide for nothing",
     Shape{1, 1},
     DType::int8,
     {1},
     R"([[1]]
)"},
    {"three axes are apart by an empty line",
     Shape{2, 3, 2},
     DType::int16,
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
     R"([[[ 0  1]
  [ 2  3]
  [ 4  5]]

 [[ 6  7]
  [ 8  9]
  [10 11]]]
)"},
    {"four axes are apart by two",
     Shape{2, 2, 1, 2},
     DType::float32,
     {0, 1, 2, 3, 4, 5, 6, 7},
     R"([[[[0. 1.]]

  [[2. 3.]]]


 [[[4. 5.]]

  [[6. 7.]]]]
)"},
    {"no elements",
     Shape{3, 0},
     DType::float32,
     {},
     R"([]
)"},
};

/// Element i is i / divisor.
Table ramp(Shape shape, DType dtype, double divisor = 1) {
    std::vector<double> values(to_size(shape.size()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / divisor;
    return table_of(std::move(shape), dtype, values);
}

std::string text(const Table& table) { return written(table, formats::text); }

}  // namespace

TEST_CASE("text: a table is shown as NumPy prints it") {
    for (const Case& c : printed_by_numpy) {
        CAPTURE(c.promise);
        CHECK(text(table_of(c.shape, c.dtype, c.values)) == c.text);
    }
}

TEST_CASE("text: more than a thousand values of one axis are elided") {
    CHECK(text(ramp({1001}, DType::int32)) == R"([   0    1    2 ...  998  999 1000]
)");
}

TEST_CASE("text: both axes of a matrix are elided") {
    CHECK(text(ramp({100, 128}, DType::float32, 64)) ==
          R"([[0.0000000e+00 1.5625000e-02 3.1250000e-02 ... 1.9531250e+00
  1.9687500e+00 1.9843750e+00]
 [2.0000000e+00 2.0156250e+00 2.0312500e+00 ... 3.9531250e+00
  3.9687500e+00 3.9843750e+00]
 [4.0000000e+00 4.0156250e+00 4.0312500e+00 ... 5.9531250e+00
  5.9687500e+00 5.9843750e+00]
 ...
 [1.9400000e+02 1.9401562e+02 1.9403125e+02 ... 1.9595312e+02
  1.9596875e+02 1.9598438e+02]
 [1.9600000e+02 1.9601562e+02 1.9603125e+02 ... 1.9795312e+02
  1.9796875e+02 1.9798438e+02]
 [1.9800000e+02 1.9801562e+02 1.9803125e+02 ... 1.9995312e+02
  1.9996875e+02 1.9998438e+02]]
)");
}

TEST_CASE("text: axes of up to six items are shown whole next to elided ones") {
    CHECK(text(ramp({1000, 2}, DType::float16)) == R"([[0.000e+00 1.000e+00]
 [2.000e+00 3.000e+00]
 [4.000e+00 5.000e+00]
 ...
 [1.994e+03 1.995e+03]
 [1.996e+03 1.997e+03]
 [1.998e+03 1.999e+03]]
)");
}

TEST_CASE("text: a few long rows are elided along them") {
    CHECK(text(ramp({2, 1000}, DType::float64)) ==
          R"([[0.000e+00 1.000e+00 2.000e+00 ... 9.970e+02 9.980e+02 9.990e+02]
 [1.000e+03 1.001e+03 1.002e+03 ... 1.997e+03 1.998e+03 1.999e+03]]
)");
}

TEST_CASE("text: three axes are elided") {
    CHECK(text(ramp({11, 10, 10}, DType::int32)) == R"([[[   0    1    2 ...    7    8    9]
  [  10   11   12 ...   17   18   19]
  [  20   21   22 ...   27   28   29]
  ...
  [  70   71   72 ...   77   78   79]
  [  80   81   82 ...   87   88   89]
  [  90   91   92 ...   97   98   99]]

 [[ 100  101  102 ...  107  108  109]
  [ 110  111  112 ...  117  118  119]
  [ 120  121  122 ...  127  128  129]
  ...
  [ 170  171  172 ...  177  178  179]
  [ 180  181  182 ...  187  188  189]
  [ 190  191  192 ...  197  198  199]]

 [[ 200  201  202 ...  207  208  209]
  [ 210  211  212 ...  217  218  219]
  [ 220  221  222 ...  227  228  229]
  ...
  [ 270  271  272 ...  277  278  279]
  [ 280  281  282 ...  287  288  289]
  [ 290  291  292 ...  297  298  299]]

 ...

 [[ 800  801  802 ...  807  808  809]
  [ 810  811  812 ...  817  818  819]
  [ 820  821  822 ...  827  828  829]
  ...
  [ 870  871  872 ...  877  878  879]
  [ 880  881  882 ...  887  888  889]
  [ 890  891  892 ...  897  898  899]]

 [[ 900  901  902 ...  907  908  909]
  [ 910  911  912 ...  917  918  919]
  [ 920  921  922 ...  927  928  929]
  ...
  [ 970  971  972 ...  977  978  979]
  [ 980  981  982 ...  987  988  989]
  [ 990  991  992 ...  997  998  999]]

 [[1000 1001 1002 ... 1007 1008 1009]
  [1010 1011 1012 ... 1017 1018 1019]
  [1020 1021 1022 ... 1027 1028 1029]
  ...
  [1070 1071 1072 ... 1077 1078 1079]
  [1080 1081 1082 ... 1087 1088 1089]
  [1090 1091 1092 ... 1097 1098 1099]]]
)");
}

TEST_CASE("text: a thousand values are all shown") {
    const std::string shown = text(ramp({1000}, DType::int32));
    CHECK(shown.find("...") == std::string::npos);
    CHECK(shown.ends_with(" 999]\n"));
}

TEST_CASE("text: bfloat16 has its shortest digits") {
    CHECK(text(table_of({3}, DType::bfloat16, {0.1, 1.0 / 3, -2})) == "[ 0.1    0.334 -2.   ]\n");
    CHECK(text(table_of({}, DType::bfloat16, {1.0 / 3})) == "0.334\n");
}
