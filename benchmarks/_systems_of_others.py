"""Systems of equations that others have chosen to measure solvers with, as texts of Minibex written by short rules.

The mathematics is theirs, the writing ours; each says where it is from:

- *PoSSo* and *PHC*: the demonstration systems of PHCpack (J. Verschelde, Algorithm 795, ACM TOMS 25, 1999), many of
  them from the PoSSo test suite;
- *VMK*: P. Van Hentenryck, D. McAllester, D. Kapur, Solving polynomial systems using a branch and prune approach, SIAM
  J. Numer. Anal. 34, 1997;
- *MGH*: J. J. More, B. S. Garbow, K. E. Hillstrom, Testing unconstrained optimization software, ACM TOMS 7, 1981;
- *LV*: L. Luksan, J. Vlcek, Sparse and partially separable test problems, report 767, Prague, 1999;
- *COPRIN*: the list of benchmarks of INRIA's project COPRIN, which IBEX's folder `benchs` has in Minibex.

Domains are theirs where they give some.
"""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks._large_systems import boundary_value, bratu, broyden, trigonometric, troesch, yamamura


def text(variables: Iterable[str], domain: str, equations: Iterable[str]) -> str:
    """A file of Minibex in which all variables have one domain."""
    declared = ", ".join(f"{name} in {domain}" for name in variables)
    return f"Variables {declared};\nConstraints\n" + "".join(f"{equation};\n" for equation in equations) + "end\n"


def indexed(n: int, first: int = 1) -> list[str]:
    """x1 to xn, or x0 to x(n-1)."""
    return [f"x{i}" for i in range(first, first + n)]


def total(terms: Iterable[str]) -> str:
    """Their sum."""
    return " + ".join(terms)


def katsura(n: int) -> str:
    """PoSSo: the magnetism of spins; sum u_l u_(m-l) = u_m, sum u_l = 1."""
    u = {k: f"x{abs(k)}" if abs(k) <= n else "" for k in range(-2 * n - 1, 2 * n + 2)}
    products = [
        total(f"{u[k]}*{u[m - k]}" for k in range(-n, n + 1) if u[k] and u[m - k]) + f" = x{m}" for m in range(n)
    ]
    return text(indexed(n + 1, 0), "[-10,10]", [*products, f"{total(u[k] for k in range(-n, n + 1))} = 1"])


def cyclic(n: int) -> str:
    """PoSSo: cyclic roots; sums of products of neighbours vanish."""
    sums = [total("*".join(f"x{(i + j) % n}" for j in range(k)) for i in range(n)) + " = 0" for k in range(1, n)]
    return text(indexed(n, 0), "[-10,10]", [*sums, "*".join(indexed(n, 0)) + " = 1"])


def noonburg(n: int) -> str:
    """PHC: a neural network of Lotka and Volterra's kind."""
    equations = [
        f"x{i}*({total(f'x{j}^2' for j in range(1, n + 1) if j != i)}) - 1.1*x{i} + 1 = 0" for i in range(1, n + 1)
    ]
    return text(indexed(n), "[-100,100]", equations)


def economics(n: int) -> str:
    """PHC: an economic model of Morgan."""
    rows = []
    for k in range(1, n):
        rows.append(f"(x{k}{''.join(f' + x{i}*x{i + k}' for i in range(1, n - k))})*x{n} = {k}")
    return text(indexed(n), "[-100,100]", [*rows, f"{total(indexed(n - 1))} = -1"])


def reduced_economics(n: int) -> str:
    """PHC: the same after a division by the last variable."""
    rows = []
    for k in range(1, n):
        rows.append(f"x{k}{''.join(f' + x{i}*x{i + k}' for i in range(1, n - k))} = {k}*u")
    return text([*indexed(n - 1), "u"], "[-1e8,1e8]", [*rows, f"{total(indexed(n - 1))} = -1"])


def reimer(n: int) -> str:
    """PoSSo: alternating sums of powers."""
    signs = ["" if i == 1 else " + " if i % 2 else " - " for i in range(1, n + 1)]
    rows = ["".join(f"{signs[i - 1]}x{i}^{k}" for i in range(1, n + 1)) + " = 1/2" for k in range(2, n + 2)]
    return text(indexed(n), "[-1,1]", rows)


def chandrasekhar(n: int) -> str:
    """PHC: the H-equation of radiative transfer, discrete."""
    rows = [
        f"{2 * n}*x{k} - 0.51234*x{k}*(1 + {total(f'{k}/({k + i})*x{i}' for i in range(1, n))}) = {2 * n}"
        for k in range(1, n + 1)
    ]
    return text(indexed(n), "[-100,100]", rows)


def caprasse_demaret(n: int) -> str:
    """PHC (cpdm5): zeros of which one is singular for each variable, and so is 0."""
    rows = []
    for i in range(1, n + 1):
        others = [f"x{j}" for j in range(1, n + 1) if j != i]
        squares = total(f"{x}^2" for x in others)
        rows.append(
            f"4*x{i}^3 + 3*x{i}^2*({total(others)}) + 3*x{i}*({squares}) + {total(f'{x}^3' for x in others)}"
            f" + 2*x{i}^2 + 3*x{i}*({total(others)}) - ({squares}) - 6*x{i} = 0"
        )
    return text(indexed(n), "[-10,10]", rows)


def reaction_diffusion(n: int, factor: str) -> str:
    """PHC (rediff3, for any n): x_(k-1) - 2 x_k + x_(k+1) + a x_k (1 - x_k) = 0."""
    x = {k: f"x{k}" if 1 <= k <= n else "0" for k in range(n + 2)}
    rows = [f"{x[k - 1]} - 2*{x[k]} + {x[k + 1]} + {factor}*{x[k]}*(1 - {x[k]}) = 0" for k in range(1, n + 1)]
    return text(indexed(n), "[-100,100]", rows)


def lorentz() -> str:
    """PoSSo: equilibrium points of a model of Lorentz."""
    x = indexed(4)
    rows = [f"{x[i]}*{x[(i + 1) % 4]} - {x[i]}*{x[(i + 2) % 4]} - {x[(i + 3) % 4]} + 1 = 0" for i in range(4)]
    return text(x, "[-100,100]", rows)


def wright(n: int) -> str:
    """PHC: A. H. Wright's, with 2^n real zeros."""
    x = indexed(n)
    return text(x, "[-100,100]", [f"{a}^2 - {a} + {total(b for b in x if b != a)} - 10 = 0" for a in x])


def conformations() -> str:
    """PHC (conform1): cyclic molecules, Emiris and Mourrain."""
    rows = [
        f"-9 - t{i}^2 - t{j}^2 - 3*t{i}^2*t{j}^2 + 8*t{i}*t{j} = 0" for i, j in ((2, 3), (3, 1), (1, 2))
    ]  # fmt: skip
    return text(["t1", "t2", "t3"], "[-100,100]", rows)


def trinks() -> str:
    """PoSSo."""
    rows = (
        "45*y + 35*u - 165*v = 36", "35*y + 25*z + 40*t - 27*u = 0", "25*y*u - 165*v^2 + 15*x - 18*z + 30*t = 0",
        "15*y*z + 20*t*u - 9*x = 0", "-11*v^3 + x*y + 2*z*t = 0", "-11*u*v + 3*v^2 + 99*x = 0",
    )  # fmt: skip
    return text("xyztuv", "[-1000,1000]", rows)


def solotarev() -> str:
    """PoSSo: two of its zeros are singular."""
    rows = (
        "3*x^2 - 2*x - a = 0", "x^3 - x^2 - x*a + a - 2*b - 2 = 0", "3*y^2 - 2*y - a = 0",
        "y^3 - y^2 - y*a - a + 2 = 0",
    )  # fmt: skip
    return text("xyab", "[-100,100]", rows)


def sendra() -> str:
    """PoSSo: two curves of degree seven."""
    rows = (
        "-270*x^4*y^3 - 314*x*y^4 - 689*x*y^3 + 1428 = 0",
        "36*x^7 + 417*x^6*y - 422*x^5*y^2 - 270*x^4*y^3 + 1428*x^3*y^4 - 1475*x^2*y^5 + 510*x*y^6 - 200*x^6"
        " - 174*x^5*y - 966*x^4*y^2 + 529*x^3*y^3 + 269*x^2*y^4 + 49*x*y^5 - 267*y^6 + 529*x^4*y + 1303*x^2*y^3"
        " - 314*x*y^4 + 262*y^5 + 36*x^4 - 788*x^2*y^2 - 689*x*y^3 + 177*y^4 = 0",
    )
    return text("xy", "[-100,100]", rows)


def heart() -> str:
    """PHC: the dipole of a heart, Nelsen and Hodgkin 1981."""
    rows = (
        "a + b = 0.63254", "c + d = -1.34534", "t*a + u*b - v*c - w*d = -0.8365348",
        "v*a + w*b + t*c + u*d = 1.7345334",
        "a*t^2 - a*v^2 - 2*c*t*v + b*u^2 - b*w^2 - 2*d*u*w = 1.352352",
        "c*t^2 - c*v^2 + 2*a*t*v + d*u^2 - d*w^2 + 2*b*u*w = -0.843453",
        "a*t^3 - 3*a*t*v^2 + c*v^3 - 3*c*v*t^2 + b*u^3 - 3*b*u*w^2 + d*w^3 - 3*d*w*u^2 = -0.9563453",
        "c*t^3 - 3*c*t*v^2 - a*v^3 + 3*a*v*t^2 + d*u^3 - 3*d*u*w^2 - b*w^3 + 3*b*w*u^2 = 1.2342523",
    )  # fmt: skip
    return text("abcdtuvw", "[-10,10]", rows)


def combustion() -> str:
    """PHC (chemequ): products of the combustion of hydrocarbons, Meintjes and Morgan 1990."""
    rows = (
        "y1*y2 + y1 - 3*y5 = 0",
        "2*y1*y2 + y1 + 1.9230e-6*y2^2 + y2*y3^2 + 5.4518e-4*y2*y3 + 3.4074e-5*y2*y4 + 4.4975e-7*y2 - 10*y5 = 0",
        "2*y2*y3^2 + 5.4518e-4*y2*y3 + 0.386*y3^2 + 4.1062e-4*y3 - 8*y5 = 0",
        "3.4074e-5*y2*y4 + 2*y4^2 - 40*y5 = 0",
        "y1*y2 + y1 + 9.6150e-7*y2^2 + y2*y3^2 + 5.4518e-4*y2*y3 + 3.4074e-5*y2*y4 + 4.4975e-7*y2 + 0.193*y3^2"
        " + 4.1062e-4*y3 + y4^2 = 1",
    )
    return text([f"y{i}" for i in range(1, 6)], "[-100,100]", rows)


INTERVAL_BENCHMARK = (  # the constant, the factor and the three other variables of each equation
    (0.25428722, 0.18324757, (4, 3, 9)), (0.37842197, 0.16275449, (1, 10, 6)), (0.27162577, 0.16955071, (1, 2, 10)),
    (0.19807914, 0.15585316, (7, 1, 6)), (0.44166728, 0.19950920, (7, 6, 3)), (0.14654113, 0.18922793, (8, 5, 10)),
    (0.42937161, 0.21180484, (2, 5, 8)), (0.07056438, 0.17081208, (1, 7, 6)), (0.34504906, 0.19612740, (10, 6, 8)),
    (0.42651102, 0.21466544, (4, 8, 1)),
)  # fmt: skip


def interval_benchmark(power: int, domain: str) -> str:
    """VMK (i1 and i3 with power 1, i4 with squares), from Moore and Jones 1977."""
    raised = f"^{power}" if power > 1 else ""
    rows = [
        f"x{i}{raised} - {constant} - {factor}*{'*'.join(f'x{j}{raised}' for j in others)} = 0"
        for i, (constant, factor, others) in enumerate(INTERVAL_BENCHMARK, 1)
    ]
    return text(indexed(10), domain, rows)


def high_powers() -> str:
    """VMK (i5)."""
    fourth = ((3, 9), (10, 6), (2, 10), (1, 6), (6, 3), (5, 10), (5, 8), (7, 6), (6, 8), (8, 1))
    rows = [
        f"x{i} - {constant} - {factor}*{'*'.join(f'x{j}^3' for j in others)} + x{a}^4*x{b}^7 = 0"
        for i, ((constant, factor, others), (a, b)) in enumerate(zip(INTERVAL_BENCHMARK, fourth, strict=True), 1)
    ]
    return text(indexed(10), "[-1,1]", rows)


def puma() -> str:
    """VMK (kinematics 1): the inverse kinematics of a Puma robot, 16 postures."""
    rows = (
        "x1^2 + x2^2 = 1", "x3^2 + x4^2 = 1", "x5^2 + x6^2 = 1", "x7^2 + x8^2 = 1",
        "0.004731*x1*x3 - 0.3578*x2*x3 - 0.1238*x1 - 0.001637*x2 - 0.9338*x4 + x7 = 0.3571",
        "0.2238*x1*x3 + 0.7623*x2*x3 + 0.2638*x1 - 0.07745*x2 - 0.6734*x4 = 0.6022",
        "x6*x8 + 0.3578*x1 + 0.004731*x2 = 0", "-0.7623*x1 + 0.2238*x2 + 0.3461 = 0",
    )  # fmt: skip
    return text(indexed(8), "[-1,1]", rows)


def neurophysiology(*constants: float) -> str:
    """VMK: six unknowns of a model of a nerve."""
    rows = (
        "x1^2 + x3^2 = 1", "x2^2 + x4^2 = 1", f"x5*x3^3 + x6*x4^3 = {constants[0]}",
        f"x5*x1^3 + x6*x2^3 = {constants[1]}", f"x5*x1*x3^2 + x6*x4^2*x2 = {constants[2]}",
        f"x5*x1^2*x3 + x6*x2^2*x4 = {constants[3]}",
    )  # fmt: skip
    return text(indexed(6), "[-10,10]", rows)


def two_arms() -> str:
    """VMK (kincox): the inverse position of a planar arm of two links."""
    rows = (
        "-1 + 6*(c1*c2 - s1*s2) + 10*c1 = 0", "-4 + 6*(c1*s2 + c2*s1) + 10*s1 = 0", "c1^2 + s1^2 = 1",
        "c2^2 + s2^2 = 1",
    )  # fmt: skip
    return text(("c1", "s1", "c2", "s2"), "[-1,1]", rows)


def brown(n: int) -> str:
    """MGH 27: almost linear."""
    x = indexed(n)
    rows = [f"{x[i]} + {total(x)} = {n + 1}" for i in range(n - 1)]
    return text(x, "[-100,100]", [*rows, "*".join(x) + " = 1"])


def broyden_banded(n: int) -> str:
    """MGH 31: seven variables in each equation."""
    rows = []
    for i in range(1, n + 1):
        near = [j for j in range(max(1, i - 5), min(n, i + 1) + 1) if j != i]
        rows.append(f"x{i}*(2 + 5*x{i}^2) + 1 - ({total(f'x{j}*(1 + x{j})' for j in near)}) = 0")
    return text(indexed(n), "[-100,100]", rows)


def discrete_integral(n: int) -> str:
    """MGH 29, with the cubes as unknowns (COPRIN's second form)."""
    rows = []
    for i in range(1, n + 1):
        terms = [f"{min(i, j) * (n + 1 - max(i, j))}/{2 * (n + 1) ** 3}*y{j}" for j in range(1, n + 1)]
        rows.append(f"x{i} + {total(terms)} = 0")
    rows += [f"(x{i} + 1 + {i}/{n + 1})^3 = y{i}" for i in range(1, n + 1)]
    return text([*indexed(n), *(f"y{i}" for i in range(1, n + 1))], "[-1e4,1e4]", rows)


def wood() -> str:
    """MGH 14: where the gradient of Wood's function vanishes."""
    rows = (
        "-200*x1*(x2 - x1^2) - (1 - x1) = 0", "200*(x2 - x1^2) + 20.2*(x2 - 1) + 19.8*(x4 - 1) = 0",
        "-180*x3*(x4 - x3^2) - (1 - x3) = 0", "180*(x4 - x3^2) + 20.2*(x4 - 1) + 19.8*(x2 - 1) = 0",
    )  # fmt: skip
    return text(indexed(4), "[-100,100]", rows)


def powell() -> str:
    """MGH 13: one zero, at which the Jacobian has rank two."""
    rows = ("x1 + 10*x2 = 0", "x3 - x4 = 0", "(x2 - 2*x3)^2 = 0", "(x1 - x4)^2 = 0")
    return text(indexed(4), "[-10,10]", rows)


def chebyquad(n: int) -> str:
    """MGH 35: abscissas of quadrature with equal weights; all permutations of a zero are zeros."""
    rows = []
    for k in range(1, n + 1):
        mean = 0 if k % 2 else f"-1/{k * k - 1}"
        rows.append(f"({total(chebyshev(k, f'x{i}') for i in range(1, n + 1))})/{n} = {mean}")
    return text(indexed(n), "[-1,1]", rows)


def chebyshev(k: int, x: str) -> str:
    """T_k(x) as a sum of powers."""
    before, last = [1], [0, 1]
    for _ in range(k - 1):
        following = [0, *(2 * c for c in last)]
        for power, c in enumerate(before):
            following[power] -= c
        before, last = last, following
    return "(" + total(f"({c})*{x}^{power}" if power else f"({c})" for power, c in enumerate(last) if c) + ")"


def trigexp(n: int) -> str:
    """LV 5.9: trigonometric and exponential terms, tridiagonal."""
    rows = ["3*x1^3 + 2*x2 - 5 + sin(x1 - x2)*sin(x1 + x2) = 0"]
    for i in range(2, n):
        rows.append(f"3*x{i}^3 + 2*x{i + 1} - 8 + sin(x{i} - x{i + 1})*sin(x{i} + x{i + 1}) + 4*x{i}"
                    f" - x{i - 1}*exp(x{i - 1} - x{i}) = 0")  # fmt: skip
    return text(indexed(n), "[-100,100]", [*rows, f"4*x{n} - x{n - 1}*exp(x{n - 1} - x{n}) - 3 = 0"])


def reactors(n: int) -> str:
    """LV 5.5: countercurrent reactors, Bogle and Perkins 1990; n is even."""
    x = {k: f"x{k}" for k in range(1, n + 1)} | {-1: "1", 0: "0", n + 1: "0", n + 2: "1"}
    rows = []
    for k in range(1, n + 1):
        factor, partner = ("1/2", k + 1) if k % 2 else ("3/2", k - 1)
        rows.append(f"{x[k - 2]}/2 - {factor}*{x[k + 2]} - {x[k]}*(1 + 4*{x[partner]}) = 0")
    return text(indexed(n), "[-10,10]", rows)


def feigenbaum(n: int) -> str:
    """COPRIN: cycles of the logistic map."""
    return text(indexed(n), "[0,100]", [f"3.84*x{i}*(1 - x{i}) = x{i % n + 1}" for i in range(1, n + 1)])


def boon() -> str:
    """COPRIN (SjirkBoon): amplitudes and phases of two waves."""
    rows = (
        "5 + c1*cos(3*p1) + c2*cos(3*p2) = 0", "-3 + c1*cos(p1) + c2*cos(p2) = 0",
        "c1*sin(3*p1) + c2*sin(3*p2) = 0", "-4 + c1*sin(p1) + c2*sin(p2) = 0",
    )  # fmt: skip
    rest = "p1 in [0,2*pi], p2 in [0,2*pi];\nConstraints\n"
    return f"Variables c1 in [-100,100], c2 in [-100,100], {rest}" + "".join(f"{row};\n" for row in rows) + "end\n"


def bellido() -> str:
    """COPRIN: the pose of a parallel robot with nine unknown coordinates, Bellido 1992."""
    rows = (
        "(z1 - 6)^2 + z2^2 + z3^2 = 104", "z4^2 + (z5 - 6)^2 + z6^2 = 104", "z7^2 + (z8 - 12)^2 + (z9 - 6)^2 = 80",
        "z1*(z4 - 6) + z5*(z2 - 6) + z3*z6 = 52", "z1*(z7 - 6) + z8*(z2 - 12) + z9*(z3 - 6) = -64",
        "z4*z7 + z8*(z5 - 12) + z9*(z6 - 6) - 6*z5 = -32", "2*z2 + 2*z3 - z4 - z5 - 2*z6 - z7 - z9 = -18",
        "z1 + z2 + 2*z3 + 2*z4 + 2*z6 - 2*z7 + z8 - z9 = 38", "z1 + z3 - 2*z4 + z5 - z6 + 2*z7 - 2*z8 = -8",
    )  # fmt: skip
    return text([f"z{i}" for i in range(1, 10)], "[-1e8,1e8]", rows)


def brent(n: int) -> str:
    """COPRIN: Brent's tridiagonal equations, x_1 = 0 at one end and 20 at the other."""
    x = {k: f"x{k}" for k in range(1, n + 1)} | {0: "0", n + 1: "20"}
    rows = [
        f"3*{x[i]}*({x[i + 1]} - 2*{x[i]} + {x[i - 1]}) + ({x[i + 1]} - {x[i - 1]})^2/4 = 0" for i in range(1, n + 1)
    ]
    return text(indexed(n), "[-100,100]", rows)


def himmelblau() -> str:
    """Where the gradient of Himmelblau's function vanishes: nine points (Himmelblau 1972)."""
    return text("xy", "[-100,100]", ("2*x^3 + 2*x*y - 21*x + y^2 = 7", "x^2 + 2*x*y + 2*y^3 - 13*y = 11"))


SYSTEMS = {
    "Katsura-5": katsura(5), "Katsura-7": katsura(7), "Cyclic-5": cyclic(5), "Noonburg-4": noonburg(4),
    "Noonburg-5": noonburg(5), "Eco-6": economics(6), "Eco-8": economics(8), "Redeco-6": reduced_economics(6),
    "Redeco-7": reduced_economics(7), "Reimer-4": reimer(4), "Reimer-5": reimer(5), "Chandra-6": chandrasekhar(6),
    "Cpdm-3": caprasse_demaret(3), "Cpdm-5": caprasse_demaret(5), "Rediff-3": reaction_diffusion(3, "0.835634534"),
    "Rediff-8": reaction_diffusion(8, "4"), "Lorentz": lorentz(), "Wright-5": wright(5), "Conform": conformations(),
    "Trinks": trinks(), "Solotarev": solotarev(), "Sendra": sendra(), "Heart": heart(), "Combustion": combustion(),
    "I1": interval_benchmark(1, "[-2,2]"), "I4": interval_benchmark(2, "[-1,1]"), "I5": high_powers(), "Puma": puma(),
    "Neuro": neurophysiology(5, 4, 3, 2), "Neuro-0.1": neurophysiology(0.1, 0.1, 0.1, 0.1), "Kincox": two_arms(),
    "Brown-7": brown(7), "Banded-12": broyden_banded(12), "Integral-9": discrete_integral(9), "Wood": wood(),
    "Powell": powell(), "Chebyquad-5": chebyquad(5), "Chebyquad-6": chebyquad(6), "Trigexp-30": trigexp(30),
    "Trigexp-200": trigexp(200), "Reactors-10": reactors(10), "Reactors-20": reactors(20),
    "Feigenbaum-12": feigenbaum(12), "Boon": boon(), "Bellido": bellido(), "Brent-7": brent(7),
    "Himmelblau": himmelblau(), "Broyden-60": broyden(60), "Boundary-50": boundary_value(50), "Bratu-30": bratu(30),
    "Troesch-20": troesch(20), "Yamamura-8": yamamura(8), "Trigonometric-5": trigonometric(5),
}  # fmt: skip

# Virasoro constructions for SU(3) (Schrans and Troost, Nucl. Phys. B 345, 1990)
VIRASORO = """Variables
x1 in [-1, 1];
x2 in [-1, 1];
x3 in [-1, 1];
x4 in [-1, 1];
x5 in [-1, 1];
x6 in [-1, 1];
x7 in [-1, 1];
x8 in [-1, 1];
Constraints
8*x1^2+8*x1*x2+8*x1*x3+2*x1*x4+2*x1*x5+2*x1*x6+2*x1*x7-8*x2*x3-2*x4*x7-2*x5*x6-x1 = 0;
8*x1*x2-8*x1*x3+8*x2^2+8*x2*x3+2*x2*x4+2*x2*x5+2*x2*x6+2*x2*x7-2*x4*x6-2*x5*x7-x2 = 0;
-8*x1*x2+8*x1*x3+8*x2*x3+8*x3^2+2*x3*x4+2*x3*x5+2*x3*x6+2*x3*x7-2*x4*x5-2*x6*x7-x3 = 0;
2*x1*x4-2*x1*x7+2*x2*x4-2*x2*x6+2*x3*x4-2*x3*x5+8*x4^2+8*x4*x5+2*x4*x6+2*x4*x7+6*x4*x8-6*x5*x8-x4 = 0;
2*x1*x5-2*x1*x6+2*x2*x5-2*x2*x7-2*x3*x4+2*x3*x5+8*x4*x5-6*x4*x8+8*x5^2+2*x5*x6+2*x5*x7+6*x5*x8-x5 = 0;
-2*x1*x5+2*x1*x6-2*x2*x4+2*x2*x6+2*x3*x6-2*x3*x7+2*x4*x6+2*x5*x6+8*x6^2+8*x6*x7+6*x6*x8-6*x7*x8-x6 = 0;
-2*x1*x4+2*x1*x7-2*x2*x5+2*x2*x7-2*x3*x6+2*x3*x7+2*x4*x7+2*x5*x7+8*x6*x7-6*x6*x8+8*x7^2+6*x7*x8-x7 = 0;
-6*x4*x5+6*x4*x8+6*x5*x8-6*x6*x7+6*x6*x8+6*x7*x8+8*x8^2-x8 = 0;
end
"""
# Butcher's conditions for a method of Runge and Kutta, in eight unknowns (BIT 24, 1984): the equations of butcher8 in
# PHCpack's demonstration systems, and of Butcher8 in COPRIN's list; PoSSo's own butcher has seven unknowns
BUTCHER = """Variables
a32 in [-10, 10];
b1 in [-10, 10];
b2 in [-10, 10];
b3 in [-10, 10];
a in [-10, 10];
b in [-10, 10];
c2 in [-10, 10];
c3 in [-10, 10];
Constraints
b1+b2+b3-(a+b) = 0;
b2*c2+b3*c3-(1/2+b/2+b^2-a*b) = 0;
b2*c2^2+b3*c3^2-(a*(1/3+b^2)-4/3*b-b^2-b^3) = 0;
b3*a32*c2-(a*(1/6+b/2+b^2)-2/3*b-b^2-b^3) = 0;
b2*c2^3+b3*c3^3-(1/4+b/4+5/2*b^2+3/2*b^3+b^4-a*(b+b^3)) = 0;
b3*c3*a32*c2-(1/8+3/8*b+7/4*b^2+3/2*b^3+b^4-a*(b/2+b^2/2+b^3)) = 0;
b3*a32*c2^2-(1/12+b/12+7/6*b^2+3/2*b^3+b^4-a*(2/3*b+b^2+b^3)) = 0;
1/24+7/24*b+13/12*b^2+3/2*b^3+b^4-a*(b/3+b^2+b^3) = 0;
end
"""
