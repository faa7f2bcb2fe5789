#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of DETR's family, for detr.cpp alone.
namespace pegen::encodings {

inline constexpr std::array detr_presets{
    PresetSpec{.name = "bttr",
               .settings = "--axes xy --normalize",
               .summary = "BTTR's images of formulas: x before y",
               .source = "Green-Wood/BTTR, bttr/model/pos_enc.py, ImgPosEnc",
               .note = "Later versions have a frequency for each channel: --pairing per-channel. "
                       "The model has --num-pos-feats 128, and channels last."},
    PresetSpec{.name = "dab-detr",
               .settings = "--temperature 20,20 --normalize",
               .summary = "DAB-DETR: separate temperatures for y and x, both 20",
               .source = "IDEA-Research/DAB-DETR, models/DAB_DETR/position_encoding.py and main.py",
               .note = "The temperatures are pe_temperatureH and pe_temperatureW. The model has "
                       "--num-pos-feats 128. DAB-Deformable-DETR is deformable-detr."},
    PresetSpec{.name = "deformable-detr",
               .settings = "--normalize --offset -0.5",
               .summary = "Deformable DETR, DAB-Deformable-DETR: the middle of each pixel",
               .source = "fundamentalvision/Deformable-DETR, models/position_encoding.py",
               .note = "The class has DETR's name and arguments, but counts from 0.5 when it "
                       "normalizes. In a line of padding that is -0.5 / 1e-6: a position of "
                       "-3 million, whose sines are noise in float32 code; here they are exact. "
                       "The model has --num-pos-feats 128."},
    PresetSpec{
        .name = "dino",
        .aliases = "groundingdino",
        .settings = "--temperature 20,20 --normalize",
        .summary = "DINO, the detector: separate temperatures for y and x, both 20",
        .source = "IDEA-Research/DINO, models/dino/position_encoding.py and "
                  "config/DINO/DINO_4scale.py",
        .note = "Not the vision transformer of the same name. It descends from Deformable DETR but "
                "has no offset. The model has --num-pos-feats 128."},
    PresetSpec{.name = "mask2former",
               .aliases = "maskformer act lerobot gmflow transpose xcit",
               .settings = "--normalize",
               .summary = "Mask2Former; also MaskFormer and DETR's own model",
               .source = "facebookresearch/Mask2Former, "
                         "mask2former/modeling/transformer_decoder/position_encoding.py",
               .note = "DETR's arithmetic; without a mask all pixels are valid. The class does not "
                       "normalize unless told to, the model tells it to. The model has "
                       "--num-pos-feats 128."},
    PresetSpec{.name = "mmdet",
               .settings = "--normalize",
               .summary = "MMDetection's SinePositionalEncoding, as its DETR uses it",
               .source = "open-mmlab/mmdetection, mmdet/models/layers/positional_encoding.py",
               .note =
                   "--num-pos-feats is num_feats, 128 in the configurations. Those of Deformable "
                   "DETR have --offset -0.5, those of DINO --temperature 20. The class itself "
                   "does not normalize unless told to, and takes no notice of scale and offset "
                   "then."},
    PresetSpec{.name = "note0",
               .settings = "--num-pos-feats 64 --temperature 10 --height 20 --width 20",
               .summary = "the example in many DETR tutorials: a picture of 128 x 400",
               .source = "tutorials that plot PositionEmbeddingSine(64, temperature=10) of 20 x 20",
               .note = "With --cmap viridis --aspect equal it is what they show."},
    PresetSpec{.name = "petr-3d",
               .settings = "--frames 6 --num-pos-feats 128 --layout halves --normalize",
               .summary = "PETR's views: sines before cosines in the channels of an axis",
               .source = "megvii-research/PETR, "
                         "projects/mmdet3d_plugin/models/utils/positional_encoding.py, "
                         "SinePositionalEncoding3D",
               .note = "The code is VisTR's, but for the axis along which sines and cosines are "
                       "stacked. Frames are the views of six cameras. Points are dino-points."},
    PresetSpec{
        .name = "sam2",
        .settings = "--normalize",
        .summary = "SAM 2's image encoder: images without padding",
        .source = "facebookresearch/sam2, sam2/modeling/position_encoding.py",
        .note =
            "Its num_pos_feats is the total and is halved inside: its 256 is --num-pos-feats 128 "
            "here, the 64 of its memory --num-pos-feats 32. It has no mask."},
    PresetSpec{.name = "vistr",
               .aliases = "trackformer",
               .settings = "--frames 36 --num-pos-feats 128 --normalize",
               .summary = "VisTR's videos: the channels of time, of y and of x",
               .source = "Epiphqny/VisTR, models/position_encoding.py, PositionEmbeddingSine",
               .note = "TrackFormer's PositionEmbeddingSine3D is the same with --frames 2 "
                       "--num-pos-feats 96. Position 1 of time is the first frame in which a pixel "
                       "is valid."},
};

}  // namespace pegen::encodings
