"""Checks of the assignment a2_masks_and_modules: the two masks, attention under a mask, and a causal module."""

from classroom.checks.a2_masks_and_modules.attention import (
    check_attention_batch,
    check_attention_empty_row,
    check_attention_mask,
    check_attention_plain,
)
from classroom.checks.a2_masks_and_modules.leaks import (
    check_leaks_hidden,
    check_leaks_masks,
    check_leaks_modes,
    check_leaks_places,
)
from classroom.checks.a2_masks_and_modules.masks import check_causal_mask, check_padding_mask
from classroom.checks.a2_masks_and_modules.module import (
    check_module_batch,
    check_module_causal,
    check_module_eval,
    check_module_last_token,
    check_module_lengths,
    check_module_parameters,
)
from classroom.checks.a2_masks_and_modules.sentences import check_open_pairs, variation
