#pragma once

namespace pegen {

/// Returns the relative luminance of a colour (WCAG 2.1) of linear parts. Of parts as they are
/// stored, it is a rougher measure of how light the colour is.
constexpr double luminance(double red, double green, double blue) {
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

}  // namespace pegen
