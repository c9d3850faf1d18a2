import torch

from companion.which_minute import wide
from companion.which_minute.sentences import encode, sentences
from utils.attention import attention

SENTENCES = encode(sentences()[0][:30])


def test_a_head_answers_as_attention_over_the_whole_sentence_does():
    ids, mask, positions = SENTENCES
    parts = wide._heads(16, 1, torch.Generator().manual_seed(0))
    embedding, W_query, W_key, W_value, W_answer = (part[3] for part in parts)
    inputs = embedding[ids]
    context, _ = attention(inputs @ W_query, inputs @ W_key, inputs @ W_value, mask)
    logits = context[torch.arange(len(ids)), positions] @ W_answer
    assert torch.allclose(wide._answers(parts, 16**0.5, ids, mask)[3], logits, atol=1e-5)


def test_a_huge_divisor_gives_a_plain_average():
    ids, mask, _ = SENTENCES
    parts = wide._heads(16, 1, torch.Generator().manual_seed(0))
    embedding, _, _, W_value, W_answer = (part[0] for part in parts)
    seen = mask[:, 0, :, None]
    average = (embedding[ids] * seen).sum(dim=1) / seen.sum(dim=1)
    assert torch.allclose(wide._answers(parts, 1e9, ids, mask)[0], average @ W_value @ W_answer, atol=1e-5)


def test_without_a_divisor_smaller_numbers_and_steps_are_the_root():
    def smaller_steps(parts, lr):
        rates = [lr, lr / 16, lr / 16, lr, lr]
        return torch.optim.SGD([{"params": [part], "lr": rate} for part, rate in zip(parts, rates)])

    root = wide.learn(16, steps=(5, 15))
    assert torch.allclose(wide.learn(1, start=1 / 4, steps=(5, 15), optimizer=smaller_steps), root, atol=0.01)
