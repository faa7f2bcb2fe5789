#include "rows/resizing.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace pegen::rows {

using numerics::Interpolation;
using numerics::Kernel;

Parameters parameters_of(const ResizingCodeBase& code_base) {
    Parameters p{std::span(resizing_parameters)};
    p.set_all(code_base.settings, Origin::preset);
    return p;
}

const ResizingKernel& kernel_of(const Parameters& p) {
    return *std::ranges::find(resizing_kernels, p.word("kernel"), &ResizingKernel::name);
}

Interpolation interpolation_of(const Parameters& p, std::size_t axis, std::int64_t from,
                               std::int64_t to) {
    const Kernel kernel = kernel_of(p).kernel;
    const bool is_spline = kernel == Kernel::geometric_cubic;
    const auto refuse_sizes = [&](std::string_view rule) {
        refuse("kernel", p.word("kernel"),
               fmt::format("makes {} of {} values; {}", to, from, rule));
    };
    if ((is_spline || kernel == Kernel::geometric_linear) && (from % 2 == 0 || to % 2 == 0)) {
        refuse_sizes("needs odd numbers; --window takes N for 2 N - 1");
    }
    if (is_spline && from < 4) refuse_sizes("a spline needs 4; use geometric-linear");
    if (kernel == Kernel::crop && to > from) refuse_sizes("cannot make more; use repeat");
    const bool is_antialiased = p.flag("antialias");
    Interpolation how{.kernel = kernel,
                      .from = from,
                      .to = to,
                      .cubic = is_antialiased ? -0.5 : -0.75,
                      .is_antialiased = is_antialiased,
                      .has_aligned_corners = p.flag("align-corners")};
    if (p.has("cubic")) how.cubic = p.real("cubic");
    if (p.has("scale")) {
        const std::vector<double>& scale = p.reals("scale");
        how.scale = scale[std::min(axis, scale.size() - 1)];
    } else if (p.has("offset") && p.real("offset") > 0) {
        how.scale = (static_cast<double>(to) + p.real("offset")) / static_cast<double>(from);
    }
    return how;
}

}  // namespace pegen::rows
