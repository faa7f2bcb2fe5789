#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/number.h"

namespace pegen {

enum class ParameterType {
    integer,   ///< "400"
    real,      ///< "1e4"; an expression: "2*pi/d"; or one of `choices`, if there are any
    integers,  ///< "4,5,6"
    reals,     ///< "0,1,10.5"
    size,      ///< "10x8": width and height
    word,      ///< one of `choices`
    text,      ///< anything
    path,      ///< the name of a file; not empty
    flag,      ///< given or not; --name=false takes it back
};

/// What a parameter means, for code that has to know it without knowing the encoding.
enum class Role : std::uint8_t {
    other,
    extent,      ///< sets the size of the table, not its values
    start,       ///< the position of the first row
    step,        ///< the distance of neighbouring positions
    scale,       ///< a factor of all sines and cosines
    arithmetic,  ///< the exact formula, or the operations of some code: no convention of its own
    statistics,  ///< makes each value depend on all other values
    tokens,      ///< a file that says where the tokens are: no weights
};

/// The choices of a word parameter with which another parameter has an effect.
struct UsedWith {
    std::string_view parameter = "";
    std::string_view choices = "";  ///< separated by spaces
};

/// One parameter of an encoding or a format, as data. The command line, its help, the checks of
/// values, the JSON of `list`, the schema of manifests and the metadata of files are all made from
/// it.
struct ParameterSpec {
    std::string_view name{};        ///< "denom-shift"
    std::string_view aliases = "";  ///< separated by spaces
    ParameterType type = ParameterType::real;
    std::string_view default_value = "";  ///< as a user would type it; "" for no value
    Range range = any_number;             ///< allowed for the number, or each number of a list
    std::string_view choices = "";        ///< the allowed words, separated by spaces
    std::string_view summary = "";        ///< lower case, no final period
    Role role = Role::other;
    /// The separator between the values of a parameter that is given more than once. "": the last
    /// value counts.
    std::string_view joined_by = "";
    /// True if metadata has the parameter only where it is not the default: files without it keep
    /// the bytes they had before the parameter existed.
    bool is_rare = false;
    UsedWith used_with{};  ///< always, if it names no parameter

    bool is_extent() const { return role == Role::extent; }
};

/// Returns the parameter with this role; nullptr if there is none.
const ParameterSpec* find_role(std::span<const ParameterSpec> specs, Role role);

/// Returns the specifications of all lists, in their order.
template <std::size_t... sizes>
constexpr std::array<ParameterSpec, (sizes + ...)> joined(
    const std::array<ParameterSpec, sizes>&... lists) {
    std::array<ParameterSpec, (sizes + ...)> all{};
    auto next = all.begin();
    ((next = std::copy(lists.begin(), lists.end(), next)), ...);
    return all;
}

/// The absence of a value. Not std::monostate: if every alternative is trivially copyable or
/// nothrow-movable, libstdc++ 12's variant destroys an object that was never constructed when a
/// copy assignment throws bad_alloc.
struct NoValue {
    NoValue() = default;
    NoValue(const NoValue&) noexcept {}
    NoValue& operator=(const NoValue&) noexcept { return *this; }
    bool operator==(const NoValue&) const { return true; }
};

/// A checked value. A `size` is two reals; words, texts, paths and expressions are strings.
using Value = std::variant<NoValue, bool, std::int64_t, double, std::string,
                           std::vector<std::int64_t>, std::vector<double>>;

/// Returns the value as a user would type it, but a `size` as "10,8"; "none" for no value.
std::string to_string(const Value& value);

/// True if the two values make the same table. 0 and -0 are not the same.
bool are_same(const Value& a, const Value& b);

/// The origin of a value. A value of a later origin replaces one of an earlier origin.
enum class Origin { specification, preset, user };

/// The values of a list of parameters, each checked against its ParameterSpec.
///
/// Asking for a name that the specs do not have, or for a value as another type than its own, is a
/// fault of the program: the functions throw InternalError.
class Parameters {
  public:
    struct Entry {
        const ParameterSpec* spec;
        Value value;
        Origin origin;
    };

    Parameters();
    /// Sets every parameter to its default. The specs must outlive the object.
    explicit Parameters(std::span<const ParameterSpec> specs);
    // Compiled once, with core's optimisation: many files copy parameters, recognition often.
    Parameters(const Parameters&);
    Parameters(Parameters&&) noexcept;
    Parameters& operator=(const Parameters&);
    Parameters& operator=(Parameters&&) noexcept;
    ~Parameters();

    /// Reads `text` as the value of the parameter. "none" removes the value of a parameter that has
    /// none by default, unless the parameter is a text or a path.
    /// Throws: UsageError with the rule if the text or the value is not allowed.
    void set(std::string_view name, std::string_view text, Origin origin);

    /// Reads settings as they are typed on a command line: "--layout halves --reverse".
    void set_all(std::string_view settings, Origin origin);

    /// Replaces each expression by its value. In an expression, the name of a parameter, such as d
    /// or freq_scale, means the number that is its value. Throws: UsageError if a number is missing
    /// or out of its range.
    void evaluate_expressions();

    /// Sets a value that the program worked out; the origin stays.
    void resolve(std::string_view name, Value value);

    bool knows(std::string_view name) const;  ///< false if there is no such parameter
    bool has(std::string_view name) const;    ///< false if there is no value
    bool given(std::string_view name) const;  ///< true if the user set it
    bool flag(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string& word(std::string_view name) const;  ///< also for texts and paths
    const std::vector<std::int64_t>& integers(std::string_view name) const;
    const std::vector<double>& reals(std::string_view name) const;  ///< also for sizes
    const Value& value(std::string_view name) const;

    const std::vector<Entry>& entries() const { return entries_; }

  private:
    const Entry& entry(std::string_view name) const;
    Entry& entry(std::string_view name);

    std::vector<Entry> entries_;
};

/// Clears these parameters. Throws: UsageError, "--name value: reason; leave --name out", if the
/// user gave one of them.
Parameters without(Parameters parameters, std::initializer_list<std::string_view> names,
                   std::string_view reason);

/// True if the parameter has an effect with the values of the others: see ParameterSpec::used_with.
bool is_used(const ParameterSpec& spec, const Parameters& parameters);

/// Throws: UsageError, "--name: has no effect with --other value, only with choices", if the user
/// gave a parameter that is not used.
void check_used(const Parameters& parameters);

/// Returns the value as a user would type it; "none" for no value.
std::string to_string(const Parameters::Entry& entry);

/// True if the value is the default of its specification.
bool is_default(const Parameters::Entry& entry);

/// A function that returns the text to put in the place of {name}, or nothing to leave {name} as it
/// is.
using ValueOf = std::function<std::optional<std::string>(std::string_view name)>;

/// Replaces each {name}: "len {len}" -> "len 400". Braces in a replacement are not expanded again.
std::string expand(std::string_view pattern, const ValueOf& value_of);

/// Replaces each {name} that is a parameter by its value.
std::string expand(std::string_view pattern, const Parameters& parameters);

}  // namespace pegen
