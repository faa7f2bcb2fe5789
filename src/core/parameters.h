#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/range.h"

namespace pegen {

enum class ParameterType {
    integer,   ///< "400"
    real,      ///< "1e4"; also one of `choices`, where there are any
    integers,  ///< "4,5,6"
    reals,     ///< "0,1,10.5"
    size,      ///< "10x8": width and height
    word,      ///< one of `choices`
    text,      ///< anything
    path,      ///< the name of a file; not empty
    flag,      ///< given or not
};

/// One parameter of an encoding or a format, as data. The command line, its help, the check of
/// values, the metadata of files and the docs are all read from here.
struct ParameterSpec {
    std::string_view name;          ///< "denom-shift"
    std::string_view aliases = "";  ///< separated by spaces
    ParameterType type = ParameterType::real;
    std::string_view default_value = "";  ///< as a user would type it; "": no value
    Range range = any_number;             ///< of a number, or of each number of a list
    std::string_view choices = "";        ///< of a word, separated by spaces
    std::string_view summary = "";        ///< lower case, no final period
    bool is_extent = false;               ///< says how large the table is, not what is in it
};

/// Not std::monostate, which is copied as a matter of course: of a variant whose alternatives all
/// are, or have a cheap move, libstdc++ 12 destroys what is not there when a copy runs out of
/// memory.
struct NoValue {
    NoValue() = default;
    NoValue(const NoValue&) noexcept {}
    NoValue& operator=(const NoValue&) noexcept { return *this; }
    bool operator==(const NoValue&) const { return true; }
};

/// A checked value. `size` is reals of length 2, `word` and `text` strings.
using Value = std::variant<NoValue, bool, std::int64_t, double, std::string,
                           std::vector<std::int64_t>, std::vector<double>>;

/// As a user would type it, but a `size` as "10,8"; "none" for no value.
std::string to_string(const Value& value);

/// Where a value comes from; a later one wins over an earlier one.
enum class Origin { specification, preset, user };

/// The values of a list of parameters, each checked against its ParameterSpec.
/// Names are those of the specs; asking for a name or a type the specs do not have is a mistake of
/// the program's, not of the user's.
class Parameters {
  public:
    struct Entry {
        const ParameterSpec* spec;
        Value value;
        Origin origin;
    };

    Parameters() = default;
    /// Every parameter at its default. The specs must outlive the object.
    explicit Parameters(std::span<const ParameterSpec> specs);

    /// Reads `text` as the value of the parameter; "none" takes the value away where the default
    /// is to have none. Throws: UsageError with the rule if the text or the value is not allowed.
    void set(std::string_view name, std::string_view text, Origin origin);

    /// Reads settings as they are typed on a command line: "--layout halves --reverse".
    void set_all(std::string_view settings, Origin origin);

    /// Puts in a value the program worked out, keeping the origin.
    void resolve(std::string_view name, Value value);

    bool has(std::string_view name) const;    ///< false: no value
    bool given(std::string_view name) const;  ///< set by the user
    bool flag(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string& word(std::string_view name) const;  ///< also for text
    const std::vector<std::int64_t>& integers(std::string_view name) const;
    const std::vector<double>& reals(std::string_view name) const;  ///< also for size
    const Value& value(std::string_view name) const;

    const std::vector<Entry>& entries() const { return entries_; }

  private:
    const Entry& entry(std::string_view name) const;
    Entry& entry(std::string_view name);

    std::vector<Entry> entries_;
};

/// The value as a user would type it; "none" for no value.
std::string to_string(const Parameters::Entry& entry);

/// Whether the value is that of the specification.
bool is_default(const Parameters::Entry& entry);

/// What stands for {name}; nothing: it stays.
using ValueOf = std::function<std::optional<std::string>(std::string_view name)>;

/// Replaces each {name}: "len {len}" -> "len 400". What is put in is not looked at again.
std::string expand(std::string_view pattern, const ValueOf& value_of);

/// The same by the parameters' values.
std::string expand(std::string_view pattern, const Parameters& parameters);

}  // namespace pegen
