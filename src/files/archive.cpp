#include "files/archive.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/shape.h"
#include "files/foreign_file.h"
#include "files/gguf_file.h"
#include "files/input_file.h"
#include "files/npy.h"
#include "files/open_file.h"
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

/// What the parser of JSON needs of any builder: types, and what becomes of its errors.
class ParserEvents {
  public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) {
        // Example: "[json.exception.parse_error.101] parse error at line 1, column 3: ..."
        const std::string_view what = error.what();
        throw FormatError(path_, begin_ + static_cast<std::int64_t>(position),
                          fmt::format("{}{}", part_, what.substr(what.find(": ") + 2)));
    }

  protected:
    ParserEvents(std::string_view path, std::int64_t begin, std::string_view part)
        : path_(path), begin_(begin), part_(part) {}

    std::string_view path_;
    std::int64_t begin_;     ///< of the JSON in the file
    std::string_view part_;  ///< before messages: "header: "
};

/// A builder of a Header from the parser's events. A checkpoint has thousands of tensors, so the
/// builder searches nothing.
class HeaderReader : public ParserEvents {
  public:
    explicit HeaderReader(std::string_view path) : ParserEvents(path, before_header, "header: ") {}

    Header result() && { return std::move(header_); }

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

  private:
    [[noreturn]] void refuse(std::string_view failure) const {
        const bool is_in_tensor = !is_metadata_ && !header_.tensors.empty();
        throw FormatError(
            path_,
            fmt::format("header: {}: {}",
                        is_in_tensor ? header_.tensors.back().name : "__metadata__", failure));
    }

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
    const Shape shape = stored_shape(*tensor.shape, path);
    return stored_array(InputFile::part(file, path, begin + first, end - first),
                        {known->dtype, false, false, shape, 0});
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

void check_names(const Archive& archive, const std::string& path) {
    std::vector<std::string_view> names;
    for (const ArchiveMember& member : archive.members) names.push_back(member.name);
    std::ranges::sort(names);
    const auto twin = std::ranges::adjacent_find(names);
    if (twin != names.end()) throw FormatError(path, fmt::format("{} is in it twice", *twin));
}

/// A builder of the names of tensors, and the file of each, from the parser's events for an index.
class IndexReader : public ParserEvents {
  public:
    explicit IndexReader(std::string_view path) : ParserEvents(path, 0, "") {}

    std::vector<std::pair<std::string, std::string>> result() && { return std::move(files_); }

    bool null() { return other(); }
    bool boolean(bool) { return other(); }
    bool number_integer(number_integer_t) { return other(); }
    bool number_unsigned(number_unsigned_t) { return other(); }
    bool number_float(number_float_t, const string_t&) { return other(); }
    bool binary(binary_t&) { return other(); }
    bool start_array(std::size_t) { return other() && ++depth_; }
    bool end_array() { return end_object(); }
    bool start_object(std::size_t) { return (depth_ < 2 || other()) && ++depth_; }

    bool end_object() {
        --depth_;
        return true;
    }

    bool key(string_t& value) {
        if (depth_ == 1) is_map_ = value == "weight_map";
        if (depth_ == 2 && is_map_) files_.emplace_back(std::move(value), "");
        return true;
    }

    bool string(string_t& value) {
        if (depth_ != 2 || !is_map_) return other();
        if (value.empty() || value.starts_with('.') || value.find('/') != value.npos) {
            throw FormatError(path_, fmt::format("{} is in the file '{}': must be a name beside "
                                                 "the index, without '/' or a '.' at its start",
                                                 files_.back().first, value));
        }
        files_.back().second = std::move(value);
        return true;
    }

  private:
    /// Accepts a value of which nothing is read.
    bool other() const {
        if (!is_map_ || depth_ < 1) return true;
        throw FormatError(path_, fmt::format("weight_map: {}: must be the name of a file",
                                             files_.empty() ? "" : files_.back().first));
    }

    std::vector<std::pair<std::string, std::string>> files_{};
    int depth_ = 0;
    bool is_map_ = false;
};

/// One of the files that an index names, opened when the first of its arrays is.
class Shard {
  public:
    Shard(std::string path, std::string standing)
        : path_(std::move(path)), standing_(std::move(standing)) {}

    /// Opens an array; `path` is for messages. Throws: FormatError; FileError.
    StoredArray array(const std::string& name, const std::string& path) {
        const ArchiveMember* member = nullptr;
        {
            const std::lock_guard lock(opening_);
            if (archive_.format.empty()) open(path);
            const auto found = members_.find(name);
            if (found != members_.end()) member = found->second;
        }
        if (member) return member->open();
        throw FormatError(path, fmt::format("{} has no array of this name", standing_));
    }

  private:
    void open(const std::string& path) {
        if (!open_file(path_, O_RDONLY | O_NONBLOCK | O_NOCTTY).is_open() && errno == ENOENT) {
            throw FormatError(path, fmt::format("{} is not there", standing_));
        }
        archive_ = open_archive(std::make_shared<const InputFile>(path_));
        if (archive_.format.empty()) {
            throw FormatError(path, fmt::format("{} {}", standing_, foreign_text(*archive_.file)));
        }
        for (const ArchiveMember& member : archive_.members) members_[member.name] = &member;
    }

    std::string path_;
    std::string standing_;  ///< "shard 2 of 5, model-00002-of-00005.safetensors,"
    std::mutex opening_;    ///< guards the members below
    Archive archive_;
    std::unordered_map<std::string_view, const ArchiveMember*> members_;
};

std::string beside(std::string_view path, std::string_view name) {
    return (std::filesystem::path(path).parent_path() / name).string();
}

/// Opens the arrays of several files by their index. Throws: as open_archive().
Archive read_index(const std::shared_ptr<const InputFile>& file) {
    constexpr std::int64_t longest_index = std::int64_t{1} << 25;
    constexpr std::size_t most_files = 1 << 13;
    if (file->holds(longest_index + 1)) {
        throw FormatError(file->path(), "an index of more than 32 MiB is not read");
    }
    const auto files = [&] {
        const std::string text = text_at(*file, 0, file->size());
        IndexReader reader(file->path());
        Json::sax_parse(text.begin(), text.end(), &reader);
        return std::move(reader).result();
    }();
    std::vector<std::string> names;
    for (const auto& [tensor, name] : files) names.push_back(name);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (names.size() > most_files) {
        throw FormatError(file->path(),
                          fmt::format("weight_map: names {} files, more than 2^13", names.size()));
    }
    std::vector<std::shared_ptr<Shard>> shards;
    for (const std::string& name : names) {
        shards.push_back(std::make_shared<Shard>(
            beside(file->path(), name),
            fmt::format("shard {} of {}, {},", shards.size() + 1, names.size(), name)));
    }
    Archive archive{"sharded", {}};
    archive.path = file->path();
    for (const auto& [tensor, name] : files) {
        const auto shard = shards[to_size(std::ranges::lower_bound(names, name) - names.begin())];
        archive.members.push_back(
            {tensor, file->path() + ":" + tensor,
             [shard, file, own = tensor] { return shard->array(own, file->path() + ":" + own); }});
    }
    check_names(archive, archive.path);
    return archive;
}

/// True if the file is the index of several files.
bool is_index(const InputFile& file) {
    constexpr std::int64_t enough = 1 << 16;
    return start_of(file, 1) == "{" &&
           start_of(file, enough).find("\"weight_map\"") != std::string::npos;
}

/// Returns the names in a folder. Throws: FileError.
std::vector<std::string> names_in(Descriptor folder, std::string_view path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(folder.number()), ::closedir);
    if (!listing) throw FileError(path, "cannot read", errno);
    folder.release();
    std::vector<std::string> names;
    while (const dirent* const entry = ::readdir(listing.get())) names.emplace_back(entry->d_name);
    std::ranges::sort(names);
    return names;
}

/// Returns the name of the file that has the arrays of the model in a folder. Throws: FormatError;
/// FileError.
std::string model_in(Descriptor folder, const std::string& path) {
    constexpr std::array<std::string_view, 8> endings{".safetensors.index.json",
                                                      ".bin.index.json",
                                                      ".safetensors",
                                                      ".bin",
                                                      ".pth",
                                                      ".pt",
                                                      ".gguf",
                                                      ".npz"};
    const std::vector<std::string> all = names_in(std::move(folder), path);
    std::vector<std::string_view> found;
    for (const std::string_view ending : endings) {
        for (const char* const stem : {"model", "pytorch_model", "diffusion_pytorch_model"}) {
            std::string usual = fmt::format("{}{}", stem, ending);
            if (std::ranges::count(all, usual) > 0) return usual;
        }
        // An index is the whole model, whatever files are beside it.
        const bool are_shards = !found.empty() && found.front().ends_with(".index.json");
        for (const std::string& name : all) {
            const bool is_such = name.ends_with(ending) && !name.starts_with('.');
            if (is_such && !are_shards) found.push_back(name);
        }
    }
    if (found.size() == 1) return std::string(found.front());
    if (!found.empty()) {
        throw FormatError(path, fmt::format("is a folder of several files of arrays, {}; name one "
                                            "of them",
                                            joined(found, ", ")));
    }
    throw FormatError(path, fmt::format("is a folder without a file of arrays: none ends with {}",
                                        joined(endings, ", ")));
}

}  // namespace

Archive open_archive(std::string_view path, Pipes pipes) {
    std::string name(path);
    Descriptor folder = open_file(name, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    if (folder.is_open()) {
        // Nobody waits for a pipe that happens to be in a folder.
        pipes = Pipes::refused;
        name = beside(name + "/", model_in(std::move(folder), name));
    }
    const auto file = pipes == Pipes::read ? InputFile::regular_or_pipe(name)
                                           : std::make_shared<const InputFile>(name);
    return name != "-" && is_index(*file) ? read_index(file) : open_archive(file);
}

Archive open_archive(const std::shared_ptr<const InputFile>& file) {
    constexpr std::int64_t enough = 24;
    const std::string start = start_of(*file, enough);
    Archive archive = is_zip(start)                ? read_packed(file)
                      : is_safetensors(start)      ? read_safetensors(file)
                      : begins_as_gguf(*file)      ? Archive{"gguf", read_gguf(file).tensors}
                      : begins_as_old_torch(start) ? open_torch(file, {})
                                                   : Archive{};
    archive.path = file->path();
    archive.file = file;
    check_names(archive, archive.path);
    return archive;
}

}  // namespace pegen
