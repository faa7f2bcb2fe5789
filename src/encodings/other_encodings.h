#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "encodings/encoding.h"

namespace pegen {

/// The refusal of a file named by --config whose tables other encodings make.
class OtherEncodings : public FormatError {
  public:
    using Taken = FileDescription::Taken;
    using FormatError::FormatError;

    std::string title;                  ///< "config.json: bert has learned positions"
    std::vector<Taken> taken;           ///< what the commands have from the file
    std::vector<std::string> commands;  ///< "pe-gen bert --len 512 --d 768"
    std::string remark;                 ///< "" if there is none
    std::string vision;                 ///< commands for its vision_config; "" if there are none
};

}  // namespace pegen
