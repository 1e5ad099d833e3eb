# pyright: basic
# ruff: noqa: C408, E501, E731, E741, RUF005 # random programs
"""Random programs in the language of user kernels, as text."""

import random

__all__ = ["HEAD", "Generator"]

HEAD = """import math
import numpy as np
K = 3
G = 0.75
NEG = -2
FLAG = True
TUP = (1.0, -2.0, 0.5)
ITUP = (3, -1, 2)
ARR = np.array([0.5, -1.5, 2.0, 0.0])
TAB = np.array([[1.0, -2.0, 3.0, 0.5], [4.0, 5.0, -6.0, 0.0]])

def helper(a, b=2.0):
    if a > b:
        return a - b
    return a + b * 0.5

def whole(n, m=3):
    return n * m + n // m

def both(a, n=2):
    return a, n + 1

def fill_up(row, x):
    for k in range(len(row)):
        row[k] = row[k] + x
"""


class Generator:
    """Generator of random blocks: equal for equal seeds."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, *a):
        return self.r.choice(a)

    def ri(self, d, loc):
        """an integer expression"""
        r = self.r
        if d <= 0 or r.random() < 0.2:
            c = [str(r.choice([0, 1, 2, 3, -1, -2, 5, 7, 10, -7])), "K", "NEG", "len(y)", "z.size", "True"]
            c += loc["i"] * 3
            return r.choice(c)
        k = r.randrange(16)
        a = lambda: self.ri(d - 1, loc)
        if k < 6:
            return f"({a()} {r.choice(['+', '-', '*', '//', '%', '+', '-'])} {a()})"
        if k == 6:
            return f"({a()} {r.choice(['&', '|', '^'])} {a()})"
        if k == 7:
            return f"({a()} << {r.choice([0, 1, 3, 40])})" if r.random() < 0.7 else f"({a()} >> {r.choice([0, 1, 3])})"
        if k == 8:
            return f"abs({a()})"
        if k == 9:
            return f"-{a()}"
        if k == 10:
            return f"int({self.rf(d - 1, loc)})"
        if k == 11:
            return f"{r.choice(['min', 'max'])}({a()}, {a()})"
        if k == 12:
            return f"({a()} if {self.rb(d - 1, loc)} else {a()})"
        if k == 13:
            return r.choice(
                [
                    f"({a()} ** {r.choice([0, 1, 2, 3])})",
                    f"whole({a()})",
                    f"whole({a()}, m={r.choice([2, -3, 5])})",
                    f"ITUP[{r.choice([0, 1, 2, -1])}]",
                    f"~{a()}",
                ]
            )
        if k == 14:
            return f"round({self.rf(d - 1, loc)})"
        return r.choice(
            [
                f"math.floor({self.rf(d - 1, loc)})",
                f"math.ceil({self.rf(d - 1, loc)})",
                f"sum(({a()}, {a()}))",
                f"divmod({a()}, {a()})[{r.choice([0, 1])}]",
            ]
        )

    def idx(self, d, loc, n):
        r = self.r
        if r.random() < 0.6:
            return str(r.randrange(-n, n))
        return f"{self.ri(d - 1, loc)} % {n}" if r.random() < 0.85 else self.ri(d - 1, loc)

    def rf(self, d, loc):
        r = self.r
        if d <= 0 or r.random() < 0.15:
            c = [
                f"y[{r.randrange(-4, 4)}]",
                f"z[{r.randrange(3)}]",
                "q[0]",
                "q[1]",
                "t",
                "G",
                "0.5",
                "-1.25",
                "0.0",
                "3.0",
                "ARR[2]",
                "TUP[1]",
                "1e-3",
            ]
            c += loc["f"] * 3
            return r.choice(c)
        a = lambda: self.rf(d - 1, loc)
        k = r.randrange(22)
        if k < 6:
            return f"({a()} {r.choice(['+', '-', '*', '/', '+', '-', '*'])} {a()})"
        if k == 6:
            return f"({a()} {r.choice(['%', '//'])} {a()})"
        if k == 7:
            return f"-{a()}"
        if k == 8:
            return f"abs({a()})"
        if k == 9:
            return f"{r.choice(['min', 'max'])}({', '.join(a() for _ in range(r.choice([2, 3])))})"
        if k == 10:
            return f"({a()} if {self.rb(d - 1, loc)} else {a()})"
        if k == 11:
            return f"({a()} {r.choice(['and', 'or'])} {a()})"
        if k == 12:
            return f"y[{self.idx(d, loc, 4)}]"
        if k == 13:
            return f"TAB[{self.idx(d, loc, 2)}, {self.idx(d, loc, 4)}]"
        if k == 14:
            return (
                f"helper({a()})"
                if r.random() < 0.5
                else r.choice([f"helper({a()}, {a()})", f"helper(b={a()}, a={a()})", f"both({a()})[0]"])
            )
        if k == 15:
            return f"float({self.ri(d - 1, loc)})"
        if k == 16:
            return f"({a()} {r.choice(['+', '*', '-', '/'])} {self.ri(d - 1, loc)})"
        if k == 17:
            return r.choice(
                [
                    f"np.sign({a()})",
                    f"np.clip({a()}, {a()}, {a()})",
                    f"np.where({self.rb(d - 1, loc)}, {a()}, {a()})",
                    f"np.minimum({a()}, {a()})",
                    f"np.maximum({a()}, {a()})",
                    f"np.floor({a()})",
                    f"np.ceil({a()})",
                ]
            )
        if k == 18:
            return r.choice(
                [
                    f"math.copysign({a()}, {a()})",
                    f"math.fabs({a()})",
                    f"math.sqrt(abs({a()}))",
                    f"np.sqrt({a()})",
                    f"math.atan2({a()}, {a()})",
                    f"math.hypot({a()}, {a()})",
                ]
            )
        if k == 19:
            return f"sum(({a()}, {a()}, {self.ri(d - 1, loc)}))"
        if k == 20:
            return f"({self.rb(d - 1, loc)} {r.choice(['*', '+', '-'])} {a()})"
        if k == 21 and loc["a"]:
            n = r.choice(loc["a"])
            return r.choice([f"{n}[{r.choice([0, -1])}]", f"sum({n})", f"{n}[{self.idx(d, loc, 2)}]"])
        return f"({self.ri(d - 1, loc)} / {a()})"

    def rb(self, d, loc):
        r = self.r
        if d <= 0:
            return r.choice(["FLAG", "y[0] > 0.0", "True", "z[1] < y[1]", *loc["b"]])
        k = r.randrange(9)
        f = lambda: self.rf(d - 1, loc)
        i = lambda: self.ri(d - 1, loc)
        b = lambda: self.rb(d - 1, loc)
        op = r.choice(["<", "<=", ">", ">=", "==", "!="])
        if k < 2:
            return f"({f()} {op} {f()})"
        if k == 2:
            return f"({i()} {op} {i()})"
        if k == 3:
            return f"({f()} {op} {f()} {r.choice(['<', '>='])} {f()})"
        if k == 4:
            return f"({b()} {r.choice(['and', 'or'])} {b()})"
        if k == 5:
            return f"(not {b()})"
        if k == 6:
            return r.choice([f"math.isnan({f()})", f"np.isfinite({f()})", f"math.isinf({f()})", f"bool({f()})"])
        if k == 7:
            return f"({i()} in (1, 2, 5))"
        return f"({i()} {op} {f()})"

    def ra(self, d, loc):
        """an array expression of 2 or more numbers"""
        r = self.r
        c = [
            f"y[:{r.choice([2, 3])}]",
            "y[1:]",
            "y[-2:]",
            "z[:2]",
            f"z[{r.choice([0, 1])}:]",
            "ARR",
            "y",
            "q",
            "np.zeros(2)",
            "y.copy()",
            "z.copy()",
            f"np.array([{self.rf(1, loc)}, {self.rf(1, loc)}])",
            "TAB[0]",
            "TAB[1, 1:3]",
            "np.ones(3)",
            f"np.full(2, {self.rf(1, loc)})",
            "y[::2]",
            "y[::-1]",
            "y[1::2]",
            "ARR[::2]",
        ]
        c += loc["a"] * 2
        if d <= 0 or r.random() < 0.5:
            return r.choice(c)
        k = r.randrange(8)
        a = lambda: self.ra(d - 1, loc)
        if k == 0:
            return f"({a()} {r.choice('+-*/')} {a()})"
        if k < 3:
            return f"({a()} {r.choice('+-*/')} {self.rf(d - 1, loc)})"
        if k == 3:
            return f"({self.rf(d - 1, loc)} {r.choice('+-*/')} {a()})"
        if k == 4:
            return f"-{a()}"
        if k == 5:
            return r.choice(
                [
                    f"np.abs({a()})",
                    f"np.sqrt({a()})",
                    f"np.sign({a()})",
                    f"({a()} ** 2)",
                    f"np.minimum({a()}, {self.rf(1, loc)})",
                    f"np.clip({a()}, -1.0, 1.0)",
                    f"np.where({a()} > 0.0, {self.rf(1, loc)}, {a()})",
                ]
            )
        if k == 6:
            return f"np.array([{self.rf(d - 1, loc)}, {self.ri(d - 1, loc)}, 1.0])"
        return r.choice(c)

    def stmts(self, d, loc, n, loop=False):
        out = []
        for _ in range(n):
            out += self.stmt(d, loc, loop)
        return out or ["pass"]

    def fresh(self, loc, what):
        r = self.r
        if loc[what] and r.random() < 0.5:
            return r.choice(loc[what])
        loc["n"][0] += 1
        return f"{dict(i='n', f='x', b='c', a='row')[what]}{loc['n'][0]}"

    def copy(self, loc):
        return {k: (list(v) if k != "n" else v) for k, v in loc.items()}

    def stmt(self, d, loc, loop):
        r = self.r
        k = r.randrange(26)
        ind = lambda ls: ["    " + l for l in ls]
        if k < 4:
            e = self.rf(2, loc)
            n = self.fresh(loc, "f")
            if n not in loc["f"]:
                loc["f"].append(n)
            return [f"{n} = {e}"]
        if k < 6:
            e = self.ri(2, loc)
            n = self.fresh(loc, "i")
            if n not in loc["i"]:
                loc["i"].append(n)
            return [f"{n} = {e}"]
        if k == 6:
            e = self.rb(2, loc)
            n = self.fresh(loc, "b")
            if n not in loc["b"]:
                loc["b"].append(n)
            return [f"{n} = {e}"]
        if k < 9:
            e = self.ra(1, loc)
            n = self.fresh(loc, "a")
            if n not in loc["a"]:
                loc["a"].append(n)
            return [f"{n} = {e}"]
        if k == 9:
            return [f"z[{r.randrange(-3, 3)}] {r.choice(['=', '+=', '-=', '*=', '/='])} {self.rf(2, loc)}"]
        if k == 10:
            return [f"v[{r.randrange(2)}] = {r.choice([self.rf(2, loc), self.ri(2, loc), self.rb(1, loc)])}"]
        if k == 11:
            return [
                f"z[{r.choice([':2', '1:', '0:2', '-2:'])}] = {r.choice([self.ra(1, loc), self.rf(1, loc), '(' + self.rf(1, loc) + ', ' + self.rf(1, loc) + ')'])}"
            ]
        if k == 12 and loc["f"]:
            return [f"{r.choice(loc['f'])} {r.choice(['+=', '-=', '*=', '/='])} {self.rf(2, loc)}"]
        if k == 13 and loc["i"]:
            return [f"{r.choice(loc['i'])} {r.choice(['+=', '-=', '*=', '//=', '%='])} {self.ri(1, loc)}"]
        if k == 14 and loc["a"]:
            return [f"{r.choice(loc['a'])}[{r.choice([0, 1, -1])}] {r.choice(['=', '+='])} {self.rf(1, loc)}"]
        if k == 15 and loc["a"]:
            return [
                f"{r.choice(loc['a'])} {r.choice(['+=', '*=', '-='])} {r.choice([self.ra(0, loc), self.rf(1, loc)])}"
            ]
        if k == 16 and d > 0:
            out = [f"if {self.rb(2, loc)}:"] + ind(
                self.stmts(d - 1, self.copy(loc) if r.random() < 0.8 else loc, r.choice([1, 2]), loop)
            )
            if r.random() < 0.5:
                out += [f"elif {self.rb(1, loc)}:"] + ind(self.stmts(d - 1, self.copy(loc), 1, loop))
            if r.random() < 0.6:
                out += ["else:"] + ind(self.stmts(d - 1, self.copy(loc), r.choice([1, 2]), loop))
            return out
        if k == 17 and d > 0:
            n = self.fresh(loc, "i")
            inner = self.copy(loc)
            if n not in inner["i"]:
                inner["i"].append(n)
            it = r.choice(
                [
                    "range(3)",
                    "range(1, 4)",
                    "range(4, 0, -1)",
                    "range(0, 4, 2)",
                    f"range({self.ri(1, loc)} % 5)",
                    "(1, 2, 5)",
                    "range(len(y))",
                    f"range(0, 6, 1 + {self.ri(0, loc)} % 2)",
                ]
            )
            out = [f"for {n} in {it}:"] + ind(self.stmts(d - 1, inner, r.choice([1, 2, 3]), True))
            if r.random() < 0.15:
                out += ["else:"] + ind(self.stmts(d - 1, self.copy(loc), 1, loop))
            if r.random() < 0.4 and n not in loc["i"]:
                loc["i"].append(n)
            return out
        if k == 18 and d > 0:
            n = self.fresh(loc, "f")
            inner = self.copy(loc)
            if n not in inner["f"]:
                inner["f"].append(n)
            it = r.choice(
                [
                    "y",
                    "z",
                    "y[1:3]",
                    "TUP",
                    "ARR",
                    f"({self.rf(1, loc)}, {self.rf(1, loc)})",
                    f"[{self.rf(1, loc)}, 2.0]",
                ]
            )
            if r.random() < 0.3:
                m = self.fresh(inner, "i")
                if m not in inner["i"]:
                    inner["i"].append(m)
                return [f"for {m}, {n} in enumerate({it}):"] + ind(self.stmts(d - 1, inner, 2, True))
            if r.random() < 0.2:
                loc["n"][0] += 1
                m = f"x{loc['n'][0]}"
                inner["f"].append(m)
                return [f"for {n}, {m} in zip({it}, ARR):"] + ind(self.stmts(d - 1, inner, 2, True))
            return [f"for {n} in {it}:"] + ind(self.stmts(d - 1, inner, 2, True))
        if k == 19 and d > 0:
            loc["n"][0] += 1
            w = f"w{loc['n'][0]}"
            out = [f"{w} = 0", f"while {w} < 4 and {self.rb(1, loc)}:", f"    {w} += 1"] + ind(
                self.stmts(d - 1, self.copy(loc), 2, True)
            )
            if r.random() < 0.15:
                out += ["else:"] + ind(self.stmts(d - 1, self.copy(loc), 1, loop))
            return out
        if k == 20 and loop:
            return [f"if {self.rb(1, loc)}:", f"    {r.choice(['break', 'continue'])}"]
        if k == 21 and loc["f"]:
            n = r.choice(loc["f"])
            m = self.pick("z[0]", "z[2]", *loc["f"])
            return [
                f"{n}, {m} = {r.choice([m + ', ' + n, self.rf(1, loc) + ', ' + self.rf(1, loc), f'both({self.rf(1, loc)})'])}"
            ]
        if k == 22:
            return [f"z[{r.randrange(3)}], z[{r.randrange(3)}] = z[{r.randrange(3)}], {self.rf(1, loc)}"]
        if k == 23:
            return (
                [f"fill_up(z, {self.rf(1, loc)})"]
                if r.random() < 0.7 or not loc["a"]
                else [f"fill_up({r.choice(loc['a'])}, {self.rf(1, loc)})"]
            )
        if k == 24:
            return [f"if {self.rb(2, loc)}:", "    v[0] = 4.0", "    v[1] = 5.0", "    return"]
        if k == 25 and r.random() < 0.3:
            return [
                f"if {self.rb(2, loc)}:",
                f'    raise ValueError(f"{{{self.rf(1, loc)}:.3f}} at {{{self.ri(1, loc)}}}")',
            ]
        return [f"v[{r.randrange(2)}] = {self.rf(2, loc)}"]

    def kernel(self, name):
        loc = {"i": [], "f": [], "b": [], "a": [], "n": [0]}
        body = self.stmts(2, loc, self.r.choice([3, 5, 7]))
        body += [
            f"v[0] = {self.rf(2, loc)}",
            f"v[1] = {self.r.choice([self.rf(2, loc), self.ri(2, loc), self.rf(1, loc)])}",
        ]
        return "\n".join([f"def {name}(t, y, q, z, v):"] + ["    " + b for b in body])
