#pragma once

#if __cplusplus < 202002L
#error "pegen/table.h needs C++20; pegen.h is for C and for any C++"
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pegen/api.h"

/// Tables, figures and files of pe-gen, asked for by the words of its command line: the name of an
/// encoding or a preset, then options. C and other languages have pegen.h.
///
///     const pegen::GeneratedTable table({"fairseq", "--d", "512", "--len", "1024"});
///     std::vector<float> two_rows(2 * 512);
///     table.read_rows(0, 2, std::as_writable_bytes(std::span(two_rows)));
///
///     const std::string picture = pegen::file({"fairseq", "--cmap", "viridis"}, "png");
///     pegen::save({"rope", "--d", "128", "--table", "cos,sin"}, "rope.npz");
///
/// Every function throws std::runtime_error where pe-gen would refuse or fail; what() is its
/// message, one line that names the thing, the value, the rule and the remedy. Lack of memory is
/// std::bad_alloc. Threads may call any of them at once, on one table, too. Work is done by as many
/// threads as there are processors, unless the words have --threads; after fork(), by one.
namespace pegen {

using Words = std::vector<std::string>;

/// Returns the version of pe-gen: "0.1.0".
PEGEN_API std::string_view version();

/// A table whose values are computed when rows are asked for, so that a table of any size takes
/// little memory. Copies share it.
class PEGEN_API GeneratedTable {
  public:
    /// Plans the table that `pe-gen WORDS` makes. Words that write or show something are refused.
    explicit GeneratedTable(const Words& words);

    const std::vector<std::int64_t>& shape() const;  ///< the extents, outermost first
    const std::vector<std::string>& axes() const;    ///< a name for each extent: "position"
    std::string_view dtype() const;  ///< as NumPy calls it: "float32"; or "bfloat16"
    /// Returns the number of rows. A row is everything along the last axis; of a table of one axis,
    /// each element is a row.
    std::int64_t rows() const;
    std::int64_t bytes_per_row() const;
    /// Returns notes for the user on how the table was found, such as values taken from a model's
    /// configuration, a line each.
    const std::vector<std::string>& notes() const;

    /// Fills `out`, of count * bytes_per_row() bytes, with rows first ... first + count - 1,
    /// counted from 0, in row-major order, as elements of the dtype in the byte order of the
    /// machine.
    void read_rows(std::int64_t first, std::int64_t count, std::span<std::byte> out) const;

    /// Returns rows first ... first + count - 1 as doubles.
    std::vector<double> values(std::int64_t first, std::int64_t count) const;

  private:
    struct State;
    std::shared_ptr<const State> state_;
};

/// Returns the bytes of the file that `pe-gen WORDS --FORMAT PATH` writes: "npy", "npz",
/// "safetensors", "json", "csv", "text", "png", "svg" or "pdf".
PEGEN_API std::string file(const Words& words, std::string_view format);

/// Writes the files that `pe-gen WORDS -o PATH` writes: PATH, in the format that its extension
/// says, and the files that the words name; all of them whole, or none.
PEGEN_API void save(const Words& words, const std::string& path);

}  // namespace pegen
