#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegen {

/// A table of pe-gen, asked for by the words of its command line. Values are computed when rows are
/// asked for, so a table of any size takes little memory. Copies share the table; threads may, too.
///
///     const pegen::GeneratedTable table({"fairseq", "--d", "512", "--len", "1024"});
///     const std::vector<double> rows = table.values(0, 2);             // 2 x 512 values
///     const std::string picture = table.file("png", {"--cmap", "viridis"});
///     table.save("fairseq.npy");
///
/// Every function throws std::runtime_error where pe-gen would refuse or fail; what() is its
/// message, one line that names the thing, the value, the rule and the remedy.
class GeneratedTable {
  public:
    using Words = std::vector<std::string>;

    /// Plans the table that `pe-gen WORDS` makes: the name of an encoding or a preset, and its
    /// options, such as --dtype or --table. Words that write or show something are refused.
    explicit GeneratedTable(const Words& words);

    const std::vector<std::int64_t>& shape() const;  ///< outermost first
    std::vector<std::string> axes() const;           ///< a name for each extent: "position"
    std::string_view dtype() const;                  ///< as NumPy calls it: "float32"
    std::int64_t rows() const;                       ///< a row is everything along the last axis
    std::int64_t bytes_per_row() const;

    /// Fills `out`, of count * bytes_per_row() bytes, with rows first ... first + count - 1 in row
    /// major order, as elements of the dtype in the byte order of the machine.
    void read_rows(std::int64_t first, std::int64_t count, std::span<std::byte> out) const;

    /// Returns rows first ... first + count - 1 as doubles.
    std::vector<double> values(std::int64_t first, std::int64_t count) const;

    /// Returns the bytes of the file that `--FORMAT PATH` would write: "npy", "json", "csv",
    /// "text", "png" or "svg". `options` are those of the format, as typed: {"--figsize", "6x4"}.
    std::string file(std::string_view format, const Words& options = {}) const;

    /// Writes a file, whose format its extension says: whole, or not at all.
    void save(const std::string& path, const Words& options = {}) const;

  private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace pegen
