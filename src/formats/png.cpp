#include "pegen/formats/png.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "formats/metadata.h"
#include "pegen/figure/figure.h"

namespace pegen {
namespace {

// Measured with figures of 1000 x 800 pixels: the heatmap is as good as noise to PNG's filters,
// which make it larger (none 425 kB, up 468, the best per row 445) and slower; level 6 takes a
// quarter longer than level 2 for 3 % (of a few large cells it would make much less).
constexpr char no_filter = 0;
constexpr int compression_level = 2;

// Colour types of IHDR.
constexpr char rgb = 2;
constexpr char with_palette = 3;

std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xff);
    return bytes;
}

/// A chunk of a PNG file: length, type, content, checksum.
std::string chunk(std::string_view type, std::string_view content) {
    std::string bytes = big_endian(static_cast<std::uint32_t>(content.size()));
    bytes.append(type).append(content);
    const std::string_view checked = std::string_view(bytes).substr(4);
    return bytes += big_endian(libdeflate_crc32(0, checked.data(), checked.size()));
}

std::string header(const Image& image, char colour_type) {
    constexpr char bits_per_channel = 8;
    std::string content = big_endian(static_cast<std::uint32_t>(image.width)) +
                          big_endian(static_cast<std::uint32_t>(image.height));
    content += {bits_per_channel, colour_type, 0, 0, 0};  // deflate, PNG's filters, not interlaced
    return chunk("IHDR", content);
}

std::string physical_size(double dpi) {
    constexpr double inches_per_metre = 1 / 0.0254;
    const std::string density =
        big_endian(static_cast<std::uint32_t>(std::lround(dpi * inches_per_metre)));
    constexpr char per_metre = 1;
    return chunk("pHYs", density + density + per_metre);
}

std::string_view bytes_of(std::span<const Rgb> colours) {
    return {reinterpret_cast<const char*>(colours.data()), colours.size_bytes()};
}

/// The chunk of an image's rows, of equally many bytes each.
std::string image_data(std::string_view pixels, int height) {
    const std::size_t row = pixels.size() / static_cast<std::size_t>(height);
    std::string filtered;
    filtered.reserve(pixels.size() + static_cast<std::size_t>(height));
    for (std::size_t start = 0; start < pixels.size(); start += row) {
        filtered += no_filter;
        filtered += pixels.substr(start, row);
    }
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(compression_level), &libdeflate_free_compressor);
    if (!compressor) throw std::bad_alloc();
    const std::size_t bound = libdeflate_zlib_compress_bound(compressor.get(), filtered.size());
    // Far more than is needed, so it is not touched before.
    const auto compressed = std::make_unique_for_overwrite<char[]>(bound);
    const std::size_t size = libdeflate_zlib_compress(compressor.get(), filtered.data(),
                                                      filtered.size(), compressed.get(), bound);
    return chunk("IDAT", {compressed.get(), size});
}

/// Colours in the order in which they are met, found by hashing.
class ColourList {
  public:
    static constexpr std::size_t most = 256;

    /// The place of a colour, which is added if it is new; `most` if there is no more room.
    std::size_t place(Rgb colour) {
        const std::uint32_t key = colour[0] << 16u | colour[1] << 8u | colour[2];
        // 2^32 divided by the golden ratio scatters neighbours.
        std::uint32_t number = key * 0x9e3779b1u >> (32 - slot_bits);
        while (slots_[number].key != key && slots_[number].key != none) {
            number = (number + 1) % (1u << slot_bits);
        }
        Slot& slot = slots_[number];
        if (slot.key == none && colours_.size() < most) {
            slot = {key, colours_.size()};
            colours_.push_back(colour);
        }
        return slot.place;
    }

    std::span<const Rgb> colours() const { return colours_; }

  private:
    static constexpr std::uint32_t slot_bits = 10;
    static constexpr std::uint32_t none = 0xffffffff;  // not a colour
    struct Slot {
        std::uint32_t key = none;
        std::size_t place = most;
    };

    std::vector<Rgb> colours_;
    std::array<Slot, 1u << slot_bits> slots_{};
};

/// PLTE and IDAT of an image that has few enough colours for a palette.
std::optional<std::string> palette_and_data(const Image& image) {
    ColourList list;
    std::string places;
    places.reserve(image.pixels.size());
    for (const Rgb& pixel : image.pixels) {
        const std::size_t place = list.place(pixel);
        if (place == ColourList::most) return std::nullopt;
        places += static_cast<char>(place);
    }
    return chunk("PLTE", bytes_of(list.colours())) + image_data(places, image.height);
}

std::string png_file(const Table& table, const Parameters& parameters) {
    const Image image = draw_figure(table, parameters);
    std::vector<PngText> texts{{"Software", "pe-gen"}};
    std::string provenance;
    if (!table.provenance.encoding.empty()) {
        // tEXt is Latin-1, so other characters are escaped.
        constexpr bool ascii_only = true;
        provenance = provenance_json(table.provenance)
                         .dump(-1, ' ', ascii_only, nlohmann::json::error_handler_t::replace);
        texts.push_back({"pe-gen", provenance});
    }
    return encode_png(image, texts);
}

std::string nothing(const Table&, const Parameters&) { return ""; }

}  // namespace

std::string encode_png(const Image& image, const std::vector<PngText>& texts) {
    const std::optional<std::string> paletted = palette_and_data(image);
    std::string file = "\x89PNG\r\n\x1a\n";
    file += header(image, paletted ? with_palette : rgb) + physical_size(image.dpi);
    for (const auto& [keyword, text] : texts) {
        file += chunk("tEXt", fmt::format("{}{}{}", keyword, '\0', text));
    }
    file += paletted ? *paletted : image_data(bytes_of(image.pixels), image.height);
    return file += chunk("IEND", "");
}

constinit const Format formats::png{
    .name = "png",
    .summary = "figure: a heatmap with axes, ticks and a colour bar",
    .extensions = "png",
    .is_binary = true,
    .parameters = figure_parameters,
    .options_title = "Figure options",
    .head = png_file,
    .append_rows = nullptr,
    .tail = nothing,
};

}  // namespace pegen
