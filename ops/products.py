"""Products of matrices: the four transpositions, batches, and the linear layer whose weights lie as [out, in]."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

OPS = (
    Definition("matmul", "c[m, n] = sum(k) a[m, k] * b[k, n]", identities=("transpose of each",)),
    Definition("matmul_nt", "c[m, n] = sum(k) a[m, k] * b[n, k]", identities=("transpose of each",)),
    Definition("matmul_tn", "c[m, n] = sum(k) a[k, m] * b[k, n]", identities=("transpose of each",)),
    Definition("matmul_tt", "c[m, n] = sum(k) a[k, m] * b[n, k]", identities=("transpose of each",)),
    Definition("batched_matmul", "c[b, m, n] = sum(k) x[b, m, k] * w[b, k, n]", identities=("transpose of each",)),
    Definition("batched_matmul_nt", "c[b, m, n] = sum(k) x[b, m, k] * w[b, n, k]", identities=("transpose of each",)),
    Definition("batched_matmul_tn", "c[b, m, n] = sum(k) x[b, k, m] * w[b, k, n]", identities=("transpose of each",)),
    Definition("batched_matmul_tt", "c[b, m, n] = sum(k) x[b, k, m] * w[b, n, k]", identities=("transpose of each",)),
    Definition(
        "linear", "given x[..., i], w[o, i]\ny[..., o] = sum(i) x[..., i] * w[o, i]", identities=("transpose of each",)
    ),
    Definition(
        "linear_bias",
        "given x[..., i], w[o, i], b[o]\np[..., o] = sum(i) x[..., i] * w[o, i]\ny[..., o] = p[..., o] + b[o]",
    ),
    Definition(
        "int8_matmul",
        """\
given q[m, k]: i32, w[k, n]: i32, sx[m], sw[n]
acc[m, n] = sum(k) q[m, k] * w[k, n]
c[m, n] = acc[m, n] * sx[m] * sw[n]""",
        below={"q": 127, "w": 127},
    ),
    Definition(
        "wrapping_product",
        "given a[i]: u32, b[i]: u32\ny[i] = a[i] * b[i] + a[i]",
        below={"a": 2**31 - 1, "b": 2**31 - 1},
        without="its inputs are whole numbers",
    ),
)
