package org.clinfer.conformance;

import java.util.Map;
import java.util.Optional;
import org.clinfer.conformance.Inexpressible.Reason;

/**
 * Cases that can be said in ONNX, but for which ONNX Runtime refuses the model or gives something else, with the reason
 * why it is not followed. A case stands here only as long as that is so.
 */
final class Disagreements {

    private static final Map<String, Reason> CASES = Map.ofEntries(
            // exp(x) - 1 in float32 loses digits where x is nearly 0.
            Map.entry("Elu tiny_negative", Reason.IMPRECISE_RUNTIME),
            Map.entry("Selu near_zero", Reason.IMPRECISE_RUNTIME),
            // Its error is a part of 1, too much for elements that are all small.
            Map.entry("Sigmoid far_negative", Reason.IMPRECISE_RUNTIME),
            Map.entry("Sigmoid scalar", Reason.IMPRECISE_RUNTIME),
            // Its variance of large numbers with small differences.
            Map.entry("InstanceNorm offset_long_rows", Reason.IMPRECISE_RUNTIME),
            Map.entry("InstanceNorm row_of_a_group_offset", Reason.IMPRECISE_RUNTIME),
            Map.entry("GroupNorm large_numbers", Reason.IMPRECISE_RUNTIME),
            Map.entry("SkipLayerNorm far_sum", Reason.IMPRECISE_RUNTIME),
            Map.entry("LayerNorm offset_data", Reason.IMPRECISE_RUNTIME),
            Map.entry("LayerNorm offset_long_rows", Reason.IMPRECISE_RUNTIME),
            // It adds a long row one after the other in float32: the sum loses what is small beside it.
            Map.entry("Softmax very_long_row", Reason.IMPRECISE_RUNTIME),
            Map.entry("Softmax very_long_columns", Reason.IMPRECISE_RUNTIME),
            Map.entry("Softmax very_long_columns_of_four", Reason.IMPRECISE_RUNTIME),
            Map.entry("LogSoftmax very_long_row", Reason.IMPRECISE_RUNTIME),
            // 1 + erf(x) loses digits where x is far below 0.
            Map.entry("Gelu one_element", Reason.IMPRECISE_RUNTIME),
            // The mean of equal numbers is not that number, and epsilon makes the rest large.
            Map.entry("InstanceNorm constant_rows", Reason.IMPRECISE_RUNTIME),
            Map.entry("Celu near_zero", Reason.IMPRECISE_RUNTIME),
            Map.entry("GridSample row", Reason.RANK_REFUSED),
            // It counts places in the larger size; ONNX's own vectors (maxunpool_export_with_output_shape) do not.
            Map.entry("MaxUnpool larger", Reason.WRONG_RUNTIME),
            Map.entry("MaxUnpool larger_batch", Reason.WRONG_RUNTIME),
            Map.entry("TopK not_a_number", Reason.UNDEFINED_NAN),
            Map.entry("TopK not_a_number_smallest", Reason.UNDEFINED_NAN),
            Map.entry("TopK unsorted", Reason.OPEN_ORDER),
            Map.entry("ReverseSequence axis_between", Reason.VALUE_REFUSED),
            Map.entry("ReverseSequence axis_between_back", Reason.VALUE_REFUSED),
            Map.entry("Hardmax nan", Reason.UNDEFINED_NAN),
            // Its Reshape refuses -1 beside no elements, of which it makes its GroupNormalization.
            Map.entry("GroupNorm empty_batch", Reason.VALUE_REFUSED),
            Map.entry("OneHot scalar_index", Reason.RANK_REFUSED),
            Map.entry("OneHot no_depth", Reason.VALUE_REFUSED),
            Map.entry("ArgMax nan_wins", Reason.UNDEFINED_NAN),
            Map.entry("NonMaxSuppression not_a_number", Reason.UNDEFINED_NAN),
            Map.entry("ArgMax nan_wins_last", Reason.UNDEFINED_NAN),
            Map.entry("ArgMin nan_wins", Reason.UNDEFINED_NAN),
            Map.entry("ArgMin nan_wins_last", Reason.UNDEFINED_NAN),
            Map.entry("ArgMax nans_in_groups", Reason.UNDEFINED_NAN),
            Map.entry("ArgMax last_nans_in_groups", Reason.UNDEFINED_NAN),
            Map.entry("ArgMin nans_in_groups", Reason.UNDEFINED_NAN),
            Map.entry("ArgMin last_nans_in_groups", Reason.UNDEFINED_NAN),
            Map.entry("MaxPoolIndices not_a_number", Reason.UNDEFINED_NAN),
            // It does not take positions modulo the size, as on ONNX's torus, where the padding is wider than the axis.
            Map.entry("Pad wrap_beyond_size", Reason.WRONG_RUNTIME),
            // ONNX's own vectors (resize_downsample_scales_linear_align_corners) take the length before rounding.
            Map.entry("Resize linear_scales_align_corners", Reason.WRONG_RUNTIME),
            Map.entry("MaxPool three_by_three_in_place", Reason.UNDEFINED_NAN),
            Map.entry("ReduceMax nan_wins", Reason.UNDEFINED_NAN),
            Map.entry("ReduceMax long_rows_with_nan", Reason.UNDEFINED_NAN),
            Map.entry("ReduceMin nan_wins", Reason.UNDEFINED_NAN),
            Map.entry("MaxPool global_special_values", Reason.UNDEFINED_NAN),
            Map.entry("BlockedPool max_not_numbers", Reason.UNDEFINED_NAN),
            Map.entry("BlockedPool max_not_numbers_3_1", Reason.UNDEFINED_NAN),
            Map.entry("BlockedPool max_not_numbers_2_2", Reason.UNDEFINED_NAN),
            Map.entry("BlockedPool max_5_1_not_numbers", Reason.UNDEFINED_NAN),
            Map.entry("BlockedPool max_one_not_number", Reason.UNDEFINED_NAN),
            Map.entry("BlockedPool max_9_1_padded_nan", Reason.UNDEFINED_NAN),
            Map.entry("RoiPool no_such_image", Reason.VALUE_REFUSED),
            // It begins with the lowest finite number.
            Map.entry("RoiPool infinities", Reason.WRONG_RUNTIME),
            Map.entry("Resize one_d", Reason.RANK_REFUSED),
            Map.entry("Resize rank_9", Reason.RANK_REFUSED),
            Map.entry("Resize batch_and_channels", Reason.RANK_REFUSED),
            Map.entry("Resize identity_sizes", Reason.RANK_REFUSED),
            Map.entry("Split more_outputs_than_elements", Reason.VALUE_REFUSED),
            Map.entry("Resize to_empty", Reason.VALUE_REFUSED),
            Map.entry("Resize linear_exclude_outside", Reason.VALUE_REFUSED),
            Map.entry("Resize antialias_nearest", Reason.VALUE_REFUSED));

    private Disagreements() {}

    static Optional<Reason> of(CaseRun run) {
        return Optional.ofNullable(CASES.get(run.caseName()));
    }
}
