#include "files/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "core/to_size.h"
#include "pegen/core/error.h"

namespace pegen {
namespace {

/// Closes what it opened.
class Descriptor {
  public:
    explicit Descriptor(const std::string& path)
        : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (number_ < 0) throw FileError(path, "cannot open", errno);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ != STDIN_FILENO) ::close(number_);
    }

    int number() const { return number_; }

  private:
    int number_;
};

}  // namespace

std::string read_whole(std::string_view path, std::int64_t most_bytes) {
    constexpr std::size_t at_once = 1 << 16;
    const std::string name(path);
    const Descriptor file(name);
    std::string text;
    for (;;) {
        const std::size_t size = text.size();
        text.resize(size + at_once);
        const ssize_t count = ::read(file.number(), text.data() + size, at_once);
        if (count < 0 && errno != EINTR) throw FileError(path, "cannot read", errno);
        text.resize(size + (count > 0 ? to_size(count) : 0));
        if (count == 0) return text;
        if (std::ssize(text) > most_bytes) {
            throw FormatError(path, fmt::format("has more than {} bytes", most_bytes));
        }
    }
}

}  // namespace pegen
