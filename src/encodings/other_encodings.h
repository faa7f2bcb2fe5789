#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace pegen {

/// The refusal of a file named by --config whose tables other encodings make.
class OtherEncodings : public FormatError {
  public:
    struct Taken {
        std::string parameter;  ///< "len"
        std::string source;     ///< "max_position_embeddings 512"

        bool operator==(const Taken&) const = default;
    };

    using FormatError::FormatError;

    std::string title;                  ///< "config.json: bert has learned positions"
    std::vector<Taken> taken;           ///< what the commands have from the file
    std::vector<std::string> commands;  ///< "pe-gen bert --len 512 --d 768"
    std::string remark;                 ///< "" if there is none
    std::string vision;                 ///< commands for its vision_config; "" if there are none
};

}  // namespace pegen
