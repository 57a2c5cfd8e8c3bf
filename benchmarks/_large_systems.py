"""Systems of any size in Minibex, as texts: each is a page of a textbook, written with loops.

- *Broyden's tridiagonal function* (Broyden 1965): (3 - 2 x_i) x_i - x_{i-1} - 2 x_{i+1} + 1 = 0;
- *the discrete boundary value* (More, Garbow, Hillstrom 1981): 2 x_i - x_{i-1} - x_{i+1} + h^2 (x_i + t_i + 1)^3 / 2 =
  0;
- *Bratu's equation*, discrete: h exp(x_i) + x_{i-1} - 2 x_i + x_{i+1} = 0;
- *Yamamura's*, in which every equation reads every variable: 2.5 x_i^3 - 10.5 x_i^2 + 11.8 x_i - i + sum x_j = 0;
- *Troesch's equation*, discrete, stiff by its parameter;
- *a chain of discs*: each point within 1 of the one before it, a set of inequalities.
"""


def broyden(n: int) -> str:
    """Two solutions, or more, in [-100, 100]^n."""
    return f"""Variables x[{n}] in [-100,100];
Constraints
(3 - 2*x(1))*x(1) - 2*x(2) + 1 = 0;
for i=2:{n - 1};
  (3 - 2*x(i))*x(i) - x(i-1) - 2*x(i+1) + 1 = 0;
end
(3 - 2*x({n}))*x({n}) - x({n - 1}) + 1 = 0;
end
"""


def boundary_value(n: int) -> str:
    """One solution, about t (t - 1)."""
    return f"""Constants h = 1/{n + 1};
Variables x[{n}] in [-100,100];
Constraints
2*x(1) - x(2) + h^2*(x(1) + h + 1)^3/2 = 0;
for i=2:{n - 1};
  2*x(i) - x(i-1) - x(i+1) + h^2*(x(i) + i*h + 1)^3/2 = 0;
end
2*x({n}) - x({n - 1}) + h^2*(x({n}) + {n}*h + 1)^3/2 = 0;
end
"""


def bratu(n: int) -> str:
    """Two solutions."""
    return f"""Constants h = 1/{(n + 1) ** 2};
Variables x[{n}] in [-1e8,20];
Constraints
h*exp(x(1)) - 2*x(1) + x(2) = 0;
for i=2:{n - 1};
  h*exp(x(i)) + x(i-1) - 2*x(i) + x(i+1) = 0;
end
h*exp(x({n})) + x({n - 1}) - 2*x({n}) = 0;
end
"""


def yamamura(n: int) -> str:
    """Dense: as many terms as variables in every equation."""
    return f"""Variables x[{n}] in [-1000,1000];
Constraints
for i=1:{n};
  2.5*x(i)^3 - 10.5*x(i)^2 + 11.8*x(i) - i + sum(j=1:{n}, x(j)) = 0;
end
end
"""


def troesch(n: int, stiffness: int = 10) -> str:
    """x'' = s sinh(s x), x(0) = 0, x(1) = 1."""
    factor = f"{stiffness}/{(n + 1) ** 2}"
    return f"""Constants a = {factor}; s = {stiffness};
Variables x[{n}] in [0,1];
Constraints
2*x(1) - x(2) + a*(exp(s*x(1)) - exp(-s*x(1)))/2 = 0;
for i=2:{n - 1};
  2*x(i) - x(i-1) - x(i+1) + a*(exp(s*x(i)) - exp(-s*x(i)))/2 = 0;
end
2*x({n}) - x({n - 1}) - 1 + a*(exp(s*x({n})) - exp(-s*x({n})))/2 = 0;
end
"""


def discs(n: int) -> str:
    """A set in 2 n dimensions."""
    return f"""Variables x[{n}] in [-10,10], y[{n}] in [-10,10];
Constraints
x(1)^2 + y(1)^2 <= 1;
for i=2:{n};
  (x(i) - x(i-1))^2 + (y(i) - y(i-1))^2 <= 1;
end
end
"""


def dense(n: int) -> str:
    """Quadratic equations with all products of two variables."""
    return f"""Variables x[{n}] in [-2,2];
Constraints
for i=1:{n};
  sum(j=1:{n}, sum(k=1:{n}, x(j)*x(k)/(i+j+k))) - x(i) = 1/2;
end
end
"""


def trigonometric(n: int) -> str:
    """More, Garbow, Hillstrom 1981: n - sum cos x_j + i (1 - cos x_i) - sin x_i = 0."""
    return f"""Variables x[{n}] in [-100,100];
Constraints
for i=1:{n};
  {n} - sum(j=1:{n}, cos(x(j))) + i*(1 - cos(x(i))) - sin(x(i)) = 0;
end
end
"""


def pairs(n: int) -> str:
    """Groups without common variables, two solutions each."""
    return f"""Variables x[{n}] in [-2,2], y[{n}] in [-2,2];
Constraints
for i=1:{n};
  x(i)^2 + y(i)^2 = 1 + 1/(i+1); y(i) = x(i)^3;
end
end
"""


def ridge(n: int) -> str:
    """Fewer equations than variables: a surface, of which all boxes stay undecided."""
    return f"""Variables x[{n}] in [-2,2];
Constraints
sum(i=1:{n}, x(i)^2) = 1;
end
"""


def ball(n: int) -> str:
    """A set whose boundary is long."""
    return f"""Variables x[{n}] in [-2,2];
Constraints
sum(i=1:{n}, x(i)^2) <= 3; sum(i=1:{n}, sin(3*x(i))) >= 1/3;
end
"""


def half_spaces(n: int, count: int) -> str:
    """Many linear inequalities."""
    return f"""Variables x[{n}] in [-1,1];
Constraints
for k=1:{count};
  sum(i=1:{n}, sin(k*i)*x(i)) <= 1;
end
end
"""


SYSTEMS = {
    "Broyden 20": broyden(20), "Broyden 100": broyden(100), "Broyden 400": broyden(400), "Broyden 1000": broyden(1000),
    "boundary value 50": boundary_value(50), "boundary value 300": boundary_value(300),
    "boundary value 1000": boundary_value(1000), "Bratu 30": bratu(30), "Bratu 100": bratu(100),
    "Bratu 500": bratu(500),
    "Yamamura 8": yamamura(8), "Yamamura 20": yamamura(20), "Yamamura 150": yamamura(150),
    "Yamamura 400": yamamura(400),
    "Troesch 20": troesch(20), "Troesch 50": troesch(50), "Troesch 300": troesch(300),
    "dense 6": dense(6), "dense 30": dense(30), "dense 60": dense(60), "trigonometric 5": trigonometric(5),
    "trigonometric 50": trigonometric(50), "trigonometric 300": trigonometric(300),
    "pairs 12": pairs(12), "pairs 300": pairs(300), "a sphere in 4 dimensions": ridge(4),
    "a sphere in 200 dimensions": ridge(200),
}  # fmt: skip
SETS = {
    "a ring": "Variables x in [-3,3], y in [-3,3]; Constraints x^2 + y^2 >= 1; x^2 + y^2 <= 4; end",
    "a ball in 3 dimensions": ball(3), "a ball in 6 dimensions": ball(6), "a ball in 300 dimensions": ball(300),
    "discs 2": discs(2), "discs 200": discs(200), "half-spaces 3, 50": half_spaces(3, 50),
    "half-spaces 40, 400": half_spaces(40, 400), "half-spaces 400, 400": half_spaces(400, 400),
}  # fmt: skip
