"""A problem and a certificate whose texts are well formed, and what malforms them."""

from __future__ import annotations

from checker_texts import certificate

PROBLEM = """certify-problem 2
variables 2
x mm -1/2 1
y rad/s^2 0 3
columns 1
column m 1 2
0 1/10
1 1
tapes 1
tape t 3 6
pi
const -3/7
mul 3 4
add 5 0
sub 6 2
sub 7 1
families 1
F 0 2 v0 v1 c0
end
"""
CERTIFICATE = certificate(
    PROBLEM,
    lower="1/4",
    upper=2,
    witness=["values 1 0", "column m 0.5 1"],
    tree=["split 0 1p-2", "prepare 3", "evaluate 0 0", "evaluate 0 1"],
)
ARABIC = "\u0663"

BAD_PROBLEMS: dict[str, tuple[str, str, str]] = {
    "version 1": ("certify-problem 2", "certify-problem 1", "line 1: text: 'certify-problem 2' or 3 was expected"),
    "version 4": ("certify-problem 2", "certify-problem 4", "line 1: text"),
    "no version": ("certify-problem 2", "certify-problem", "line 1: text"),
    "no variables": ("variables 2", "variables 0", "line 2: variables: there must be at least 1"),
    "fewer variables": ("variables 2", "variables 1", "line 4: text: a line 'columns'"),
    "more variables": ("variables 2", "variables 3", "line 5: variables: 4 tokens"),
    "huge variables": ("variables 2", "variables 9" + "9" * 1999, "line 5: variables: 4 tokens"),
    "too many digits": ("variables 2", "variables 9" + "9" * 2000, "line 2: number"),
    "a variable twice": ("y rad", "x rad", "line 4: variables: the name 'x' occurs twice"),
    "bounds exchanged": ("-1/2 1", "1 -1/2", "line 3: variables: the lower bound is above"),
    "a variable of three tokens": ("x mm -1/2 1", "x mm -1/2", "line 3: variables: 4 tokens"),
    "a variable of five tokens": ("x mm -1/2 1", "x mm -1/2 1 1", "line 3: variables: 4 tokens"),
    "a long name": ("x mm", "x" * 65 + " mm", "line 3: name"),
    "a name of digits": ("x mm", "1x mm", "line 3: name"),
    "a long unit": ("x mm", "x " + "m" * 17, "line 3: unit"),
    "a strange unit": ("x mm", "x m%", "line 3: unit"),
    "plus": ("-1/2 1", "-1/2 +1", "line 3: number"),
    "leading zero": ("-1/2 1", "-1/2 01", "line 3: number"),
    "not in lowest terms": ("-1/2 1", "-2/4 1", "line 3: number"),
    "denominator 1": ("-1/2 1", "-1/2 1/1", "line 3: number"),
    "denominator 0": ("-1/2 1", "-1/2 1/0", "line 3: number: '1/0' is not a rational number"),
    "numerator 0": ("0 1/10", "0/10 1/10", "line 7: number"),
    "negative denominator": ("-1/2 1", "-1/2 1/-2", "line 3: number"),
    "negative zero": ("y rad/s^2 0", "y rad/s^2 -0", "line 4: number"),
    "exponent": ("-1/2 1", "-1/2 1e5", "line 3: number"),
    "decimal": ("-1/2 1", "-1/2 1.5", "line 3: number"),
    "underscore": ("-1/2 1", "-1/2 1_0", "line 3: number"),
    "infinity": ("-1/2 1", "-1/2 inf", "line 3: number"),
    "not a number": ("-1/2 1", "-1/2 nan", "line 3: number"),
    "Arabic digit": ("-1/2 1", f"-1/2 {ARABIC}", "the file is not ASCII"),
    "no-break space": ("variables 2", "variables\u00a02", "the file is not ASCII"),
    "byte order mark": ("certify-problem 2", "\ufeffcertify-problem 2", "the file is not ASCII"),
    "trailing space": ("-1/2 1", "-1/2 1 ", "line 3: text: tokens are separated"),
    "leading space": ("x mm", " x mm", "line 3: text: tokens are separated"),
    "two spaces": ("x mm", "x  mm", "line 3: text: tokens are separated"),
    "tab": ("x mm", "x\tmm", "line 3: variables: 4 tokens"),
    "carriage return": ("variables 2\n", "variables 2\r\n", "line 2: number"),
    "carriage return in a name": ("F 0 2 v0 v1 c0\n", "F 0 2 v0 v1 c0\r\n", "line 18: binding"),
    "empty line": ("columns 1\n", "columns 1\n\n", "line 6: text: a line has"),
    "NUL": ("x mm", "x\x00 mm", "line 3: name"),
    "no final LF": ("end\n", "end", "the last line does not end in LF"),
    "text after end": ("end\n", "end\nend\n", "line 20: text: something follows"),
    "empty line after end": ("end\n", "end\n\n", "line 20: text: something follows"),
    "end and more": ("end\n", "end now\n", "line 19: text"),
    "no end": ("\nend\n", "\n", "line 19: text: the file ends too early"),
    "columns missing": ("columns 1", "column 1", "line 5: text"),
    "column of nothing": ("column m 1 2", "column m 1 0", "line 6: columns: there must be at least 1"),
    "column too short": ("column m 1 2", "column m 1 1", "line 8: text"),
    "column too long": ("column m 1 2", "column m 1 3", "line 9: number"),
    "huge column": ("column m 1 2", "column m 1 99999999999999999999", "line 9: number"),
    "negative count": ("column m 1 2", "column m 1 -2", "line 6: number"),
    "column bounds exchanged": ("0 1/10", "1/10 0", "line 7: columns: the lower bound is above"),
    "column entry of one token": ("0 1/10", "0", "line 7: columns: 2 tokens"),
    "column of a bad name": ("column m", "column _m", "line 6: name"),
    "column without unit": ("column m 1 2", "column m 2", "line 6: text"),
    "no tapes": ("tapes 1", "tapes 0", "line 9: tapes: there must be at least 1"),
    "tape of nothing": ("tape t 3 6", "tape t 3 0", "line 10: tapes: there must be at least 1"),
    "huge tape": ("tape t 3 6", "tape t 3 99999999999", "line 17: operation: 'families' is unknown"),
    "unknown operation": ("pi\n", "tan 0\n", "line 11: operation: 'tan' is unknown"),
    "operation in capitals": ("pi\n", "PI\n", "line 11: operation: 'PI' is unknown"),
    "pi with an operand": ("pi\n", "pi 0\n", "line 11: operation: pi does not take 1"),
    "exp of two": ("pi\n", "exp 0 1\n", "line 11: operation: exp does not take 2"),
    "log of nothing": ("pi\n", "log\n", "line 11: operation: log does not take 0"),
    "atan of two": ("pi\n", "atan 0 1\n", "line 11: operation: atan does not take 2"),
    "exp of itself": ("pi\n", "exp 3\n", "line 11: operation: node 3 may refer"),
    "const without value": ("const -3/7", "const", "line 12: operation: const does not take 0"),
    "add of one": ("add 5 0", "add 5", "line 14: operation: add does not take 1"),
    "add of three": ("add 5 0", "add 5 0 0", "line 14: operation: add does not take 3"),
    "forward reference": ("add 5 0", "add 5 7", "line 14: operation: node 6 may refer"),
    "reference to itself": ("add 5 0", "add 6 0", "line 14: operation: node 6 may refer"),
    "negative reference": ("add 5 0", "add 5 -1", "line 14: number"),
    "no families": ("families 1", "families 0", "line 17: families: there must be at least 1"),
    "no tape of that number": ("F 0 2", "F 1 2", "line 18: families: there is no tape '1'"),
    "no rows": ("F 0 2", "F 0 0", "line 18: families: there must be at least 1"),
    "other rows": ("F 0 2", "F 0 1", "line 18: binding: column 'm' has not as many"),
    "too few bindings": ("v0 v1 c0", "v0 v1", "line 18: families: 2 bindings"),
    "too many bindings": ("v0 v1 c0", "v0 v1 c0 c0", "line 18: families: 4 bindings"),
    "no such variable": ("v0 v1 c0", "v0 v2 c0", "line 18: binding: 'v2' does not exist"),
    "no such column": ("v0 v1 c0", "v0 v1 c1", "line 18: binding: 'c1' does not exist"),
    "binding of a tape": ("v0 v1 c0", "v0 v1 t0", "line 18: binding: 't0' is neither"),
    "binding with a leading zero": ("v0 v1 c0", "v00 v1 c0", "line 18: binding"),
    "family without rows": ("F 0 2 v0 v1 c0", "F 0", "line 18: families: NAME TAPE"),
}
BAD_CERTIFICATES: dict[str, tuple[str, str, str]] = {
    "version 1": (
        "certify-certificate 5",
        "certify-certificate 1",
        "line 1: text: 'certify-certificate 5' or 6 was expected",
    ),
    "version 2": ("certify-certificate 5", "certify-certificate 2", "line 1: text"),
    "version 3": ("certify-certificate 5", "certify-certificate 3", "line 1: text"),
    "version 4": ("certify-certificate 5", "certify-certificate 4", "line 1: text"),
    "a problem instead": ("certify-certificate 5", "certify-problem 2", "line 1: text"),
    "precision too low": ("precision 128", "precision 63", "line 3: precision: it must be from 64 to 512"),
    "precision too high": ("precision 128", "precision 513", "line 3: precision: it must be from 64 to 512"),
    "precision missing": ("precision 128\n", "", "line 3: text"),
    "precision of two": ("precision 128", "precision 128 128", "line 3: text: 'precision' takes 1 tokens"),
    "precision with a plus": ("precision 128", "precision +128", "line 3: number"),
    "scope of nothing": ("scope F", "scope", "line 4: scope: at least one family"),
    "scope of a bad name": ("scope F", "scope 0", "line 4: name"),
    "scope with a trailing space": ("scope F", "scope F ", "line 4: text"),
    "point missing": ("box\n", "", "line 5: text"),
    "lower equals upper": ("lower 1/4", "lower 2", "line 13: claim: lower must be below upper"),
    "lower above upper": ("lower 1/4", "lower 3", "line 13: claim: lower must be below upper"),
    "lower negative": ("lower 1/4", "lower -1/4", "line 8: claim: '-"),
    "upper negative": ("upper 2", "upper -2", "line 9: claim: '-"),
    "lower a decimal": ("lower 1/4", "lower 0.25", "line 8: number"),
    "lower a dyadic": ("lower 1/4", "lower 1p-2", "line 8: number"),
    "lower missing": ("lower 1/4\n", "", "line 8: text"),
    "lower twice": ("lower 1/4\n", "lower 1/4\nlower 1/4\n", "line 9: text"),
    "none in capitals": ("lower 1/4", "lower NONE", "line 8: number"),
    "lower none with a tree": ("lower 1/4", "lower none", "line 17: text: 'end' was expected"),
    "upper none with a witness": ("upper 2", "upper none", "line 14: text: 'tree' was expected"),
    "witness missing": ("witness\nvalues 1 0\ncolumn m 0.5 1\n", "", "line 14: text: 'witness' was expected"),
    "witness after the tree": (
        "witness\nvalues 1 0\ncolumn m 0.5 1\ntree",
        "tree",
        "line 14: text: 'witness' was expected",
    ),
    "values missing": ("values 1 0\n", "", "line 15: text"),
    "column without a name": ("column m 0.5 1", "column", "line 16: text: 'tree' was expected"),
    "tree missing": ("tree\n", "", "line 17: text: 'tree' was expected"),
    "tree empty": (
        "split 0 1p-2\nprepare 3\nevaluate 0 0\nevaluate 0 1\n",
        "",
        "node 0 (line 18): tree: a child is missing",
    ),
    "end missing": ("\nend\n", "\n", "text: the file ends too early"),
    "end twice": ("\nend\n", "\nend\nend\n", "text: something follows after 'end'"),
    "split of an Arabic digit": ("split 0 1p-2", f"split {ARABIC} 1p-2", "the file is not ASCII"),
    "split of an underscore": ("split 0 1p-2", "split 0_0 1p-2", "number"),
    "split of an exponent with a leading zero": ("split 0 1p-2", "split 0 1p-02", "not a dyadic number"),
    "split of an exponent with a plus": ("split 0 1p-2", "split 0 1p+2", "not a dyadic number"),
    "split of an exponent of five digits": ("split 0 1p-2", "split 0 1p-99999", "not a dyadic number"),
    "carriage returns": ("\n", "\r\n", "line 1: text"),
    "a byte order mark": ("certify-certificate 5", "\ufeffcertify-certificate 5", "the file is not ASCII"),
    "an ignored comment": ("tree\n", "# proof\ntree\n", "line 17: text: 'tree' was expected"),
    "an unknown line": ("tree\n", "trusted yes\ntree\n", "line 17: text: 'tree' was expected"),
}
