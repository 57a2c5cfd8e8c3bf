#!/bin/sh
# Builds the proved checker as build/verify: the proofs, the extracted program, its driver.
# Debian: apt-get install coq libcoq-interval ocaml-nox ocaml-findlib libzarith-ocaml-dev
set -e
cd "$(dirname "$0")"
for tool in coqc ocamlfind; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install coq libcoq-interval ocaml-nox ocaml-findlib libzarith-ocaml-dev" >&2; exit 2; }
done
mkdir -p build/driver
cp ./*.v build/
cp driver/*.ml build/driver/
cd build
for module in Fixed Carrier Elementary Problem Polynomial Jets Lines Reverse Narrow Rational Evaluate Root Terms Tree Witness Text Verify Extract; do
    coqc -q -w none -Q . Certify "$module.v" >"$module.log" 2>&1 || { cat "$module.log" >&2; exit 1; }
done
cd driver
compile() { ocamlfind ocamlopt -package zarith -open Cmp -w -a -inline 100 -c "$@"; }
ocamlfind ocamlopt -w -a -c cmp.ml
compile zar.ml
compile checker.mli
for module in checker text sha256 read_problem read_certificate form main; do compile "$module.ml"; done
ocamlfind ocamlopt -package zarith -linkpkg cmp.cmx zar.cmx checker.cmx text.cmx sha256.cmx read_problem.cmx read_certificate.cmx form.cmx main.cmx -o ../verify
cd ..
echo "built: $PWD/verify; where certify is installed from elsewhere: export CERTIFY_PROVED_CHECKER=$PWD/verify"
