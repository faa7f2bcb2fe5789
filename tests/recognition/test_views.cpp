#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "recognition/identify/array.h"
#include "recognition/views.h"

using namespace pegen;
using recognition::Halves;
using recognition::View;
using trials::Array;

namespace {

using Extents = std::vector<std::int64_t>;
using Values = std::vector<double>;

std::size_t product(const Extents& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

/// Returns an array in which each value is its place.
Array places(const Extents& extents) {
    Values values(product(extents));
    std::iota(values.begin(), values.end(), 0);
    return {extents, DType::int64, values};
}

/// Returns the array whose axes are these of another, several of which may be one.
Array with_axes(const Array& array, const std::vector<std::vector<std::size_t>>& axes) {
    Array made{{}, array.dtype, {}};
    std::vector<std::size_t> order;
    for (const std::vector<std::size_t>& merged : axes) {
        made.extents.push_back(1);
        for (const std::size_t axis : merged) {
            made.extents.back() *= array.extents[axis];
            order.push_back(axis);
        }
    }
    for (std::size_t element = 0; element < array.values.size(); ++element) {
        Extents index(order.size());
        std::size_t rest = element;
        for (std::size_t i = order.size(); i-- > 0;) {
            const std::size_t extent = array.extents[order[i]];
            index[order[i]] = static_cast<std::int64_t>(rest % extent);
            rest /= extent;
        }
        std::size_t place = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            place = place * array.extents[axis] + index[axis];
        }
        made.values.push_back(array.values[place]);
    }
    return made;
}

std::vector<View> views_of(const Array& array) {
    return recognition::views_of(trials::table_of(array));
}

/// Checks that the array is seen as another, with this note.
void check_view(const Array& array, const std::string& note, const Array& wanted) {
    CAPTURE(note);
    const std::vector<View> views = views_of(array);
    const auto view = std::ranges::find(views, note, &View::note);
    REQUIRE(view != views.end());
    CHECK(view->table.shape.extents() == wanted.extents);
    CHECK(trials::array_of(view->table).values == wanted.values);
    CHECK(view->sample().values == wanted.values);
}

bool has_view(const Array& array, const std::string& part) {
    return std::ranges::any_of(views_of(array),
                               [&](const View& view) { return view.note.find(part) != part.npos; });
}

/// Returns an array of two axes with a value for each row and channel.
template <class Value>
Array matrix(std::int64_t rows, std::int64_t columns, const Value& value) {
    Array made{{rows, columns}, DType::float32, {}};
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            made.values.push_back(static_cast<float>(value(row, column)));
        }
    }
    return made;
}

}  // namespace

TEST_CASE("views: orders of axes, and axes that are one") {
    using Axes = std::vector<std::vector<std::size_t>>;
    const Array two = places({2, 3}), three = places({2, 3, 4}), four = places({2, 3, 4, 5});
    const std::vector<std::pair<std::string, Axes>> of_three{
        {"", {{0}, {1}, {2}}},
        {"the first two axes of the array are one", {{0, 1}, {2}}},
        {"the last two axes of the array are one", {{0}, {1, 2}}},
        {"the first axis of the array is the last one of the table", {{1}, {2}, {0}}},
        {"the last axis of the array is the first one of the table", {{2}, {0}, {1}}},
        {"the first axis of the array is the last one of the table, and the others are one",
         {{1, 2}, {0}}},
        {"the last two axes of the array are exchanged", {{0}, {2}, {1}}},
        {"the first two axes of the array are exchanged", {{1}, {0}, {2}}},
        {"the second axis of the array counts the rows of the table", {{1}, {0, 2}}}};
    const std::vector<std::pair<std::string, Axes>> of_four{
        {"", {{0}, {1}, {2}, {3}}},
        {"all axes of the array but the last are one", {{0, 1, 2}, {3}}},
        {"the first two axes of the array are one", {{0, 1}, {2}, {3}}},
        {"the middle axes of the array are one", {{0}, {1, 2}, {3}}},
        {"the axes of the array are two and two one", {{0, 1}, {2, 3}}},
        {"the first axis of the array is the last one of the table, and the others are one",
         {{1, 2, 3}, {0}}},
        {"the first axis of the array is the last one of the table", {{1}, {2}, {3}, {0}}},
        {"the second axis of the array is the last one of the table", {{0}, {2, 3}, {1}}}};
    check_view(two, "transposed: rows and columns are exchanged in the array",
               with_axes(two, {{1}, {0}}));
    CHECK(views_of(two).size() == 2);
    for (const auto& [note, axes] : of_three) check_view(three, note, with_axes(three, axes));
    CHECK(views_of(three).size() == of_three.size());
    for (const auto& [note, axes] : of_four) check_view(four, note, with_axes(four, axes));
    CHECK(views_of(four).size() == of_four.size());
    CHECK(views_of(places({2, 3, 1, 2, 2, 2})).size() == 1);
    // Axes of one element are none.
    check_view(places({1, 2, 1, 3}), "", two);
    CHECK(views_of(places({1, 5})).size() == 1);
}

TEST_CASE("views: a table of more columns than 2^15 is looked at only as it is") {
    CHECK(views_of(places({1 << 15, 2})).size() == 2);
    CHECK(views_of(places({(1 << 15) + 1, 2})).size() == 1);
    CHECK(views_of(places({2, (1 << 15) + 1})).size() == 2);
}

TEST_CASE("views: without the channels of zeros at the end") {
    const auto padded = [](std::int64_t kept, std::int64_t zeros) {
        return matrix(5, kept + zeros,
                      [=](int row, int i) { return i < kept ? std::sin(row + 0.3 * i + 1) : 0; });
    };
    check_view(padded(4, 1), "the array has 1 more channel, of zeros", padded(4, 0));
    check_view(padded(4, 4), "the array has 4 more channels, of zeros", padded(4, 0));
    CHECK(!has_view(padded(4, 5), "of zeros"));
    CHECK(!has_view(padded(4, 0), "of zeros"));
    // One value in the last channel and the last of many rows.
    Array array = matrix(70000, 2, [](int row, int i) { return i == 0 ? std::sin(row) : 0; });
    CHECK(has_view(array, "1 more channel"));
    array.values.back() = 1;
    CHECK(!has_view(array, "of zeros"));
}

TEST_CASE("views: half of the channels of angles that are there twice") {
    const auto angle = [](int row, int m) { return row * std::pow(10, -m); };
    const Array once = matrix(9, 3, angle);
    const Array halves = matrix(9, 6, [&](int row, int i) { return angle(row, i % 3); });
    const Array pairs = matrix(9, 6, [&](int row, int i) { return angle(row, i / 2); });
    check_view(halves, "the array has each channel twice: channel m + 3 is channel m", once);
    check_view(pairs, "the array has each channel twice: channel 2m + 1 is channel 2m", once);
    CHECK(!has_view(once, "twice"));
    const auto changed = [](Array array, std::size_t place) {
        array.values[place] += 1;
        return array;
    };
    CHECK(!has_view(changed(halves, 6 * 9 - 1), "twice"));
    CHECK(!has_view(changed(pairs, 6 * 9 - 1), "twice"));
    // Of waves the layouts say so.
    CHECK(!has_view(matrix(5, 6, [&](int row, int i) { return angle(row, i % 3); }), "twice"));
    CHECK(!has_view(matrix(9, 2, [&](int row, int) { return angle(row, 0); }), "twice"));
}

TEST_CASE("views: -inf in the place of the number that code writes into masks") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto masked = [](double number) {
        return matrix(4, 4, [=](int q, int k) { return k > q ? number : k - q; });
    };
    const std::vector<std::pair<double, std::string>> numbers{
        {-std::numeric_limits<float>::max(), "-3.4028235e+38"},
        {-0x1.fep127, "-3.3895314e+38"},
        {-65504, "-65504"},
        {-1e9, "-1e+09"},
        {-1e30, "-1e+30"},
        {-1e4, "-10000"}};
    for (const auto& [number, text] : numbers) {
        check_view(masked(number), "the array has " + text + " in the place of -inf",
                   masked(-infinity));
    }
    CHECK(!has_view(masked(-1e5), "-inf"));
}

TEST_CASE("views: one of several equal parts") {
    const auto repeated = [](std::size_t axis) {
        Extents extents{3, 4};
        extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(axis), 2);
        Array made = places(extents);
        std::size_t inner = 1;
        for (std::size_t i = axis + 1; i < extents.size(); ++i) inner *= extents[i];
        for (std::size_t i = 0; i < made.values.size(); ++i) {
            made.values[i] = static_cast<double>(i / (2 * inner) * inner + i % inner);
        }
        return made;
    };
    const std::string note = "the array repeats the table 2 times along an axis";
    for (const std::size_t axis : {0, 1, 2}) {
        CAPTURE(axis);
        const Array array = repeated(axis);
        check_view(array, note, places({3, 4}));
        check_view(array, note + "; transposed: rows and columns are exchanged in the array",
                   with_axes(places({3, 4}), {{1}, {0}}));
        const std::vector<View> views = views_of(array);
        CHECK(std::ranges::count_if(views, &View::is_part) == 1);
        CHECK(std::ranges::find_if(views, &View::is_part)->note == note);
        Array other = array;
        other.values.back() += 1;
        CHECK(!has_view(other, "repeats"));
    }
    // Equal parts of equal parts.
    Array array = places({5, 2, 3, 4});
    for (std::size_t i = 0; i < array.values.size(); ++i) {
        array.values[i] = static_cast<double>(i % 12);
    }
    check_view(array, "the array repeats the table 5 times along an axis; " + note, places({3, 4}));
}

TEST_CASE("halves: two tables along the first or the last axis, or in the channels") {
    const auto twice = [](double shift) {
        return matrix(5, 4, [=](int row, int i) { return std::sin(row + 3.7 * (i % 2) + shift); });
    };
    const Array first = twice(0), second = twice(1);
    const auto check = [&](const Array& array, Halves::Along along, const std::string& at_first,
                           const std::string& at_second) {
        const std::vector<Halves> found = recognition::halves_of(trials::table_of(array));
        const auto halves = std::ranges::find(found, along, &Halves::along);
        REQUIRE(halves != found.end());
        CHECK(halves->at_first == at_first);
        CHECK(halves->at_second == at_second);
        CHECK(trials::array_of(halves->first.table).values == first.values);
        CHECK(trials::array_of(halves->second.table).values == second.values);
        CHECK(halves->first.table.shape.extents() == first.extents);
    };
    Array stacked = first;
    stacked.extents = {2, 5, 4};
    stacked.values.insert(stacked.values.end(), second.values.begin(), second.values.end());
    check(stacked, Halves::Along::first_axis, "index 0 of the first axis",
          "index 1 of the first axis");
    Array joined =
        matrix(5, 8, [&](int row, int i) { return (i < 4 ? first : second).at(row, i % 4); });
    check(joined, Halves::Along::channels, "channels 0 to 3", "channels 4 to 7");
    Array paired =
        matrix(5, 8, [&](int row, int i) { return (i % 2 == 0 ? first : second).at(row, i / 2); });
    paired.extents = {5, 4, 2};
    check(paired, Halves::Along::last_axis, "index 0 of the last axis", "index 1 of the last axis");
    CHECK(recognition::halves_of(trials::table_of(first)).empty());
    CHECK(recognition::halves_of(trials::table_of(matrix(5, 7, [](int row, int) {
              return row;
          }))).empty());
}
