"""Systems of equations whose certificates are measured: textbook families of any size, in Minibex.

- *Katsura's* (magnetism): sum u_l u_(m-l) = u_m, one solution on the face of the box;
- *Broyden's* tridiagonal and banded functions; *the discrete boundary value and integral equations* (More, Garbow,
  Hillstrom 1981); *Troesch's* and *Bratu's* equations; *Wood's*, *Powell's* and *Freudenstein and Roth's* functions,
  extended: groups of two or four variables; *trigonometric* and *trigexp* functions;
- *cyclic n-roots*, real and split; *Noonburg's* neural network; *Reimer's*; *economics* (Morgan 1987);
- *Rosenbrock's* and *Brown's almost linear* function, *Yamamura's* dense cubics; a planar arm.
"""

from benchmarks._large_systems import bratu, broyden, yamamura


def _text(variables: str, rows: list[str], constants: str = "") -> str:
    head = f"Constants {constants};\n" if constants else ""
    return f"{head}Variables {variables};\nConstraints\n" + "".join(f"{row} = 0;\n" for row in rows) + "end\n"


def katsura(n: int) -> str:
    """n + 1 unknowns."""

    def u(k: int) -> str:
        return f"x({abs(k) + 1})"

    first = " + ".join([u(0), *(f"2*{u(k)}" for k in range(1, n + 1))])
    rows = [f"{first} - 1"]
    for m in range(n):
        terms = [f"{u(k)}*{u(m - k)}" for k in range(-n, n + 1) if abs(m - k) <= n]
        rows.append(" + ".join(terms) + f" - {u(m)}")
    return _text(f"x[{n + 1}] in [-1,1]", rows)


def trigexp(n: int) -> str:
    """One solution, at (1, ..., 1)."""
    rows = [
        "-5 + sin(x(1) - x(2))*sin(x(1) + x(2)) + 3*x(1)^3 + 2*x(2)",
        f"-3 - exp(x({n - 1}) - x({n}))*x({n - 1}) + 4*x({n})",
    ]
    for i in range(2, n):
        rows.append(
            f"-8 + sin(x({i}) - x({i + 1}))*sin(x({i}) + x({i + 1})) - exp(x({i - 1}) - x({i}))*x({i - 1}) - "
            f"4*x({i}) + 3*x({i})^3 + 2*x({i + 1})"
        )
    return _text(f"x[{n}] in [-100,100]", rows)


def integral(n: int) -> str:
    """The discrete integral equation, with its cubes as unknowns of their own."""
    rows = []
    for i in range(1, n + 1):
        terms = (f"{j}*h*y({j})" if j <= i else f"(1 - {j}*h)*y({j})" for j in range(1, n + 1))
        rows.append(f"x({i}) + h*({' + '.join(terms)})")
    rows += [f"(1 + {i}*h + x({i}))^3 - y({i})" for i in range(1, n + 1)]
    return _text(f"x[{n}] in [-100,100];\ny[{n}] in [-1.e8,1.e8]", rows, f"h in 1/{n + 1}")


def troesch(n: int) -> str:
    """2 x_i + r h^2 sinh(r x_i) - x_(i-1) - x_(i+1) = 0, x_0 = 0, x_(n+1) = 1."""
    rows = []
    for i in range(1, n + 1):
        before = f" - x({i - 1})" if i > 1 else ""
        after = f" - x({i + 1})" if i < n else " - 1"
        rows.append(f"2*x({i}) + r*h^2*sinh(r*x({i})){before}{after}")
    return _text(f"x[{n}] in [-10,10]", rows, f"r = 10; h = 1/{n + 1}")


def boundary(n: int) -> str:
    """The discrete boundary value equation."""
    rows = []
    for i in range(1, n + 1):
        around = (f" - x({i - 1})" if i > 1 else "") + (f" - x({i + 1})" if i < n else "")
        rows.append(f"2*x({i}){around} + h^2*(x({i}) + {i}*h + 1)^3/2")
    return _text(f"x[{n}] in [-100,100]", rows, f"h = 1/{n + 1}")


def banded(n: int) -> str:
    """Broyden's banded function."""
    rows = []
    for i in range(1, n + 1):
        near = [f"x({j})*(1 + x({j}))" for j in range(max(1, i - 5), min(n, i + 1) + 1) if j != i]
        rows.append(f"x({i})*(2 + 5*x({i})^2) + 1 - ({' + '.join(near)})")
    return _text(f"x[{n}] in [-100,101]", rows)


def wood(n: int) -> str:
    """n / 4 groups."""
    rows = []
    for k in range(0, n, 4):
        a, b, c, d = (f"x({k + j})" for j in (1, 2, 3, 4))
        rows += [
            f"-1 + {a} - 200*{a}*({b} - {a}^2)",
            f"20*({b} - 1) + 200*({b} - {a}^2) + 19.8*({d} - 1)",
            f"-1 + {c} - 180*{c}*({d} - {c}^2)",
            f"19.8*({b} - 1) + 20.2*({d} - 1) + 180*({d} - {c}^2)",
        ]
    return _text(f"x[{n}] in [-1e6,1e6]", rows)


def freudenstein(n: int) -> str:
    """n / 2 groups."""
    rows = []
    for k in range(1, n, 2):
        a, b = f"x({k})", f"x({k + 1})"
        rows += [f"-13 + {a} + ((5 - {b})*{b} - 2)*{b}", f"-29 + {a} + (({b} + 1)*{b} - 14)*{b}"]
    return _text(f"x[{n}] in [-100,100]", rows)


def trigonometric(n: int) -> str:
    """n + i (1 - cos x_i) - sin x_i - sum cos x_j = 0."""
    cosines = " - ".join(f"cos(x({j}))" for j in range(1, n + 1))
    rows = [f"{n} + {i}*(1 - cos(x({i}))) - sin(x({i})) - {cosines}" for i in range(1, n + 1)]
    return _text(f"x[{n}] in [0.01,3]", rows)


def economics(n: int) -> str:
    """Morgan's economics problem."""
    rows = []
    for k in range(1, n):
        terms = [f"x({k})"] + [f"x({i})*x({i + k})" for i in range(1, n - k)]
        rows.append(f"({' + '.join(terms)})*x({n}) - {k}")
    rows.append(" + ".join(f"x({i})" for i in range(1, n)) + " + 1")
    return _text(f"x[{n}] in [-100,100]", rows)


def noonburg(n: int) -> str:
    """x_i sum over j != i of x_j^2 - 1.1 x_i + 1 = 0."""
    rows = []
    for i in range(1, n + 1):
        squares = " + ".join(f"x({j})^2" for j in range(1, n + 1) if j != i)
        rows.append(f"x({i})*({squares}) - 1.1*x({i}) + 1")
    return _text(f"x[{n}] in [-10,10]", rows)


def cyclic(n: int) -> str:
    """The real cyclic roots, of which none or few exist."""
    rows = []
    for k in range(1, n):
        rows.append(" + ".join("*".join(f"x({(i + j) % n + 1})" for j in range(k)) for i in range(n)))
    rows.append("*".join(f"x({i})" for i in range(1, n + 1)) + " - 1")
    return _text(f"x[{n}] in [-5,5]", rows)


def reimer(n: int) -> str:
    """Alternating sums of powers."""
    rows = []
    for k in range(2, n + 2):
        terms = " ".join(f"{'+' if i % 2 == 0 else '-'} 2*x({i + 1})^{k}" for i in range(n))
        rows.append(f"{terms} - 1")
    return _text(f"x[{n}] in [-1,1]", rows)


def brown(n: int) -> str:
    """Almost linear."""
    total = " + ".join(f"x({j})" for j in range(1, n + 1))
    rows = [f"x({i}) + {total} - {n + 1}" for i in range(1, n)]
    rows.append("*".join(f"x({j})" for j in range(1, n + 1)) + " - 1")
    return _text(f"x[{n}] in [-2,2]", rows)


def rosenbrock(n: int) -> str:
    """The gradient of the chained function."""
    rows = []
    for i in range(1, n + 1):
        terms = []
        if i > 1:
            terms.append(f"200*(x({i}) - x({i - 1})^2)")
        if i < n:
            terms.append(f"(-400)*x({i})*(x({i + 1}) - x({i})^2) - 2*(1 - x({i}))")
        rows.append(" + ".join(terms))
    return _text(f"x[{n}] in [-10,10]", rows)


def reactors(n: int) -> str:
    """Six countercurrent reactors (n is not used)."""
    rows = [
        "x(1) - (1 - x(1))*x(3) - a*(1 + 4*x(2))",
        "-(1 - x(1))*x(4) - a*(1 + 4*x(2))",
        "a*x(1) - (1 - x(1))*x(5) - x(3)*(1 + 4*x(2))",
        "x(1)*x(2) + (1 - x(1))*x(6) - x(4)*(1 + 4*x(3))",
        "x(1)*x(3) + x(5)*(1 + 4*x(4))",
        "x(1)*x(4) - (1 - x(1)) - x(6)*(1 + 4*x(5))",
    ]
    return _text("x[6] in [-1e8,1e8]", rows, "a in 0.414214")


def arm(n: int) -> str:
    """Where a planar arm of n links, all turning by one angle but the first, reaches the point (n - 1, 1/2)."""
    x = " + ".join(f"cos(x(1) + {k}*x(2))" for k in range(n))
    y = " + ".join(f"sin(x(1) + {k}*x(2))" for k in range(n))
    return _text("x[2] in [-3.1,3.1]", [f"{x} - {n - 1}", f"{y} - 1/2"])


SYSTEMS = {
    "katsura-3": katsura(3), "katsura-4": katsura(4), "katsura-5": katsura(5),
    "broyden-10": broyden(10), "broyden-20": broyden(20), "broyden-60": broyden(60),
    "banded-10": banded(10), "banded-20": banded(20),
    "trigexp-10": trigexp(10), "trigexp-30": trigexp(30),
    "integral-8": integral(8), "integral-14": integral(14),
    "troesch-10": troesch(10), "troesch-20": troesch(20),
    "boundary-10": boundary(10), "boundary-40": boundary(40), "bratu-20": bratu(20), "bratu-40": bratu(40),
    "wood-4": wood(4), "wood-8": wood(8), "freudenstein-2": freudenstein(2), "freudenstein-6": freudenstein(6),
    "trigonometric-3": trigonometric(3), "trigonometric-5": trigonometric(5),
    "economics-5": economics(5), "economics-6": economics(6),
    "noonburg-3": noonburg(3), "noonburg-4": noonburg(4), "cyclic-5": cyclic(5),
    "reimer-3": reimer(3), "reimer-4": reimer(4), "brown-5": brown(5), "brown-10": brown(10),
    "rosenbrock-5": rosenbrock(5), "yamamura-8": yamamura(8), "yamamura-12": yamamura(12),
    "reactors-6": reactors(6), "arm-4": arm(4),
}  # fmt: skip
