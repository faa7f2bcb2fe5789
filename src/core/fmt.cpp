// The functions of fmt that are not templates, compiled once for the whole program. Debian has fmt
// as a shared library, which every start would have to load, or as headers, which every file would
// have to compile; this file has the definitions of the headers without FMT_HEADER_ONLY. CMake
// links a small program with this file, and uses the headers alone if that fails: each version of
// fmt declares other templates that its own library instantiates.
#ifndef FMT_HEADER_ONLY
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// Templates that fmt/format.h declares `extern`, and templates that these call.
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char*, const char*);
#if FMT_VERSION >= 100000 && FMT_VERSION < 110000
template void vformat_to(buffer<char>&, string_view, vformat_args<char>::type, locale_ref);
#endif

}  // namespace detail
FMT_END_NAMESPACE
#endif
