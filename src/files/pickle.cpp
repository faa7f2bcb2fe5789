#include "files/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"

namespace pegen {
namespace {

using Kind = PickleValue::Kind;
using Number = std::uint32_t;  ///< of a value

constexpr std::size_t most_values = std::size_t{1} << 22;

/// Classes whose objects are dicts that are filled after they are made.
constexpr std::array<std::string_view, 5> dict_classes{
    "collections.OrderedDict", "collections.defaultdict", "collections.Counter", "builtins.dict",
    "__builtin__.dict"};

/// A machine with a stack, as pickles are written for.
class Machine {
  public:
    Machine(std::string_view bytes, bool (*is_allowed)(std::string_view), const std::string& path,
            std::int64_t offset)
        : bytes_(bytes), is_allowed_(is_allowed), path_(path), offset_(offset) {}

    Pickle run() {
        while (!step(next_byte())) {
        }
        const Number root = pop();
        return {std::move(values_), root, place_, std::move(names_)};
    }

  private:
    [[noreturn]] void refuse(std::string_view failure) const {
        throw FormatError(path_, offset_ + static_cast<std::int64_t>(place_),
                          fmt::format("pickle: {}", failure));
    }

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - place_) refuse("ends too early");
        const std::string_view taken = bytes_.substr(place_, count);
        place_ += count;
        return taken;
    }
    unsigned char next_byte() { return static_cast<unsigned char>(take(1).front()); }
    std::uint64_t little_endian(std::size_t size) {
        std::uint64_t number = 0;
        const std::string_view bytes = take(size);
        for (std::size_t i = size; i-- > 0;) {
            number = number << 8 | static_cast<unsigned char>(bytes[i]);
        }
        return number;
    }
    std::string_view line() {
        const std::size_t end = bytes_.find('\n', place_);
        if (end == bytes_.npos) refuse("ends too early");
        const std::string_view text = take(end - place_);
        ++place_;
        return text;
    }

    void push(Number value) { stack_.push_back(value); }
    void push(PickleValue value) {
        if (values_.size() == most_values) refuse("more than 2^22 values");
        values_.push_back(std::move(value));
        push(static_cast<Number>(values_.size() - 1));
    }
    Number pop() {
        const std::size_t lowest = marks_.empty() ? 0 : marks_.back();
        if (stack_.size() <= lowest) refuse("takes a value that there is none of");
        const Number value = stack_.back();
        stack_.pop_back();
        return value;
    }
    Number top() {
        const Number value = pop();
        push(value);
        return value;
    }
    std::vector<Number> pop_to_mark() {
        if (marks_.empty()) refuse("takes values to a mark that there is none of");
        const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<Number> values(first, stack_.end());
        stack_.erase(first, stack_.end());
        marks_.pop_back();
        return values;
    }
    std::vector<Number> pop_several(std::size_t count) {
        std::vector<Number> values(count);
        for (std::size_t i = count; i-- > 0;) values[i] = pop();
        return values;
    }

    void push_list(std::vector<Number> items) {
        push({.kind = Kind::list, .items = std::move(items)});
    }
    void push_text(std::uint64_t size) { push({.kind = Kind::text, .text = take(size)}); }
    void push_integer(std::int64_t value) { push({.kind = Kind::integer, .integer = value}); }

    /// Reads an integer of this many bytes in two's complement. Larger ones than 2^63 - 1 are kept
    /// as bytes: no shape and no offset has them.
    void push_long(std::uint64_t size) {
        if (size > 8) return push_text(size);
        const std::uint64_t bits = little_endian(size);
        const std::size_t missing = 64 - 8 * size;
        push_integer(size == 0 ? 0 : static_cast<std::int64_t>(bits << missing) >> missing);
    }

    void push_name(std::string_view module, std::string_view name) {
        std::string whole = fmt::format("{}.{}", module, name);
        if (!is_allowed_(whole)) {
            refuse(fmt::format(
                "names {}, which a state dict does not need, and nothing of a file is run; in "
                "Python, if you trust it: torch.save(model.state_dict(), FILE)",
                whole));
        }
        names_.push_back(std::move(whole));
        push({.kind = Kind::name, .text = names_.back()});
    }

    void push_call() {
        const Number arguments = pop(), callee = pop();
        if (values_[callee].kind != Kind::name) refuse("calls what is no name");
        if (values_[arguments].kind != Kind::list) refuse("a call without arguments");
        if (std::ranges::find(dict_classes, values_[callee].text) == dict_classes.end()) {
            push({.kind = Kind::call, .items = {callee, arguments}});
        } else {
            push({.kind = Kind::dict, .items = pairs_in(arguments)});
        }
    }

    /// Returns the keys and values in the arguments of a dict, which older Pythons give as a list
    /// of pairs.
    std::vector<Number> pairs_in(Number arguments) const {
        std::vector<Number> items;
        if (values_[arguments].items.empty()) return items;
        const PickleValue& pairs = values_[values_[arguments].items.front()];
        if (pairs.kind != Kind::list) return items;
        for (const Number pair : pairs.items) {
            if (values_[pair].kind != Kind::list || values_[pair].items.size() != 2) return {};
            items.insert(items.end(), values_[pair].items.begin(), values_[pair].items.end());
        }
        return items;
    }

    /// Adds items to the value on the stack: a list, a dict, or an object whose class does
    /// something with them.
    void extend(Kind kind, const std::vector<Number>& items) {
        PickleValue& value = values_[top()];
        if (value.kind == Kind::call) return;
        if (value.kind != kind) refuse("adds items to what has none");
        if (kind == Kind::dict && items.size() % 2 != 0) refuse("a key without a value");
        value.items.insert(value.items.end(), items.begin(), items.end());
    }

    void build() {
        const Number state = pop();
        PickleValue& value = values_[top()];
        // The state of a dict is what its class adds to it, such as _metadata.
        if (value.kind == Kind::call && value.items.size() == 2) value.items.push_back(state);
    }

    void remember(std::uint64_t place) { memo_[place] = top(); }
    void recall(std::uint64_t place) {
        const auto found = memo_.find(place);
        if (found == memo_.end()) refuse("recalls what was not remembered");
        push(found->second);
    }

    /// Does one operation; true if it was the last.
    bool step(unsigned char operation) {
        switch (operation) {
            case 0x80:
                take(1);
                break;  // the protocol
            case 0x95:
                take(8);
                break;  // the size of a frame
            case '.':
                return true;
            case 'N':
                push({.kind = Kind::none});
                break;
            case 0x88:
            case 0x89:
                push({.kind = Kind::truth, .integer = operation == 0x88});
                break;
            case 'J':
                push_integer(static_cast<std::int32_t>(little_endian(4)));
                break;
            case 'K':
                push_integer(static_cast<std::int64_t>(little_endian(1)));
                break;
            case 'M':
                push_integer(static_cast<std::int64_t>(little_endian(2)));
                break;
            case 0x8a:
                push_long(little_endian(1));
                break;
            case 0x8b:
                push_long(little_endian(4));
                break;
            case 'G':
                take(8);
                push({.kind = Kind::real});
                break;
            case 'X':
            case 'T':
            case 'B':
                push_text(little_endian(4));
                break;
            case 'U':
            case 'C':
            case 0x8c:
                push_text(little_endian(1));
                break;
            case 0x8d:
            case 0x8e:
            case 0x96:
                push_text(little_endian(8));
                break;
            case ')':
            case ']':
            case 0x8f:
                push_list({});
                break;
            case 0x85:
                push_list(pop_several(1));
                break;
            case 0x86:
                push_list(pop_several(2));
                break;
            case 0x87:
                push_list(pop_several(3));
                break;
            case 't':
            case 'l':
            case 0x91:
                push_list(pop_to_mark());
                break;
            case '}':
                push({.kind = Kind::dict});
                break;
            case 'd': {
                std::vector<Number> items = pop_to_mark();
                push({.kind = Kind::dict});
                extend(Kind::dict, items);
                break;
            }
            case 'a':
                extend(Kind::list, pop_several(1));
                break;
            case 'e':
            case 0x90:
                extend(Kind::list, pop_to_mark());
                break;
            case 's':
                extend(Kind::dict, pop_several(2));
                break;
            case 'u':
                extend(Kind::dict, pop_to_mark());
                break;
            case '(':
                marks_.push_back(stack_.size());
                break;
            case '0':
                pop();
                break;
            case '1':
                pop_to_mark();
                break;
            case '2':
                push(top());
                break;
            case 'q':
                remember(little_endian(1));
                break;
            case 'r':
                remember(little_endian(4));
                break;
            case 0x94:
                remember(memo_.size());
                break;
            case 'h':
                recall(little_endian(1));
                break;
            case 'j':
                recall(little_endian(4));
                break;
            case 'c': {
                const std::string_view module = line();
                push_name(module, line());
                break;
            }
            case 0x93: {
                const std::vector<Number> parts = pop_several(2);
                push_name(values_[parts[0]].text, values_[parts[1]].text);
                break;
            }
            case 'R':
            case 0x81:
                push_call();
                break;
            case 'b':
                build();
                break;
            case 'Q':
                push({.kind = Kind::reference, .items = {pop()}});
                break;
            default:
                --place_;
                refuse(fmt::format("operation 0x{:02x}, which state dicts do not have", operation));
        }
        return false;
    }

    std::string_view bytes_;
    bool (*is_allowed_)(std::string_view);
    const std::string& path_;
    std::int64_t offset_;
    std::size_t place_ = 0;
    std::vector<PickleValue> values_;
    std::vector<Number> stack_;
    std::vector<std::size_t> marks_;  ///< where values above a mark begin on the stack
    std::unordered_map<std::uint64_t, Number> memo_;
    std::deque<std::string> names_;
};

}  // namespace

Pickle read_pickle(std::string_view bytes, bool (*is_allowed)(std::string_view name),
                   const std::string& path, std::int64_t offset) {
    return Machine(bytes, is_allowed, path, offset).run();
}

}  // namespace pegen
