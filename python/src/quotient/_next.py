"""What the outputs of a language model, a network that predicts the next symbol, mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def meaning(count: int, tokens: Sequence[int], bos: int | None, eos: int | None) -> list[int | None]:
    """Returns which of some outputs is that of each symbol and, last, of the end; None if the end never comes.

    Outputs of tokens are found by their numbers; bos, which is never predicted within a word, is the end where
    there is no eos.

    >>> meaning(5, [3, 1], 0, 2), meaning(5, [3, 1], 0, None)
    ([3, 1, 2], [3, 1, 0])
    >>> meaning(3, [3, 1], 0, 4), meaning(2, [0, 1], None, None)
    ([1, 0, 2], [0, 1, None])
    """
    end = bos if eos is None else eos
    known = [*tokens, *([] if end is None else [end])]
    if max(known) < count and (end is not None or count == len(tokens)):
        return [*tokens, end]
    if count == len(tokens) + 1:  # of the symbols and the end, in the order of their tokens
        order = sorted([*tokens, *([] if eos is None else [eos])])
        return [*(order.index(t) for t in tokens), count - 1 if eos is None else order.index(eos)]
    raise ValueError(f"the module has {count} outputs for {len(tokens)} symbols: a language model has one for each token, or for each symbol "
                     "and the end, and bos= and eos= name the tokens that begin and end words; of a recognizer, yes=CLASS says which of "
                     "several classes is a yes")


def chosen(rows: Any, outputs: Sequence[int | None], torch: Any) -> Any:
    """Returns logits of each symbol and, last, of the end, from rows of all outputs."""
    never = torch.full_like(rows[..., :1], float("-inf"))
    return torch.cat([never if k is None else rows[..., k : k + 1] for k in outputs], -1)
