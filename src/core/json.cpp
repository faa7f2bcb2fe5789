#include "core/json.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "core/number.h"

namespace pegen {
namespace {

bool is_pair(const Json& item) {
    return item.is_array() && item.size() == 2 && item.front().is_string();
}

}  // namespace

Json::Json() noexcept = default;
Json::Json(std::nullptr_t) noexcept {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(const char* text) : value_(std::string(text)) {}

Json::Json(std::initializer_list<Json> items) {
    if (items.size() > 0 && std::ranges::all_of(items, is_pair)) {
        for (const Json& item : items) (*this)[item[0].get<std::string>()] = item[1];
    } else {
        value_ = std::vector<Json>(items);
    }
}

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

void Json::set(std::int64_t value) { value_ = value; }
void Json::set(std::uint64_t value) { value_ = value; }
void Json::set(double value) { value_ = value; }

Json Json::array() {
    Json json;
    json.value_ = std::vector<Json>();
    return json;
}

Json Json::object() {
    Json json;
    json.value_ = std::vector<Member>();
    return json;
}

bool Json::is_number_unsigned() const {
    return is<std::uint64_t>() || (is<std::int64_t>() && std::get<std::int64_t>(value_) >= 0);
}

std::size_t Json::size() const {
    if (is_null()) return 0;
    if (is_array()) return std::get<std::vector<Json>>(value_).size();
    if (is_object()) return items().size();
    return 1;
}

void Json::push_back(Json item) {
    if (is_null()) value_ = std::vector<Json>();
    std::get<std::vector<Json>>(value_).push_back(std::move(item));
}

Json* Json::begin() { return std::get<std::vector<Json>>(value_).data(); }
Json* Json::end() { return begin() + size(); }
const Json* Json::begin() const { return std::get<std::vector<Json>>(value_).data(); }
const Json* Json::end() const { return begin() + size(); }

const std::vector<Json::Member>& Json::items() const {
    return std::get<std::vector<Member>>(value_);
}

Json& Json::operator[](std::string_view name) {
    if (!contains(name)) return add(std::string(name), Json());
    return std::ranges::find(std::get<std::vector<Member>>(value_), name, &Member::name)->value;
}

const Json& Json::operator[](std::string_view name) const {
    const Json* member = find(name);
    if (!member) throw std::out_of_range(std::string(name));
    return *member;
}

Json& Json::add(std::string name, Json value) {
    if (is_null()) value_ = std::vector<Member>();
    std::vector<Member>& members = std::get<std::vector<Member>>(value_);
    members.push_back({std::move(name), std::move(value)});
    return members.back().value;
}

void Json::erase(std::string_view name) {
    std::erase_if(std::get<std::vector<Member>>(value_),
                  [&](const Member& member) { return member.name == name; });
}

void Json::update(const Json& other) {
    for (const auto& [name, value] : other.items()) (*this)[name] = value;
}

const Json* Json::find(std::string_view name) const {
    if (!is_object()) return nullptr;
    const auto member = std::ranges::find(items(), name, &Member::name);
    return member == items().end() ? nullptr : &member->value;
}

Json Json::value(std::string_view name, Json otherwise) const {
    const Json* member = find(name);
    return member ? *member : std::move(otherwise);
}

bool Json::operator==(const Json& other) const {
    if (is_number() && other.is_number() && is_number_float() != other.is_number_float()) {
        return get<double>() == other.get<double>();
    }
    return value_ == other.value_;
}

std::string typed_number(const Json& number) {
    if (number.is_number_float()) return shortest(number.get<double>());
    if (number.is_number_unsigned()) return std::to_string(number.get<std::uint64_t>());
    return std::to_string(number.get<std::int64_t>());
}

}  // namespace pegen
