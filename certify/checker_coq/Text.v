(* What files say (specification, sections 1 to 3 and 12): problems and certificates as they are written, to the byte, and the problem
   and the question that they stand for. Read and trusted, like Problem.v. *)
Require Import ZArith List Ascii String Bool.
From Certify Require Import Problem Terms Tree.
Import ListNotations.
Local Open Scope char_scope.

Definition text := list ascii.
Definition say (s : string) (rest : text) : text := list_ascii_of_string s ++ rest.
Definition line_end : text -> text := cons (ascii_of_nat 10).
Definition digit (d : Z) : ascii := ascii_of_nat (48 + Z.to_nat d).
Fixpoint digits (fuel : nat) (n : Z) (rest : text) : text :=
  match fuel with O => rest | S fuel => let (q, r) := Z.div_eucl n 10 in if Z.eqb q 0 then digit r :: rest else digits fuel q (digit r :: rest) end.
Definition natural (n : Z) (rest : text) : text := digits (S (Z.to_nat (Z.log2 n))) n rest.
Definition number (n : nat) : text -> text := natural (Z.of_nat n).
Definition integer (n : Z) (rest : text) : text := if (n <? 0)%Z then "-" :: natural (- n) rest else natural n rest.
Definition rational (q : rat) (rest : text) : text := integer (fst q) (if Pos.eqb (snd q) 1 then rest else "/" :: natural (Zpos (snd q)) rest).
Definition dyadic_text (d : dyadic) (rest : text) : text := integer (fst d) (match snd d with None => rest | Some e => "p" :: integer e rest end).
Definition spaced {A} (f : A -> text -> text) (l : list A) (rest : text) : text := fold_right (fun a r => " " :: f a r) rest l.
Definition word (t : text) (rest : text) : text := t ++ rest.
Definition each {A} (f : A -> text -> text) (l : list A) (rest : text) : text := fold_right f rest l.

(* A problem as it is written. Units are documentation. *)
Record unknown_line := { u_name : text; u_unit : text; u_bounds : bounds }.
Record column_lines := { c_name : text; c_unit : text; c_entries : list bounds }.
Record tape_lines := { t_name : text; t_inputs : nat; t_ops : list op }.
(* A family of rows, or a table of records of 64 bits each number. *)
Inductive family_line := Rows (f_name : text) (f_tape f_rows : nat) (f_bindings : list binding) | Table (f_name : text) (f_rows : nat) (f_unknowns : list nat) (records : list (list Z)).
Record document := { version_3 : bool; d_unknowns : list unknown_line; d_columns : list column_lines; d_tapes : list tape_lines; d_families : list family_line }.

Definition bounds_text (b : bounds) (rest : text) : text := rational (fst b) (" " :: rational (snd b) rest).
Definition op_text (o : op) (rest : text) : text :=
  let one w i := say w (" " :: number i (line_end rest)) in let two w i j := say w (" " :: number i (" " :: number j (line_end rest))) in
  match o with
  | Const q => say "const " (rational q (line_end rest)) | Pi => say "pi" (line_end rest)
  | Add i j => two "add"%string i j | Sub i j => two "sub"%string i j | Mul i j => two "mul"%string i j | Div i j => two "div"%string i j
  | Neg i => one "neg"%string i | Sqr i => one "sqr"%string i | Sqrt i => one "sqrt"%string i | Sin i => one "sin"%string i | Cos i => one "cos"%string i
  | Exp i => one "exp"%string i | Log i => one "log"%string i | Atan i => one "atan"%string i
  end.
Definition binding_text (b : binding) : text -> text := fun rest => match b with OfVariable j => "v" :: number j rest | OfColumn j => "c" :: number j rest end.
Definition family_text (f : family_line) (rest : text) : text :=
  match f with
  | Rows name tape rows bs => word name (" " :: number tape (" " :: number rows (spaced binding_text bs (line_end rest))))
  | Table name rows us _ => word name (say " table " (number rows (spaced (fun j => binding_text (OfVariable j)) us (line_end rest))))
  end.
Fixpoint bytes_of (count : nat) (w : Z) (rest : text) : text :=
  match count with O => rest | S count => ascii_of_nat (Z.to_nat (Z.modulo w 256)) :: bytes_of count (Z.div w 256) rest end.
Definition records_text (f : family_line) : text -> text := match f with Rows _ _ _ _ => fun rest => rest | Table _ _ _ records => each (each (bytes_of 8)) records end.
Definition counted {A} (title : string) (f : A -> text -> text) (l : list A) (rest : text) : text := say title (" " :: number (List.length l) (line_end (each f l rest))).
Definition problem_text (d : document) : text :=
  say (if version_3 d then "certify-problem 3" else "certify-problem 2") (line_end (
  counted "variables" (fun u r => word (u_name u) (" " :: word (u_unit u) (" " :: bounds_text (u_bounds u) (line_end r)))) (d_unknowns d) (
  counted "columns" (fun c r => say "column " (word (c_name c) (" " :: word (c_unit c) (" " :: number (List.length (c_entries c)) (line_end (each (fun b r => bounds_text b (line_end r)) (c_entries c) r)))))) (d_columns d) (
  counted "tapes" (fun t r => say "tape " (word (t_name t) (" " :: number (t_inputs t) (" " :: number (List.length (t_ops t)) (line_end (each op_text (t_ops t) r)))))) (d_tapes d) (
  counted "families" family_text (d_families d) (say "end" (line_end (each records_text (d_families d) [])))))))).

(* What it stands for. A table is a family of its own tape a_1 x_1 + ... + a_p x_p - y and its own columns a_1, ..., a_p, y. *)
Definition binary (w : Z) : option rat :=
  let e := Z.modulo (Z.shiftr w 52) 2048 in let m := Z.modulo w 4503599627370496 in
  if Z.eqb e 2047 then None else
  let size := (if Z.eqb e 0 then m else m + 4503599627370496)%Z in let signed := if Z.testbit w 63 then (- size)%Z else size in let power := (Z.max e 1 - 1075)%Z in
  Some (if (0 <=? power)%Z then (Z.shiftl signed power, 1%positive) else (signed, Z.to_pos (Z.shiftl 1 (- power)))).
Fixpoint sequence {A} (l : list (option A)) : option (list A) := match l with [] => Some [] | a :: l => bind a (fun a => bind (sequence l) (fun l => Some (a :: l))) end.
Definition pair_of (i j : nat) (record : list Z) : option bounds :=
  bind (bind (nth_error record i) binary) (fun l => bind (bind (nth_error record j) binary) (fun u => Some (l, u))).
Definition table_columns (p : nat) (records : list (list Z)) : option (list (list bounds)) :=
  if forallb (fun r => Nat.eqb (List.length r) (p + 2)) records then
  sequence (map (fun k => sequence (map (pair_of k k) records)) (seq 0 p) ++ [sequence (map (pair_of p (S p)) records)]) else None.
Definition table_tape (p : nat) : list op :=
  map (fun k => Mul k (p + k)) (seq 0 p) ++
  map (fun k => Add (if Nat.eqb k 1 then 2 * p + 1 else 3 * p + k - 1) (2 * p + 1 + k)) (seq 1 (p - 1)) ++ [Sub (if Nat.eqb p 1 then 2 * p + 1 else 4 * p - 1) (2 * p)].
Fixpoint with_tables (fs : list family_line) (columns tapes : nat) : option (list (list bounds) * list (list op) * list family) :=
  match fs with
  | [] => Some ([], [], [])
  | Rows _ tape rows bs :: fs => bind (with_tables fs columns tapes) (fun '(cs, ts, l) => Some (cs, ts, {| Problem.tape := tape; Problem.rows := rows; bindings := bs |} :: l))
  | Table _ rows us records :: fs => let p := List.length us in
    if (Nat.eqb (List.length records) rows && Nat.ltb 0 p)%bool then
    bind (table_columns p records) (fun own => bind (with_tables fs (columns + (p + 1)) (S tapes)) (fun '(cs, ts, l) =>
    Some (own ++ cs, table_tape p :: ts, {| Problem.tape := tapes; Problem.rows := rows; bindings := map OfVariable us ++ map OfColumn (seq columns (p + 1)) |} :: l))) else None
  end.
Definition inputs_fit (d : document) (f : family_line) : bool :=
  match f with Rows _ tape _ bs => match nth_error (d_tapes d) tape with Some t => Nat.eqb (List.length bs) (t_inputs t) | None => false end | Table _ _ _ _ => version_3 d end.
Definition problem_of (d : document) : option problem :=
  if forallb (inputs_fit d) (d_families d) then
  bind (with_tables (d_families d) (List.length (d_columns d)) (List.length (d_tapes d))) (fun '(cs, ts, fs) =>
  Some {| variables := map u_bounds (d_unknowns d); columns := map c_entries (d_columns d) ++ cs; tapes := map t_ops (d_tapes d) ++ ts; families := fs |}) else None.

(* A certificate as it is written: of version 5, or of version 6 with the claim `errors` and groups of the norm `rows`. *)
Record group_line := { g_base : rat; g_scale : rat; g_names : list text }.
(* 0, 1 or 0. and digits: n / 10^k. *)
Definition fraction := (Z * nat)%type.
Definition fraction_value (f : fraction) : rat := (fst f, Z.to_pos (Z.pow 10 (Z.of_nat (snd f)))).
Fixpoint zeros (count : nat) (rest : text) : text := match count with O => rest | S count => "0" :: zeros count rest end.
Definition digit_count (n : Z) : nat := List.length (natural n []).
Definition fraction_text (f : fraction) (rest : text) : text :=
  match snd f with O => natural (fst f) rest | k => say "0." (zeros (k - digit_count (fst f)) (natural (fst f) rest)) end.
Definition token_text (t : fraction * option fraction) (rest : text) : text := fraction_text (fst t) (match snd t with None => rest | Some u => ":" :: fraction_text u rest end).
Record witness_lines := { w_values : list rat; w_without : list (nat * nat); w_columns : list (text * list (fraction * option fraction)) }.
Record certificate := { version_6 : bool; hash : text; precision : Z; groups : list group_line; c_point : option (list rat); c_factor : rat; c_discard : nat;
  c_lower : option rat; c_upper : option rat; c_within : option rat; c_witness : witness_lines; c_hull : list bounds; c_facets : list (list rat * rat); c_tree : tree }.

Definition side_text (up : bool) : text -> text := cons (if up then "+" else "-").
Definition term_text (t : term) (rest : text) : text :=
  match t with
  | RowTerm n w => (match form n with FormQ => "q" | FormM => "m" | FormT => "t" end) :: number (of_family n) ("." :: number (of_row n) (side_text (upper_side n) (dyadic_text w rest)))
  | Product i si j sj w => "b" :: number i (side_text si (number j (side_text sj (dyadic_text w rest))))
  end.
Fixpoint children_count (c : trees) : nat := match c with Done => O | Then _ rest => S (children_count rest) end.
Fixpoint tree_text (t : tree) (rest : text) : text :=
  match t with
  | Split v c l r => say "split " (number v (" " :: dyadic_text c (line_end (tree_text l (tree_text r rest)))))
  | Prepare cells t => say "prepare " (number cells (line_end (tree_text t rest)))
  | Evaluate f k => say "evaluate " (number f (" " :: number k (line_end rest)))
  | Aggregate terms => say "aggregate" (spaced term_text terms (line_end rest))
  | Open => say "open" (line_end rest)
  | Hitting c => say "hitting " (number (children_count c) (line_end (trees_text c rest)))
  end
with trees_text (c : trees) (rest : text) : text := match c with Done => rest | Then t c => tree_text t (trees_text c rest) end.
Definition claim_text (title : string) (c : option rat) (rest : text) : text := say title (match c with None => say " none" (line_end rest) | Some q => " " :: rational q (line_end rest) end).
Definition row_text (r : nat * nat) (rest : text) : text := number (fst r) ("." :: number (snd r) rest).
Definition given {A} (o : option A) (f : text -> text) (rest : text) : text := match o with Some _ => f rest | None => rest end.
Definition group_text (g : group_line) (rest : text) : text := say "group model rows " (rational (g_base g) (" " :: rational (g_scale g) (spaced word (g_names g) (line_end rest)))).
Definition point_text (c : certificate) (rest : text) : text := match c_point c with None => say "box" (line_end rest) | Some vs => say "point" (spaced rational vs (line_end rest)) end.
Definition about_text (c : certificate) (rest : text) : text :=
  if version_6 c then say "claim errors" (line_end (counted "groups" group_text (groups c) (point_text c (say "factor " (rational (c_factor c) (line_end rest))))))
  else say "scope" (spaced word (flat_map g_names (groups c)) (line_end (point_text c rest))).
Definition witness_text (c : certificate) (rest : text) : text :=
  let w := c_witness c in
  say "witness" (line_end (say "values" (spaced rational (w_values w) (line_end (
  (if Nat.eqb (c_discard c) 0 then fun r => r else fun r => say "without" (spaced row_text (w_without w) (line_end r)))
  (each (fun l r => say "column " (word (fst l) (spaced token_text (snd l) (line_end r)))) (w_columns w) rest)))))).
Definition facet_text (f : list rat * rat) (rest : text) : text := say "facet" (spaced rational (fst f) (" " :: rational (snd f) (line_end rest))).
Definition hull_text (c : certificate) (rest : text) : text := say "hull" (line_end (each (fun b r => bounds_text b (line_end r)) (c_hull c) (each facet_text (c_facets c) rest))).
Definition certificate_text (c : certificate) : text :=
  say (if version_6 c then "certify-certificate 6" else "certify-certificate 5") (line_end (say "problem " (word (hash c) (line_end (say "precision " (integer (precision c) (line_end (
  about_text c (say "norm largest" (line_end (say "discard " (number (c_discard c) (line_end (
  claim_text "lower" (c_lower c) (claim_text "upper" (c_upper c) (claim_text "within" (c_within c)
  (say "volume none" (line_end (say "zeros none" (line_end (say "minimum none" (line_end (
  given (c_upper c) (witness_text c) (given (c_within c) (hull_text c)
  (let tree r := say "tree" (line_end (tree_text (c_tree c) r)) in given (c_lower c) tree (given (c_within c) tree (say "end" (line_end [])))))))))))))))))))))))))))).

(* The question that it asks. *)
Fixpoint same_text (a b : text) : bool := match a, b with [], [] => true | c :: a, d :: b => (Ascii.eqb c d && same_text a b)%bool | _, _ => false end.
Fixpoint place_of (name : text) (names : list text) : option nat :=
  match names with [] => None | n :: names => if same_text name n then Some O else option_map S (place_of name names) end.
Definition family_name (f : family_line) : text := match f with Rows n _ _ _ | Table n _ _ _ => n end.
Definition members (d : document) (g : group_line) : option (list (nat * (rat * rat))) :=
  sequence (map (fun n => option_map (fun f => (f, (g_base g, g_scale g))) (place_of n (map family_name (d_families d)))) (g_names g)).
Definition one : rat := (1%Z, 1%positive).
Definition none : rat := (0%Z, 1%positive).
Definition plain_group (g : group_line) : group_line := {| g_base := none; g_scale := one; g_names := g_names g |}.
Definition question_of (d : document) (c : certificate) : option question :=
  bind (sequence (map (fun g => members d (if version_6 c then g else plain_group g)) (groups c))) (fun ms =>
  Some {| scope := List.concat ms; point := c_point c; factor := if version_6 c then c_factor c else one; discard := c_discard c |}).

(* Names and units are words: neither empty nor with a space or the end of a line within. *)
Definition is_word (t : text) : bool :=
  match t with [] => false | _ => forallb (fun c => negb (Ascii.eqb c " " || Ascii.eqb c (ascii_of_nat 10))) t end.
Definition plain (d : document) (c : certificate) : bool :=
  (forallb (fun u => is_word (u_name u) && is_word (u_unit u)) (d_unknowns d) && forallb (fun c => is_word (c_name c) && is_word (c_unit c)) (d_columns d) &&
   forallb (fun t => is_word (t_name t)) (d_tapes d) && forallb (fun f => is_word (family_name f)) (d_families d) &&
   forallb (fun g => forallb is_word (g_names g)) (groups c) && forallb (fun l => is_word (fst l)) (w_columns (c_witness c)))%bool.
