#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <numeric>
#include <set>
#include <vector>

#include "core/dtype.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "numerics/oracle.h"
#include "numerics/real.h"

using namespace pegen;

namespace {

/// Returns the value of channel 2 i or 2 i + 1 at a position, with `over` / `under` in the
/// exponent.
double sin_of(double position, double over, double under, double base = 10000) {
    return oracle::sin_float(position, base, over, under);
}
double cos_of(double position, double over, double under, double base = 10000) {
    return oracle::cos_float(position, base, over, under);
}

}  // namespace

TEST_CASE("sinusoid: the table of 4 positions and 10 channels is the one that is printed") {
    // A popular introduction prints these values with five digits.
    const std::vector<double> printed{
        0.0000e+00,  1.0000e+00, 0.0000e+00, 1.0000e+00,  0.0000e+00, 1.0000e+00, 0.0000e+00,
        1.0000e+00,  0.0000e+00, 1.0000e+00, 8.4147e-01,  5.4030e-01, 1.5783e-01, 9.8747e-01,
        2.5116e-02,  9.9968e-01, 3.9811e-03, 9.9999e-01,  6.3096e-04, 1.0000e+00, 9.0930e-01,
        -4.1615e-01, 3.1170e-01, 9.5018e-01, 5.0217e-02,  9.9874e-01, 7.9621e-03, 9.9997e-01,
        1.2619e-03,  1.0000e+00, 1.4112e-01, -9.8999e-01, 4.5775e-01, 8.8908e-01, 7.5285e-02,
        9.9716e-01,  1.1943e-02, 9.9993e-01, 1.8929e-03,  1.0000e+00};
    const std::vector<double> table = values_of("sinusoid --d 10 --len 4");
    REQUIRE(table.size() == printed.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double last_digit =
            std::pow(10, std::floor(std::log10(std::fabs(printed[i]) + 1e-30)) - 4);
        CHECK(std::fabs(table[i] - printed[i]) <= 0.5000001 * std::min(last_digit, 1e-4));
    }
}

TEST_CASE("sinusoid: interleaved puts a sine before its cosine") {
    CHECK(values_of("sinusoid --d 4 --len 1 --start 3") ==
          std::vector<double>{sin_of(3, 0, 4), cos_of(3, 0, 4), sin_of(3, 2, 4), cos_of(3, 2, 4)});
}

TEST_CASE("sinusoid: halves put all sines before all cosines") {
    CHECK(values_of("sinusoid --d 4 --len 1 --start 3 --layout halves") ==
          std::vector<double>{sin_of(3, 0, 4), sin_of(3, 2, 4), cos_of(3, 0, 4), cos_of(3, 2, 4)});
}

TEST_CASE("sinusoid: first cos swaps the functions and nothing else") {
    CHECK(values_of("sinusoid --d 4 --len 1 --start 3 --first cos") ==
          std::vector<double>{cos_of(3, 0, 4), sin_of(3, 0, 4), cos_of(3, 2, 4), sin_of(3, 2, 4)});
    CHECK(values_of("sinusoid --d 4 --len 1 --start 3 --first cos --layout halves") ==
          std::vector<double>{cos_of(3, 0, 4), cos_of(3, 2, 4), sin_of(3, 0, 4), sin_of(3, 2, 4)});
}

TEST_CASE("sinusoid: the denominator shift is taken from d in the exponent") {
    CHECK(values_of("sinusoid --d 4 --len 1 --start 3 --denom-shift 2 --base 50") ==
          std::vector<double>{sin_of(3, 0, 2, 50), cos_of(3, 0, 2, 50), sin_of(3, 2, 2, 50),
                              cos_of(3, 2, 2, 50)});
    CHECK(values_of("sinusoid --d 2 --len 1 --start 3 --denom-shift 2") ==
          std::vector<double>{sin_of(3, 0, 1), cos_of(3, 0, 1)});
}

TEST_CASE("sinusoid: per-channel pairing gives every channel its own frequency") {
    CHECK(values_of("sinusoid --d 4 --len 1 --start 3 --pairing per-channel") ==
          std::vector<double>{sin_of(3, 0, 4), cos_of(3, 1, 4), sin_of(3, 2, 4), cos_of(3, 3, 4)});
}

TEST_CASE("sinusoid: an odd d has three answers beside the refusal") {
    CHECK(values_of("sinusoid --d 3 --len 1 --start 5 --odd exact") ==
          std::vector<double>{sin_of(5, 0, 3), cos_of(5, 0, 3), sin_of(5, 2, 3)});
    CHECK(values_of("sinusoid --d 3 --len 1 --start 5 --odd zero-pad") ==
          std::vector<double>{sin_of(5, 0, 2), cos_of(5, 0, 2), 0});
    CHECK(values_of("sinusoid --d 3 --len 1 --start 5 --odd round-up") ==
          std::vector<double>{sin_of(5, 0, 4), cos_of(5, 0, 4), sin_of(5, 2, 4)});
}

TEST_CASE("sinusoid: an odd d in halves has one more of the first function") {
    CHECK(values_of("sinusoid --d 3 --len 1 --start 5 --odd exact --layout halves") ==
          std::vector<double>{sin_of(5, 0, 3), sin_of(5, 2, 3), cos_of(5, 0, 3)});
    CHECK(values_of("sinusoid --d 3 --len 1 --start 5 --odd zero-pad --layout halves") ==
          std::vector<double>{sin_of(5, 0, 2), cos_of(5, 0, 2), 0});
    CHECK(values_of("sinusoid --d 3 --len 1 --start 5 --odd round-up --layout halves") ==
          std::vector<double>{sin_of(5, 0, 4), sin_of(5, 2, 4), cos_of(5, 0, 4)});
}

TEST_CASE("sinusoid: d 1 is one sine or one zero") {
    CHECK(values_of("sinusoid --d 1 --len 1 --start 5 --odd exact") ==
          std::vector<double>{sin_of(5, 0, 1)});
    CHECK(values_of("sinusoid --d 1 --len 1 --start 5 --odd zero-pad") == std::vector<double>{0});
    CHECK(table_of("sinusoid --d 1 --odd zero-pad --table wavelengths").shape == Shape{0});
}

TEST_CASE("sinusoid: an even d does not care about odd") {
    for (const char* odd : {"exact", "zero-pad", "round-up"}) {
        CHECK(values_of(std::string("sinusoid --d 6 --len 9 --odd ") + odd) ==
              values_of("sinusoid --d 6 --len 9"));
    }
}

TEST_CASE("sinusoid: positions start at start and go by step") {
    CHECK(values_of("sinusoid --d 8 --start 7 --step -2.5 --len 3") ==
          values_of("sinusoid --d 8 --positions 7,4.5,2"));
}

TEST_CASE("sinusoid: a range of positions is their list, and every list of positions takes some") {
    for (const std::string name : {"sinusoid", "rope", "index", "periodic --alpha 3"}) {
        CAPTURE(name);
        CHECK(values_of(name + " --positions 0:3,0:4,9:0:-3") ==
              values_of(name + " --positions 0,1,2,0,1,2,3,9,6,3"));
    }
}

TEST_CASE("sinusoid: reverse puts the last position first") {
    CHECK(values_of("sinusoid --d 8 --len 3 --reverse") ==
          values_of("sinusoid --d 8 --positions 2,1,0"));
    CHECK(values_of("sinusoid --d 8 --positions 2,1,0 --reverse") ==
          values_of("sinusoid --d 8 --len 3"));
}

TEST_CASE("sinusoid: the frequency scale acts as one on the positions") {
    CHECK(values_of("sinusoid --d 8 --len 5 --freq-scale 4") ==
          values_of("sinusoid --d 8 --len 5 --step 4"));
}

TEST_CASE("sinusoid: the output scale multiplies and may be named") {
    CHECK(values_of("sinusoid --d 8 --len 2 --out-scale 0.5") ==
          values_of("sinusoid --d 8 --len 2 --out-scale sqrt(2/d)"));
    CHECK(values_of("sinusoid --d 16 --len 2 --out-scale 0.25") ==
          values_of("sinusoid --d 16 --len 2 --out-scale 1/sqrt(d)"));
    CHECK(values_of("sinusoid --d 2 --len 1 --out-scale -3") == std::vector<double>{-0.0, -3});
}

TEST_CASE("sinusoid: the zero row is that of a position") {
    const std::vector<double> table = values_of("sinusoid --d 2 --len 4 --zero-row 1");
    CHECK(table[2] == 0);
    CHECK(table[3] == 0);
    CHECK(table[5] == cos_of(2, 0, 2));
    CHECK(values_of("sinusoid --d 2 --len 4 --start 2 --zero-row 1") ==
          values_of("sinusoid --d 2 --len 4 --start 2"));
    CHECK(values_of("fairseq --d 2 --len 4 --zero-row none") == values_of("whisper --d 2 --len 4"));
}

TEST_CASE("sinusoid: prefix rows come first and move the others down") {
    const Table table = table_of("sinusoid --d 2 --len 3 --prefix-rows 2 --zero-row 0");
    CHECK(table.shape == Shape{5, 2});
    const std::vector<double> values = all_values(table);
    for (std::size_t i = 0; i < 6; ++i) CHECK(values[i] == 0);
    CHECK(values[6] == sin_of(1, 0, 2));
}

TEST_CASE("sinusoid: a standardized table has mean 0 and the deviation asked for") {
    const std::vector<double> table =
        values_of("sinusoid --d 16 --len 100 --standardize 10", DType::float64);
    const double n = static_cast<double>(table.size());
    const double mean = std::accumulate(table.begin(), table.end(), 0.0) / n;
    double squares = 0;
    for (const double value : table) squares += (value - mean) * (value - mean);
    CHECK(std::fabs(mean) < 1e-15);
    CHECK(std::sqrt(squares / (n - 1)) == doctest::Approx(0.1).epsilon(1e-14));
}

TEST_CASE("sinusoid: standardized values times the divisor are less than 1e-13 off") {
    for (const char* const table :
         {"sinusoid --d 16 --len 100", "sinusoid --d 1 --odd exact --len 9",
          "sinusoid --d 64 --len 3000 --start 1e6", "sinusoid --d 8 --len 700 --out-scale 1e-3"}) {
        CAPTURE(table);
        const std::vector<double> plain = values_of(table, DType::float64);
        const auto standardized =
            values_of(fmt::format("{} --standardize 7", table), DType::float64);
        const auto size = static_cast<double>(plain.size());
        numerics::Real sum = 0, squares = 0;
        for (const double value : plain) sum = sum + value;
        const numerics::Real mean = sum / size;
        for (const double value : plain) squares = squares + (value - mean) * (value - mean);
        const numerics::Real deviation = sqrt(squares / (size - 1));
        for (std::size_t i = 0; i < plain.size(); ++i) {
            REQUIRE(abs((plain[i] - mean) / deviation - numerics::Real(7) * standardized[i]) <
                    1e-13);
        }
    }
}

TEST_CASE("sinusoid: progress counts the rows of both passes of a standardized table") {
    const Encoding& encoding = *find_encoding("sinusoid");
    Parameters parameters(encoding.parameters);
    parameters.set_all("--d 4 --len 5000 --standardize 1", Origin::user);
    std::mutex mutex;
    std::set<std::int64_t> heard;
    make_table(encoding, encoding.tables.front(), parameters, DType::float32, "",
               [&](std::int64_t done, std::int64_t total) {
                   if (total != 10'000) return;  // of the frequencies
                   const std::lock_guard lock(mutex);
                   heard.insert(done);
               });
    // The table is read in blocks of one row or two.
    CHECK(heard.size() == 2 * 4096);
    CHECK(heard.contains(5'000));
    CHECK(*heard.rbegin() == 10'000);
}

TEST_CASE("sinusoid: misprinted frequencies do break the law of rotation") {
    const std::vector<double> table = values_of("note1 --d 16 --len 2");
    CHECK(std::fabs(std::hypot(table[16], table[17]) - 1) > 0.01);
}

TEST_CASE("sinusoid: the same bytes for any number of threads") {
    const int threads = thread_count();
    const std::vector<double> one = values_of("sinusoid --d 34 --len 500 --standardize 3");
    limit_threads(1);
    CHECK(values_of("sinusoid --d 34 --len 500 --standardize 3") == one);
    limit_threads(threads);
}

TEST_CASE("sinusoid: every dtype is one rounding of the same values") {
    const std::vector<double> exact = values_of("sinusoid --d 8 --len 50", DType::float64);
    const std::vector<double> single = values_of("sinusoid --d 8 --len 50", DType::float32);
    const std::vector<double> half = values_of("sinusoid --d 8 --len 50", DType::float16);
    const std::vector<double> brain = values_of("sinusoid --d 8 --len 50", DType::bfloat16);
    for (std::size_t i = 0; i < exact.size(); ++i) {
        CHECK(single[i] == static_cast<float>(exact[i]));
        CHECK(half[i] == widen(round_to<float16>(exact[i])));
        CHECK(brain[i] == widen(round_to<bfloat16>(exact[i])));
    }
}

TEST_CASE("sinusoid: frequencies fall from 1 by a constant ratio and wavelengths are theirs") {
    const std::vector<double> omega =
        values_of("sinusoid --d 8 --table frequencies", DType::float64);
    const std::vector<double> lambda =
        values_of("sinusoid --d 8 --table wavelengths", DType::float64);
    REQUIRE(omega.size() == 4);
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(omega[k] == oracle::frequency(10000, 2 * static_cast<double>(k), 8));
        CHECK(lambda[k] == doctest::Approx(2 * M_PI / omega[k]).epsilon(1e-15));
    }
    CHECK(table_of("note1 --d 8 --table frequencies").shape == Shape{8});
}

TEST_CASE("sinusoid: parameters that do not go together are refused with the remedy") {
    CHECK(refusal_of("sinusoid --out-scale 70000", DType::float16) ==
          "--dtype float16: cannot hold the largest value, 70000; its largest value is 65504");
}

TEST_CASE("sinusoid: the title and the parameters are the resolved ones") {
    const Table table = table_of("whisper --d 4 --positions 1,2,3");
    CHECK(table.title == "whisper: Positional Encoding (d_model=4, max_len=3)");
    CHECK(table.provenance.encoding == "sinusoid");
    CHECK(table.provenance.preset == "whisper");
    CHECK(table.provenance.parameters.integer("len") == 3);
    CHECK_FALSE(table.provenance.parameters.has("start"));
    CHECK(table.provenance.parameters.word("layout") == "halves");
}
