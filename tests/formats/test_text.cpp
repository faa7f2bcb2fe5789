#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "formats/fake_table.h"
#include "formats/text.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// Returns elements i / divisor.
std::vector<double> ramp(std::int64_t count, double divisor) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / divisor;
    return values;
}

/// Reads "ramp 64", "none" or numbers.
std::vector<double> values_in(const std::string& line, std::int64_t count) {
    if (line.starts_with("ramp ")) return ramp(count, std::stod(line.substr(5)));
    std::vector<double> values;
    std::istringstream words(line);
    for (std::string word; words >> word && word != "none";) {
        values.push_back(std::strtod(word.c_str(), nullptr));
    }
    return values;
}

/// Reads "float32 4 10" and the values in the next line.
Table array_in(std::istream& file, const std::string& line) {
    std::istringstream words(line);
    std::string dtype, values;
    words >> dtype;
    std::vector<std::int64_t> extents;
    for (std::int64_t extent = 0; words >> extent;) extents.push_back(extent);
    std::getline(file, values);
    const Shape shape(extents);
    return table_of(shape, std::ranges::find(dtypes, dtype, &DTypeInfo::name)->dtype,
                    values_in(values, shape.size()));
}

std::string text(const Table& table) { return written(table, formats::text); }

}  // namespace

TEST_CASE("text: arrays are shown as NumPy prints them") {
    std::ifstream file(PEGEN_SOURCE_DIR "/tests/formats/numpy_prints.txt");
    int arrays = 0;
    for (std::string line, shows; std::getline(file, line);) {
        if (line.empty()) continue;
        if (line.starts_with('#')) {
            shows = line;
            continue;
        }
        CAPTURE(shows);
        const Table array = array_in(file, line);
        std::string expected;
        while (std::getline(file, line) && line != "---") expected += line + "\n";
        CHECK(text(array) == expected);
        ++arrays;
    }
    CHECK(arrays > 40);
}

TEST_CASE("text: a thousand values are all shown") {
    const std::string shown = text(table_of({1000}, DType::int32, ramp(1000, 1)));
    CHECK(shown.find("...") == std::string::npos);
    CHECK(shown.ends_with(" 999]\n"));
}

TEST_CASE("text: bfloat16 has its shortest digits") {
    CHECK(text(table_of({3}, DType::bfloat16, {0.1, 1.0 / 3, -2})) == "[ 0.1    0.334 -2.   ]\n");
    CHECK(text(table_of({}, DType::bfloat16, {1.0 / 3})) == "0.334\n");
}
