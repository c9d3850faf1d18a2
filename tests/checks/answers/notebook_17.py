"""Right and wrong answers to the exercises in notebook 17 (attention today)."""

import torch

from companion.checks.notebook_17 import check_absorbed_attention, check_delta_step, check_num_kept


def by_last_readers(mask):
    """Drop a key after the last token that reads it."""
    tokens = torch.arange(len(mask))
    last = torch.where(mask, tokens[:, None], -1).amax(dim=0)
    return torch.stack([((tokens <= now) & (last >= now)).sum() for now in tokens])


def by_einsum(query, latent, W_up_key, W_up_value):
    absorbed = torch.einsum("hnk,hlk->hnl", query, W_up_key)
    weights = torch.einsum("hnl,tl->hnt", absorbed, latent).div(query.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.einsum("hnt,tl,hlv->hnv", weights, latent, W_up_value)


def towards(state, key, value, rate):
    """Go from the answer towards the value, and write the difference."""
    key = key / key.square().sum().sqrt()
    answer = key @ state
    change = torch.lerp(answer, value, rate) - answer
    return state + torch.einsum("k,v->kv", key, change)


RIGHT = {check_num_kept: [by_last_readers], check_absorbed_attention: [by_einsum], check_delta_step: [towards]}
WRONG = {
    check_num_kept: {
        "only what token t itself reads is counted": lambda mask: mask.sum(dim=1),
        "num_kept(causal_mask(5)) ": {"for now in tokens": "for now in range(8)"},
    },
    check_absorbed_attention: {
        "absorbed_attention for 3 new and 60 tokens gives s": {'"hnk,hlk->hnl", query': '"hnk,hlk->hnl", query[:, :1]'},
        "the contexts are right, but a tensor as large as all keys": {
            'torch.einsum("hnt,tl,hlv->hnv", weights, latent, W_up_value)': "weights @ (latent @ W_up_value)"
        },
        "the contexts are right, but a tensor as large": {
            'torch.einsum("hnl,tl->hnt", absorbed, latent)': "(query @ (latent @ W_up_key).mT)"
        },
        "check the shapes: W_up_key is": lambda query, latent, W_up_key, W_up_value: query @ W_up_key @ latent.mT,
        "check the shapes: W_up_key is turned": lambda query, latent, W_up_key, _: query @ W_up_key.mT @ latent,
    },
    check_delta_step: {
        "the outer product is turned": {"k,v->kv": "k,v->vk"},
        "read the state with key @ st": {"key @ state": "state @ key"},
        "read the state with key @ state: (d_k,)": {"key @ state": "key @ value"},
    },
}
