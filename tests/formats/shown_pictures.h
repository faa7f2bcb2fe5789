#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/image.h"

namespace pegen::testing {

/// A picture as a terminal shows it.
struct ShownPicture {
    int width = 0;
    int height = 0;
    std::vector<std::optional<Rgb>> pixels{};  ///< row-major; nothing: not painted
    int columns = 0;                           ///< characters that it is as wide as; 0 if not said
    int lines = 0;                             ///< characters that it is as high as; 0 if not said
    std::string rest{};                        ///< what the terminal was sent besides the picture
};

/// Does what a terminal with this word of --show-as does. Throws: std::runtime_error for what is no
/// picture of its protocol.
ShownPicture picture_in(std::string_view sent, std::string_view show_as);

/// Returns a PNG file as what it looks like.
ShownPicture picture_of_png(std::string_view file);

}  // namespace pegen::testing
