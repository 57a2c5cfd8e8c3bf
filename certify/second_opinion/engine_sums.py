"""Weighted sums by another interval library: what engine_program.py runs, in the library's own Python (3.6 or newer).

Of terms t_k, each <= 0 at what is to be refuted, with weights w_k > 0, over a box of variables x with a point c in it,
and over all measurements M, the sum is bounded from below in the library's arithmetic alone:

    sum w_k (t_k(c, h_k) - slack_k + dt_k/dx(c, h_k) (x - c) + (x - c)' d^2 t_k/dx^2(box, h_k) (x - c) / 2)

h_k has the end of each measurement at which t_k, monotone on box and measurements, is least; else a point in it, and
what t_k may fall from there by its derivative goes to the slack. Where this is not positive the box is halved. A node
that may be undefined or without a derivative ends the question without an answer: so the mean value theorem holds.
"""

import math

PARTS = 64  # of a box
WORK = 20000000  # coefficients that are added up in all sums: about a minute; later sums are left without an answer


class Unclear(Exception):
    """A node that may have no derivative, or no work left."""


class Sums(object):
    """With the library's intervals, functions and ends."""

    def __init__(self, interval, functions, ends):
        self.interval, self.functions, self.ends = interval, functions, ends
        self.zero, self.one, self.two = (interval(float(n), float(n)) for n in range(3))
        self.work = 0
        self.pi = interval(math.pi, 3.1415926535897936)

    def least(self, tapes, asked):
        """A positive lower bound of the sum on each part of the box, or None."""
        waiting, parts, found = [{name: self.read(pair) for name, pair in asked["box"].items()}], 1, None
        while waiting:
            box = waiting.pop()
            low, widest = self.part(tapes, asked["terms"], box)
            if low > 0.0:
                found = low if found is None else min(found, low)
                continue
            parts += 1
            if parts > PARTS or widest is None:
                return None
            low, high = self.ends(box[widest])
            middle = self.middle(box[widest])
            if not low < middle < high:
                return None
            for pair in ((low, middle), (middle, high)):
                half = dict(box)
                half[widest] = self.interval(*pair)
                waiting.append(half)
        return found

    def read(self, pair):
        """An interval whose ends are texts."""
        return self.interval(float.fromhex(pair[0]), float.fromhex(pair[1]))

    def middle(self, x):
        """A double within."""
        low, high = self.ends(x)
        return min(max(low / 2 + high / 2, low), high)

    def point(self, x):
        """The middle, as an interval."""
        value = self.middle(x)
        return self.interval(value, value)

    def part(self, tapes, terms, box):
        """The lower bound on one box, and the variable whose second order costs most."""
        total, line, square = self.zero, {}, {}
        for weight, tape, inputs, *guard in terms:
            weight, nodes = self.read(weight), tapes[tape]["nodes"]
            names = [place if isinstance(place, str) else None for place in inputs]
            whole = [box[place] if isinstance(place, str) else self.read(place) for place in inputs]
            for other in guard:
                if not self.ends(self.run(tapes[other]["nodes"], whole, {}, 0)[-1][0])[0] >= 0.0:
                    raise Unclear
            held, slack = self.settled(nodes, whole, names)
            seeds = {place: name for place, name in enumerate(names) if name is not None}
            centre = [self.point(x) if name is not None else x for x, name in zip(held, names)]
            value, slope, _ = self.run(nodes, centre, seeds, 1)[-1]
            total = total + weight * (value - slack)
            self.gather(line, slope, weight)
            self.gather(square, self.run(nodes, held, seeds, 2)[-1][2], weight)
        return self.bound(total, line, square, box)

    def bound(self, total, line, square, box):
        """Of the polynomial with these coefficients; a product that is a square is taken as one."""
        moves = {name: x - self.point(x) for name, x in box.items()}
        costs = dict.fromkeys(box, 0.0)
        for name, slope in line.items():
            total = total + slope * moves[name]
        for (i, j), curve in square.items():
            squared = self.functions["sqr"](moves[i]) / self.two if i == j else moves[i] * moves[j]
            share = curve * squared
            total = total + share
            low, high = self.ends(share)
            for name in (i, j):
                costs[name] += high - low
        low = self.ends(total)[0]
        return (low if low == low else -math.inf), max(costs, key=lambda name: costs[name]) if costs else None

    def settled(self, nodes, whole, names):
        """The inputs with measurements at points, and the slack."""
        held = list(whole)
        moving = {i: i for i, x in enumerate(whole) if names[i] is None and self.ends(x)[0] < self.ends(x)[1]}
        while moving:
            slope = self.run(nodes, held, moving, 1)[-1][1]
            fixed = {}
            for i in moving:
                low, high = self.ends(slope.get(i, self.zero))
                if low >= 0.0 or high <= 0.0:
                    fixed[i] = self.ends(held[i])[0 if low >= 0.0 else 1]
            if not fixed:
                break
            for i, end in fixed.items():
                held[i] = self.interval(end, end)
                del moving[i]
        slack = self.zero
        for i in moving:
            fall = self.ends(slope.get(i, self.zero) * (held[i] - self.point(held[i])))
            slack = slack + self.interval(max(-fall[0], 0.0), max(-fall[0], 0.0))
        for i in moving:
            held[i] = self.point(held[i])
        return held, slack

    def gather(self, total, more, weight):
        """Sums of coefficients."""
        self.work += len(more)
        if self.work > WORK:
            raise Unclear
        for key, value in more.items():
            total[key] = total[key] + weight * value if key in total else weight * value

    def run(self, nodes, inputs, seeds, order):
        """Each node's value, its derivatives by the seeds' names, and its second ones, up to the order."""
        found = [(x, {seeds[i]: self.one} if i in seeds else {}, {}) for i, x in enumerate(inputs)]
        for code, *words in nodes:
            if code == "const":
                found.append((self.read(words), {}, {}))
            elif code == "pi":
                found.append((self.pi, {}, {}))
            else:
                found.append(self.node(code, [found[word] for word in words], order))
        return found

    def node(self, code, operands, order):
        """The chain rule."""
        values = [one[0] for one in operands]
        if code == "neg":
            value = -values[0]
        elif code in self.functions:
            value = self.functions[code](values[0])
        else:
            u, w = values
            value = u + w if code == "add" else u - w if code == "sub" else u * w if code == "mul" else u / w
        low, high = self.ends(value)
        if not -math.inf < low <= high < math.inf:
            raise Unclear
        if code in ("sqrt", "log", "div") and not self.apart(code, values[-1]):
            raise Unclear
        if not order or not any(one[1] for one in operands):
            return value, {}, {}
        first, second = self.derivatives(code, values[0], values[-1], value)
        line, square = {}, {}
        for (_, slope, curve), factor in zip(operands, first):
            self.gather(line, slope, factor)
            self.gather(square, curve, factor)
        if order > 1:
            for i, j, factor in second:
                self.gather(square, self.product(operands[i][1], operands[j][1], i == j), factor)
        return value, line, square

    def apart(self, code, x):
        """Whether the operand is one at which the node is defined and smooth."""
        low, high = self.ends(x)
        return low > 0.0 or (code == "div" and high < 0.0)

    def product(self, left, right, same):
        """Coefficients of d_i d_j, i < j, and twice those of d_i^2: second derivatives of u w; half of those of u^2."""
        found = {}
        for i, a in left.items():
            for j, b in right.items():
                if i == j:
                    value = self.functions["sqr"](a) if same else self.two * a * b
                    self.gather(found, {(i, i): value}, self.one)
                elif not same or i < j:
                    self.gather(found, {(min(i, j), max(i, j)): a * b}, self.one)
        return found

    def derivatives(self, code, u, w, r):
        """First ones by the operands, and second ones: the two operands, and the factor."""
        one, two, sin, cos = self.one, self.two, self.functions["sin"], self.functions["cos"]
        sqr = self.functions["sqr"]
        if code in ("add", "sub"):
            return (one, one if code == "add" else -one), ()
        if code == "mul":
            return (w, u), ((0, 1, one),)
        if code == "div":
            return (one / w, -(r / w)), ((0, 1, -(one / sqr(w))), (1, 1, two * r / sqr(w)))
        if code == "neg":
            return (-one,), ()
        if code == "sqr":
            return (two * u,), ((0, 0, two),)
        if code == "sqrt":
            return (one / (two * r),), ((0, 0, -(one / (two * two * r * u))),)
        if code == "sin":
            return (cos(u),), ((0, 0, -sin(u)),)
        if code == "cos":
            return (-sin(u),), ((0, 0, -cos(u)),)
        if code == "exp":
            return (r,), ((0, 0, r),)
        if code == "log":
            return (one / u,), ((0, 0, -(one / sqr(u))),)
        if code == "atan":
            return (one / (one + sqr(u)),), ((0, 0, -(two * u / sqr(one + sqr(u)))),)
        raise Unclear
