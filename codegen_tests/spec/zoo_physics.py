"""Physics, graphics and finance."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, Array, animal, sigmoid, unit


def neighbours(x: Array) -> Array:
    p = np.pad(x, 1)
    return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]


def forces(x: Array, m: Array, eps: float) -> Array:
    d = x[None] - x[:, None]
    r = (d**2).sum(-1) + eps
    return (m[None, :, None] * d * r[..., None] ** -1.5).sum(1)


def hamilton(p: Array, q: Array) -> Array:
    a, b, c, d = p.T
    e, f, g, h = q.T
    return np.stack(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ],
        1,
    )


PHYSICS: dict[str, Animal] = {
    "laplacian": animal(
        "y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4 * x[i, j]",
        lambda x: neighbours(x) - 4 * x,
        x="n 3",
    ),
    "heat_periodic": animal(
        """
        given u[i, j], k
        y[i, j] = u[i, j] + k * (u[(i + 1) % size(i), j] + u[(i - 1) % size(i), j] + u[i, (j + 1) % size(j)] + u[i, (j - 1) % size(j)] - 4 * u[i, j])
        """,
        lambda u, k: u + k * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u),
        u="n 3",
        k=0.1,
    ),
    "heat_edges": animal(
        "given u[i], k\ny[i] = u[i] + k * (u[min(i + 1, size(i) - 1)] + u[max(i - 1, 0)] - 2 * u[i])",
        None,
        u="n+1",
        k=0.2,
    ),
    "wave": animal(
        """
        given u[i], v[i], c, dt
        l[i] = u[i - 1] + u[i + 1] - 2 * u[i]
        w[i] = v[i] + dt * c * c * l[i]
        z[i] = u[i] + dt * w[i]
        out(z, w)
        """,
        None,
        u="n+1",
        v="n+1",
        c=1.3,
        dt=0.2,
    ),
    "burgers_upwind": animal(
        "given u[i], dt, dx\n"
        "y[i] = u[i] - dt / dx * where(u[i] > 0, u[i] * (u[i] - u[i - 1]), u[i] * (u[i + 1] - u[i]))",
        None,
        u="n+2",
        dt=0.1,
        dx=0.5,
    ),
    "gray_scott": animal(
        """
        given u[i, j], v[i, j], f, k
        lu[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
        lv[i, j] = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4 * v[i, j]
        nu[i, j] = u[i, j] + 0.2 * lu[i, j] - u[i, j] * v[i, j] ** 2 + f * (1 - u[i, j])
        nv[i, j] = v[i, j] + 0.1 * lv[i, j] + u[i, j] * v[i, j] ** 2 - (f + k) * v[i, j]
        out(nu, nv)
        """,
        None,
        u="n 3",
        v="n 3",
        f=0.04,
        k=0.06,
    ),
    "circle_sdf": animal(
        "d[i, j] = sqrt((x[i] - cx) ** 2 + (y[j] - cy) ** 2) - r",
        lambda x, cx, y, cy, r: np.hypot(x[:, None] - cx, y - cy) - r,
        x="n",
        y="3",
        cx=0.1,
        cy=-0.2,
        r=0.5,
    ),
    "box_sdf": animal(
        """
        given p[n, k], b[k]
        q[n, k] = abs(p[n, k]) - b[k]
        o[n] = sum(k) max(q[n, k], 0) ** 2
        i[n] = max(k) q[n, k]
        d[n] = sqrt(o[n] + 1e-6) + min(i[n], 0)
        """,
        None,
        p="n 2",
        b="unit: 2",
    ),
    "smooth_union": animal(
        """
        given a[n], b[n], k
        h[n] = clamp(0.5 + 0.5 * (b[n] - a[n]) / k, 0, 1)
        d[n] = mix(b[n], a[n], h[n]) - k * h[n] * (1 - h[n])
        """,
        None,
        a="n",
        b="n",
        k=0.8,
    ),
    "n_body": animal(
        """
        given x[i, c], m[i], eps
        r[i, j] = sum(c) (x[j, c] - x[i, c]) ** 2
        f[i, c] = sum(j) m[j] * (x[j, c] - x[i, c]) * (r[i, j] + eps) ** -1.5
        """,
        forces,
        x="n 3",
        m="positive: n",
        eps=0.3,
    ),
    "gravity_potential": animal(
        """
        given x[i, c], m[i]
        r[i, j] = sum(c) (x[i, c] - x[j, c]) ** 2
        u = sum(i, j) where(i < j, -m[i] * m[j] * rsqrt(r[i, j] + 0.01), 0)
        """,
        None,
        x="n 3",
        m="positive: n",
    ),
    "coulomb_unsoftened": animal(
        """
        given x[i, c], q[i]
        r[i, j] = sum(c) (x[i, c] - x[j, c]) ** 2
        u = sum(i, j) where(i < j, q[i] * q[j] / sqrt(where(i < j, r[i, j], 1)), 0)
        """,
        None,
        x="n 3",
        q="n",
    ),
    "lennard_jones": animal(
        """
        given x[i, c], sigma, eps
        r[i, j] = sum(c) (x[i, c] - x[j, c]) ** 2
        s[i, j] = (sigma * sigma / (r[i, j] + 0.5)) ** 3
        u = sum(i, j) where(i == j, 0, 2 * eps * (s[i, j] ** 2 - s[i, j]))
        """,
        None,
        x="n 3",
        sigma=0.8,
        eps=0.5,
    ),
    "spherical_harmonics": animal(
        """
        given d[n, k]
        q[n] = sum(k) d[n, k] ** 2
        u[n, k] = d[n, k] * rsqrt(q[n])
        y[n, l < 9] = where(l == 0, 0.28209479177387814,
            where(l == 1, -0.4886025119029199 * u[n, 1],
            where(l == 2, 0.4886025119029199 * u[n, 2],
            where(l == 3, -0.4886025119029199 * u[n, 0],
            where(l == 4, 1.0925484305920792 * u[n, 0] * u[n, 1],
            where(l == 5, -1.0925484305920792 * u[n, 1] * u[n, 2],
            where(l == 6, 0.31539156525252005 * (3 * u[n, 2] ** 2 - 1),
            where(l == 7, -1.0925484305920792 * u[n, 0] * u[n, 2],
                  0.5462742152960396 * (u[n, 0] ** 2 - u[n, 1] ** 2)))))))))
        """,
        None,
        d="n 3",
    ),
    "reinhard": animal(
        """
        given c[h, w, k], white
        l[h, w] = 0.2126 * c[h, w, 0] + 0.7152 * c[h, w, 1] + 0.0722 * c[h, w, 2]
        y[h, w, k] = c[h, w, k] * (1 + l[h, w] / (white * white)) / (1 + l[h, w])
        """,
        None,
        c="positive: n 2 3",
        white=1.5,
    ),
    "aces": animal(
        "y[i] = clamp(x[i] * (2.51 * x[i] + 0.03) / (x[i] * (2.43 * x[i] + 0.59) + 0.14), 0, 1)",
        lambda x: np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0, 1),
        x="positive: n",
    ),
    "srgb": animal(
        "y[i] = where(x[i] <= 0.0031308, 12.92 * x[i], 1.055 * max(x[i], 0.0031308) ** (1 / 2.4) - 0.055)",
        lambda x: np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.maximum(x, 0.0031308) ** (1 / 2.4) - 0.055),
        x="n",
    ),
    "gamma_correction": animal(
        "given x[i], gamma\ny[i] = pow(x[i], 1 / gamma)", lambda x, gamma: x ** (1 / gamma), x="positive: n", gamma=2.2
    ),
    "quaternion_product": animal(
        """
        r[n, k < 4] = where(k == 0, p[n, 0] * q[n, 0] - p[n, 1] * q[n, 1] - p[n, 2] * q[n, 2] - p[n, 3] * q[n, 3],
            where(k == 1, p[n, 0] * q[n, 1] + p[n, 1] * q[n, 0] + p[n, 2] * q[n, 3] - p[n, 3] * q[n, 2],
            where(k == 2, p[n, 0] * q[n, 2] - p[n, 1] * q[n, 3] + p[n, 2] * q[n, 0] + p[n, 3] * q[n, 1],
                          p[n, 0] * q[n, 3] + p[n, 1] * q[n, 2] - p[n, 2] * q[n, 1] + p[n, 3] * q[n, 0])))
        """,
        hamilton,
        p="n 4",
        q="n 4",
    ),
    "rotate_2d": animal(
        "given p[n, k], theta[n]\n"
        "y[n, k < 2] = where(k == 0, cos(theta[n]) * p[n, 0] - sin(theta[n]) * p[n, 1], sin(theta[n]) * p[n, 0] + cos(theta[n]) * p[n, 1])",
        lambda p, theta: np.stack(
            [np.cos(theta) * p[:, 0] - np.sin(theta) * p[:, 1], np.sin(theta) * p[:, 0] + np.cos(theta) * p[:, 1]], 1
        ),
        p="n 2",
        theta="n",
    ),
    "rotate_by_quaternion": animal(
        """
        given q[n, k], v[n, i]
        t[n, i < 3] = 2 * (q[n, (i + 1) % 3 + 1] * v[n, (i + 2) % 3] - q[n, (i + 2) % 3 + 1] * v[n, (i + 1) % 3])
        y[n, i] = v[n, i] + q[n, 0] * t[n, i] + q[n, (i + 1) % 3 + 1] * t[n, (i + 2) % 3] - q[n, (i + 2) % 3 + 1] * t[n, (i + 1) % 3]
        """,
        None,
        q="n 4",
        v="n 3",
    ),
    "phong": animal(
        """
        given nrm[p, k], light[k], view[k], shine
        d[p] = sum(k) nrm[p, k] * light[k]
        r[p, k] = 2 * d[p] * nrm[p, k] - light[k]
        s[p] = sum(k) r[p, k] * view[k]
        y[p] = 0.1 + max(d[p], 0) + max(s[p], 0.001) ** shine
        """,
        None,
        nrm="n 3",
        light="3",
        view="3",
        shine=4.0,
    ),
    "fresnel": animal(
        "y[i] = f0 + (1 - f0) * (1 - c[i]) ** 5", lambda f0, c: f0 + (1 - f0) * (1 - c) ** 5, f0=0.04, c="unit: n"
    ),
    "alpha_over": animal(
        "given a[n], c[n, k], bg[k]\ny[n, k] = c[n, k] * a[n] + bg[k] * (1 - a[n])",
        lambda a, c, bg: c * a[:, None] + bg * (1 - a[:, None]),
        a="unit: n",
        c="n 3",
        bg="3",
    ),
    "ray_sphere": animal(
        """
        given o[n, k], d[n, k], r
        b[n] = sum(k) o[n, k] * d[n, k]
        a[n] = sum(k) d[n, k] ** 2
        c[n] = sum(k) o[n, k] ** 2
        disc[n] = b[n] ** 2 - a[n] * (c[n] - r * r)
        t[n] = where(disc[n] > 0, (-b[n] - sqrt(max(disc[n], 1e-6))) / a[n], -1)
        """,
        None,
        o="n 3",
        d="n 3",
        r=1.5,
    ),
    "yuv": animal(
        "y[n, j] = sum(k) m[j, k] * rgb[n, k] + where(j == 0, 0, 0.5 / size(k))",
        lambda m, rgb: rgb @ m.T + np.array([0, 0.5, 0.5]),
        m="3 3",
        rgb="n 3",
    ),
    "positional_encoding": animal(
        """
        given x[n, c], bands: i32
        y[n, c, k < 2 * bands] = where(k < bands, sin(x[n, c] * 2 ** k), cos(x[n, c] * 2 ** (k - bands)))
        """,
        lambda x, bands: np.concatenate([f(x[..., None] * 2.0 ** np.arange(bands)) for f in (np.sin, np.cos)], -1),
        x="n 2",
        bands=3,
    ),
    "spring_chain": animal(
        """
        given x[i], k, rest
        e = sum(i) where(i + 1 < size(i), 0.5 * k * (x[i + 1] - x[i] - rest) ** 2, 0)
        """,
        lambda x, k, rest: (0.5 * k * (np.diff(x) - rest) ** 2).sum(),
        x="n+1",
        k=2.0,
        rest=0.5,
    ),
    "ising": animal(
        "given s[i, j], h\ne = sum(i, j) -s[i, j] * (s[(i + 1) % size(i), j] + s[i, (j + 1) % size(j)]) - h * s[i, j]",
        lambda s, h: (-s * (np.roll(s, -1, 0) + np.roll(s, -1, 1)) - h * s).sum(),
        s="n 3",
        h=0.2,
    ),
    "lorenz_step": animal(
        """
        given s[n, k], dt
        y[n, k < 3] = s[n, k] + dt * where(k == 0, 10 * (s[n, 1] - s[n, 0]),
            where(k == 1, s[n, 0] * (28 - s[n, 2]) - s[n, 1], s[n, 0] * s[n, 1] - 8 / 3 * s[n, 2]))
        """,
        None,
        s="n 3",
        dt=0.01,
    ),
    "kepler_energy": animal(
        "v2[n] = sum(k) v[n, k] ** 2\nr2[n] = sum(k) x[n, k] ** 2\ne[n] = v2[n] / 2 - rsqrt(r2[n])",
        lambda v, x: (v**2).sum(1) / 2 - 1 / np.linalg.norm(x, axis=1),
        v="n 3",
        x="n 3",
    ),
    "haversine": animal(
        """
        given a[n, k], b[n, k]
        h[n] = sin((a[n, 0] - b[n, 0]) / 2) ** 2 + cos(a[n, 0]) * cos(b[n, 0]) * sin((a[n, 1] - b[n, 1]) / 2) ** 2
        d[n] = 2 * atan2(sqrt(h[n]), sqrt(1 - h[n]))
        """,
        lambda a, b: (
            2
            * np.arcsin(
                np.sqrt(
                    np.sin((a[:, 0] - b[:, 0]) / 2) ** 2
                    + np.cos(a[:, 0]) * np.cos(b[:, 0]) * np.sin((a[:, 1] - b[:, 1]) / 2) ** 2
                )
            )
        ),
        a="unit: n 2",
        b="n 2",
    ),
    "black_scholes": animal(
        """
        given s[n], k[n], t[n], sigma, r
        d1[n] = (log(s[n] / k[n]) + (r + sigma ** 2 / 2) * t[n]) / (sigma * sqrt(t[n]))
        d2[n] = d1[n] - sigma * sqrt(t[n])
        n1[n] = sigmoid(1.5976 * d1[n] + 0.07056 * d1[n] ** 3)
        n2[n] = sigmoid(1.5976 * d2[n] + 0.07056 * d2[n] ** 3)
        call[n] = s[n] * n1[n] - k[n] * exp(-r * t[n]) * n2[n]
        """,
        None,
        s="positive: n",
        k="positive: n",
        t="positive: n",
        sigma=0.6,
        r=0.05,
    ),
    "planck": animal("y[i] = x[i] ** 3 / (exp(x[i]) - 1)", lambda x: x**3 / np.expm1(x), x="positive: n"),
    "fermi_dirac": animal(
        "given e[i], mu, kt\ny[i] = 1 / (exp((e[i] - mu) / kt) + 1)",
        lambda e, mu, kt: sigmoid(-(e - mu) / kt),
        e="n",
        mu=0.3,
        kt=0.7,
    ),
    "kernel_density": animal(
        """
        given x[i], q[j], h
        p[j] = mean(i) exp(-0.5 * ((q[j] - x[i]) / h) ** 2) / (h * 2.5066282746310002)
        """,
        lambda x, q, h: (np.exp(-0.5 * ((q - x[:, None]) / h) ** 2) / (h * np.sqrt(2 * np.pi))).mean(0),
        x="n",
        q="3",
        h=0.6,
    ),
    "structural_similarity": animal(
        """
        given x[b, i], y[b, i]
        mx[b] = mean(i) x[b, i]
        my[b] = mean(i) y[b, i]
        vx[b] = mean(i) (x[b, i] - mx[b]) ** 2
        vy[b] = mean(i) (y[b, i] - my[b]) ** 2
        c[b] = mean(i) (x[b, i] - mx[b]) * (y[b, i] - my[b])
        s[b] = (2 * mx[b] * my[b] + 0.01) * (2 * c[b] + 0.03) / ((mx[b] ** 2 + my[b] ** 2 + 0.01) * (vx[b] + vy[b] + 0.03))
        """,
        None,
        x="2 n",
        y="2 n",
    ),
    "normals_of_height": animal(
        """
        given z[i, j]
        gx[i, j] = (z[i + 1, j] - z[i - 1, j]) / 2
        gy[i, j] = (z[i, j + 1] - z[i, j - 1]) / 2
        r[i, j] = rsqrt(gx[i, j] ** 2 + gy[i, j] ** 2 + 1)
        y[i, j, k < 3] = where(k == 0, -gx[i, j], where(k == 1, -gy[i, j], 1)) * r[i, j]
        """,
        None,
        z="n 3",
    ),
    "look_direction": animal(
        "given d[n, k]\nr[n] = length(d[n, 0])\ny[n] = atan2(d[n, 1], d[n, 0]) + acos(clamp(d[n, 2] / 5, -1, 1)) + 0 * r[n]",
        None,
        d="n 3",
    ),
    "unit_vectors_gram": animal(
        "q[i] = sum(k) x[i, k] ** 2\nu[i, k] = x[i, k] * rsqrt(q[i])\ng[i, j] = sum(k) u[i, k] * u[j, k]",
        lambda x: unit(x) @ unit(x).T,
        x="n 3",
    ),
}
