#include "identify/kernel_sum.h"

namespace pegen::identify {

std::optional<KernelIdentification> sum(const KernelQuestion&, const Progress&) { return {}; }

}  // namespace pegen::identify
