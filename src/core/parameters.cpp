#include "core/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/expression.h"
#include "core/names.h"
#include "core/number.h"

namespace pegen {
namespace {

/// Names of dtypes in C and PyTorch, with ours, which are spelled too differently to be guessed.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> other_names{
    {{"half", "float16"}, {"double", "float64"}, {"single", "float32"}}};

std::string parse_word(std::string_view text, const ParameterSpec& spec) {
    const std::vector<std::string_view> choices = words(spec.choices);
    std::string word = hyphenated(text);
    if (std::ranges::count(choices, word) > 0) return word;
    for (const auto& [other, name] : other_names) {
        if (word == other && std::ranges::count(choices, name) > 0) word = name;
    }
    refuse(spec.name, text,
           fmt::format("must be one of {}{}", joined(choices, ", "), did_you_mean(word, choices)));
}

/// Refuses numbers for a word if another parameter is a list of them: --slope-list for --slopes.
void refuse_numbers(std::span<const Parameters::Entry> entries, const ParameterSpec& word,
                    std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789.,e+-") != text.npos) return;
    for (const Parameters::Entry& entry : entries) {
        const bool is_list = entry.spec->type == ParameterType::reals;
        if (!is_list || !entry.spec->name.starts_with(word.name.substr(0, word.name.size() - 1))) {
            continue;
        }
        refuse(word.name, text,
               fmt::format("must be one of {}; a list of numbers is --{}",
                           joined(words(word.choices), ", "), entry.spec->name));
    }
}

/// The type of `parse_integer` and `parse_real`.
template <class Number>
using ParseNumber = Number (*)(std::string_view text, std::string_view what);

bool is_in(const Range& range, double number) { return range.contains(number); }
bool is_in(const Range& range, std::int64_t number) { return range.contains_whole(number); }

/// Returns the rule that the number breaks. For a number below the range, leaves out the end of the
/// whole numbers, 2^53.
std::string broken_rule(const Range& range, double number) {
    Range rule = range;
    if (number < range.lowest && range.highest >= two_to_53) rule.highest = any_number.highest;
    return describe(rule);
}

template <class Number>
Number parse_in_range(std::string_view text, const ParameterSpec& spec, ParseNumber<Number> parse) {
    const Number number = parse(text, fmt::format("--{}", spec.name));
    if (!is_in(spec.range, number)) {
        refuse(spec.name, text, broken_rule(spec.range, static_cast<double>(number)));
    }
    return number;
}

bool is_range(std::string_view text) { return text.find(':') != text.npos; }

/// Returns the place of the x in 7x3 or 0:4x2, behind which is how many times each number of the
/// item follows itself; npos if there is none.
std::size_t times_at(std::string_view item) {
    const std::size_t place = item.rfind('x');
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    if (place == item.npos || place == 0 || place + 1 == item.size()) return item.npos;
    const bool is_behind_number = is_digit(item[place - 1]) || item[place - 1] == ')';
    return is_behind_number && std::ranges::all_of(item.substr(place + 1), is_digit) ? place
                                                                                     : item.npos;
}

[[noreturn]] void refuse_length(const ParameterSpec& spec, std::string_view text) {
    refuse(spec.name, text,
           "a list with ranges has at most 2^20 numbers; for more positions use --len with "
           "--start and --step, or --positions-file");
}

constexpr std::int64_t most_listed = 1 << 20;

/// Appends the numbers of a range, FROM:TO or FROM:TO:STEP: FROM + i STEP, each rounded once, as
/// many as numpy.arange has. `number_of` reads a part. Throws: UsageError if the list would have
/// more than 2^20 numbers.
template <class NumberOf>
void append_range(std::vector<double>& numbers, std::string_view text, const ParameterSpec& spec,
                  NumberOf number_of) {
    const std::vector<std::string_view> parts = fields(text, ':');
    if (parts.size() > 3 || std::ranges::count(parts, "") > 0) {
        refuse(spec.name, text, "a range is FROM:TO or FROM:TO:STEP, such as 0:5");
    }
    const double from = number_of(parts[0]), to = number_of(parts[1]);
    const double step = parts.size() == 3 ? number_of(parts[2]) : 1;
    if (step == 0) refuse(spec.name, text, "the step must not be 0");
    const double count = std::ceil((to - from) / step);
    if (count < 1) refuse(spec.name, text, "is empty: the step must lead to TO, which is excluded");
    if (count > static_cast<double>(most_listed - std::ssize(numbers))) refuse_length(spec, text);
    for (double i = 0; i < count; ++i) numbers.push_back(std::fma(step, i, from));
}

/// Appends the numbers of an item of a list: of a number or a range, each several times if the item
/// says so. Throws: as append_range().
template <class NumberOf>
void append_item(std::vector<double>& numbers, std::string_view item, const ParameterSpec& spec,
                 NumberOf number_of) {
    const std::size_t times_place = times_at(item);
    const std::string_view once = item.substr(0, times_place);
    const auto first = std::ssize(numbers);
    if (is_range(once)) {
        append_range(numbers, once, spec, number_of);
    } else {
        numbers.push_back(number_of(once));
    }
    if (times_place == item.npos) return;
    const std::int64_t times =
        parse_integer(item.substr(times_place + 1), fmt::format("--{}", spec.name));
    const std::vector<double> own(numbers.begin() + first, numbers.end());
    if (times < 1) refuse(spec.name, item, "a number follows itself once or more, such as 7x3");
    if (times > (most_listed - first) / std::ssize(own)) refuse_length(spec, item);
    numbers.resize(first);
    for (const double number : own) numbers.insert(numbers.end(), times, number);
}

template <class Number>
std::vector<Number> parse_list(std::string_view text, char separator, const ParameterSpec& spec,
                               ParseNumber<Number> parse) {
    if (text.empty()) refuse(spec.name, text, "needs numbers");
    std::vector<Number> numbers;
    for (const std::string_view number : fields_outside(text, separator)) {
        if (number.empty()) {
            refuse(spec.name, text, fmt::format("a number is missing next to a '{}'", separator));
        }
        if constexpr (std::is_same_v<Number, double>) {
            if (separator == ',') {
                append_item(numbers, number, spec, [&](std::string_view part) {
                    return parse_in_range(part, spec, parse);
                });
                continue;
            }
        }
        numbers.push_back(parse_in_range(number, spec, parse));
    }
    return numbers;
}

/// Returns the numbers in the text of a list, and the parts of its ranges.
std::vector<std::string_view> numbers_in(std::string_view list) {
    std::vector<std::string_view> numbers;
    for (const std::string_view item : fields_outside(list, ',')) {
        std::ranges::copy(fields(item.substr(0, times_at(item)), ':'), std::back_inserter(numbers));
    }
    return numbers;
}

/// True if a number of the list is an expression that names a parameter.
bool has_names(std::string_view list) {
    return std::ranges::any_of(numbers_in(list), [](std::string_view number) {
        return is_expression(number) && !names_in(number).empty();
    });
}

bool is_choice(std::string_view text, const ParameterSpec& spec) {
    const std::vector<std::string_view> choices = words(spec.choices);
    return std::ranges::find(choices, text) != choices.end();
}

Value parse_value(std::string_view text, const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::integer:
            return parse_in_range(text, spec, parse_integer);
        case ParameterType::real:
            if (is_choice(text, spec) || is_expression(text)) return std::string(text);
            return parse_in_range(text, spec, parse_real);
        case ParameterType::integers:
            return parse_list(text, ',', spec, parse_integer);
        case ParameterType::reals:
            if (has_names(text)) return std::string(text);
            return parse_list(text, ',', spec, parse_real);
        case ParameterType::size:
            if (fields(text, 'x').size() != 2) {
                refuse(spec.name, text, "needs WIDTHxHEIGHT, such as 10x8");
            }
            return parse_list(text, 'x', spec, parse_real);
        case ParameterType::word:
            return parse_word(text, spec);
        case ParameterType::path:
            if (text.empty()) refuse(spec.name, text, "needs the name of a file");
            return std::string(text);
        case ParameterType::text:
            return std::string(text);
        case ParameterType::flag:
            break;
    }
    if (text != "true" && text != "false") refuse(spec.name, text, "must be true or false");
    return text == "true";
}

/// True if the value is an expression, to be evaluated when all parameters are known.
bool is_expression(const Parameters::Entry& entry) {
    const auto* const text = std::get_if<std::string>(&entry.value);
    const ParameterType type = entry.spec->type;
    return text && (type == ParameterType::reals ||
                    (type == ParameterType::real && !is_choice(*text, *entry.spec)));
}

bool is_number(const Parameters::Entry& entry) {
    return entry.spec->type == ParameterType::integer || entry.spec->type == ParameterType::real;
}

bool is_called(const ParameterSpec& spec, std::string_view name) {
    const std::string in_options = hyphenated(name);
    const std::vector<std::string_view> aliases = words(spec.aliases);
    return spec.name == in_options || std::ranges::find(aliases, in_options) != aliases.end();
}

/// The values of parameters that are expressions, in which one parameter may name another.
class ExpressionValues {
  public:
    explicit ExpressionValues(std::span<const Parameters::Entry> entries) : entries_(entries) {}

    /// Precondition: is_expression(entry).
    Value value_of(const Parameters::Entry& entry) {
        const std::string& text = std::get<std::string>(entry.value);
        if (entry.spec->type == ParameterType::real) return number_of(entry, text);
        std::vector<double> numbers;
        for (const std::string_view number : fields_outside(text, ',')) {
            append_item(numbers, number, *entry.spec,
                        [&](std::string_view part) { return number_of(entry, part); });
        }
        return numbers;
    }

    /// Throws: UsageError if no parameter that is a number has this name.
    const Parameters::Entry& entry_called(std::string_view name, const ParameterSpec& spec,
                                          std::string_view text) const {
        std::vector<std::string_view> known = common_names();
        for (const Parameters::Entry& entry : entries_) {
            if (!is_number(entry)) continue;
            if (is_called(*entry.spec, name)) return entry;
            known.push_back(entry.spec->name);
        }
        if (!spec.choices.empty() && name == text) {
            refuse(spec.name, text,
                   fmt::format("must be a number or one of {}", joined(words(spec.choices), ", ")));
        }
        refuse(spec.name, text,
               fmt::format("not a number: '{}' is none, and no parameter that has one{}", name,
                           did_you_mean(hyphenated(name), known)));
    }

  private:
    /// Returns the value of `text`, the entry's expression or one of its list.
    double number_of(const Parameters::Entry& entry, std::string_view text) {
        const ParameterSpec& spec = *entry.spec;
        if (std::ranges::find(evaluated_, &entry) != evaluated_.end()) {
            refuse(spec.name, text, "its value depends on itself");
        }
        evaluated_.push_back(&entry);
        const double value =
            evaluate(text, fmt::format("--{}", spec.name),
                     [&](std::string_view name) { return number_called(name, spec, text); });
        evaluated_.pop_back();
        if (!spec.range.contains(value)) {
            refuse(spec.name, text,
                   fmt::format("{}, and is {}", broken_rule(spec.range, value), shortest(value)));
        }
        return value;
    }

    double number_called(std::string_view name, const ParameterSpec& spec, std::string_view text) {
        const Parameters::Entry& entry = entry_called(name, spec, text);
        if (is_expression(entry)) return number_of(entry, std::get<std::string>(entry.value));
        if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
            return static_cast<double>(*integer);
        }
        if (const auto* real = std::get_if<double>(&entry.value)) return *real;
        refuse(spec.name, text, fmt::format("--{} has no value", entry.spec->name));
    }

    std::span<const Parameters::Entry> entries_;
    std::vector<const Parameters::Entry*> evaluated_;
};

/// Checks an expression as far as that is possible before all parameters are known.
void check_expression(std::span<const Parameters::Entry> entries, const Parameters::Entry& entry) {
    const std::string& text = std::get<std::string>(entry.value);
    ExpressionValues values(entries);
    bool has_name = false;
    for (const std::string_view number : numbers_in(text)) {
        for (const std::string& name : names_in(number)) {
            values.entry_called(name, *entry.spec, text);
            has_name = true;
        }
    }
    if (!has_name) values.value_of(entry);
}

Value default_value(const ParameterSpec& spec) {
    if (spec.type == ParameterType::flag) return spec.default_value == "true";
    return spec.default_value.empty() ? Value() : parse_value(spec.default_value, spec);
}

/// The names of the types that a Value can hold, by their index in it.
constexpr std::array<std::string_view, std::variant_size_v<Value>> kinds{
    "without a value",    "a flag",           "an integer", "a number", "text",
    "a list of integers", "a list of numbers"};

/// Returns the value of the parameter `name` as a T.
/// Throws: InternalError if it is not a T.
template <class T>
const T& get_as(const Value& value, std::string_view name) {
    if (const T* held = std::get_if<T>(&value)) return *held;
    throw InternalError(fmt::format("parameter '{}' is {}, asked for as {}", name,
                                    kinds[value.index()], kinds[Value(T()).index()]));
}

struct AsTyped {
    std::string operator()(NoValue) const { return "none"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
    std::string operator()(double real) const { return shortest(real); }
    std::string operator()(const std::string& word) const { return word; }
    template <class Number>
    std::string operator()(const std::vector<Number>& numbers) const {
        return joined(numbers, ",");
    }
};

}  // namespace

std::string to_string(const Value& value) { return std::visit(AsTyped{}, value); }

std::string to_string(const Parameters::Entry& entry) {
    std::string text = to_string(entry.value);
    if (entry.spec->type == ParameterType::size) std::ranges::replace(text, ',', 'x');
    return text;
}

bool are_same(const Value& a, const Value& b) { return a == b && to_string(a) == to_string(b); }

bool is_default(const Parameters::Entry& entry) {
    return are_same(entry.value, default_value(*entry.spec));
}

const ParameterSpec* find_role(std::span<const ParameterSpec> specs, Role role) {
    const auto found = std::ranges::find(specs, role, &ParameterSpec::role);
    return found == specs.end() ? nullptr : &*found;
}

Parameters::Parameters() = default;
Parameters::Parameters(const Parameters&) = default;
Parameters::Parameters(Parameters&&) noexcept = default;
Parameters& Parameters::operator=(const Parameters&) = default;
Parameters& Parameters::operator=(Parameters&&) noexcept = default;
Parameters::~Parameters() = default;

Parameters::Parameters(std::span<const ParameterSpec> specs) {
    for (const ParameterSpec& spec : specs) {
        entries_.push_back({&spec, default_value(spec), Origin::specification});
    }
}

void Parameters::set(std::string_view name, std::string_view text, Origin origin) {
    Entry& target = entry(name);
    if (target.spec->type == ParameterType::word) refuse_numbers(entries_, *target.spec, text);
    const bool may_be_none =
        target.spec->default_value.empty() && target.spec->type != ParameterType::flag &&
        target.spec->type != ParameterType::text && target.spec->type != ParameterType::path;
    target.value = may_be_none && text == "none" ? Value() : parse_value(text, *target.spec);
    target.origin = origin;
    if (is_expression(target)) check_expression(entries_, target);
}

void Parameters::set_all(std::string_view settings, Origin origin) {
    const std::vector<std::string_view> tokens = words(settings);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::size_t equals = std::min(tokens[i].find('='), tokens[i].size());
        const std::string_view name = tokens[i].substr(2, equals - 2);
        if (equals < tokens[i].size()) {
            set(name, tokens[i].substr(equals + 1), origin);
        } else if (entry(name).spec->type == ParameterType::flag) {
            set(name, "true", origin);
        } else if (++i < tokens.size()) {
            set(name, tokens[i], origin);
        } else {
            throw InternalError(fmt::format("{}: the last setting has no value", settings));
        }
    }
}

void Parameters::resolve(std::string_view name, Value value) {
    entry(name).value = std::move(value);
}

void Parameters::evaluate_expressions() {
    ExpressionValues values(entries_);
    std::vector<Value> evaluated;
    for (const Entry& entry : entries_) {
        evaluated.push_back(is_expression(entry) ? values.value_of(entry) : entry.value);
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].value = std::move(evaluated[i]);
}

bool Parameters::knows(std::string_view name) const {
    return std::ranges::any_of(entries_, [=](const Entry& e) { return e.spec->name == name; });
}

bool Parameters::has(std::string_view name) const {
    return !std::holds_alternative<NoValue>(value(name));
}

bool Parameters::given(std::string_view name) const { return entry(name).origin == Origin::user; }

bool Parameters::flag(std::string_view name) const { return get_as<bool>(value(name), name); }

std::int64_t Parameters::integer(std::string_view name) const {
    return get_as<std::int64_t>(value(name), name);
}

double Parameters::real(std::string_view name) const { return get_as<double>(value(name), name); }

const std::string& Parameters::word(std::string_view name) const {
    return get_as<std::string>(value(name), name);
}

const std::vector<std::int64_t>& Parameters::integers(std::string_view name) const {
    return get_as<std::vector<std::int64_t>>(value(name), name);
}

const std::vector<double>& Parameters::reals(std::string_view name) const {
    return get_as<std::vector<double>>(value(name), name);
}

const Value& Parameters::value(std::string_view name) const { return entry(name).value; }

const Parameters::Entry& Parameters::entry(std::string_view name) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return e.spec->name == name; });
    if (found == entries_.end()) {
        throw InternalError(fmt::format("there is no parameter '{}'", name));
    }
    return *found;
}

Parameters::Entry& Parameters::entry(std::string_view name) {
    return const_cast<Entry&>(std::as_const(*this).entry(name));
}

Parameters without(Parameters parameters, std::initializer_list<std::string_view> names,
                   std::string_view reason) {
    for (const std::string_view name : names) {
        if (parameters.given(name)) {
            throw UsageError(fmt::format("--{} {}: {}; leave --{} out", name,
                                         to_string(parameters.value(name)), reason, name));
        }
        parameters.resolve(name, {});
    }
    return parameters;
}

bool is_used(const ParameterSpec& spec, const Parameters& parameters) {
    const auto& [other, choices] = spec.used_with;
    return other.empty() || !parameters.has(other) || has_word(choices, parameters.word(other));
}

void check_used(const Parameters& parameters) {
    for (const Parameters::Entry& entry : parameters.entries()) {
        const ParameterSpec& spec = *entry.spec;
        const bool is_taken_back = spec.type == ParameterType::flag && !parameters.flag(spec.name);
        if (entry.origin != Origin::user || is_taken_back || is_used(spec, parameters)) continue;
        const auto& [other, choices] = spec.used_with;
        throw UsageError(fmt::format("--{}: has no effect with --{} {}, only with {}", spec.name,
                                     other, parameters.word(other), joined(words(choices), ", ")));
    }
}

std::string expand(std::string_view pattern, const ValueOf& value_of) {
    std::string result;
    for (;;) {
        const std::size_t open = pattern.find('{'), close = pattern.find('}', open);
        if (close == pattern.npos) return result.append(pattern);
        const std::optional<std::string> value =
            value_of(pattern.substr(open + 1, close - open - 1));
        result.append(pattern.substr(0, value ? open : open + 1));
        if (value) result += *value;
        pattern.remove_prefix((value ? close : open) + 1);
    }
}

std::string expand(std::string_view pattern, const Parameters& parameters) {
    return expand(pattern, [&](std::string_view name) -> std::optional<std::string> {
        for (const Parameters::Entry& entry : parameters.entries()) {
            if (entry.spec->name == name) return to_string(entry);
        }
        return {};
    });
}

}  // namespace pegen
