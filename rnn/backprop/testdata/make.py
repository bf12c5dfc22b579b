"""Writes torch-*.safetensors: networks, and what PyTorch computes with them.

Each file holds the parameters of a network under their own names, the gradients
of one batch as "grad.NAME", the parameters after one step of AdamW as
"after.NAME", and the logits of word i as "logits.i". The words, their labels and
the loss are in the metadata. Run in this folder; needs torch and safetensors.
"""

import json

import torch
from safetensors.torch import save_file
from torch import nn

WORDS = ["", "a", "abba", "bab", "bbbbbbb", "abaabab"]


class Network(nn.Module):
    def __init__(self, cell, layers):
        super().__init__()
        self.embedding = nn.Embedding(3, 3)
        self.rnn = cell(3, 6, num_layers=layers, batch_first=True)
        self.classifier = nn.Linear(6, 1)

    def forward(self, tokens):
        return self.classifier(self.rnn(self.embedding(tokens))[0]).squeeze(-1)


def write(name, cell, layers):
    torch.manual_seed(layers)
    net = Network(cell, layers)
    file = {k: v.detach().clone() for k, v in net.named_parameters()}
    labels, losses, count = [], [], 0
    for i, w in enumerate(WORDS):
        tokens = torch.tensor([[2] + ["ab".index(c) for c in w]])
        even = [w[:k].count("b") % 2 == 0 for k in range(len(w) + 1)]
        labels.append(even)
        logits = net(tokens)[0]
        file[f"logits.{i}"] = logits.detach().clone()
        losses.append(nn.functional.binary_cross_entropy_with_logits(
            logits, torch.tensor(even, dtype=torch.float32), reduction="sum"))
        count += len(even)
    loss = sum(losses) / count
    optimizer = torch.optim.AdamW(net.parameters())
    loss.backward()
    optimizer.step()
    for k, p in net.named_parameters():
        file["grad." + k] = p.grad.detach().clone()
        file["after." + k] = p.detach().clone()
    about = {"words": json.dumps(WORDS), "labels": json.dumps(labels), "loss": repr(loss.item())}
    save_file(file, f"torch-{name}-{layers}.safetensors", metadata=about)


for name, cell in [("elman", nn.RNN), ("gru", nn.GRU), ("lstm", nn.LSTM)]:
    for layers in (1, 2):
        write(name, cell, layers)
