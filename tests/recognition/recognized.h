#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"

/// Returns the proposals of the recognizer of the encoding `name` for the array.
std::vector<pegen::evidence::Proposal> find_recognized(std::string_view name,
                                                       const pegen::evidence::Sample& sample);
std::vector<pegen::evidence::Proposal> find_recognized(std::string_view name,
                                                       const pegen::Table& table);

/// Returns the proposals as typed: "learned --len 3 --d 5", and "--table bias" last if it is not
/// the first table. Files that a proposal contains have the names they would be written to:
/// "--bias-table bias-table.npy".
std::vector<std::string> proposals_for(std::string_view name, const pegen::Table& table);

/// Returns the first proposal as typed; "none" if there is none.
std::string proposal_for(std::string_view name, const pegen::Table& table);

/// Returns the first proposal for the table of a command of this encoding: "learned --len 3 --d 5".
std::string proposal_for(std::string_view command);
