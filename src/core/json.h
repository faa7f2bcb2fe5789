#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace pegen {

/// A JSON value. Objects keep the order of their members.
///
/// The functions are called as in nlohmann's library, which reads and writes the texts
/// (files/json_text.h). The value is by hand because each file that includes nlohmann's header is
/// compiled for a second longer.
///
/// A list in braces is an object if each item is a pair of a text and a value, else an array:
/// Json{{"axis", 0}, {"index", 7}}, Json{1, 2}. An array of one Json begins as Json::array(), since
/// compilers differ in whether Json{item} is a copy of the item.
class Json {
  public:
    struct Member;

    Json() noexcept;  ///< null
    Json(std::nullptr_t) noexcept;
    Json(std::string text);
    Json(std::string_view text);
    Json(const char* text);
    Json(std::initializer_list<Json> items);
    template <std::same_as<bool> Flag>
    Json(Flag value) : value_(value) {}
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) Json(Integer value) {
        if (std::in_range<std::int64_t>(value)) {
            set(static_cast<std::int64_t>(value));
        } else {
            set(static_cast<std::uint64_t>(value));
        }
    }
    template <std::floating_point Real>
    Json(Real value) {
        set(static_cast<double>(value));
    }
    /// An array of the items of a list.
    template <class List>
    requires(!std::same_as<List, Json> && !std::convertible_to<const List&, std::string_view> &&
             requires(const List& list) { list.begin(); }) Json(const List& list)
        : Json(array()) {
        for (const auto& item : list) push_back(Json(item));
    }

    Json(const Json&);
    Json(Json&&) noexcept;
    Json& operator=(const Json&);
    Json& operator=(Json&&) noexcept;
    ~Json();

    static Json array();
    static Json object();

    bool is_null() const { return is<std::monostate>(); }
    bool is_boolean() const { return is<bool>(); }
    bool is_number() const { return is_number_integer() || is_number_float(); }
    bool is_number_integer() const { return is<std::int64_t>() || is<std::uint64_t>(); }
    bool is_number_unsigned() const;  ///< true for whole numbers that are not negative
    bool is_number_float() const { return is<double>(); }
    bool is_string() const { return is<std::string>(); }
    bool is_array() const { return is<std::vector<Json>>(); }
    bool is_object() const { return is<std::vector<Member>>(); }

    /// Returns the value as a bool, a number or a std::string. Any number can be had as any type of
    /// numbers; it is converted as by static_cast.
    /// Throws: std::bad_variant_access if the value is none.
    template <class T>
    T get() const {
        if constexpr (std::same_as<T, bool> || std::same_as<T, std::string>) {
            return std::get<T>(value_);
        } else if (is<std::uint64_t>()) {
            return static_cast<T>(std::get<std::uint64_t>(value_));
        } else if (is<double>()) {
            return static_cast<T>(std::get<double>(value_));
        } else {
            return static_cast<T>(std::get<std::int64_t>(value_));
        }
    }

    /// The number of items or members; of null 0, of other values 1.
    std::size_t size() const;
    bool empty() const { return size() == 0; }

    // Of arrays. They throw std::bad_variant_access for another value; null becomes an array when
    // an item is added. Precondition: an item that is asked for is there.
    void push_back(Json item);
    Json* begin();
    Json* end();
    const Json* begin() const;
    const Json* end() const;
    Json& back() { return end()[-1]; }
    const Json& front() const { return *begin(); }
    Json& operator[](std::size_t index) { return begin()[index]; }
    const Json& operator[](std::size_t index) const { return begin()[index]; }

    // Of objects. They throw std::bad_variant_access for another value; null becomes an object when
    // a member is added.
    const std::vector<Member>& items() const;
    /// Returns the member with the name, which is added as null if there is none.
    Json& operator[](std::string_view name);
    /// Returns the member with the name. Throws: std::out_of_range if there is none.
    const Json& operator[](std::string_view name) const;
    /// Adds a member behind the others. Precondition: there is none with the name.
    Json& add(std::string name, Json value);
    void erase(std::string_view name);
    void update(const Json& other);  ///< adds or replaces members

    /// Returns the member with the name; nullptr if there is none, or the value is no object.
    const Json* find(std::string_view name) const;
    bool contains(std::string_view name) const { return find(name) != nullptr; }
    /// Returns the member with the name, or `otherwise`.
    Json value(std::string_view name, Json otherwise) const;

    /// Numbers are equal if they have the same value, whatever their type.
    bool operator==(const Json& other) const;

  private:
    void set(std::int64_t value);
    void set(std::uint64_t value);
    void set(double value);

    template <class T>
    bool is() const {
        return std::holds_alternative<T>(value_);
    }

    /// A whole number is std::uint64_t only if std::int64_t cannot hold it.
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                 std::vector<Json>, std::vector<Member>>
        value_;
};

struct Json::Member {
    std::string name;
    Json value;

    bool operator==(const Member&) const = default;
};

/// Returns a number as a user would type it: "10000", "0.1". Throws: std::bad_variant_access if the
/// value is no number.
std::string typed_number(const Json& number);

}  // namespace pegen
