#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "files/archive.h"
#include "files/input_file.h"
#include "files/read_zip.h"

namespace pegen {

/// True if a file that begins with these bytes, 24 of them, is a checkpoint as PyTorch wrote it
/// before 1.6: several pickles, then storages.
bool begins_as_old_torch(std::string_view start);

/// True if the ZIP archive of these members is a checkpoint of torch.save.
bool has_torch_pickle(const std::vector<ZipMember>& members);

/// Opens the tensors of a PyTorch checkpoint, of torch.save: `members` is its ZIP archive, empty
/// for the form before PyTorch 1.6. A tensor is called by the keys that lead to it,
/// "model.pos_embed"; a tensor that is saved alone "tensor". Nothing in the file is run: its pickle
/// may have only the names that torch.load(weights_only=True) allows, and argparse.Namespace. The
/// file is not trusted: all sizes, places and strides are checked before they are used. Complex
/// numbers get a last axis of real and imaginary parts. The checksums of storages are not compared.
/// Throws: FormatError; FileError.
Archive open_torch(const std::shared_ptr<const InputFile>& file,
                   const std::vector<ZipMember>& members);

}  // namespace pegen
