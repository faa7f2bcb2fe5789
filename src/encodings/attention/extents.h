#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::encodings::attention {

/// What options and files say of how large the arrays of an attention are. Each extent, such as
/// "heads", is said once or several times, always the same.
class Extents {
  public:
    /// Takes down that `source` says that the extent is `value`: an option, "--tokens 8", or, if
    /// there is a `path`, "axis 0" of that file.
    /// Throws: UsageError or, for a file, FormatError, if another source said something else.
    void say(std::string_view name, std::int64_t value, std::string_view source,
             std::string_view path = "");

    /// Takes down the value if nothing was said.
    void assume(std::string_view name, std::int64_t value);

    bool has(std::string_view name) const;
    /// Precondition: has(name).
    std::int64_t of(std::string_view name) const;

  private:
    struct Statement {
        std::string_view name;
        std::int64_t value;
        std::string source;
    };

    const Statement* find(std::string_view name) const;

    std::vector<Statement> statements_;
};

}  // namespace pegen::encodings::attention
