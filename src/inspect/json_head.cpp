#include "inspect/json_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.h"
#include "files/json_text.h"

namespace pegen {

JsonHead read_json_head(std::string_view path, std::string_view start) {
    using Json = nlohmann::ordered_json;
    // No earlier object has a member of this name, and inside a string its quotes would be escaped.
    const std::size_t end = start.find(R"(,"data":)");
    if (end == std::string_view::npos) {
        throw FormatError(path, "the file ends, or goes on for 2^20 bytes, before its \"data\"");
    }
    Json head = parse_json(std::string(start.substr(0, end)) + "}", path);
    if (!head.is_object()) throw FormatError(path, "what stands before \"data\" is not JSON");
    const auto refuse = [&](std::string_view member, std::string_view rule) {
        throw FormatError(path, fmt::format("\"{}\": {}", member, rule));
    };
    const Json& name = head["dtype"];
    const auto dtype = name.is_string() ? std::ranges::find(dtypes, name.get_ref<const std::string&>(),
                                                            &DTypeInfo::name)
                                        : dtypes.end();
    if (dtype == dtypes.end()) refuse("dtype", "must be one of pe-gen's");
    std::vector<std::int64_t> extents;
    if (!head["shape"].is_array()) refuse("shape", "must be a list of whole numbers");
    for (const Json& extent : head["shape"]) {
        const bool fits = extent.is_number_integer() &&
                          (!extent.is_number_unsigned() || extent.get<std::uint64_t>() >> 63 == 0);
        if (!fits) refuse("shape", "must be a list of whole numbers");
        extents.push_back(extent.get<std::int64_t>());
    }
    for (const char* member : {"schema", "shape", "axes"}) head.erase(member);
    try {
        return {Shape(extents), dtype->dtype,
                head.dump(-1, ' ', false, Json::error_handler_t::replace)};
    } catch (const UsageError& error) {
        throw FormatError(path, error.what());
    }
}

}  // namespace pegen
