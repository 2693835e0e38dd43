"""Random numbers by Philox 4x32-10: the counter's first word counts the draws of four, so the same key gives the same bits everywhere.

`word0` to `word3` are where the counter starts, `key0` and `key1` the key. Uniform numbers are multiples of 2^-24 in [0, 1); normal ones
come by Box and Muller from a uniform in (0, 1] and another; a permutation is the order of random words, the first of equals first.
"""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

PHILOX = """\
given n: i32, word0: u32, word1: u32, word2: u32, word3: u32, key0: u32, key1: u32
a[i < (n + 3) // 4, r < 10], b[i < (n + 3) // 4, r < 10], c[i < (n + 3) // 4, r < 10], d[i < (n + 3) // 4, r < 10] = scan(
    r, start=(word0 + u32(i), word1, word2, word3)
) bit_xor(bit_xor(mul_high(c[i, r - 1], 0xCD9E8D57), b[i, r - 1]), key0 + u32(r) * 0x9E3779B9), (
    c[i, r - 1] * 0xCD9E8D57), bit_xor(bit_xor(mul_high(a[i, r - 1], 0xD2511F53), d[i, r - 1]), key1 + u32(r) * 0xBB67AE85), (
    a[i, r - 1] * 0xD2511F53)
bits[e < n] = where(e % 4 == 0, a[e // 4, 9], where(e % 4 == 1, b[e // 4, 9], where(e % 4 == 2, c[e // 4, 9], d[e // 4, 9])))
"""
DRAWN = {"n": 6, "word0": 7, "word1": 0, "word2": 0, "word3": 1, "key0": 42, "key1": 3}
WITHOUT = "it reads no tensor"

OPS = (
    Definition("random_bits", PHILOX, scalars=DRAWN, without=WITHOUT),
    Definition(
        "random_uniform",
        f"{PHILOX}y[e < n] = f32(shift_right(bits[e], 8)) * 5.9604644775390625e-8",
        scalars=DRAWN,
        without=WITHOUT,
    ),
    Definition(
        "random_normal",
        f"""{PHILOX}\
u[e < n] = f32(shift_right(bits[e], 8)) * 5.9604644775390625e-8
y[e < n // 2 * 2] = sqrt(-2 * log(u[e // 2 * 2] + 5.9604644775390625e-8)) * where(
    e % 2 == 0, cos(6.283185307179586 * u[e // 2 * 2 + 1]), sin(6.283185307179586 * u[e // 2 * 2 + 1]))""",
        scalars=DRAWN,
        without=WITHOUT,
    ),
    Definition(
        "random_permutation",
        f"""{PHILOX}\
rank[e < n] = sum(f < n) where(bits[f] < bits[e] or bits[f] == bits[e] and f < e, 1, 0)
y[p < n] = sum(e < n) where(rank[e] == p, e, 0)""",
        scalars=DRAWN,
        without=WITHOUT,
    ),
)
