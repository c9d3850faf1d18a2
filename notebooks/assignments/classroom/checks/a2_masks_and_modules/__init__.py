"""Checks of the assignment a2_masks_and_modules: the two masks, attention under a mask, and a causal module."""

# ruff: noqa: F401, I001
from .leaks import check_leaks_hidden, check_leaks_masks, check_leaks_modes, check_leaks_places
from .masks import check_attention_batch, check_attention_empty_row, check_attention_mask, check_attention_plain
from .masks import check_causal_mask, check_open_pairs, check_padding_mask, variation
from .module import check_module_batch, check_module_causal, check_module_eval, check_module_last_token
from .module import check_module_lengths, check_module_parameters
