#include "files/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/to_size.h"
#include "files/foreign_file.h"
#include "files/gguf_file.h"
#include "files/npy.h"
#include "files/read_zip.h"
#include "files/torch_file.h"

namespace pegen {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t before_header = 8;
constexpr std::int64_t longest_header = 100'000'000;

/// A tensor as the header lists it.
struct Tensor {
    std::string name;
    std::optional<std::string> dtype{};
    std::optional<std::vector<std::int64_t>> shape{};
    std::optional<std::vector<std::int64_t>> offsets{};  ///< begin and end, from the header's end
};

struct Header {
    std::vector<Tensor> tensors;
    std::string provenance;
};

/// A builder of a Header from the parser's events. A checkpoint has thousands of tensors, so the
/// builder searches nothing.
class HeaderReader {
  public:
    explicit HeaderReader(std::string_view path) : path_(path) {}

    Header result() && { return std::move(header_); }

    // Types and functions that the parser uses.
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    bool null() { refuse("null is out of place"); }
    bool boolean(bool) { refuse("a truth value is out of place"); }
    bool number_integer(number_integer_t) { refuse("a number below 0"); }
    bool number_float(number_float_t, const string_t&) {
        refuse("a number with a fraction is out of place");
    }
    bool binary(binary_t&) { refuse("bytes are out of place"); }

    bool number_unsigned(number_unsigned_t value) {
        constexpr std::size_t most_numbers = 64;
        if (!numbers_) refuse("a number is out of place");
        if (value > std::numeric_limits<std::int64_t>::max()) refuse("a number beyond 2^63 - 1");
        if (numbers_->size() == most_numbers) refuse("more than 64 extents");
        numbers_->push_back(static_cast<std::int64_t>(value));
        return true;
    }

    bool string(string_t& value) {
        if (depth_ != 2 || numbers_) refuse("a text is out of place");
        if (is_metadata_) {
            if (key_ == "pe-gen") header_.provenance = std::move(value);
        } else if (key_ == "dtype" && !header_.tensors.back().dtype) {
            header_.tensors.back().dtype = std::move(value);
        } else {
            refuse("a text is out of place");
        }
        return true;
    }

    bool key(string_t& value) {
        if (depth_ == 1) {
            is_metadata_ = value == "__metadata__";
            if (!is_metadata_) header_.tensors.push_back({std::move(value)});
        } else {
            key_ = std::move(value);
        }
        return true;
    }

    bool start_object(std::size_t) {
        if (depth_ == 2 || numbers_) refuse("an object is out of place");
        ++depth_;
        return true;
    }

    bool end_object() {
        --depth_;
        return true;
    }

    bool start_array(std::size_t) {
        if (depth_ != 2 || is_metadata_ || numbers_) refuse("a list is out of place");
        Tensor& tensor = header_.tensors.back();
        std::optional<std::vector<std::int64_t>>& list =
            key_ == "shape" ? tensor.shape : tensor.offsets;
        if ((key_ != "shape" && key_ != "data_offsets") || list) refuse("a list is out of place");
        numbers_ = &list.emplace();
        return true;
    }

    bool end_array() {
        numbers_ = nullptr;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) {
        // Example: "[json.exception.parse_error.101] parse error at line 1, column 3: ..."
        const std::string_view what = error.what();
        throw FormatError(path_, before_header + static_cast<std::int64_t>(position),
                          fmt::format("header: {}", what.substr(what.find(": ") + 2)));
    }

  private:
    [[noreturn]] void refuse(std::string_view failure) const {
        const bool is_in_tensor = !is_metadata_ && !header_.tensors.empty();
        throw FormatError(
            path_,
            fmt::format("header: {}: {}",
                        is_in_tensor ? header_.tensors.back().name : "__metadata__", failure));
    }

    std::string_view path_;
    Header header_{};
    int depth_ = 0;
    bool is_metadata_ = false;
    std::string key_{};                             ///< the last key at depth 2
    std::vector<std::int64_t>* numbers_ = nullptr;  ///< the list that is read
};

/// Returns the length of the header, from the first bytes of the file.
std::uint64_t length_in(std::string_view start) {
    std::uint64_t length = 0;
    for (std::size_t i = before_header; i-- > 0;) {
        length = length * 256 + static_cast<unsigned char>(start[i]);
    }
    return length;
}

std::string text_at(const InputFile& file, std::int64_t offset, std::int64_t size) {
    std::string text(size, '\0');
    file.read(offset, std::as_writable_bytes(std::span(text)));
    return text;
}

/// Checks that the tensors cover all bytes behind the header, whose end is `begin`, without a hole
/// and without overlap. Throws: FormatError.
void check_places(const InputFile& file, std::vector<Tensor> tensors, std::int64_t begin) {
    for (const Tensor& tensor : tensors) {
        const auto refuse = [&](std::string_view rule) {
            throw FormatError(file.path(), fmt::format("header: {}: {}", tensor.name, rule));
        };
        if (!tensor.dtype || !tensor.shape || !tensor.offsets) {
            refuse("must have dtype, shape and data_offsets");
        }
        const std::vector<std::int64_t>& offsets = *tensor.offsets;
        if (offsets.size() != 2 || offsets[0] > offsets[1]) {
            refuse("data_offsets must be its begin and its end");
        }
    }
    std::ranges::sort(tensors, {}, &Tensor::offsets);
    std::int64_t end = 0;
    for (const Tensor& tensor : tensors) {
        const std::vector<std::int64_t>& offsets = *tensor.offsets;
        if (offsets[0] != end) {
            throw FormatError(file.path(),
                              fmt::format("header: data_offsets of {}: begin at {}, where the "
                                          "tensor before ends at {}",
                                          tensor.name, offsets[0], end));
        }
        end = offsets[1];
    }
    // Asks for one byte more instead of the size, which would wait for the end of a pipe.
    const bool fits = end < std::numeric_limits<std::int64_t>::max() - begin;
    if (fits && file.holds(begin + end) && !file.holds(begin + end + 1)) return;
    throw FormatError(file.path(),
                      fmt::format("the file has {} bytes of tensors where its header says {}",
                                  file.size() - begin, end));
}

StoredArray open_tensor(const std::shared_ptr<const InputFile>& file, const Tensor& tensor,
                        std::int64_t begin, const std::string& path) {
    const auto known = std::ranges::find(dtypes, *tensor.dtype, &DTypeInfo::safetensors);
    if (known == dtypes.end()) {
        std::vector<std::string_view> names;
        for (const DTypeInfo& dtype : dtypes) names.push_back(dtype.safetensors);
        throw FormatError(path, fmt::format("dtype {}, shape [{}]: not one of {}", *tensor.dtype,
                                            joined(*tensor.shape, ", "), joined(names, ", ")));
    }
    const std::int64_t first = tensor.offsets->front(), end = tensor.offsets->back();
    try {
        const Shape shape(*tensor.shape);
        check_empty_extents(shape);
        return stored_array(InputFile::part(file, path, begin + first, end - first),
                            {known->dtype, false, false, shape, 0});
    } catch (const UsageError& error) {
        throw FormatError(path, error.what());
    }
}

/// True if a file that begins with these bytes is a safetensors file.
bool is_safetensors(std::string_view start) {
    return start.size() > to_size(before_header) && start[before_header] == '{' &&
           length_in(start) >> 48 == 0;
}

/// Opens a safetensors file: the length of a JSON header, the header, the elements. As in the
/// reference implementation, tensors must cover the elements without a hole and without overlap,
/// and the header has at most 100 MB. Throws: as open_archive().
Archive read_safetensors(const std::shared_ptr<const InputFile>& file) {
    const auto length = static_cast<std::int64_t>(length_in(text_at(*file, 0, before_header)));
    const std::int64_t begin = before_header + length;
    if (length > longest_header) {
        throw FormatError(
            file->path(), 0,
            fmt::format("a header of {} bytes: at most {} are read", length, longest_header));
    }
    if (!file->holds(begin)) {
        throw FormatError(file->path(), file->size(),
                          fmt::format("the file ends in its header of {} bytes", length));
    }
    const std::string text = text_at(*file, before_header, length);
    // The parser would take a zero byte for the end of the header.
    if (const std::size_t zero = text.find('\0'); zero != text.npos) {
        throw FormatError(file->path(), before_header + static_cast<std::int64_t>(zero),
                          "header: a zero byte, which no JSON text has");
    }
    HeaderReader reader(file->path());
    Json::sax_parse(text, &reader);
    Header header = std::move(reader).result();
    check_places(*file, header.tensors, begin);

    Archive archive{"safetensors", {}, std::move(header.provenance)};
    for (Tensor& tensor : header.tensors) {
        const std::string path = file->path() + ":" + tensor.name;
        archive.members.push_back({tensor.name, path, [file, begin, path, tensor] {
                                       return open_tensor(file, tensor, begin, path);
                                   }});
    }
    return archive;
}

/// True if a file that begins with these bytes is a ZIP archive.
bool is_zip(std::string_view start) {
    // The second signature begins an archive without files.
    return start.starts_with("PK\3\4") || start.starts_with("PK\5\6");
}

/// Opens a ZIP archive of NPY files; the array cos is the file cos.npy. An archive without NPY
/// files is refused with a message that says what the archive is. Throws: as open_archive().
Archive read_npz(const std::shared_ptr<const InputFile>& file, std::vector<ZipMember> members) {
    constexpr std::string_view extension = ".npy";
    std::vector<std::string> names;
    for (const ZipMember& member : members) names.push_back(member.name);
    const auto is_npy = [&](const std::string& name) { return name.ends_with(extension); };
    if (!names.empty() && std::ranges::none_of(names, is_npy)) {
        throw FormatError(file->path(), foreign_text(*file, names));
    }
    Archive archive{"npz", {}};
    for (ZipMember& member : members) {
        const bool is_array = is_npy(member.name);
        const std::string name =
            member.name.substr(0, member.name.size() - (is_array ? extension.size() : 0));
        const std::string path = file->path() + ":" + name;
        archive.members.push_back({name, path, [=, open = std::move(member.open)] {
                                       if (!is_array) {
                                           throw FormatError(path,
                                                             "its name is not that of an NPY file");
                                       }
                                       return read_npy(open(path, Checksum::compared));
                                   }});
    }
    return archive;
}

/// Opens a ZIP archive: a checkpoint of PyTorch's, or NPZ. Throws: as open_archive().
Archive read_packed(const std::shared_ptr<const InputFile>& file) {
    std::vector<ZipMember> members = read_zip(file);
    return has_torch_pickle(members) ? open_torch(file, members)
                                     : read_npz(file, std::move(members));
}

std::string start_of(const InputFile& file) {
    constexpr std::int64_t enough = 24;
    std::string start(file.holds(enough) ? enough : file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(start)));
    return start;
}

void check_names(const Archive& archive, const std::string& path) {
    std::vector<std::string_view> names;
    for (const ArchiveMember& member : archive.members) names.push_back(member.name);
    std::ranges::sort(names);
    const auto twin = std::ranges::adjacent_find(names);
    if (twin != names.end()) throw FormatError(path, fmt::format("{} is in it twice", *twin));
}

}  // namespace

Archive open_archive(const std::shared_ptr<const InputFile>& file) {
    const std::string start = start_of(*file);
    Archive archive = is_zip(start)                ? read_packed(file)
                      : is_safetensors(start)      ? read_safetensors(file)
                      : begins_as_gguf(*file)      ? Archive{"gguf", read_gguf(file).tensors}
                      : begins_as_old_torch(start) ? open_torch(file, {})
                                                   : Archive{};
    check_names(archive, file->path());
    return archive;
}

}  // namespace pegen
