// Writes to standard output the NPY file of the table that the arguments ask for.

#include <pegen/table.h>

#include <iostream>
#include <stdexcept>

int main(int argc, char** argv) {
    const pegen::Words words(argv + 1, argv + argc);
    try {
        const pegen::GeneratedTable table(words);
        const std::string file = pegen::file(words, "npy");
        std::vector<std::byte> rows(static_cast<std::size_t>(table.rows() * table.bytes_per_row()));
        table.read_rows(0, table.rows(), rows);
        const auto* const text = reinterpret_cast<const char*>(rows.data());
        if (!file.ends_with(std::string_view(text, rows.size()))) return 1;
        std::cout << file;
    } catch (const std::runtime_error& error) {
        std::cerr << "pe-gen: " << error.what() << '\n';
        return 2;
    }
}
