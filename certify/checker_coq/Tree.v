(* The tree (specification, section 6): split, prepare, hitting, evaluate, aggregate and open, and what a checked tree proves. *)
Require Import ZArith Reals List Lra Lia Arith Bool.
From Certify Require Import Fixed Elementary Problem Polynomial Lines Narrow Rational Evaluate Terms.
Import ListNotations.
Open Scope R_scope.

(* mantissa * 2^exponent; an exponent may be left out. *)
Definition dyadic := (Z * option Z)%type.
Definition power_of (d : dyadic) : Z := match snd d with Some e => e | None => 0%Z end.
Definition dyadic_value (d : dyadic) : rat :=
  if (0 <=? power_of d)%Z then (Z.shiftl (fst d) (power_of d), 1%positive) else (fst d, Z.to_pos (Z.shiftl 1 (- power_of d))).
Inductive term := RowTerm (n : name) (w : dyadic) | Product (i : nat) (si : bool) (j : nat) (sj : bool) (w : dyadic).
Inductive tree :=
  | Split (v : nat) (c : dyadic) (l r : tree) | Prepare (cells : nat) (t : tree) | Evaluate (f k : nat) | Aggregate (terms : list term) | Open
  | Hitting (children : trees)
with trees := Done | Then (t : tree) (rest : trees).
Scheme tree_both := Induction for tree Sort Prop with trees_both := Induction for trees Sort Prop.
Combined Scheme tree_induction from tree_both, trees_both.

Definition same_shape (a b : shape) : bool := match a, b with FormQ, FormQ | FormM, FormM | FormT, FormT => true | _, _ => false end.
Definition same_name (a b : name) : bool :=
  (Nat.eqb (of_row a) (of_row b) && Nat.eqb (of_family a) (of_family b) && eqb (upper_side a) (upper_side b) && same_shape (form a) (form b))%bool.
Lemma same_name_ok a b : same_name a b = true -> a = b.
Proof.
  unfold same_name. intros H. apply andb_prop in H. destruct H as [H S]. apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [R F].
  apply Nat.eqb_eq in R, F. apply eqb_prop in U. destruct a as [[] f k s], b as [[] f' k' s']; cbn in *; try discriminate; subst; reflexivity.
Qed.
Definition same_row (a b : nat * nat) : bool := (Nat.eqb (snd a) (snd b) && Nat.eqb (fst a) (fst b))%bool.
Lemma same_row_ok a b : same_row a b = true <-> a = b.
Proof.
  unfold same_row. destruct a as [f k], b as [f' k']; cbn. rewrite andb_true_iff, !Nat.eqb_eq. split; [intros [-> ->]; reflexivity|intros E; injection E; auto].
Qed.
Definition among (r : nat * nat) (l : list (nat * nat)) : bool := existsb (same_row r) l.
Lemma among_ok r l : among r l = true <-> In r l.
Proof.
  unfold among. rewrite existsb_exists. split; [intros (s & I & E); apply same_row_ok in E; subst; exact I|]. intros I. exists r. split; [exact I|]. apply same_row_ok. reflexivity.
Qed.

(* Which rows leaves name, and which terms need a row's polynomial on the box of the nearest preparation. *)
Definition term_rows (t : term) : list (nat * nat) := match t with RowTerm n _ => [(of_family n, of_row n)] | Product _ _ _ _ _ => [] end.
Fixpoint rows_of (t : tree) : list (nat * nat) :=
  match t with
  | Split _ _ l r => rows_of l ++ rows_of r | Prepare _ t => rows_of t | Evaluate f k => [(f, k)] | Aggregate terms => flat_map term_rows terms
  | Open => [] | Hitting c => rows_of_all c
  end
with rows_of_all (c : trees) : list (nat * nat) := match c with Done => [] | Then t rest => rows_of t ++ rows_of_all rest end.
Fixpoint children (c : trees) : list (list (nat * nat)) := match c with Done => [] | Then t rest => rows_of t :: children rest end.
Definition add_name (t : term) (l : list name) : list name :=
  match t with RowTerm n _ => if existsb (same_name n) l then l else n :: l | Product _ _ _ _ _ => l end.
Fixpoint names_of (t : tree) (l : list name) : list name :=
  match t with
  | Split _ _ a b => names_of b (names_of a l) | Prepare _ _ | Evaluate _ _ | Open => l | Aggregate terms => fold_right add_name l terms | Hitting c => names_of_all c l
  end
with names_of_all (c : trees) (l : list name) : list name := match c with Done => l | Then t rest => names_of_all rest (names_of t l) end.

(* Whether some set of at most n rows meets every conflict. *)
Fixpoint smallest (c : list (nat * nat)) (cs : list (list (nat * nat))) : list (nat * nat) :=
  match cs with [] => c | e :: cs => smallest (if Nat.ltb (length e) (length c) then e else c) cs end.
Fixpoint hit (n : nat) (cs : list (list (nat * nat))) : bool :=
  match cs with
  | [] => true
  | c :: rest => match n with O => false | S n => existsb (fun r => hit n (filter (fun c => negb (among r c)) cs)) (smallest c rest) end
  end.
Lemma smallest_in cs : forall c, In (smallest c cs) (c :: cs).
Proof. induction cs as [|e cs IH]; intros c; [left; reflexivity|]. cbn [smallest]. destruct (IH (if Nat.ltb (length e) (length c) then e else c)) as [H|H]; [destruct (Nat.ltb _ _)|]; cbn; auto. Qed.
Lemma hit_ok : forall n cs out, (length out <= n)%nat -> (forall c, In c cs -> exists r, In r c /\ In r out) -> hit n cs = true.
Proof.
  induction n as [|n IH]; intros [|c rest] out L H; try reflexivity.
  - destruct (H c (or_introl eq_refl)) as (r & _ & I). destruct out; [destruct I|cbn in L; lia].
  - cbn [hit]. apply existsb_exists. destruct (H _ (smallest_in rest c)) as (r & Rc & Ro). exists r. split; [exact Rc|].
    apply (IH _ (filter (fun s => negb (same_row r s)) out)).
    + assert (K : forall l, In r l -> (length (filter (fun s => negb (same_row r s)) l) < length l)%nat).
      { assert (W : forall l, (length (filter (fun s => negb (same_row r s)) l) <= length l)%nat) by (induction l as [|s l IHl]; cbn; [lia|]; destruct (negb _); cbn; lia).
        induction l as [|s l IHl]; intros I; [destruct I|]. cbn. destruct (same_row r s) eqn:E; cbn [negb]; [specialize (W l); cbn; lia|].
        destruct I as [->|I]; [assert (same_row r r = true) by (apply same_row_ok; reflexivity); congruence|]. specialize (IHl I). cbn. lia. }
      specialize (K out Ro). lia.
    + intros d D. apply filter_In in D. destruct D as [D N]. destruct (H d D) as (s & S1 & S2). exists s. split; [exact S1|]. apply filter_In. split; [exact S2|].
      destruct (same_row r s) eqn:E; [|reflexivity]. apply same_row_ok in E. subst s. apply among_ok in S1. rewrite S1 in N. discriminate.
Qed.
Lemma avoided n cs out : hit n cs = false -> (length out <= n)%nat -> exists c, In c cs /\ forall r, In r c -> ~ In r out.
Proof.
  intros H L. destruct (forallb (fun c => existsb (fun r => among r out) c) cs) eqn:E.
  - rewrite (hit_ok n cs out L) in H; [discriminate|]. intros c I. rewrite forallb_forall in E. specialize (E c I). apply existsb_exists in E. destruct E as (r & A & B). exists r. split; [exact A|apply among_ok, B].
  - clear H. induction cs as [|c cs IH]; cbn in E; [discriminate|]. destruct (existsb (fun r => among r out) c) eqn:C.
    + destruct (IH E) as (d & I & D). exists d. split; [right; exact I|exact D].
    + exists c. split; [left; reflexivity|]. intros r I O. assert (existsb (fun r => among r out) c = true) by (apply existsb_exists; exists r; split; [exact I|apply among_ok, O]). congruence.
Qed.

Section Tree.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Variable P : problem.
Variable Q : question.
Variable level : rat.
(* What may be left open: nothing, or a box and half-spaces. *)
Variable hull : option (list bounds * list (list rat * rat)).

Definition table := list (name * option poly).
Definition find_term (t : table) (n : name) : option poly := match find (fun e => same_name n (fst e)) t with Some e => snd e | None => None end.
Definition fill (D : prepared) (t : tree) : table := map (fun n => (n, row_term p T P Q level D n)) (names_of t []).
Definition is_row_b (f k : nat) : bool := match nth_error (families P) f with Some F => Nat.ltb k (rows F) | None => false end.
Definition whole (shift : Z) (w : dyadic) : Z := Z.shiftl (fst w) (power_of w + shift).
Definition shift_of (terms : list term) : Z :=
  fold_right (fun t s => Z.max s (- power_of (match t with RowTerm _ w => w | Product _ _ _ _ w => w end))) 0%Z terms.
Fixpoint total (D : prepared) (found : table) (shift : Z) (terms : list term) : option poly :=
  match terms with
  | [] => Some []
  | t :: terms =>
    let w := whole shift (match t with RowTerm _ w => w | Product _ _ _ _ w => w end) in
    if (0 <? w)%Z then
      bind (match t with
        | RowTerm n _ => if is_row_b (of_family n) (of_row n) then find_term found n else None
        | Product i si j sj _ => product_term p (box D) i si j sj end) (fun G =>
      bind (total D found shift terms) (fun S => Some (padd (weigh w G) S)))
    else None
  end.
Fixpoint greatest (a : list rat) (js : list nat) (X : place) : option rat :=
  match a, js with
  | [], [] => Some (0%Z, 1%positive)
  | c :: a, j :: js => bind (known X j) (fun b => bind (greatest a js X) (fun s => Some (radd (rmul c (if (0 <=? fst c)%Z then snd b else fst b)) s)))
  | _, _ => None
  end.
Fixpoint covered (js : list nat) (X : place) (hull : list bounds) : bool :=
  match js, hull with
  | [], [] => true
  | j :: js, h :: hull => (match known X j with Some b => rle (fst h) (fst b) && rle (snd b) (snd h) | None => false end && covered js X hull)%bool
  | _, _ => false
  end.
Definition open_ok (X : place) : bool :=
  match hull with
  | None => false
  | Some (h, facets) => (covered (unknowns P Q) X h && forallb (fun f => match greatest (fst f) (unknowns P Q) X with Some s => rle s (snd f) | None => false end) facets)%bool
  end.
Fixpoint check_tree (D : prepared) (found : table) (X : place) (below : bool) (t : tree) : bool :=
  let allowed := (below || Nat.eqb (discard Q) 0)%bool in
  match t with
  | Split v c l r => match known X v with
    | Some b => (let c := dyadic_value c in rlt (fst b) c && rlt c (snd b) && check_tree D found (set v (fst b, c) X) below l && check_tree D found (set v (c, snd b) X) below r)%bool
    | None => false end
  | Prepare cells t => (Nat.leb 1 cells && Nat.leb cells 256 && (let D := {| box := X; cells := cells |} in check_tree D (fill D t) X below t))%bool
  | Evaluate f k => (allowed && is_row_b f k && match bound_of Q level f, nth_error (families P) f with
    | Some b, Some F => match enclose_row p T P Q X F k with Some e => misses p b e | None => false end
    | _, _ => false end)%bool
  | Aggregate terms => (allowed && match total D found (shift_of terms) terms with Some G => (0 <? least p (offsets p (box D) X) G)%Z | None => false end)%bool
  | Open => (negb below && open_ok X)%bool
  | Hitting c => (negb below && Nat.ltb 0 (discard Q) && negb (hit (discard Q) (children c)) && check_trees D found X c)%bool
  end
with check_trees (D : prepared) (found : table) (X : place) (c : trees) : bool :=
  match c with Done => true | Then t rest => (check_tree D found X true t && check_trees D found X rest)%bool end.
Definition check (X : place) (t : tree) : bool := let D := {| box := X; cells := 1 |} in check_tree D (fill D t) X false t.

Section Sound.
Variables (x : nat -> R) (M : nat -> nat -> R) (out : list (nat * nat)).
Hypothesis HM : measured P Q M.
Hypothesis HO : (length out <= discard Q)%nat.
Hypothesis HE : forall f bound k, In (f, bound) (scope Q) -> is_row P f k -> ~ In (f, k) out -> explained P bound (real level) f k x M.
Definition covers : Prop := match hull with
  | None => False
  | Some (h, facets) => Forall2 (fun j b => within b (x j)) (unknowns P Q) h /\ forall a b, In (a, b) facets -> length a = length (unknowns P Q) /\ dot a (unknowns P Q) x <= real b
  end.
Notation bounded := (bounded P Q level x M).
Notation refuted := (refuted p x).
Definition trusted (rs : list (nat * nat)) : Prop := forall f k, In (f, k) rs -> is_row P f k -> bounded f k.
Definition table_ok (D : prepared) (found : table) : Prop := forall n G, find_term found n = Some G -> bounded (of_family n) (of_row n) -> refuted (box D) G.
Lemma fill_ok D t : in_place (box D) x -> table_ok D (fill D t).
Proof.
  intros X n G E B. unfold find_term, fill in E. destruct (find _ _) as [[m o]|] eqn:F; [|discriminate]. cbn in E. subst o. apply find_some in F. destruct F as [I S]. cbn in S. apply same_name_ok in S. subst m.
  apply in_map_iff in I. destruct I as (m & E & _). injection E as E1 E2. subst m. eapply row_term_ok; eassumption.
Qed.
Lemma is_row_ok f k : is_row_b f k = true -> is_row P f k.
Proof. unfold is_row_b, is_row. destruct (nth_error (families P) f) as [F|]; [|discriminate]. intros H. exists F. split; [reflexivity|apply Nat.ltb_lt, H]. Qed.
Lemma total_ok D found shift : in_place (box D) x -> table_ok D found -> forall terms G, trusted (flat_map term_rows terms) -> total D found shift terms = Some G -> refuted (box D) G.
Proof.
  intros X TO. induction terms as [|t terms IH]; intros G Tr E; [cbn in E; injection E as <-; exists 0; split; [reflexivity|lra]|]. cbn [total] in E. cbv zeta in E.
  destruct (0 <? _)%Z eqn:W in E; [|discriminate]. apply Z.ltb_lt in W. destruct (match t with RowTerm _ _ => _ | Product _ _ _ _ _ => _ end) as [G1|] eqn:E1 in E; [|discriminate]. cbn [bind] in E.
  destruct (total D found shift terms) as [S|] eqn:ES; [|discriminate]. cbn [bind] in E. injection E as <-.
  destruct (IH S) as (z & Z & ZN); [intros f k I; apply Tr; cbn; apply in_or_app; right; exact I|reflexivity|].
  assert (H : refuted (box D) G1).
  { destruct t as [n w|i si j sj w]; [|eapply product_term_ok; eassumption]. destruct (is_row_b _ _) eqn:R; [|discriminate]. eapply TO; [exact E1|]. apply Tr; [cbn; left; reflexivity|apply is_row_ok, R]. }
  destruct H as (y & Y & YN). exists (IZR (whole shift match t with RowTerm _ w | Product _ _ _ _ w => w end) * y + z). split; [apply padd_ok; [exact Hp|apply weigh_ok; [lia|exact Y]|exact Z]|]. apply IZR_lt in W. nra.
Qed.
Lemma positive_of c : (0 <=? fst c)%Z = true -> 0 <= real c.
Proof. intros H. apply Z.leb_le, IZR_le in H. unfold real. apply Rmult_le_pos; [exact H|]. left. apply Rinv_0_lt_compat, IZR_lt. reflexivity. Qed.
Lemma negative_of c : (0 <=? fst c)%Z = false -> real c <= 0.
Proof. intros H. apply Z.leb_gt, IZR_lt in H. unfold real. assert (0 < / IZR (Zpos (snd c))) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity). unfold Rdiv. nra. Qed.
Lemma greatest_ok X : in_place X x -> forall a js s, greatest a js X = Some s -> length a = length js /\ dot a js x <= real s.
Proof.
  intros HX. induction a as [|c a IH]; intros [|j js] s E; cbn in E; try discriminate; [injection E as <-; cbn; split; [reflexivity|unfold real; cbn; lra]|].
  destruct (known X j) as [b|] eqn:K; [|discriminate]. cbn in E. destruct (greatest a js X) as [r|] eqn:G; [|discriminate]. cbn in E. injection E as <-. destruct (IH js r G) as [L D].
  split; [cbn; lia|]. cbn [dot]. rewrite radd_ok, rmul_ok. destruct (known_ok X x j b HX K) as [B1 B2]. destruct (0 <=? fst c)%Z eqn:S; [apply positive_of in S|apply negative_of in S]; nra.
Qed.
Lemma open_covers X : in_place X x -> open_ok X = true -> covers.
Proof.
  intros HX. unfold open_ok, covers. destruct hull as [[h facets]|]; [|discriminate]. intros H. apply andb_prop in H. destruct H as [C F]. split.
  - clear F. revert h C. induction (unknowns P Q) as [|j js IH]; intros [|b h] C; cbn in C; try discriminate; constructor; apply andb_prop in C; destruct C as [C1 C2]; [|apply IH, C2].
    destruct (known X j) as [q|] eqn:K; [|discriminate]. apply andb_prop in C1. destruct C1 as [L U]. apply rle_ok in L, U. destruct (known_ok X x j q HX K). split; lra.
  - intros a b0 I. rewrite forallb_forall in F. specialize (F (a, b0) I). cbn in F. destruct (greatest a (unknowns P Q) X) as [s|] eqn:G; [|discriminate]. apply rle_ok in F.
    destruct (greatest_ok X HX _ _ _ G) as [L D]. split; [exact L|lra].
Qed.
Lemma check_tree_sound :
  (forall t D found X below, check_tree D found X below t = true -> in_place X x -> in_place (box D) x -> table_ok D found ->
    ((below || Nat.eqb (discard Q) 0)%bool = true -> trusted (rows_of t)) -> covers) /\
  (forall c D found X, check_trees D found X c = true -> in_place X x -> in_place (box D) x -> table_ok D found -> forall rs, In rs (children c) -> trusted rs -> covers).
Proof.
  apply tree_induction.
  - intros v c l IHl r IHr D found X below C HX HD TO Tr. cbn [check_tree] in C. destruct (known X v) as [b|] eqn:K; [|discriminate]. cbv zeta in C.
    apply andb_prop in C. destruct C as [C C2]. apply andb_prop in C. destruct C as [_ C1]. destruct (known_ok X x v b HX K) as [L U].
    assert (Sub : forall rs, incl rs (rows_of l ++ rows_of r) -> (below || Nat.eqb (discard Q) 0)%bool = true -> trusted rs) by (intros rs S A f k I; apply (Tr A), S, I).
    destruct (Rle_dec (x v) (real (dyadic_value c))).
    + eapply IHl; [exact C1| |exact HD|exact TO|apply Sub; intros q I; apply in_or_app; left; exact I]. apply set_ok; [exact HX|]. split; cbn; lra.
    + eapply IHr; [exact C2| |exact HD|exact TO|apply Sub; intros q I; apply in_or_app; right; exact I]. apply set_ok; [exact HX|]. split; cbn; lra.
  - intros cells t IH D found X below C HX HD TO Tr. cbn [check_tree] in C. apply andb_prop in C. destruct C as [_ C]. eapply IH; [exact C|exact HX|exact HX|apply fill_ok; exact HX|exact Tr].
  - intros f k D found X below C HX HD TO Tr. cbn [check_tree] in C. cbv zeta in C. apply andb_prop in C. destruct C as [C M']. apply andb_prop in C. destruct C as [A R]. apply is_row_ok in R.
    destruct (bound_of Q level f) as [b|] eqn:B; [|discriminate]. destruct (bound_of_ok Q level f b B) as (s & Is & Es). destruct (Tr A f k (or_introl eq_refl) R s Is) as (F & r & EF & V & Le).
    rewrite EF in M'. destruct (enclose_row p T P Q X F k) as [e|] eqn:E; [|discriminate]. exfalso. eapply (misses_ok p Hp b e r M'); [|rewrite Es; exact Le]. exact (row_ok p Hp T HT P Q X F k x M r HX HM V e E).
  - intros terms D found X below C HX HD TO Tr. cbn [check_tree] in C. cbv zeta in C. apply andb_prop in C. destruct C as [A C].
    destruct (total D found (shift_of terms) terms) as [G|] eqn:E; [|discriminate]. apply Z.ltb_lt, IZR_lt in C. destruct (total_ok D found _ HD TO terms G (Tr A) E) as (y & Y & N).
    pose proof (scale_pos p Hp). pose proof (least_ok p Hp (offsets p (box D) X) (offset (box D) x) (offsets_ok p Hp (box D) X x HD HX) G y Y). exfalso. nra.
  - intros D found X below C HX _ _ _. cbn [check_tree] in C. apply andb_prop in C. destruct C as [_ C]. eapply open_covers; eassumption.
  - intros c IH D found X below C HX HD TO _. cbn [check_tree] in C. apply andb_prop in C. destruct C as [C C1]. apply andb_prop in C. destruct C as [_ H]. apply negb_true_iff in H.
    destruct (avoided _ _ out H HO) as (rs & I & Av). eapply (IH D found X C1 HX HD TO rs I). intros f k J R0 b0 B0. apply HE; auto.
  - intros D found X _ _ _ _ rs [].
  - intros t IHt rest IHr D found X C HX HD TO rs I Tr. cbn [check_trees] in C. apply andb_prop in C. destruct C as [C1 C2]. destruct I as [<-|I]; [eapply IHt; eauto|eapply IHr; eauto].
Qed.
Lemma check_covers X t : check X t = true -> in_place X x -> covers.
Proof.
  unfold check. cbv zeta. intros C HX. eapply (proj1 check_tree_sound); [exact C|exact HX|exact HX|apply fill_ok; exact HX|]. cbn [orb]. intros Z. apply Nat.eqb_eq in Z.
  intros f k _ R b B. apply HE; auto. assert (out = []) by (destruct out; [reflexivity|cbn in HO; lia]). subst out. auto.
Qed.
End Sound.

(* The root: the box of the scope's unknowns, or the point. *)
Definition root : place :=
  match point Q with
  | None => map (fun j => if existsb (Nat.eqb j) (unknowns P Q) then nth_error (variables P) j else None) (seq 0 (length (variables P)))
  | Some values => fold_right (fun jv B => set (fst jv) (snd jv, snd jv) B) (map (fun _ => None) (variables P)) (combine (unknowns P Q) values)
  end.
Lemma root_ok x : placed P Q x -> in_place root x.
Proof.
  unfold placed, root. destruct (point Q) as [values|].
  - intros F. induction F as [|j v js values E F IH].
    + intros j b N. cbn in N. rewrite nth_error_map in N. destruct (nth_error (variables P) j); discriminate.
    + cbn [combine fold_right fst snd]. apply set_ok; [exact IH|]. rewrite E. split; cbn; lra.
  - intros H j b N. rewrite nth_error_map in N. destruct (nth_error (seq 0 (length (variables P))) j) as [i|] eqn:S; [|discriminate]. cbn in N. injection N as N.
    assert (i = j). { apply nth_error_nth with (d := O) in S as S'. rewrite seq_nth in S'; [cbn in S'; auto|]. rewrite <- (seq_length (length (variables P)) 0). apply nth_error_Some. rewrite S. discriminate. }
    subst i. destruct (existsb (Nat.eqb j) (unknowns P Q)) eqn:E; [|discriminate]. apply existsb_exists in E. destruct E as (k & I & Ek). apply Nat.eqb_eq in Ek. subst k. eapply H; eassumption.
Qed.
Theorem check_sound t : check root t = true -> forall x, solution P Q (real level) x -> covers x.
Proof. intros C x (X & M & out & HM & HO & HE). eapply check_covers; try eassumption. apply root_ok, X. Qed.
End Tree.
