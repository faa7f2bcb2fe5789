#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.h"

using namespace pegen;

TEST_CASE("json: braces around pairs of a text and a value make an object, others an array") {
    const Json object{{"axis", 0}, {"names", {"row", "channel"}}};
    REQUIRE(object.is_object());
    REQUIRE(object.size() == 2);
    CHECK(object.items()[0].name == "axis");
    CHECK(object["axis"] == 0);
    REQUIRE(object["names"].is_array());
    CHECK(object["names"][1] == "channel");
    CHECK(Json{{"axis", 0}}.is_object());
    CHECK(Json{{0, "axis"}}.is_array());
    CHECK(Json{{"axis", 0}, {"index"}}.is_array());
    CHECK(Json{}.is_null());
    const std::vector<std::int64_t> extents{4, 8};
    CHECK(Json(extents) == Json{4, 8});
}

TEST_CASE("json: numbers are equal by value, and keep what a whole number is") {
    CHECK(Json(1) == Json(1.0));
    CHECK(Json(1) == Json(1U));
    CHECK(Json(0) != Json(false));
    CHECK(Json(0) != Json());
    CHECK(Json("1") != Json(1));
    const std::uint64_t largest = ~std::uint64_t{0};
    CHECK(Json(largest).get<std::uint64_t>() == largest);
    CHECK(Json(largest) != Json(-1));
    CHECK(Json(largest).is_number_unsigned());
    CHECK(Json(7).is_number_unsigned());
    CHECK_FALSE(Json(-7).is_number_unsigned());
    CHECK(Json(-7).is_number_integer());
    CHECK_FALSE(Json(7.0).is_number_integer());
    CHECK(Json(7.5).get<std::int64_t>() == 7);
    CHECK(Json(-7).get<double>() == -7);
    CHECK_THROWS_AS(Json("7").get<double>(), std::bad_variant_access);
}

TEST_CASE("json: a number is typed in few characters") {
    CHECK(typed_number(100000) == "100000");
    CHECK(typed_number(100000.0) == "1e+05");
    CHECK(typed_number(-7) == "-7");
    CHECK(typed_number(~std::uint64_t{0}) == "18446744073709551615");
    CHECK_THROWS_AS(typed_number("7"), std::bad_variant_access);
}

TEST_CASE("json: members keep their order, and are added, replaced and left out by name") {
    Json json;
    json["z"] = 1;
    json["a"] = 2;
    json["z"] = 3;
    json.update({{"a", 4}, {"m", 5}});
    CHECK(json == Json{{"z", 3}, {"a", 4}, {"m", 5}});
    CHECK(json != Json{{"a", 4}, {"z", 3}, {"m", 5}});
    json.erase("z");
    json.erase("none");
    CHECK(json == Json{{"a", 4}, {"m", 5}});
    CHECK_FALSE(json.contains("z"));
    CHECK(json.value("z", "none") == "none");
    CHECK(json.value("a", "none") == 4);
    CHECK_THROWS_AS(std::as_const(json)["z"], std::out_of_range);
    CHECK(Json("text").find("z") == nullptr);
}

TEST_CASE("json: null becomes an array when an item is added; sizes are of items") {
    Json json;
    CHECK(json.empty());
    json.push_back(1);
    json.push_back("two");
    json.back() = 2;
    CHECK(json == Json{1, 2});
    CHECK(json.front() == 1);
    CHECK(Json("text").size() == 1);
    CHECK(Json::array().empty());
    CHECK(Json::object().is_object());
    double sum = 0;
    for (const Json& item : json) sum += item.get<double>();
    CHECK(sum == 3);
    CHECK_THROWS_AS(json["name"], std::bad_variant_access);
    CHECK_THROWS_AS(Json(1).push_back(2), std::bad_variant_access);
}
