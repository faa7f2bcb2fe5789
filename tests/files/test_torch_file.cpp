#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.h"
#include "files/array_file.h"
#include "files/read_archive.h"
#include "files/torch_bytes.h"

using namespace pegen;
using namespace pegen::testing;
using namespace std::string_literals;

namespace {

using Values = std::vector<double>;

/// The files were written by torch.save of PyTorch 1.13: {"model": an OrderedDict of views of and
/// copies of a = arange(6).reshape(2, 3), "epoch": 3, "args": argparse.Namespace(lr=0.1), "steps":
/// [tensor([7, 8])]}; -old without the ZIP form, with pickle protocols 2 and 4.
constexpr std::array names{"torch-zip.pt", "torch-old.pt", "torch-old-protocol4.pt"};

}  // namespace

TEST_CASE("PyTorch checkpoint: every tensor of both forms, by the keys that lead to it") {
    struct Wanted {
        std::string name;
        DType dtype;
        Shape shape;
        Values values;
    };
    const std::vector<Wanted> all{
        {"model.pos_embed", DType::float32, {2, 3}, {0, 1, 2, 3, 4, 5}},
        {"model.t", DType::float32, {3, 2}, {0, 3, 1, 4, 2, 5}},
        {"model.slice", DType::float32, {2, 2}, {0, 2, 3, 5}},
        {"model.expand", DType::float32, {2, 3}, {0, 1, 2, 0, 1, 2}},
        {"model.perm", DType::float64, {2, 2, 2}, {0, 1, 4, 5, 2, 3, 6, 7}},
        {"model.f16", DType::float16, {2, 3}, {0, 1, 2, 3, 4, 5}},
        {"model.bf16", DType::bfloat16, {2, 3}, {0, 1, 2, 3, 4, 5}},
        {"model.i64", DType::int64, {2, 3}, {-3, -2, -1, 0, 1, 2}},
        {"model.u8", DType::uint8, {2, 3}, {0, 1, 2, 3, 4, 5}},
        {"model.flag", DType::boolean, {2, 3}, {0, 0, 0, 1, 1, 1}},
        {"model.c64", DType::float32, {3, 2}, {0, 3, 1, 4, 2, 5}},
        {"model.scalar", DType::float32, {}, {3.5}},
        {"model.empty", DType::float32, {0, 5}, {}},
        {"model.weight", DType::float32, {2, 3}, {1, 2, 3, 4, 5, 6}},
        {"steps.0", DType::int64, {2}, {7, 8}},
    };
    for (const char* file : names) {
        CAPTURE(std::string(file));
        const Archive archive = archive_of(bytes_of(file));
        CHECK(archive.format == "pytorch");
        REQUIRE(archive.members.size() == all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            CAPTURE(all[i].name);
            CHECK(archive.members[i].name == all[i].name);
            CHECK(archive.members[i].open().table.dtype == all[i].dtype);
            CHECK(archive.members[i].open().table.shape == all[i].shape);
            CHECK(values_of(archive.members[i]) == all[i].values);
        }
    }
}

TEST_CASE("PyTorch checkpoint: the records and the tensors of PyTorch 2.6") {
    // Written by hand with its records, .format_version, .storage_alignment, byteorder and
    // .data/serialization_id among them, their padding, a Parameter, and a tensor of
    // _rebuild_tensor_v3, with a storage of bytes.
    const Archive archive = archive_of(bytes_of("torch-2.6-form.pt"));
    REQUIRE(archive.members.size() == 4);
    CHECK(archive.members[1].name == "state_dict.model.pos_embed");
    CHECK(archive.members[1].open().table.shape == Shape{1, 3, 4});
    CHECK(values_of(archive.members[1]) == Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    CHECK(archive.members[2].open().table.dtype == DType::int32);
    CHECK(values_of(archive.members[2]) == Values{0, 1, 2, 3, 4, 5});
}

TEST_CASE("PyTorch checkpoint: a name may be the end or a part of one, if it fits no other") {
    const Archive archive = archive_of(bytes_of("torch-zip.pt"));
    CHECK(member_of(archive, "pos_embed", "a").name == "model.pos_embed");
    CHECK(member_of(archive, "model.t", "a").name == "model.t");
    CHECK(member_of(archive, "0", "a").name == "steps.0");
    CHECK_THROWS_AS(member_of(archive, "embed", "a"), FormatError);
    const std::string two = tensor("K\0"s, "K\2\x85", "K\1\x85");
    const Archive twice = archive_of(old_form("}(U\3a.w" + two + "U\3b.w" + two + "u"));
    CHECK_THROWS_WITH_AS(member_of(twice, "w", "a"), "a: w may be a.w, b.w", FormatError);
    CHECK(member_of(twice, "b", "a").name == "b.w");
    CHECK_THROWS_WITH_AS(member_of(twice, "", "a"),
                         "a: has several arrays, a.w, b.w; name one, as in a:a.w", FormatError);
    const Archive inner =
        archive_of(old_form("}(U\x0eh.0.wpe.weight" + two + "U\x0eh.1.wte.weight" + two + "u"));
    CHECK(member_of(inner, "wpe", "a").name == "h.0.wpe.weight");
    CHECK(member_of(inner, "0", "a").name == "h.0.wpe.weight");
    CHECK_THROWS_WITH_AS(member_of(inner, "h", "a"), "a: h may be h.0.wpe.weight, h.1.wte.weight",
                         FormatError);
    CHECK_THROWS_WITH_AS(member_of(inner, "wheight", "a"),
                         "a: has no array 'wheight'; there are h.0.wpe.weight, h.1.wte.weight; did "
                         "you mean 'weight'?",
                         FormatError);
}

TEST_CASE("PyTorch checkpoint: what is changed as it is read is refused, not read unchanged") {
    const std::string whole = tensor("K\0"s, "K\2\x85", "K\1\x85");
    const auto with = [&](const std::string& part, const std::string& other) {
        std::string changed = whole;
        changed.replace(changed.rfind(part), part.size(), other);
        return refusal(old_form("}U\1x" + changed + "s"));
    };
    CHECK(refusal(old_form("}U\1x" + whole + "s")).empty());
    CHECK(with("NtR", "N}tR").empty());
    CHECK(with("NtR", "N}U\3neg\x88stR").find("is negated or conjugated") != std::string::npos);
    CHECK(with("tQ", "NtQ").empty());
    CHECK(with("tQ", "U\1vK\1K\1\x87tQ").find("a view of a storage") != std::string::npos);
}

TEST_CASE("PyTorch checkpoint: a tensor or a storage without all its parts is refused") {
    const auto first_of = [](const std::vector<std::string>& parts, std::size_t count) {
        std::string text = "(";
        for (std::size_t i = 0; i < count; ++i) text += parts[i];
        return text + "t";
    };
    const std::vector<std::string> storage{"U\7storage", "ctorch\nFloatStorage\n", "U\0010"s,
                                           "U\3cpu", "K\2"};
    const std::vector<std::string> tensor{first_of(storage, 5) + "Q", "K\0"s, "K\2\x85", "K\1\x85"};
    const auto with = [](const std::string& parts) {
        return refusal(old_form("ctorch._utils\n_rebuild_tensor_v2\n" + parts + "R"));
    };
    CHECK(with(first_of(tensor, 4)) == "");
    for (std::size_t count = 0; count < 4; ++count) {
        CHECK(with(first_of(tensor, count)) == "a:tensor: a tensor without its parts");
    }
    // Where a storage was, and how many elements it has, is not asked for.
    for (std::size_t count = 0; count < 3; ++count) {
        std::vector<std::string> short_of = tensor;
        short_of[0] = first_of(storage, count) + "Q";
        CHECK(with(first_of(short_of, 4)) == "a: a tensor without its parts");
    }
}

TEST_CASE("PyTorch checkpoint: one cut off anywhere is refused, not misread") {
    for (const char* file : names) {
        const std::string whole = bytes_of(file);
        CHECK(refusal(whole) == "");
        for (std::size_t size = 0; size < whole.size(); size += 1 + size / 16) {
            CAPTURE(size);
            const std::string cut = whole.substr(0, size);
            bool is_refused = false;
            try {
                is_refused = archive_of(cut).format.empty() || !refusal(cut).empty();
            } catch (const FormatError&) {
                is_refused = true;
            }
            CHECK(is_refused);
        }
    }
}

TEST_CASE("PyTorch checkpoint: nothing is run, and a name that would be is refused") {
    const std::string reason =
        ", which a state dict does not need, and nothing of a file is run; in Python, if you trust "
        "it: torch.save(model.state_dict(), FILE)";
    CHECK(refusal(old_form("cos\nsystem\nU\4trueu85R")).find("names os.system" + reason) !=
          std::string::npos);
    CHECK(refusal(old_form("cposix\nsystem\n")).find("names posix.system" + reason) !=
          std::string::npos);
    CHECK(refusal(old_form("cbuiltins\neval\n")).find("names builtins.eval") != std::string::npos);
    CHECK(refusal(old_form("ctorch.storage\nos.FloatStorage\n")).find("names torch") !=
          std::string::npos);
    CHECK(refusal(old_form("U\2osU\6system\x93")).find("names os.system") != std::string::npos);
}

TEST_CASE("PyTorch checkpoint: tensors that lie about their places are refused") {
    CHECK(refusal(old_form(tensor("K\0"s, "K\2\x85", "K\1\x85"))) == "");
    CHECK(refusal(old_form(tensor("K\1", "K\2\x85", "K\1\x85"))) ==
          "a:tensor: offset 1, shape (2), strides (1): beyond its storage of 2 elements");
    CHECK(refusal(old_form(tensor("J\xff\xff\xff\xff", "K\2\x85", "K\1\x85"))) ==
          "a:tensor: offset -1, shape (2), strides (1): beyond its storage of 2 elements");
    CHECK(refusal(old_form(tensor("K\0"s, "K\2\x85", "J\xff\xff\xff\xff\x85"))) ==
          "a:tensor: offset 0, shape (2), strides (-1): a number below 0");
    CHECK(refusal(old_form(tensor("K\0"s, "K\2K\2\x86", "K\1\x85"))) ==
          "a:tensor: offset 0, shape (2, 2), strides (1): there must be a stride for each axis");
    const std::string huge = "\x8a\7\xff\xff\xff\xff\xff\xff\x7f";
    CHECK(refusal(old_form(tensor("K\0"s, huge + huge + "\x86", "K\0K\0\x86"s)))
              .ends_with("too large for any file"));
    CHECK(refusal(old_form(tensor("K\0"s, huge + "\x85", "K\0\x85"s)))
              .ends_with("more than 2^26 elements, some of them the same"));
    CHECK(refusal(old_form(tensor("K\0"s, "N", "N"))) == "a:tensor: a tensor without a shape");
    const auto of_axes = [](std::size_t axes) {
        return refusal(
            old_form(state_dict(std::vector<std::uint64_t>(axes, 1)), bytes_of_floats({1})));
    };
    CHECK(of_axes(64) == "");
    CHECK(of_axes(65) == "a:x: a tensor of more than 64 axes");
    CHECK(
        refusal(old_form(tensor("K\0"s, "K\0J\1\0\0\1\x86"s, "K\1K\1\x86"))) ==
        "a:tensor: shape (0, 16777217): no elements, but other extents of more than 2^24 together");
}

TEST_CASE("PyTorch checkpoint: operations that take values off the stack, or double them") {
    const std::string one = tensor("K\0"s, "K\2\x85", "K\1\x85");
    const auto names_of = [](const std::string& object) {
        std::vector<std::string> found;
        for (const ArchiveMember& member : archive_of(old_form(object)).members) {
            found.push_back(member.name);
        }
        return found;
    };
    using Names = std::vector<std::string>;
    CHECK(names_of(one + "N0") == Names{"tensor"});
    CHECK(names_of(one + "(NN1") == Names{"tensor"});
    CHECK(names_of(one + "2\x86") == Names{"0", "1"});
    CHECK(names_of(one + "\x85") == Names{"0"});
    CHECK(names_of("N" + one + "N\x87") == Names{"1"});
    CHECK(names_of("]" + one + "a") == Names{"0"});
    CHECK(names_of("}U\1a" + one + "s") == Names{"a"});
}

TEST_CASE("PyTorch checkpoint: pickles that are not as pickles are, or never end, are refused") {
    CHECK(refusal(old_form("R")).find("takes a value that there is none of") != std::string::npos);
    CHECK(refusal(old_form("u")).find("a mark that there is none of") != std::string::npos);
    CHECK(refusal(old_form("h\5")).find("recalls what was not remembered") != std::string::npos);
    CHECK(refusal(old_form("i")).find("operation 0x69") != std::string::npos);
    CHECK(refusal(old_form("NNNs")).find("adds items to what has none") != std::string::npos);
    // A list within itself.
    CHECK(refusal(old_form("]q\1h\1a")).find("more than 64 levels") != std::string::npos);
    // 30 lists, each twice in the next one.
    std::string tower = "]q\1";
    for (int i = 2; i < 32; ++i) {
        const std::string before(1, static_cast<char>(i - 1)), own(1, static_cast<char>(i));
        tower += "](h" + before + "h" + before + "eq" + own;
    }
    CHECK(refusal(old_form(tower)).find("more than 2^22 items") != std::string::npos);
}

TEST_CASE("PyTorch checkpoint: a short pickle does not fill the memory") {
    const auto many = [](char operation) { return std::string((1U << 21U) + 1, operation); };
    CHECK(refusal(old_form(many('N'))).find("more than 2^21 values") != std::string::npos);
    CHECK(refusal(old_form("N" + many('2'))).find("2^21 values at once") != std::string::npos);
    CHECK(refusal(old_form(many('('))).find("more than 2^21 marks") != std::string::npos);
    CHECK(refusal(old_form("N" + many('\x94'))).find("2^21 remembered") != std::string::npos);
}

TEST_CASE("PyTorch checkpoint: storages that are not read do not hide those that are") {
    std::string bytes = old_form("}U\1x" + tensor("K\0"s, "K\2\x85", "K\1\x85") + "s");
    bytes.replace(bytes.find("FloatStorage"), 12, "QInt32Storage");
    CHECK(archive_of(bytes).members.size() == 1);
    CHECK(refusal(bytes) == "a:x: elements of torch.QInt32Storage: not read; save tensor.float()");
}

TEST_CASE("PyTorch checkpoint: the order of bytes is little unless a record says big") {
    const std::string object = tensor("K\0"s, "K\2\x85", "K\1\x85");
    for (const char* const order : {"", "little", "bigger", "big"}) {
        CAPTURE(order);
        const bool is_big = std::string_view(order) == "big";
        const Archive archive = archive_of(
            zip_of({{"a/data.pkl", "\x80\2" + object + "."},
                    {"a/byteorder", order},
                    {"a/data/0", is_big ? "\x3f\x80\0\0\x40\0\0\0"s : bytes_of_floats({1, 2})}}));
        CHECK(values_of(archive.members.front()) == Values{1, 2});
    }
}
