#include "identify/proposals.h"

#include <optional>
#include <utility>

#include "core/error.h"
#include "encodings/registry.h"
#include "identify/candidate.h"
#include "identify/fitted.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

/// Adds the table with extents that give it the shape of the array, if there are such.
void add_fitted(std::vector<Candidate>& candidates, const Encoding& encoding,
                const Parameters& parameters, const evidence::Sample& array) {
    for (const TableSpec& table : encoding.tables) {
        const Shape shape(array.extents);
        Parameters with_extents = fitted(encoding, table, parameters, shape);
        try {
            const Plan plan = encoding.plan(with_extents, table.name);
            if (squeezed(plan.shape.extents()) != array.extents) continue;
        } catch (const Error&) {
            continue;
        }
        candidates.push_back(candidate_of(encoding, table, with_extents));
    }
}

}  // namespace

std::vector<Candidate> recognized(const evidence::Sample& array) {
    std::vector<Candidate> candidates;
    for (const Encoding* encoding : all_encodings()) {
        if (!encoding->recognize) continue;
        for (const evidence::Proposal& proposal : encoding->recognize(array)) {
            if (auto candidate = candidate_of(*encoding, proposal)) {
                candidates.push_back(std::move(*candidate));
            }
        }
    }
    return candidates;
}

std::vector<Candidate> fitted_presets(const evidence::Sample& array) {
    std::vector<Candidate> candidates;
    for (const Encoding* encoding : all_encodings()) {
        add_fitted(candidates, *encoding, Parameters(encoding->parameters), array);
    }
    for (const Preset& preset : all_presets()) {
        add_fitted(candidates, *preset.encoding, parameters_of(preset), array);
    }
    return candidates;
}

}  // namespace pegen::identify
