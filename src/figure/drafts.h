#pragma once

#include "figure/labels.h"

namespace pegen {

/// A way to lay out a figure: where its parts stand, and how large its texts are.
struct Draft {
    Medium medium;  ///< with the texts in their size
    Frames frames;
    Labels labels;
};

/// Returns the first draft with room for all texts: with the axes in their usual place, with wider
/// margins, with margins as wide as the texts need, with smaller texts; if there is none, the one
/// that lacks the fewest. In a window only the first is made.
Draft best_draft(const FigureSpec& spec, const Medium& medium);

/// True if there is one panel, or each has some pixels across and down.
bool has_visible_panels(const Frames& frames);

}  // namespace pegen
