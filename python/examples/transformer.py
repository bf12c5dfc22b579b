"""A transformer, read word by word. Nothing is kept from one prefix to the next: each word
is computed anew, which is all that methods need that ask for answers alone.

    quotient extract --exec 'python transformer.py' --method lstar
"""

import torch
from torch import nn

import quotient

SYMBOLS, BOS, LONGEST = "ab", 2, 64


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(len(SYMBOLS) + 1, 16)
        self.place = nn.Embedding(LONGEST, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(16, 1)

    def forward(self, tokens):
        x = self.embed(tokens) + self.place(torch.arange(tokens.shape[1]).clamp(max=LONGEST - 1))
        ahead = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1])
        return self.head(self.layers(x, mask=ahead, is_causal=True)[:, -1])


torch.manual_seed(1)
model = Transformer()
# model.load_state_dict(torch.load("transformer.pt"))
quotient.serve(model, symbols=SYMBOLS, bos=BOS)
