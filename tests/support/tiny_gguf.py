"""Writes a llama model of random weights, 100 KB in all: it loads and speaks, and says nothing."""

import struct
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["write_tiny_gguf"]

WIDTH, HEADS, HIDDEN, LAYERS, CONTEXT = 32, 4, 64, 1, 2048
UNSIGNED, FLOAT, TEXT, ARRAY, SIGNED = 4, 6, 8, 9, 5
"""GGUF's types of values."""
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
"""Its types of tokens."""
ALIGNED = 32


def write_tiny_gguf(path: Path) -> Path:
    """Write the model; its words are the printable characters and single bytes."""
    tokens = [("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL)]
    tokens += [(f"<0x{n:02X}>", BYTE) for n in range(256)]
    tokens += [(chr(n), NORMAL) for n in range(33, 127)] + [("▁", NORMAL)]
    texts, kinds = zip(*tokens, strict=True)
    keys: dict[str, tuple[int, Any]] = {
        "general.architecture": (TEXT, "llama"),
        "llama.block_count": (UNSIGNED, LAYERS),
        "llama.context_length": (UNSIGNED, CONTEXT),
        "llama.embedding_length": (UNSIGNED, WIDTH),
        "llama.feed_forward_length": (UNSIGNED, HIDDEN),
        "llama.attention.head_count": (UNSIGNED, HEADS),
        "llama.attention.layer_norm_rms_epsilon": (FLOAT, 1e-5),
        "tokenizer.ggml.model": (TEXT, "llama"),
        "tokenizer.ggml.tokens": (ARRAY, (TEXT, texts)),
        "tokenizer.ggml.scores": (ARRAY, (FLOAT, [0.0] * len(texts))),
        "tokenizer.ggml.token_type": (ARRAY, (SIGNED, kinds)),
        "tokenizer.ggml.bos_token_id": (UNSIGNED, 1),
        "tokenizer.ggml.eos_token_id": (UNSIGNED, 2),
    }
    tensors = _tensors(len(texts))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    head += b"".join(_text(key) + struct.pack("<I", kind) + _value(kind, value) for key, (kind, value) in keys.items())
    data = b""
    for name, tensor in tensors.items():
        head += _text(name) + struct.pack("<I", tensor.ndim)
        head += struct.pack(f"<{tensor.ndim}Q", *reversed(tensor.shape)) + struct.pack("<IQ", 0, len(data))
        data += _padded(tensor.astype("<f4").tobytes())
    path.write_bytes(_padded(head) + data)
    return path


def _tensors(vocabulary: int) -> dict[str, np.ndarray]:
    drawn = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (vocabulary, WIDTH),
        "output.weight": (vocabulary, WIDTH),
    }
    for layer in (f"blk.{n}." for n in range(LAYERS)):
        shapes |= {f"{layer}attn_{part}.weight": (WIDTH, WIDTH) for part in ("q", "k", "v", "output")}
        shapes |= {f"{layer}ffn_{part}.weight": (HIDDEN, WIDTH) for part in ("gate", "up")}
        shapes[f"{layer}ffn_down.weight"] = (WIDTH, HIDDEN)
        shapes |= {f"{layer}{part}_norm.weight": (WIDTH,) for part in ("attn", "ffn")}
    shapes["output_norm.weight"] = (WIDTH,)
    return {name: drawn.normal(size=shape) for name, shape in shapes.items()}


def _text(value: str) -> bytes:
    written = value.encode()
    return struct.pack("<Q", len(written)) + written


def _value(kind: int, value: Any) -> bytes:
    if kind == TEXT:
        return _text(value)
    if kind == ARRAY:
        of, items = value
        return struct.pack("<IQ", of, len(items)) + b"".join(_value(of, item) for item in items)
    return struct.pack({UNSIGNED: "<I", SIGNED: "<i", FLOAT: "<f"}[kind], value)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGNED)
