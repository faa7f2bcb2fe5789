#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pegen {

/// A failure to report to the user. what() is one line, made by one_line(), that gives the thing,
/// the value, the rule and the remedy.
class Error : public std::runtime_error {
  public:
    explicit Error(std::string_view message);
};

/// A request that cannot be met: an unknown name, a value out of range, an impossible size.
class UsageError : public Error {
  public:
    using Error::Error;
};

/// Throws UsageError with the message "--option text: rule", in which an empty text is shown as ''.
/// `option` is the name without dashes: "split".
[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view rule);

/// A fault of the program itself, or of the machine it runs on.
class InternalError : public Error {
  public:
    using Error::Error;
};

/// The failure of an input file that does not have the content it should have.
class FormatError : public Error {
  public:
    /// Makes the error for byte `offset`, counted from 0 at the start of the file.
    FormatError(std::string_view path, std::int64_t offset, std::string_view expected);
    /// Makes the error for a failure of the file as a whole.
    FormatError(std::string_view path, std::string_view failure);
};

/// The failure to read or write a file.
class FileError : public Error {
  public:
    /// `error_number` is the value of errno. Example: "out/a.npy: cannot write: No space left on
    /// device"
    FileError(std::string_view path, std::string_view failure, int error_number);
    FileError(std::string_view path, std::string_view failure);
};

}  // namespace pegen
