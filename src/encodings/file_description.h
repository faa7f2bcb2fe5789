#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"

namespace pegen {

/// What a file named by --config says about an encoding, as text for the user.
struct FileDescription {
    struct Taken {
        std::string parameter;  ///< "factor"
        std::string source;     ///< "rope_scaling.factor 8"

        bool operator==(const Taken&) const = default;
    };
    struct Remark {
        std::string_view heading;
        std::string text;
    };

    std::string title;
    std::vector<Taken> taken;
    std::vector<std::string> ignored;
    Parameters parameters;  ///< resolved
    std::vector<Remark> remarks;
};

}  // namespace pegen
