#pragma once

#include <string>
#include <string_view>

// The pages that are built into the program: HTML files that contain their style and script and
// load nothing.
namespace pegen::page {

/// A page, and the Content-Security-Policy that allows its own style and script alone.
struct Page {
    std::string html;
    std::string policy;
};

/// The page of `pe-gen explore`, which asks its server for everything else.
Page explorer();

/// The tour: steps from counting to RoPE, ALiBi and T5, which ask the server for their tables.
Page tour();

/// The same pages for any web server: they contain their policies, and ask the program itself,
/// which worker.js of src/wasm runs.
std::string explorer_with_own_program();
std::string tour_with_own_program();

/// The contents of the page of one table.
struct TablePage {
    std::string_view provenance;  ///< the origin of the table as JSON, escaped for HTML
    std::string_view title;       ///< escaped for HTML
    std::string_view head;      ///< JSON without "<" that describes the table: formats/table_head.h
    std::string_view elements;  ///< base 64 of the elements, little-endian, in C order
};

/// Returns a page of one table, which needs no server: the page contains its own policy.
std::string table_page(const TablePage& table);

}  // namespace pegen::page
