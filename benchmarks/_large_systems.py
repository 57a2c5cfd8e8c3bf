"""Systems of any size in Minibex, as texts: each is a page of a textbook, written with loops.

- *Broyden's tridiagonal function* (Broyden 1965): (3 - 2 x_i) x_i - x_{i-1} - 2 x_{i+1} + 1 = 0;
- *the discrete boundary value* (More, Garbow, Hillstrom 1981): 2 x_i - x_{i-1} - x_{i+1} + h^2 (x_i + t_i + 1)^3 / 2 = 0;
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
