(* The witness rule (specification, section 5): S(e) is not empty. *)
Require Import ZArith Reals List Lra Lia Arith Bool Ranalysis5.
From Coquelicot Require Import Coquelicot.
From Certify Require Import Fixed Elementary Problem Polynomial Jets Lines Narrow Rational Terms Tree.
Import ListNotations.
Open Scope R_scope.

(* Values of the unknowns, rows that are left out, and for columns their entries' fractions s and t: others have s = 1, t = 0. *)
Record witness := { values : list rat; without : list (nat * nat); fractions : list (nat * list (rat * rat)) }.
Definition crossing (f : R -> R) (b : R) : 0 <= b -> (forall t, 0 <= t <= 1 -> continuity_pt f t) -> f 0 <= b -> - b <= f 1 -> {t : R | 0 <= t <= 1 /\ Rabs (f t) <= b}.
Proof.
  intros B C F0 F1. destruct (Rle_dec (- b) (f 0)) as [L|L]; [exists 0; split; [lra|apply Rabs_le; lra]|].
  destruct (Rle_dec (f 1) b) as [U|U]; [exists 1; split; [lra|apply Rabs_le; lra]|].
  destruct (IVT_interv (fun t => f t + b) 0 1) as (z & Z & E); try lra.
  - intros a A. apply continuity_pt_plus; [apply C, A|apply continuity_pt_const; intros u v; reflexivity].
  - exists z. split; [exact Z|]. apply Rabs_le. lra.
Qed.

Section Witness.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Variable P : problem.
Variable Q : question.
Variable level : rat.
Variable W : witness.
Notation inside := (inside p).

Definition value_at (j : nat) : option rat := option_map snd (find (fun jv => Nat.eqb j (fst jv)) (combine (unknowns P Q) (values W))).
Definition token (j k : nat) : option (rat * rat) :=
  match find (fun c => Nat.eqb j (fst c)) (fractions W) with Some c => nth_error (snd c) k | None => Some ((1%Z, 1%positive), (0%Z, 1%positive)) end.
Definition part (b : bounds) (s : rat) : rat := radd (fst b) (rmul s (radd (snd b) (rneg (fst b)))).
Definition ends (k : nat) (b : binding) : option (rat * rat) :=
  match b with
  | OfVariable j => option_map (fun v => (v, v)) (value_at j)
  | OfColumn j => bind (entry P Q k j) (fun e => option_map (fun st => (part e (fst st), part e (snd st))) (token j k))
  end.
Definition same_rat (a b : rat) : bool := (rle a b && rle b a)%bool.
(* The first family of the scope that reads a column. *)
Definition owner (j : nat) : option nat :=
  option_map fst (find (fun s => match nth_error (families P) (fst s) with Some F => existsb (reads j) (bindings F) | None => false end) (scope Q)).
Definition owned (f : nat) (b : binding) (e : rat * rat) : bool :=
  (same_rat (fst e) (snd e) || match b with OfColumn j => match owner j with Some g => Nat.eqb f g | None => false end | OfVariable _ => false end)%bool.
Definition fraction_ok (k : nat) (b : binding) : bool :=
  match b with
  | OfVariable _ => true
  | OfColumn j => match token j k with Some (s, t) => rle (0%Z, 1%positive) s && rle s (1%Z, 1%positive) && rle (0%Z, 1%positive) t && rle t (1%Z, 1%positive) | None => false end
  end.
Definition thin (q : rat) : itv * poly := (of_rat p q, []).
Fixpoint spans (k : nat) (es : list (rat * rat)) : list (itv * poly) :=
  match es with
  | [] => []
  | e :: es => let a := of_rat p (fst e) in let b := of_rat p (snd e) in
    ((Z.min (fst a) (fst b), Z.max (snd a) (snd b)), if same_rat (fst e) (snd e) then [] else own p k) :: spans (S k) es
  end.
Definition enclosed (ops : list op) (S : list (itv * poly)) : option itv := bind (inputs_run p T false [] ops S []) (fun J => bind (result J) (fun j => Some (at_ j))).
Definition check_row (s : nat * (rat * rat)) (k : nat) : bool :=
  let b := radd (fst (snd s)) (rmul (snd (snd s)) level) in let most := fst (of_rat p b) in
  match bind (nth_error (families P) (fst s)) (fun F => bind (nth_error (tapes P) (tape F)) (fun ops => bind (all (map (ends k) (bindings F))) (fun es => Some (F, ops, es)))) with
  | None => false
  | Some (F, ops, es) =>
    ((0 <=? fst b)%Z && forallb (fraction_ok k) (bindings F) && forallb (fun be => owned (fst s) (fst be) (snd be)) (combine (bindings F) es) &&
     match enclosed ops (map (fun e => thin (fst e)) es) with Some i => (snd i <=? most)%Z | None => false end &&
     match enclosed ops (map (fun e => thin (snd e)) es) with Some i => (- most <=? fst i)%Z | None => false end &&
     is_some (enclosed ops (spans 0 es)))%bool
  end.
Definition check_rows : bool :=
  forallb (fun s => match nth_error (families P) (fst s) with
    | Some F => forallb (fun k => among (fst s, k) (without W) || check_row s k)%bool (seq 0 (rows F)) | None => false end) (scope Q).
Definition check_values : bool :=
  (Nat.eqb (length (values W)) (length (unknowns P Q)) && match point Q with
  | None => forallb (fun jv => match nth_error (variables P) (fst jv) with Some b => rle (fst b) (snd jv) && rle (snd jv) (snd b) | None => false end) (combine (unknowns P Q) (values W))
  | Some vs => Nat.eqb (length vs) (length (values W)) && forallb (fun uv => same_rat (fst uv) (snd uv)) (combine (values W) vs)
  end)%bool.
Definition check_witness : bool := (Nat.leb (length (without W)) (discard Q) && check_values && check_rows)%bool.

Definition x (j : nat) : R := match value_at j with Some v => real v | None => 0 end.
Lemma same_rat_ok a b : same_rat a b = true -> real a = real b.
Proof. unfold same_rat. intros H. apply andb_prop in H. destruct H as [A B]. apply rle_ok in A, B. lra. Qed.
Lemma part_ok b s : real (part b s) = real (fst b) + real s * (real (snd b) - real (fst b)).
Proof. unfold part. rewrite radd_ok, rmul_ok, radd_ok, rneg_ok. ring. Qed.
Definition starts_of (es : list (rat * rat)) : list R := map (fun e => real (fst e)) es.
Definition stops_of (es : list (rat * rat)) : list R := map (fun e => real (snd e)) es.
Lemma thin_moved (g : rat * rat -> rat) es : all_moved p (fun _ => 0) (map (fun e => real (g e)) es) (map (fun e => real (g e)) es) (map (fun e => thin (g e)) es).
Proof.
  induction es as [|e es IH]; cbn; constructor; [|exact IH]. pose proof (of_rat_ok p Hp (g e)) as I. split; [exact I|]. split; [exact I|]. cbn [snd thin pin]. ring.
Qed.
Lemma spans_moved d es : forall k, (forall i, d (k + i)%nat = nth i (stops_of es) 0 - nth i (starts_of es) 0) -> all_moved p d (starts_of es) (stops_of es) (spans k es).
Proof.
  induction es as [|e es IH]; intros k D; cbn [spans starts_of stops_of map]; constructor.
  - destruct (of_rat_ok p Hp (fst e)) as [A1 A2], (of_rat_ok p Hp (snd e)) as [B1 B2]. set (a := of_rat p (fst e)) in *. set (b := of_rat p (snd e)) in *.
    pose proof (IZR_le _ _ (Z.le_min_l (fst a) (fst b))). pose proof (IZR_le _ _ (Z.le_min_r (fst a) (fst b))). pose proof (IZR_le _ _ (Z.le_max_l (snd a) (snd b))). pose proof (IZR_le _ _ (Z.le_max_r (snd a) (snd b))).
    split; [split; cbn [fst snd]; lra|]. split; [split; cbn [fst snd]; lra|]. cbn [snd]. specialize (D O). rewrite Nat.add_0_r in D. cbn in D. destruct (same_rat (fst e) (snd e)) eqn:E.
    + apply same_rat_ok in E. cbn [pin]. lra.
    + rewrite <- D. apply own_ok.
  - apply IH. intros i. specialize (D (S i)). cbn in D. replace (S k + i)%nat with (k + S i)%nat by lia. exact D.
Qed.
Lemma enclosed_ok ops (g : rat * rat -> rat) es i : enclosed ops (map (fun e => thin (g e)) es) = Some i -> exists r, value ops (map (fun e => real (g e)) es) = Some r /\ inside i r.
Proof.
  unfold enclosed. destruct (inputs_run _ _ _ _ _ _ _) as [J|] eqn:E; [|discriminate]. cbn [bind]. destruct (result J) as [j|] eqn:R; [|discriminate]. cbn [bind]. intros K; injection K as <-.
  destruct (mean_line p Hp T HT _ _ _ _ _ _ _ _ (thin_moved g es) E R) as (r & y & V & _ & I & _). exists r. split; assumption.
Qed.
(* A row takes a value within its bound somewhere on its segment. *)
Definition row_found (s : nat * (rat * rat)) (k : nat) (t : R) : Prop :=
  0 <= t <= 1 /\ exists F ops es r, nth_error (families P) (fst s) = Some F /\ nth_error (tapes P) (tape F) = Some ops /\ all (map (ends k) (bindings F)) = Some es /\
  run ops (length es) (rev (map (fun e => real (fst e) + t * (real (snd e) - real (fst e))) es)) = Some r /\ Rabs r <= real (fst (snd s)) + real (snd (snd s)) * real level.
Lemma segments_map es t : at_t (segments (starts_of es) (stops_of es)) t = map (fun e => real (fst e) + t * (real (snd e) - real (fst e))) es.
Proof. unfold at_t. induction es as [|e es IH]; cbn; [reflexivity|]. f_equal. exact IH. Qed.
Definition find_row s k : check_row s k = true -> {t : R | row_found s k t}.
Proof.
  unfold check_row. cbv zeta. destruct (nth_error (families P) (fst s)) as [F|] eqn:EF; [|discriminate]. cbn [bind]. destruct (nth_error (tapes P) (tape F)) as [ops|] eqn:ET; [|discriminate]. cbn [bind].
  destruct (all (map (ends k) (bindings F))) as [es|] eqn:EE; [|discriminate]. cbn [bind]. set (b := radd (fst (snd s)) (rmul (snd (snd s)) level)). intros C.
  apply andb_prop in C. destruct C as [C C3]. apply andb_prop in C. destruct C as [C C2]. apply andb_prop in C. destruct C as [C C1]. apply andb_prop in C. destruct C as [C _]. apply andb_prop in C. destruct C as [C _].
  destruct (enclosed ops (map (fun e => thin (fst e)) es)) as [i1|] eqn:E1; [|discriminate]. destruct (enclosed ops (map (fun e => thin (snd e)) es)) as [i2|] eqn:E2; [|discriminate].
  unfold enclosed in C3. destruct (inputs_run p T false [] ops (spans 0 es) []) as [J|] eqn:EJ; [|discriminate]. cbn [bind] in C3. destruct (result J) as [j|] eqn:R; [|discriminate].
  set (fs := curve_nodes ops (length (spans 0 es)) (rev (segments (starts_of es) (stops_of es)))). set (d := fun i => nth i (stops_of es) 0 - nth i (starts_of es) 0).
  assert (AM : all_moved p d (starts_of es) (stops_of es) (spans 0 es)) by (apply spans_moved; reflexivity).
  destruct (hd_error fs) as [f|] eqn:Hf.
  2:{ exfalso. destruct (jet_run_ok p Hp T HT d false between [] ops _ _ _ _ (segments_good p Hp d false _ _ _ AM) EJ) as [G _]. destruct (Forall2_hd _ _ _ _ G R) as (g & Hg & _). unfold fs in Hf. rewrite Hg in Hf. discriminate. }
  assert (Facts : 0 <= real b /\ (forall t, 0 <= t <= 1 -> continuity_pt f t) /\ f 0 <= real b /\ - real b <= f 1 /\
    forall t, 0 <= t <= 1 -> run ops (length es) (rev (map (fun e => real (fst e) + t * (real (snd e) - real (fst e))) es)) = Some (f t)).
  { destruct (jet_run_ok p Hp T HT d false between [] ops _ _ _ _ (segments_good p Hp d false _ _ _ AM) EJ) as [G Fo]. destruct (Forall2_hd _ _ _ _ G R) as (g & Hg & Gg). unfold fs in Hf. rewrite Hg in Hf. injection Hf as ->.
    assert (B0 : 0 <= real b) by (apply positive_of, C). destruct (of_rat_ok p Hp b) as [BL _]. pose proof (scale_pos p Hp) as SP.
    destruct (follows_values p d between ops _ _ _ f 0 AM Fo ltac:(unfold between; lra) Hg) as [V0 _]. destruct (follows_values p d between ops _ _ _ f 1 AM Fo ltac:(unfold between; lra) Hg) as [_ V1].
    destruct (enclosed_ok ops fst es i1 E1) as (r1 & R1 & I1). destruct (enclosed_ok ops snd es i2 E2) as (r2 & R2 & I2).
    specialize (V0 eq_refl). specialize (V1 eq_refl). unfold starts_of in V0. unfold stops_of in V1. rewrite V0 in R1. injection R1 as <-. rewrite V1 in R2. injection R2 as <-.
    apply Z.leb_le, IZR_le in C1, C2. rewrite opp_IZR in C2. destruct I1 as [_ I1], I2 as [I2 _].
    split; [exact B0|]. split. { intros t Ht. destruct Gg as (f1 & f2 & K). eapply derive_continuous. apply (K t Ht). }
    split; [apply Rmult_le_reg_r with (scale p); lra|]. split; [apply Rmult_le_reg_r with (scale p); lra|].
    intros t Ht. specialize (Fo t Ht). rewrite (hd_at _ _ _ Hg), at_t_rev, segments_map in Fo. destruct (all_moved_length p _ _ _ _ AM) as [L _]. unfold starts_of in L. rewrite map_length in L. rewrite L. exact Fo. }
  destruct (crossing f (real b)) as (t & Ht & At); try apply Facts. exists t. split; [exact Ht|]. exists F, ops, es, (f t). split; [exact EF|]. split; [exact ET|]. split; [exact EE|]. split; [apply Facts, Ht|].
  unfold b in At. rewrite radd_ok, rmul_ok in At. exact At.
Qed.
Definition time (s : nat * (rat * rat)) (k : nat) : R := match bool_dec (check_row s k) true with Specif.left H => proj1_sig (find_row s k H) | Specif.right _ => 0 end.
Lemma time_ok s k : check_row s k = true -> row_found s k (time s k).
Proof. intros H. unfold time. destruct (bool_dec (check_row s k) true) as [E|N]; [|contradiction]. apply (proj2_sig (find_row s k E)). Qed.
Lemma time_between s k : 0 <= time s k <= 1.
Proof. unfold time. destruct (bool_dec (check_row s k) true) as [E|N]; [apply (proj2_sig (find_row s k E))|lra]. Qed.
Definition member_of (f : nat) : nat * (rat * rat) := match find (fun t => Nat.eqb (fst t) f) (scope Q) with Some t => t | None => (f, ((0%Z, 1%positive), (0%Z, 1%positive))) end.
Definition M (j k : nat) : R :=
  match entry P Q k j with
  | None => 0
  | Some e => if fraction_ok k (OfColumn j) then match token j k with
    | None => real (fst e)
    | Some st => let tau := match owner j with Some f => time (member_of f) k | None => 0 end in
      real (part e (fst st)) + tau * (real (part e (snd st)) - real (part e (fst st)))
    end else real (fst e)
  end.

(* Bounds in order, each family once. *)
Hypothesis Hentries : forall j entries k b, nth_error (columns P) j = Some entries -> nth_error entries k = Some b -> real (fst b) <= real (snd b).
Hypothesis Hfactor : 0 <= real (factor Q).
Definition once : bool := forallb (fun s => Nat.eqb (length (filter (fun t => Nat.eqb (fst t) (fst s)) (scope Q))) 1) (scope Q).
Hypothesis Honce : once = true.
Lemma find_filter {A} (f : A -> bool) l : find f l = hd_error (filter f l).
Proof. induction l as [|a l IH]; cbn; [reflexivity|]. destruct (f a); [reflexivity|exact IH]. Qed.
Lemma member_ok s : In s (scope Q) -> member_of (fst s) = s.
Proof.
  intros I. unfold member_of. rewrite find_filter. unfold once in Honce. rewrite forallb_forall in Honce. specialize (Honce s I). apply Nat.eqb_eq in Honce.
  assert (J : In s (filter (fun t => Nat.eqb (fst t) (fst s)) (scope Q))) by (apply filter_In; split; [exact I|apply Nat.eqb_refl]).
  destruct (filter _ _) as [|t [|u r]]; cbn in *; try lia. destruct J as [->|[]]. reflexivity.
Qed.
Lemma measured_M : measured P Q M.
Proof.
  intros j entries k l u E N. assert (EN : entry P Q k j = Some (widen (factor Q) (l, u))) by (unfold entry; rewrite E; cbn; rewrite N; reflexivity).
  apply widen_ok. pose proof (Hentries _ _ _ _ E N) as LU. cbn [fst snd] in LU. unfold M. rewrite EN. set (e := widen (factor Q) (l, u)) in *.
  assert (Lo : within e (real (fst e)) /\ real (fst e) <= real (snd e)).
  { assert (W1 : within e (((real l + real u) / 2) - real (factor Q) * ((real u - real l) / 2))) by (apply widen_ok; apply Rabs_le; split; [lra|nra]).
    destruct W1 as [W1 W2]. split; [split; lra|lra]. }
  destruct Lo as [Lo Le]. destruct (fraction_ok k (OfColumn j)) eqn:F; [|exact Lo]. unfold fraction_ok in F. destruct (token j k) as [[s t]|]; [|exact Lo]. cbn [fst snd].
  apply andb_prop in F. destruct F as [F F4]. apply andb_prop in F. destruct F as [F F3]. apply andb_prop in F. destruct F as [F1 F2]. apply rle_ok in F1, F2, F3, F4.
  assert (Z0 : real (0%Z, 1%positive) = 0) by (unfold real; cbn; lra). assert (Z1 : real (1%Z, 1%positive) = 1) by (unfold real; cbn; lra). rewrite Z0, Z1 in *.
  set (tau := match owner j with Some f => time (member_of f) k | None => 0 end). assert (Tau : 0 <= tau <= 1) by (unfold tau; destruct (owner j); [apply time_between|lra]).
  unfold within. rewrite !part_ok. set (w := real (snd e) - real (fst e)) in *. assert (0 <= w) by (unfold w; lra).
  assert (S : 0 <= (1 - tau) * real s + tau * real t <= 1) by nra.
  replace (real (fst e) + real s * w + tau * (real (fst e) + real t * w - (real (fst e) + real s * w))) with (real (fst e) + ((1 - tau) * real s + tau * real t) * w) by ring.
  replace (real (snd e)) with (real (fst e) + 1 * w) by (unfold w; ring). split; nra.
Qed.
Lemma row_inputs s k : In s (scope Q) -> forall bs es, all (map (ends k) bs) = Some es -> forallb (fraction_ok k) bs = true -> forallb (fun be => owned (fst s) (fst be) (snd be)) (combine bs es) = true ->
  map (input x M k) bs = map (fun e => real (fst e) + time s k * (real (snd e) - real (fst e))) es /\ length es = length bs.
Proof.
  intros Is. induction bs as [|b bs IH]; intros es E Fr Ow; [cbn in E; injection E as <-; split; reflexivity|].
  cbn [map all] in E. destruct (ends k b) as [e|] eqn:Eb; [|discriminate]. cbn [bind] in E. destruct (all _) as [l|] eqn:El; [|discriminate]. injection E as <-.
  cbn [forallb] in Fr. cbn [combine forallb] in Ow. apply andb_prop in Fr, Ow. destruct Fr as [Fb Fr], Ow as [Ob Ow]. destruct (IH l eq_refl Fr Ow) as [I1 I2]. split; [|cbn; lia]. cbn [map]. f_equal; [|exact I1].
  destruct b as [j|j]; cbn [ends] in Eb.
  - destruct (value_at j) as [v|] eqn:V; [|discriminate]. injection Eb as <-. cbn [input fst snd]. unfold x. rewrite V. ring.
  - destruct (entry P Q k j) as [q|] eqn:Q1; [|discriminate]. cbn [bind] in Eb. destruct (token j k) as [st|] eqn:Tk; [|discriminate]. injection Eb as <-. cbn [input fst snd]. unfold M. rewrite Q1, Fb, Tk. cbv zeta.
    cbn [fst snd] in Ob. unfold owned in Ob. cbn [fst snd] in Ob. apply orb_prop in Ob. destruct Ob as [Sm|Ow'].
    + apply same_rat_ok in Sm. rewrite Sm. ring.
    + destruct (owner j) as [g|]; [|discriminate]. apply Nat.eqb_eq in Ow'. subst g. rewrite (member_ok s Is). reflexivity.
Qed.
Definition looked (l : list nat) (vs : list rat) (i : nat) (v : rat) : Prop :=
  match option_map snd (find (fun jv : nat * rat => Nat.eqb i (fst jv)) (combine l vs)) with Some v => real v | None => 0 end = real v.
Lemma found_cons j v l vs m ws : ~ In j m -> Forall2 (looked l vs) m ws -> Forall2 (looked (j :: l) (v :: vs)) m ws.
Proof.
  intros N F. induction F as [|i w m ws E F IF]; constructor; [|apply IF; intros I; apply N; right; exact I].
  unfold looked. cbn [combine find fst]. destruct (Nat.eqb_spec i j) as [->|]; [exfalso; apply N; left; reflexivity|exact E].
Qed.
Lemma placed_x : check_values = true -> placed P Q x.
Proof.
  unfold check_values. intros C. apply andb_prop in C. destruct C as [L C]. apply Nat.eqb_eq in L.
  assert (U : NoDup (unknowns P Q)) by (unfold unknowns; apply NoDup_filter, seq_NoDup).
  assert (K : Forall2 (fun j v => x j = real v) (unknowns P Q) (values W)).
  { change (Forall2 (looked (unknowns P Q) (values W)) (unknowns P Q) (values W)). symmetry in L. revert L U. generalize (unknowns P Q) (values W). induction l as [|j l IH]; intros [|v vs] L U; try discriminate; constructor.
    - unfold looked. cbn. rewrite Nat.eqb_refl. reflexivity.
    - inversion U as [|j' l' N U']. subst. cbn in L. apply found_cons; [exact N|]. apply IH; [lia|exact U']. }
  unfold placed. destruct (point Q) as [vs|].
  - apply andb_prop in C. destruct C as [Lv C]. apply Nat.eqb_eq in Lv. clear U. revert vs Lv C. induction K as [|j v js ws E K IK]; intros [|u vs] Lv C; try discriminate; constructor.
    + cbn in C. apply andb_prop in C. destruct C as [C _]. apply same_rat_ok in C. lra.
    + apply IK; [cbn in *; lia|cbn in *; lia|]. cbn in C. apply andb_prop in C. apply C.
  - intros j b I N. clear U L. induction K as [|i v js ws E K IK]; [destruct I|]. cbn [combine forallb fst snd] in C. apply andb_prop in C. destruct C as [C1 C2]. destruct I as [->|I]; [|apply IK; assumption].
    rewrite N in C1. apply andb_prop in C1. destruct C1 as [A B]. apply rle_ok in A, B. split; lra.
Qed.
Theorem witness_sound : check_witness = true -> upper_claim P Q level.
Proof.
  unfold check_witness. intros C. apply andb_prop in C. destruct C as [C C3]. apply andb_prop in C. destruct C as [C1 C2]. apply Nat.leb_le in C1.
  exists x. split; [apply placed_x, C2|]. exists M, (without W). split; [apply measured_M|]. split; [exact C1|].
  intros f bound k I (F & EF & Kl) N. unfold check_rows in C3. rewrite forallb_forall in C3. specialize (C3 (f, bound) I). cbn [fst] in C3. rewrite EF in C3. rewrite forallb_forall in C3.
  specialize (C3 k ltac:(apply in_seq; lia)). apply orb_prop in C3. destruct C3 as [C3|C3]; [exfalso; apply N, among_ok, C3|].
  destruct (time_ok _ _ C3) as (_ & F' & ops & es & r & EF' & ET & EE & Run & Le). cbn [fst snd] in *. rewrite EF in EF'. injection EF' as <-.
  exists F, r. split; [exact EF|]. split; [|exact Le]. unfold row_value. rewrite ET. cbn [bind].
  unfold check_row in C3. cbv zeta in C3. cbn [fst snd] in C3. rewrite EF in C3. cbn [bind] in C3. rewrite ET in C3. cbn [bind] in C3. rewrite EE in C3. cbn [bind] in C3.
  apply andb_prop in C3. destruct C3 as [C3 _]. apply andb_prop in C3. destruct C3 as [C3 _]. apply andb_prop in C3. destruct C3 as [C3 _].
  apply andb_prop in C3. destruct C3 as [C3 Ow]. apply andb_prop in C3. destruct C3 as [_ Fr].
  destruct (row_inputs (f, bound) k I (bindings F) es EE Fr Ow) as [R1 R2]. rewrite R1. rewrite <- R2. exact Run.
Qed.
End Witness.
