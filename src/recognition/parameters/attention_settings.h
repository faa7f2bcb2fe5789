#pragma once

#include <string>
#include <vector>

#include "recognition/evidence/attention_array.h"
#include "recognition/evidence/proposal.h"

namespace pegen::recognition {

/// Returns the settings of len and, if it differs, key-len for an array of these extents.
inline std::vector<Setting> length_settings(const evidence::AttentionExtents& extents) {
    std::vector<Setting> settings{{"len", std::to_string(extents.queries)}};
    if (extents.keys != extents.queries) {
        settings.push_back({"key-len", std::to_string(extents.keys)});
    }
    return settings;
}

/// Returns the settings of heads, len and, if it differs, key-len for an array of these extents.
inline std::vector<Setting> bias_settings(const evidence::AttentionExtents& extents) {
    std::vector<Setting> settings = length_settings(extents);
    settings.insert(settings.begin(), {"heads", std::to_string(extents.heads)});
    return settings;
}

}  // namespace pegen::recognition
