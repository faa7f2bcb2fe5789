#include "files/torch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "files/stored_array.h"

namespace pegen {
namespace {

// What a pickle describes, without running any of it. By hand, since no library reads pickles but
// Python's, which runs them.

/// A value in a pickle.
struct PickleValue {
    enum class Kind : std::uint8_t {
        none,
        truth,
        integer,
        real,
        text,       ///< also bytes
        list,       ///< also tuples and sets
        dict,       ///< keys and values by turns
        name,       ///< of a function or a class: "torch._utils._rebuild_tensor_v2"
        call,       ///< a name, its arguments as a list, and perhaps the state given to the result
        reference,  ///< to something outside of the pickle, described by its only item
    };

    Kind kind;
    std::int64_t integer = 0;
    std::string_view text{};
    std::vector<std::uint32_t> items{};  ///< the numbers of values
};

/// The values of a pickle. A value may be an item of several others, and of itself.
struct Pickle {
    std::deque<PickleValue> values;
    std::uint32_t root;
    std::size_t size;             ///< bytes of the pickle, which may be followed by others
    std::set<std::string> names;  ///< what the texts of names are part of
};

using Kind = PickleValue::Kind;
using Number = std::uint32_t;  ///< of a value

/// Of values, and of each of the other things that a pickle makes many of.
constexpr std::size_t most_values = std::size_t{1} << 21;

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

    void check_count(std::size_t count, std::string_view what) const {
        if (count >= most_values) refuse(fmt::format("more than 2^21 {}", what));
    }
    void push(Number value) {
        check_count(stack_.size(), "values at once");
        stack_.push_back(value);
    }
    void push(PickleValue value) {
        check_count(values_.size(), "values");
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
        push({.kind = Kind::name, .text = *names_.insert(std::move(whole)).first});
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
    std::vector<Number> pairs_in(Number arguments) {
        std::vector<Number> items;
        if (values_[arguments].items.empty()) return items;
        const PickleValue& pairs = values_[values_[arguments].items.front()];
        if (pairs.kind != Kind::list) return items;
        for (const Number pair : pairs.items) {
            if (values_[pair].kind != Kind::list || values_[pair].items.size() != 2) return {};
            // One list may be the argument of many calls.
            check_count(copied_pairs_++, "pairs in dicts");
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

    void remember(std::uint64_t place) {
        check_count(memo_.size(), "remembered values");
        memo_[place] = top();
    }
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
                check_count(marks_.size(), "marks");
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
    std::deque<PickleValue> values_;
    std::vector<Number> stack_;
    std::vector<std::size_t> marks_;  ///< where values above a mark begin on the stack
    std::unordered_map<std::uint64_t, Number> memo_;
    std::set<std::string> names_;
    std::size_t copied_pairs_ = 0;
};

/// Reads the pickle at the beginning of `bytes`, which must outlive the result, by the operations
/// of protocols 2 to 5 that describe plain data and calls. `is_allowed` says which names may be in
/// it. `path` and `offset`, the place of the bytes in the file, are for messages. There are at most
/// 2^21 values. Throws: FormatError.
Pickle read_pickle(std::string_view bytes, bool (*is_allowed)(std::string_view name),
                   const std::string& path, std::int64_t offset) {
    return Machine(bytes, is_allowed, path, offset).run();
}

/// The type of the elements of a storage, as PyTorch calls it.
struct Element {
    std::string_view storage;  ///< "FloatStorage"
    std::string_view dtype;    ///< "float32"
    DType read_as;
    bool is_complex = false;
};

constexpr std::array elements{
    Element{"FloatStorage", "float32", DType::float32},
    Element{"DoubleStorage", "float64", DType::float64},
    Element{"HalfStorage", "float16", DType::float16},
    Element{"BFloat16Storage", "bfloat16", DType::bfloat16},
    Element{"CharStorage", "int8", DType::int8},
    Element{"ShortStorage", "int16", DType::int16},
    Element{"IntStorage", "int32", DType::int32},
    Element{"LongStorage", "int64", DType::int64},
    Element{"ByteStorage", "uint8", DType::uint8},
    Element{"BoolStorage", "bool", DType::boolean},
    Element{"ComplexFloatStorage", "complex64", DType::float32, true},
    Element{"ComplexDoubleStorage", "complex128", DType::float64, true},
    Element{"", "uint16", DType::uint16},
    Element{"", "uint32", DType::uint32},
    Element{"", "uint64", DType::uint64},
};

/// The names of modules and functions, besides storages and dtypes, that checkpoints have and that
/// describe data.
constexpr std::array<std::string_view, 30> data_names{
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch._utils._rebuild_sparse_tensor",
    "torch._utils._rebuild_sparse_csr_tensor",
    "torch._utils._rebuild_qtensor",
    "torch._utils._rebuild_meta_tensor_no_storage",
    "torch._utils._rebuild_device_tensor_from_numpy",
    "torch._tensor._rebuild_from_type_v2",
    "torch.Tensor",
    "torch.nn.parameter.Parameter",
    "torch.storage.UntypedStorage",
    "torch.storage.TypedStorage",
    "torch.Size",
    "torch.per_tensor_affine",
    "torch.per_channel_affine",
    "torch.device",
    "torch.serialization._get_layout",
    "torch.torch_version.TorchVersion",
    "collections.OrderedDict",
    "collections.defaultdict",
    "collections.Counter",
    "builtins.dict",
    "builtins.set",
    "builtins.bytearray",
    "__builtin__.set",
    "_codecs.encode",
    "argparse.Namespace",
};

bool is_data_name(std::string_view name) {
    if (std::ranges::find(data_names, name) != data_names.end()) return true;
    if (!name.starts_with("torch.")) return false;
    const std::string_view last = name.substr(name.rfind('.') + 1);
    const std::string_view module = name.substr(0, name.size() - last.size() - 1);
    if (module == "torch" || module == "torch.cuda") {
        if (last.ends_with("Storage")) return last.find_first_of("._") == last.npos;
        return module == "torch" &&
               (last.starts_with("float") || last.starts_with("int") || last.starts_with("uint") ||
                last.starts_with("complex") || last == "bfloat16" || last == "bool");
    }
    return false;
}

/// A storage as a pickle refers to it.
struct Storage {
    std::string key;
    std::string type;  ///< "torch.FloatStorage"
};

/// What is known of a tensor without reading an element.
struct Tensor {
    Storage storage;
    std::string dtype;   ///< "torch.float32" of tensors whose storage has no type; otherwise empty
    std::int64_t first;  ///< element of the storage
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
};

/// A pickle and the text that it is read from.
struct KeptPickle {
    std::string bytes;
    Pickle pickle;
};

/// A function that opens the bytes of the storage of this key. `path` is for messages.
using OpenStorage = std::function<std::shared_ptr<const InputFile>(const std::string& key,
                                                                   const std::string& path)>;

/// A reading of the tensors in a pickle. Its functions throw FormatError for `path`.
class Tensors {
  public:
    Tensors(const Pickle& pickle, std::string path) : pickle_(pickle), path_(std::move(path)) {}

    /// Returns the tensor that the call makes.
    Tensor made_by(const PickleValue& call) const {
        const std::string_view function = value(call.items[0]).text;
        const PickleValue& arguments = value(call.items[1]);
        if (function.starts_with("torch._utils._rebuild_parameter")) {
            return made_by(call_in(arguments, 0));
        }
        if (function == "torch._tensor._rebuild_from_type_v2") {
            const PickleValue inner{.kind = Kind::call,
                                    .items = {item(arguments, 0), item(arguments, 2)}};
            if (value(inner.items[0]).text == function) refuse("a tensor within a tensor");
            return made_by(checked_call(inner));
        }
        const bool has_dtype = function == "torch._utils._rebuild_tensor_v3";
        if (!has_dtype && function != "torch._utils._rebuild_tensor" &&
            function != "torch._utils._rebuild_tensor_v2") {
            refuse(fmt::format("is made by {}, which is not read; save a dense tensor", function));
        }
        check_metadata(arguments, has_dtype ? 7 : 6);
        return {storage_in(value(item(arguments, 0))),
                std::string(has_dtype ? value(item(arguments, 6)).text : std::string_view()),
                integer(item(arguments, 1)), integers(item(arguments, 2)),
                integers(item(arguments, 3))};
    }

    /// Returns the storage that a reference names.
    Storage storage_in(const PickleValue& reference) const {
        if (reference.kind != Kind::reference) refuse("a tensor without a storage");
        const PickleValue& parts = value(reference.items.front());
        if (value(item(parts, 0)).text != "storage") refuse("a tensor without a storage");
        constexpr std::size_t view = 5;  // PyTorch 0.1 stored which part of another storage it is
        if (parts.items.size() > view && value(parts.items[view]).kind != Kind::none) {
            refuse("a view of a storage, which is not read; save a copy of the tensor");
        }
        return {std::string(value(item(parts, 2)).text), std::string(value(item(parts, 1)).text)};
    }

  private:
    [[noreturn]] void refuse(std::string_view failure) const { throw FormatError(path_, failure); }

    /// Refuses tensors that PyTorch negates or conjugates when it reads them, as their metadata
    /// say, which is argument number `i`.
    void check_metadata(const PickleValue& arguments, std::size_t i) const {
        if (arguments.items.size() <= i) return;
        const PickleValue& metadata = value(arguments.items[i]);
        if (metadata.kind == Kind::none || (metadata.kind == Kind::dict && metadata.items.empty()))
            return;
        refuse("is negated or conjugated as it is read; save x.resolve_neg().resolve_conj()");
    }

    const PickleValue& value(std::uint32_t number) const { return pickle_.values[number]; }

    std::uint32_t item(const PickleValue& list, std::size_t i) const {
        if (list.kind != Kind::list || list.items.size() <= i) refuse("a tensor without its parts");
        return list.items[i];
    }

    std::int64_t integer(std::uint32_t number) const {
        if (value(number).kind != Kind::integer) refuse("a tensor whose numbers are none");
        return value(number).integer;
    }

    std::vector<std::int64_t> integers(std::uint32_t number) const {
        const PickleValue* list = &value(number);
        // torch.Size([2, 3]) is a call with one list.
        if (list->kind == Kind::call) list = &value(item(value(list->items[1]), 0));
        if (list->kind != Kind::list) refuse("a tensor without a shape");
        constexpr std::size_t most_axes = 64;
        if (list->items.size() > most_axes) refuse("a tensor of more than 64 axes");
        std::vector<std::int64_t> numbers;
        for (const std::uint32_t extent : list->items) numbers.push_back(integer(extent));
        return numbers;
    }

    const PickleValue& checked_call(const PickleValue& call) const {
        if (call.kind != Kind::call || value(call.items[0]).kind != Kind::name) {
            refuse("a tensor that no function makes");
        }
        return call;
    }

    /// Returns the call that makes the tensor of a parameter.
    const PickleValue& call_in(const PickleValue& arguments, std::size_t i) const {
        const PickleValue& call = checked_call(value(item(arguments, i)));
        if (value(call.items[0]).text.starts_with("torch._utils._rebuild_parameter")) {
            refuse("a parameter of a parameter");
        }
        return call;
    }

    const Pickle& pickle_;
    std::string path_;
};

[[noreturn]] void refuse_tensor(const std::string& path, const Tensor& tensor,
                                std::string_view failure) {
    throw FormatError(
        path, fmt::format("offset {}, shape ({}), strides ({}): {}", tensor.first,
                          joined(tensor.shape, ", "), joined(tensor.strides, ", "), failure));
}

/// Returns the elements of a storage of this type, or, without a type, of this dtype.
const Element& element_of(std::string_view type, std::string_view dtype, const std::string& path) {
    const std::string_view name = dtype.empty() ? type : dtype;
    const std::string_view last = name.substr(name.rfind('.') + 1);
    const auto found =
        std::ranges::find(elements, last, dtype.empty() ? &Element::storage : &Element::dtype);
    if (last.empty() || found == elements.end()) {
        throw FormatError(path, fmt::format("elements of {}: not read; save tensor.float()", name));
    }
    return *found;
}

std::int64_t bytes_of(const Element& element) {
    return static_cast<std::int64_t>(info(element.read_as).size) * (element.is_complex ? 2 : 1);
}

/// Returns the bytes of an element of a storage of this type, which may be one that is not read.
std::int64_t bytes_of(std::string_view type, const std::string& path) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> quantized{{
        {"torch.QInt8Storage", 1},
        {"torch.QUInt8Storage", 1},
        {"torch.QInt32Storage", 4},
        {"torch.QUInt4x2Storage", 1},
        {"torch.QUInt2x4Storage", 1},
    }};
    for (const auto& [name, size] : quantized) {
        if (type == name) return size;
    }
    return bytes_of(element_of(type, "", path));
}

/// Returns the number of elements, after checks that all of them are among the `stored` elements of
/// the storage.
std::int64_t checked_size(const Tensor& tensor, std::int64_t stored, const std::string& path) {
    constexpr std::int64_t most_spread = std::int64_t{1} << 26;
    if (tensor.shape.size() != tensor.strides.size()) {
        refuse_tensor(path, tensor, "there must be a stride for each axis");
    }
    std::int64_t size = 1, last = tensor.first;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        const std::int64_t extent = tensor.shape[axis], stride = tensor.strides[axis];
        if (extent < 0 || stride < 0) refuse_tensor(path, tensor, "a number below 0");
        std::int64_t way = 0;
        if (__builtin_mul_overflow(size, extent, &size) ||
            __builtin_mul_overflow(std::max<std::int64_t>(extent - 1, 0), stride, &way) ||
            __builtin_add_overflow(last, way, &last)) {
            refuse_tensor(path, tensor, "too large for any file");
        }
    }
    if (tensor.first < 0 || (size > 0 && last >= stored)) {
        refuse_tensor(path, tensor, fmt::format("beyond its storage of {} elements", stored));
    }
    if (size > stored && size > most_spread) {
        refuse_tensor(path, tensor, "more than 2^26 elements, some of them the same");
    }
    return size;
}

/// True if the elements follow each other, the last axis fastest, or the first one.
bool are_in_order(const Tensor& tensor, bool is_last_fastest) {
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        const std::size_t axis = is_last_fastest ? tensor.shape.size() - 1 - i : i;
        if (tensor.shape[axis] != 1 && tensor.strides[axis] != stride) return false;
        stride *= tensor.shape[axis];
    }
    return true;
}

/// A gathering of the elements of a tensor, in C order, from its storage.
class Gathering {
  public:
    Gathering(std::shared_ptr<const InputFile> storage, Tensor tensor, std::int64_t size,
              std::int64_t element_size)
        : storage_(std::move(storage)),
          tensor_(std::move(tensor)),
          strides_(strides_of(tensor_.shape)),
          size_(size),
          element_size_(element_size) {}

    /// Fills the start of `out` with the next elements and returns the number of bytes.
    std::size_t next(std::span<std::byte> out) {
        const std::span<std::byte> whole = out;
        while (done_ < size_ && std::ssize(out) >= element_size_) {
            out = out.subspan(fill_run(out) * element_size_);
        }
        return whole.size() - out.size();
    }

  private:
    /// Gathers elements of one row, with one reading, and returns their number.
    std::int64_t fill_run(std::span<std::byte> out) {
        constexpr std::int64_t most_read = 1 << 16;  // bytes
        const std::int64_t columns = tensor_.shape.back(), stride = tensor_.strides.back();
        const std::int64_t count =
            std::min({columns - done_ % columns, std::ssize(out) / element_size_,
                      1 + most_read / element_size_ / std::max<std::int64_t>(stride, 1)});
        std::int64_t place = tensor_.first;
        for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
            place += done_ / strides_[axis] % tensor_.shape[axis] * tensor_.strides[axis];
        }
        run_.resize(((count - 1) * stride + 1) * element_size_);
        storage_->read(place * element_size_, run_);
        for (std::int64_t i = 0; i < count; ++i) {
            std::copy_n(run_.begin() + i * stride * element_size_, element_size_,
                        out.begin() + i * element_size_);
        }
        done_ += count;
        return count;
    }

    std::shared_ptr<const InputFile> storage_;
    Tensor tensor_;
    std::vector<std::int64_t> strides_;  ///< elements from one index to the next, in C order
    std::int64_t size_;
    std::int64_t element_size_;
    std::int64_t done_ = 0;
    std::vector<std::byte> run_{};
};

StoredArray open_tensor(const Tensor& tensor, const OpenStorage& open_storage, bool is_big_endian,
                        const std::string& path) {
    const Element& element = element_of(tensor.storage.type, tensor.dtype, path);
    const std::int64_t element_size = bytes_of(element);
    std::shared_ptr<const InputFile> bytes = open_storage(tensor.storage.key, path);
    const std::int64_t size = checked_size(tensor, bytes->size() / element_size, path);
    const bool is_in_order = size == 0 || are_in_order(tensor, true);
    const bool is_fortran = !is_in_order && are_in_order(tensor, false) && !element.is_complex;
    if (is_in_order || is_fortran) {
        const std::int64_t begin = size == 0 ? 0 : tensor.first * element_size;
        bytes = InputFile::part(std::move(bytes), path, begin, size * element_size);
    } else {
        const auto gathering =
            std::make_shared<Gathering>(std::move(bytes), tensor, size, element_size);
        bytes = InputFile::sequence(
            path, size * element_size,
            [gathering](std::span<std::byte> out) { return gathering->next(out); });
    }
    std::vector<std::int64_t> extents = tensor.shape;
    if (element.is_complex) extents.push_back(2);
    const Shape shape = stored_shape(std::move(extents), path);
    return stored_array(std::move(bytes),
                        {element.read_as, is_big_endian && element_size > 1, is_fortran, shape, 0});
}

/// A tensor in a pickle, and the keys that lead to it.
struct NamedCall {
    std::string name;
    std::uint32_t call;
};

bool is_tensor(const Pickle& pickle, const PickleValue& value) {
    if (value.kind != Kind::call) return false;
    const std::string_view function = pickle.values[value.items[0]].text;
    return function.starts_with("torch._utils._rebuild_") ||
           function == "torch._tensor._rebuild_from_type_v2";
}

std::string key_text(const PickleValue& key, std::size_t place) {
    if (key.kind == Kind::text) return std::string(key.text);
    return key.kind == Kind::integer ? fmt::format("{}", key.integer) : fmt::format("{}", place);
}

/// Adds the tensors in a value to `found`. `visits` counts all values that were looked at, of which
/// one may be part of many others.
void find_tensors(const Pickle& pickle, std::uint32_t number, const std::string& name, int depth,
                  std::int64_t& visits, const std::string& path, std::vector<NamedCall>& found) {
    constexpr std::int64_t most_visits = std::int64_t{1} << 22;
    constexpr int deepest = 64;
    const PickleValue& value = pickle.values[number];
    if (is_tensor(pickle, value)) {
        found.push_back({name.empty() ? "tensor" : name, number});
        return;
    }
    if (value.kind != Kind::dict && value.kind != Kind::list) return;
    if (depth == deepest) throw FormatError(path, "pickle: more than 64 levels of dicts and lists");
    const std::size_t step = value.kind == Kind::dict ? 2 : 1;
    for (std::size_t i = 0; i < value.items.size(); i += step) {
        if (++visits > most_visits) throw FormatError(path, "pickle: more than 2^22 items");
        const std::string key =
            step == 2 ? key_text(pickle.values[value.items[i]], i / 2) : fmt::format("{}", i);
        find_tensors(pickle, value.items[i + step - 1], name.empty() ? key : name + "." + key,
                     depth + 1, visits, path, found);
    }
}

/// Returns the archive of all tensors in the pickle.
Archive archive_of(const std::string& path, const std::shared_ptr<const KeptPickle>& kept,
                   const OpenStorage& open_storage, bool is_big_endian) {
    std::vector<NamedCall> calls;
    std::int64_t visits = 0;
    find_tensors(kept->pickle, kept->pickle.root, "", 0, visits, path, calls);
    Archive archive{"pytorch", {}};
    for (NamedCall& named : calls) {
        const std::string member = path + ":" + named.name;
        archive.members.push_back({std::move(named.name), member, [=, number = named.call] {
                                       const Pickle& pickle = kept->pickle;
                                       return open_tensor(
                                           Tensors(pickle, member).made_by(pickle.values[number]),
                                           open_storage, is_big_endian, member);
                                   }});
    }
    return archive;
}

constexpr std::int64_t longest_pickle = std::int64_t{1} << 25;

std::string text_of(const InputFile& file, std::int64_t size) {
    std::string text(size, '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return text;
}

constexpr std::string_view pickle_name = "/data.pkl";

/// Returns the member of this name; nullptr if there is none.
const ZipMember* find_member(const std::vector<ZipMember>& members, std::string_view name) {
    const auto found = std::ranges::find(members, name, &ZipMember::name);
    return found == members.end() ? nullptr : &*found;
}

/// True if the text of the member is "big".
bool says_big(const ZipMember& member, const std::string& path) {
    constexpr std::string_view big = "big";
    const auto content = member.open(path + ":" + member.name, Checksum::compared);
    return content->size() == std::ssize(big) && text_of(*content, content->size()) == big;
}

Archive open_zip(const std::shared_ptr<const InputFile>& file,
                 const std::vector<ZipMember>& members) {
    const auto found = std::ranges::find_if(
        members, [](const ZipMember& member) { return member.name.ends_with(pickle_name); });
    const std::string folder = found->name.substr(0, found->name.size() - 8);
    const std::string path = file->path() + ":" + found->name;
    const auto content = found->open(path, Checksum::compared);
    if (content->size() > longest_pickle) throw FormatError(path, "a pickle of more than 32 MiB");
    std::string bytes = text_of(*content, content->size());
    auto kept = std::make_shared<KeptPickle>(KeptPickle{std::move(bytes), {}});
    kept->pickle = read_pickle(kept->bytes, is_data_name, path, 0);

    const ZipMember* const order = find_member(members, folder + "byteorder");
    const bool is_big_endian = order && says_big(*order, file->path());
    std::map<std::string, ZipMember> storages;
    for (const ZipMember& member : members) {
        if (member.name.starts_with(folder + "data/")) {
            storages.emplace(member.name.substr(folder.size() + 5), member);
        }
    }
    return archive_of(
        file->path(), kept,
        [storages = std::move(storages)](const std::string& key, const std::string& member) {
            const auto storage = storages.find(key);
            if (storage == storages.end()) {
                throw FormatError(member, fmt::format("its storage, data/{}, is not there", key));
            }
            return storage->second.open(member, Checksum::ignored);
        },
        is_big_endian);
}

/// The number with which the old form begins, as a pickle has it.
constexpr std::string_view old_magic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";

/// Where a storage of the old form is in its file.
struct Place {
    std::int64_t begin;
    std::int64_t size;
};

/// Returns the places of all storages, which follow the pickle of their keys, each after the number
/// of its elements.
std::map<std::string, Place> old_places(const InputFile& file, const Pickle& pickle,
                                        const Pickle& keys, std::int64_t begin,
                                        bool is_big_endian) {
    std::map<std::string, std::string> types;
    const Tensors tensors(pickle, file.path());
    for (const PickleValue& value : pickle.values) {
        if (value.kind != Kind::reference) continue;
        const Storage storage = tensors.storage_in(value);
        types.emplace(storage.key, storage.type);
    }
    std::map<std::string, Place> places;
    for (const std::uint32_t number : keys.values[keys.root].items) {
        const std::string key(keys.values[number].text);
        const auto type = types.find(key);
        if (type == types.end()) {
            throw FormatError(file.path(), begin, fmt::format("a storage {} of no tensor", key));
        }
        const std::int64_t element_size = bytes_of(type->second, file.path());
        std::array<unsigned char, 8> count_bytes{};
        if (!file.holds(begin + 8)) {
            throw FormatError(file.path(), file.size(), "ends before its storages do");
        }
        file.read(begin, std::as_writable_bytes(std::span(count_bytes)));
        if (is_big_endian) std::ranges::reverse(count_bytes);
        std::int64_t size = 0, end = 0;
        for (std::size_t i = 8; i-- > 0;) size = size << 8 | count_bytes[i];
        begin += 8;
        if (size < 0 || __builtin_mul_overflow(size, element_size, &size) ||
            __builtin_add_overflow(begin, size, &end) || !file.holds(end)) {
            throw FormatError(file.path(), begin, "ends before its storages do");
        }
        places[key] = {begin, size};
        begin = end;
    }
    return places;
}

/// Opens the old form: pickles of a number, of the version, of the system, of the object and of the
/// keys of storages, and then the storages.
Archive open_old(const std::shared_ptr<const InputFile>& file) {
    const std::int64_t size = file->holds(longest_pickle) ? longest_pickle : file->size();
    auto kept = std::make_shared<KeptPickle>(KeptPickle{text_of(*file, size), {}});
    std::size_t place = 0;
    const auto next = [&] {
        Pickle pickle = read_pickle(std::string_view(kept->bytes).substr(place), is_data_name,
                                    file->path(), static_cast<std::int64_t>(place));
        place += pickle.size;
        return pickle;
    };
    next();  // the magic number
    next();  // the version
    const Pickle system = next();
    kept->pickle = next();
    const Pickle keys = next();
    if (keys.values[keys.root].kind != Kind::list) {
        throw FormatError(file->path(), static_cast<std::int64_t>(place), "no keys of storages");
    }
    bool is_big_endian = false;
    const std::vector<std::uint32_t>& facts = system.values[system.root].items;
    for (std::size_t i = 0; i + 1 < facts.size(); i += 2) {
        if (system.values[facts[i]].text == "little_endian") {
            is_big_endian = system.values[facts[i + 1]].integer == 0;
        }
    }
    return archive_of(
        file->path(), kept,
        [file, places = old_places(*file, kept->pickle, keys, static_cast<std::int64_t>(place),
                                   is_big_endian)](const std::string& key,
                                                   const std::string& path) {
            const auto found = places.find(key);
            if (found == places.end()) {
                throw FormatError(path, fmt::format("its storage, {}, is not there", key));
            }
            return InputFile::part(file, path, found->second.begin, found->second.size);
        },
        is_big_endian);
}

}  // namespace

bool begins_as_old_torch(std::string_view start) {
    // Before the number is the protocol, and in newer ones the size of a frame.
    return start.starts_with('\x80') && start.find(old_magic) != start.npos;
}

bool has_torch_pickle(const std::vector<ZipMember>& members) {
    const auto ends_with = [&](std::string_view end) {
        return std::ranges::any_of(
            members, [=](const ZipMember& member) { return member.name.ends_with(end); });
    };
    return ends_with("/data.pkl") && !ends_with("/constants.pkl");
}

Archive open_torch(const std::shared_ptr<const InputFile>& file,
                   const std::vector<ZipMember>& members) {
    return members.empty() ? open_old(file) : open_zip(file, members);
}

}  // namespace pegen
