#include "formats/npy.h"

#include "files/npy.h"

namespace pegen {
namespace {

std::string head(const Table& table, const Parameters&) {
    return npy_header(table.dtype, table.shape);
}

std::string tail(const Table&, const Parameters&) { return ""; }

}  // namespace

constinit const Format formats::npy{
    .name = "npy",
    .summary = "NumPy array file, byte for byte as numpy.save writes it",
    .extensions = "npy",
    .is_binary = true,
    .parameters = no_parameters,
    .options_title = "",
    .head = head,
    .append_rows = raw_rows,
    .tail = tail,
};

}  // namespace pegen
