(* What a problem and a claim mean: the statement, which has to be read and trusted (specification, sections 2, 3, 12).
   Certificates of version 6 are meant, of the kind `errors` with the norm `rows`, and those of version 5. *)
Require Import ZArith Reals List.
Import ListNotations.
Open Scope R_scope.

Definition rat := (Z * positive)%type.
Definition real (q : rat) : R := IZR (fst q) / IZR (Zpos (snd q)).
Definition bounds := (rat * rat)%type.
Definition within (b : bounds) (x : R) : Prop := real (fst b) <= x <= real (snd b).

Inductive op :=
  | Const (q : rat) | Pi | Add (i j : nat) | Sub (i j : nat) | Mul (i j : nat) | Div (i j : nat) | Neg (i : nat)
  | Sqr (i : nat) | Sqrt (i : nat) | Sin (i : nat) | Cos (i : nat) | Exp (i : nat) | Log (i : nat) | Atan (i : nat).
Inductive binding := OfVariable (variable : nat) | OfColumn (column : nat).
Record family := { tape : nat; rows : nat; bindings : list binding }.
Record problem := { variables : list bounds; columns : list (list bounds); tapes : list (list op); families : list family }.

Definition bind {A B} (a : option A) (f : A -> option B) : option B := match a with Some x => f x | None => None end.

(* A node's value from those of earlier nodes; None: undefined. *)
Definition value_of (node : nat -> option R) (o : op) : option R :=
  let unary i f := bind (node i) f in
  let binary i j f := bind (node i) (fun a => bind (node j) (f a)) in
  match o with
  | Const q => Some (real q)
  | Pi => Some PI
  | Add i j => binary i j (fun a b => Some (a + b))
  | Sub i j => binary i j (fun a b => Some (a - b))
  | Mul i j => binary i j (fun a b => Some (a * b))
  | Div i j => binary i j (fun a b => if Req_EM_T b 0 then None else Some (a / b))
  | Neg i => unary i (fun a => Some (- a))
  | Sqr i => unary i (fun a => Some (a * a))
  | Sqrt i => unary i (fun a => if Rle_dec 0 a then Some (sqrt a) else None)
  | Sin i => unary i (fun a => Some (sin a))
  | Cos i => unary i (fun a => Some (cos a))
  | Exp i => unary i (fun a => Some (exp a))
  | Log i => unary i (fun a => if Rlt_dec 0 a then Some (ln a) else None)
  | Atan i => unary i (fun a => Some (atan a))
  end.

(* Nodes are kept last first: node i of n is at place n - 1 - i. *)
Definition node {A} (n : nat) (nodes : list A) (i : nat) : option A :=
  if Nat.ltb i n then nth_error nodes (n - 1 - i) else None.
Fixpoint run (ops : list op) (n : nat) (nodes : list R) : option R :=
  match ops with
  | [] => hd_error nodes
  | o :: rest => bind (value_of (node n nodes) o) (fun v => run rest (S n) (v :: nodes))
  end.
Definition input (x : nat -> R) (M : nat -> nat -> R) (row : nat) (b : binding) : R :=
  match b with OfVariable j => x j | OfColumn j => M j row end.
(* r of a row of a family at the unknowns x and the measurements M (by column and entry). *)
Definition row_value (P : problem) (F : family) (row : nat) (x : nat -> R) (M : nat -> nat -> R) : option R :=
  bind (nth_error (tapes P) (tape F)) (fun ops => run ops (length (bindings F)) (rev (map (input x M row) (bindings F)))).

(* What is asked of a problem: families with their bounds b(e) = base + scale e, the whole box of the unknowns or one
   point of it, a factor on all half-widths, how many rows may be left out. *)
Record question := { scope : list (nat * (rat * rat)); point : option (list rat); factor : rat; discard : nat }.

Definition binds (j : nat) (b : binding) : bool := match b with OfVariable i => Nat.eqb i j | OfColumn _ => false end.
Definition uses (P : problem) (f j : nat) : bool :=
  match nth_error (families P) f with Some F => existsb (binds j) (bindings F) | None => false end.
(* The unknowns of the scope, ascending. *)
Definition unknowns (P : problem) (Q : question) : list nat :=
  filter (fun j => existsb (fun s => uses P (fst s) j) (scope Q)) (seq 0 (length (variables P))).
Definition placed (P : problem) (Q : question) (x : nat -> R) : Prop :=
  match point Q with
  | None => forall j b, In j (unknowns P Q) -> nth_error (variables P) j = Some b -> within b (x j)
  | Some values => Forall2 (fun j v => x j = real v) (unknowns P Q) values
  end.
Definition measured (P : problem) (Q : question) (M : nat -> nat -> R) : Prop :=
  forall j entries k l u, nth_error (columns P) j = Some entries -> nth_error entries k = Some (l, u) ->
  Rabs (M j k - (real l + real u) / 2) <= real (factor Q) * ((real u - real l) / 2).
Definition explained (P : problem) (bound : rat * rat) (e : R) (f k : nat) (x : nat -> R) (M : nat -> nat -> R) : Prop :=
  exists F r, nth_error (families P) f = Some F /\ row_value P F k x M = Some r /\
  Rabs r <= real (fst bound) + real (snd bound) * e.
Definition is_row (P : problem) (f k : nat) : Prop := exists F, nth_error (families P) f = Some F /\ (k < rows F)%nat.
(* x is in S(e): with one realisation of all measurements all rows but `discard` many are within their bounds. *)
Definition solution (P : problem) (Q : question) (e : R) (x : nat -> R) : Prop :=
  placed P Q x /\ exists M out, measured P Q M /\ (length out <= discard Q)%nat /\
  forall f bound k, In (f, bound) (scope Q) -> is_row P f k -> ~ In (f, k) out -> explained P bound e f k x M.

Definition lower_claim (P : problem) (Q : question) (e : rat) : Prop := ~ exists x, solution P Q (real e) x.
Definition upper_claim (P : problem) (Q : question) (e : rat) : Prop := exists x, solution P Q (real e) x.
Fixpoint dot (a : list rat) (js : list nat) (x : nat -> R) : R :=
  match a, js with c :: a, j :: js => real c * x j + dot a js x | _, _ => 0 end.
(* All points of S(e) lie in a box and in half-spaces a . x <= b. *)
Definition within_claim (P : problem) (Q : question) (e : rat) (hull : list bounds) (facets : list (list rat * rat)) : Prop :=
  forall x, solution P Q (real e) x ->
  Forall2 (fun j b => within b (x j)) (unknowns P Q) hull /\
  forall a b, In (a, b) facets -> length a = length (unknowns P Q) /\ dot a (unknowns P Q) x <= real b.

(* Nothing is vacuous: bounds are in order, nodes refer to earlier ones, bindings exist and fit. *)
Definition ordered (b : bounds) : bool := (fst (fst b) * Zpos (snd (snd b)) <=? fst (snd b) * Zpos (snd (fst b)))%Z.
Definition operands (o : op) : list nat :=
  match o with
  | Const _ | Pi => []
  | Add i j | Sub i j | Mul i j | Div i j => [i; j]
  | Neg i | Sqr i | Sqrt i | Sin i | Cos i | Exp i | Log i | Atan i => [i]
  end.
Fixpoint refers (ops : list op) (n : nat) : bool :=
  match ops with [] => true | o :: rest => (forallb (fun i => Nat.ltb i n) (operands o) && refers rest (S n))%bool end.
Definition fits (P : problem) (F : family) : bool :=
  (Nat.ltb 0 (rows F) && match nth_error (tapes P) (tape F) with
    | Some (o :: ops) => refers (o :: ops) (length (bindings F))
    | _ => false
    end &&
  forallb (fun b => match b with
    | OfVariable j => Nat.ltb j (length (variables P))
    | OfColumn j => match nth_error (columns P) j with Some entries => Nat.eqb (length entries) (rows F) | None => false end
    end) (bindings F))%bool.
Definition well_formed (P : problem) (Q : question) : bool :=
  (forallb ordered (variables P) && forallb (forallb ordered) (columns P) && forallb (fits P) (families P) &&
  negb (Nat.eqb (length (scope Q)) 0) && (0 <=? fst (factor Q))%Z &&
  forallb (fun s => Nat.ltb (fst s) (length (families P)) && (0 <=? fst (fst (snd s)))%Z && (0 <=? fst (snd (snd s)))%Z) (scope Q) &&
  match point Q with
  | None => true
  | Some values => Nat.eqb (length values) (length (unknowns P Q)) &&
    forallb (fun jv => match nth_error (variables P) (fst jv) with
      | Some b => ordered (fst b, snd jv) && ordered (snd jv, snd b) | None => false end) (combine (unknowns P Q) values)
  end)%bool.
