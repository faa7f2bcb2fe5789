#include "inspect/element_text.h"

#include <cstring>
#include <vector>

namespace pegen {

std::string element_text(const Table& table, std::int64_t element) {
    std::vector<std::byte> row(row_bytes(table));
    table.rows({element / table.shape.columns(), 1}, row);
    return with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        T value;
        std::memcpy(&value, row.data() + (element % table.shape.columns()) * sizeof value,
                    sizeof value);
        return element_text(value);
    });
}

}  // namespace pegen
