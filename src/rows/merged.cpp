#include "rows/merged.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace pegen::rows {

RowSource merged(std::vector<RowSource> sources) {
    return [sources = std::move(sources)](RowRange range, std::span<std::byte> out) {
        sources.front()(range, out);
        std::vector<std::byte> more(sources.size() > 1 ? out.size() : 0);
        for (const RowSource& source : std::span(sources).subspan(1)) {
            source(range, more);
            std::ranges::transform(out, more, out.begin(), std::bit_or<>());
        }
    };
}

}  // namespace pegen::rows
