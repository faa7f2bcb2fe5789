#include "recognition/evidence/proposed.h"

#include <fmt/format.h>

#include <algorithm>

namespace pegen {

std::vector<std::string> proposed(const std::vector<evidence::Proposal>& proposals) {
    std::vector<std::string> all;
    for (const evidence::Proposal& proposal : proposals) {
        std::string& settings = all.emplace_back();
        for (const evidence::Setting& setting : proposal.settings) {
            settings +=
                fmt::format("{}--{} {}", settings.empty() ? "" : " ", setting.name, setting.value);
        }
    }
    return all;
}

bool is_proposed(const std::string& settings, const std::vector<evidence::Proposal>& proposals) {
    return std::ranges::count(proposed(proposals), settings) > 0;
}

}  // namespace pegen
