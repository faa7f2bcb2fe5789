#include "figure/plots/texts.h"

#include <fmt/format.h>

#include <utility>

#include "figure/text_roles.h"

namespace pegen {

std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise) {
    return parameters.has(name) ? parameters.word(name) : std::move(otherwise);
}

std::string with_topic(std::string title, std::string_view topic) {
    if (title.empty()) return std::string(topic);
    const std::size_t list = title.find(" (");
    const bool has_list = list != title.npos && title.find(')', list) != title.npos;
    return title.insert(has_list ? list : title.size(), fmt::format(", {}", topic));
}

void set_texts(FigureSpec& spec, const Parameters& parameters, std::string title,
               std::string x_label, std::string y_label) {
    spec.title = text_or(parameters, "title", std::move(title));
    spec.x_label = text_or(parameters, "xlabel", std::move(x_label));
    spec.y_label = text_or(parameters, "ylabel", std::move(y_label));
    for (const TextRole role :
         {TextRole::title, TextRole::x_label, TextRole::y_label, TextRole::colorbar_label}) {
        if (!parameters.has(part_of(role).option)) spec.may_be_short.push_back(role);
    }
}

}  // namespace pegen
