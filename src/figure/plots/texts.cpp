#include "figure/plots/texts.h"

#include <utility>

namespace pegen {

std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise) {
    return parameters.has(name) ? parameters.word(name) : std::move(otherwise);
}

void set_texts(FigureSpec& spec, const Parameters& parameters, std::string title,
               std::string x_label, std::string y_label) {
    spec.title = text_or(parameters, "title", std::move(title));
    spec.x_label = text_or(parameters, "xlabel", std::move(x_label));
    spec.y_label = text_or(parameters, "ylabel", std::move(y_label));
}

}  // namespace pegen
