#include "formats/palette.h"

namespace pegen {
namespace {

constexpr std::size_t most_colours = 256;

/// The colours met so far, by a hash: a picture has a million pixels, and std::unordered_map would
/// take longer than all else.
class Colours {
  public:
    /// The place of a colour, which is added if it is new; most_colours if there is no more room.
    std::size_t place(Rgb colour) {
        std::size_t slot = hash(colour);
        while (slots_[slot] != free && list_[slots_[slot]] != colour) {
            slot = (slot + 1) % slots_.size();
        }
        if (slots_[slot] == free && list_.size() < most_colours) {
            slots_[slot] = list_.size();
            list_.push_back(colour);
        }
        return slots_[slot];
    }

    std::vector<Rgb> list() && { return std::move(list_); }

  private:
    static constexpr unsigned hash_bits = 10;
    static constexpr std::size_t free = most_colours;

    static std::size_t hash(Rgb colour) {
        const auto [red, green, blue] = colour;
        const std::uint32_t key = (red * 256u + green) * 256u + blue;
        return key * 0x9e3779b1u >> (32 - hash_bits);  // 2^32 / golden ratio scatters neighbours
    }

    std::vector<Rgb> list_;
    std::vector<std::size_t> slots_ = std::vector<std::size_t>(1u << hash_bits, free);
};

}  // namespace

std::optional<Paletted> paletted(const Image& image) {
    Colours colours;
    Paletted result;
    result.places.reserve(image.pixels.size());
    for (const Rgb& pixel : image.pixels) {
        const std::size_t place = colours.place(pixel);
        if (place == most_colours) return std::nullopt;
        result.places += static_cast<char>(place);
    }
    result.colours = std::move(colours).list();
    return result;
}

}  // namespace pegen
