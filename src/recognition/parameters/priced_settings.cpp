#include "recognition/parameters/priced_settings.h"

#include <utility>

namespace pegen::recognition {

PricedSettings priced(std::string_view name, std::string value, double bits) {
    return {{{name, std::move(value)}}, bits};
}

PricedSettings combined(const PricedSettings& a, const PricedSettings& b) {
    PricedSettings both = a;
    both.settings.insert(both.settings.end(), b.settings.begin(), b.settings.end());
    both.bits += b.bits;
    return both;
}

}  // namespace pegen::recognition
