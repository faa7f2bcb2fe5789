#include "cli/check_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/names.h"
#include "figure/figure.h"
#include "formats/png.h"

namespace pegen::cli {
namespace {

constexpr std::array options{
    ParameterSpec{.name = "require",
                  .type = ParameterType::text,
                  .summary = "the properties, a,b, that must hold [those the encoding "
                             "promises; of a file, all]"},
    ParameterSpec{.name = "tolerance",
                  .default_value = "0",
                  .range = {.lowest = 0},
                  .summary = "allow deviations beyond the bound of rounding by X"},
    summarized(json_option, "print the report as one JSON object"),
    threads_option,
    summarized(quiet_option, "print nothing; the exit status is the answer"),
};

/// The formats of figures that `check` writes to files.
constexpr std::array figure_formats{"png", "svg"};

const Property& property_named(std::string_view name, std::string_view list) {
    if (const Property* property = find_property(name)) return *property;
    std::vector<std::string_view> names;
    for (const Property* property : all_properties()) names.push_back(property->name);
    throw UsageError(fmt::format("--require {}: must name some of {}{}", list,
                                 fmt::join(names, ", "), did_you_mean(name, names)));
}

}  // namespace

std::span<const ParameterSpec> own_check_options() { return options; }

std::vector<OptionGroup> check_options(const Subject* subject) {
    std::vector<OptionGroup> groups{{"Options", {}}};
    for (const ParameterSpec& spec : options) groups[0].specs.push_back(&spec);
    groups.push_back({"Figures: the similarity of positions, unless --plot names another", {}});
    for (const ParameterSpec& spec : output_options()) {
        if (std::ranges::count(figure_formats, spec.name) > 0) groups[1].specs.push_back(&spec);
    }
    groups.push_back({"Figure options", {}, false});
    for (const ParameterSpec& spec : figure_parameters()) {
        const bool is_idle = has_word(formats::png.idle_parameters, spec.name);
        if (!is_idle) groups[2].specs.push_back(&spec);
    }
    if (!subject) return groups;
    groups.push_back(option_group("Table", table_options()));
    groups.push_back(option_group("Parameters", subject->encoding->parameters));
    return groups;
}

Demands demands_of(const Parameters& own, const std::string_view* promises) {
    Demands demands{.slack = own.real("tolerance")};
    if (own.has("require")) {
        demands.are_required = true;
        demands.asked.emplace();
        const std::string& list = own.word("require");
        for (const std::string_view name : fields(list, ',')) {
            const Property& property = property_named(name, list);
            if (!property.has_verdict) {
                throw UsageError(fmt::format(
                    "--require {}: {} is a measurement and has no verdict; leave it out", list,
                    name));
            }
            demands.asked->push_back(&property);
        }
    } else if (promises) {
        demands.asked.emplace();
        for (const std::string_view name : words(*promises)) {
            demands.asked->push_back(find_property(name));
        }
    }
    return demands;
}

}  // namespace pegen::cli
