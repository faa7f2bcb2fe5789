#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::encodings::attention {

/// The extents of the arrays of an attention, collected from options and files. Several sources may
/// give an extent, such as "heads", but must agree on its value.
class Extents {
  public:
    /// Records that `source` gives the extent this value: an option, "--tokens 8", or, if `path` is
    /// not empty, "axis 0" of that file. Throws: UsageError or, for a file, FormatError, if another
    /// source gave another value.
    void say(std::string_view name, std::int64_t value, std::string_view source,
             std::string_view path = "");

    /// Records the value if no source gave one.
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
