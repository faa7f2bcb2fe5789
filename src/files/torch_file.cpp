#include "files/torch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "files/pickle.h"
#include "files/stored_array.h"

namespace pegen {
namespace {

using Kind = PickleValue::Kind;

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
constexpr std::array<std::string_view, 28> data_names{
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
        return {std::string(value(item(parts, 2)).text), std::string(value(item(parts, 1)).text)};
    }

  private:
    [[noreturn]] void refuse(std::string_view failure) const { throw FormatError(path_, failure); }

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

/// Returns the number of elements, after checks that all of them are among the `stored` elements of
/// the storage.
std::int64_t checked_size(const Tensor& tensor, std::int64_t stored, const std::string& path) {
    constexpr std::int64_t most_spread = std::int64_t{1} << 28;
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
        refuse_tensor(path, tensor, "more than 2^28 elements, some of them the same");
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
    try {
        const Shape shape(std::move(extents));
        check_empty_extents(shape);
        return stored_array(std::move(bytes), {element.read_as, is_big_endian && element_size > 1,
                                               is_fortran, shape, 0});
    } catch (const UsageError& error) {
        throw FormatError(path, error.what());
    }
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
    const bool is_big_endian =
        order && text_of(*order->open(path, Checksum::compared), 3).starts_with("big");
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
        const Element& element = element_of(type->second, "", file.path());
        std::array<unsigned char, 8> count_bytes{};
        if (!file.holds(begin + 8)) {
            throw FormatError(file.path(), file.size(), "ends before its storages do");
        }
        file.read(begin, std::as_writable_bytes(std::span(count_bytes)));
        if (is_big_endian) std::ranges::reverse(count_bytes);
        std::int64_t size = 0, end = 0;
        for (std::size_t i = 8; i-- > 0;) size = size << 8 | count_bytes[i];
        begin += 8;
        if (size < 0 || __builtin_mul_overflow(size, bytes_of(element), &size) ||
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
