#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pegen {

/// A failure to be told to the user. what() is one line: the thing, the value, the rule, the
/// remedy.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What was asked for cannot be done: an unknown name, a value out of range, an impossible size.
class UsageError : public Error {
  public:
    using Error::Error;
};

/// Throws UsageError: "--option text: rule", with '' in the place of an empty text. `option` is the
/// name without dashes: "split".
[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view rule);

/// The program is not what it should be, or the machine it runs on.
class InternalError : public Error {
  public:
    using Error::Error;
};

/// An input file is not what it should be.
class FormatError : public Error {
  public:
    /// `offset` counts bytes from the start of the file.
    FormatError(std::string_view path, std::int64_t offset, std::string_view expected);
    /// Of the file as a whole.
    FormatError(std::string_view path, std::string_view failure);
};

/// A file could not be read or written.
class FileError : public Error {
  public:
    /// `error_number` is errno's value.  Example: "out/a.npy: cannot write: No space left on
    /// device"
    FileError(std::string_view path, std::string_view failure, int error_number);
    FileError(std::string_view path, std::string_view failure);
};

}  // namespace pegen
