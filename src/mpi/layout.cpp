#include "mpi/layout.h"

#include "core/to_size.h"
#include "formats/write.h"

namespace pegen::mpi {
namespace {

std::string text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Layout layout_of_archive(const ArchiveFormat& archive, const Parameters& parameters,
                         std::span<const Table> tables) {
    Layout layout;
    layout.rows.resize(tables.size());
    std::int64_t end = 0;
    const ByteSink sink{
        [&](Bytes bytes) {
            layout.texts.push_back({end, text_of(bytes)});
            end += std::ssize(bytes);
        },
        nullptr,
    };
    archive.write(tables, parameters, sink, [&](const Table& table, const WriteBytes&) {
        for (std::size_t i = 0; i < tables.size(); ++i) {
            if (tables[i].name == table.name) layout.rows[i] = end;
        }
        end += total_bytes(table);
    });
    return layout;
}

}  // namespace

bool has_layout(const Format& format) {
    return format.archive ? !format.archive->is_rewritten : is_raw(format);
}

Layout layout_of(const Format& format, const Parameters& parameters,
                 std::span<const Table> tables) {
    if (format.archive) return layout_of_archive(*format.archive, parameters, tables);
    const Table& table = tables.front();
    const PlacedText head{0, beginning(table, format, parameters).file};
    const std::int64_t rows = std::ssize(head.bytes);
    return {{head, {rows + total_bytes(table), ending(table, format, parameters)}}, {rows}};
}

}  // namespace pegen::mpi
