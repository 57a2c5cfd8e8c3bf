(* Tapes along lines of inputs: the mean value theorem and Taylor's theorem of second order, for enclosed rows. *)
Require Import ZArith Reals List Lra Lia Arith Bool.
From Coquelicot Require Import Coquelicot.
From Certify Require Import Fixed Elementary Problem Polynomial Jets.
Import ListNotations.
Open Scope R_scope.

Definition between (t : R) : Prop := 0 <= t <= 1.
Definition start (t : R) : Prop := t = 0.
Definition value (ops : list op) (a : list R) : option R := run ops (length a) (rev a).

Lemma Forall2_length {A B} (P : A -> B -> Prop) l m : Forall2 P l m -> length l = length m.
Proof. induction 1; cbn; auto. Qed.
Lemma Forall2_rev {A B} (P : A -> B -> Prop) l m : Forall2 P l m -> Forall2 P (rev l) (rev m).
Proof. induction 1; cbn; [constructor|]. apply Forall2_app; [assumption|]. repeat constructor. assumption. Qed.

Section Lines.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Notation inside := (inside p).

(* A value is within its enclosure at t = 0 plus the slope times the offsets of the direction. *)
Fixpoint spread (offsets : list itv) (P : poly) : option itv :=
  match P with
  | [] => Some zero
  | (m, i) :: P => match m with [j] => bind (spread offsets P) (fun s => Some (add (mul p i (nth j offsets zero)) s)) | _ => None end
  end.
Definition sharpen (offsets : list itv) (c : itv) (v : jet) : jet :=
  match spread offsets (slope v) with
  | Some s => let i := add c s in Jet (Z.max (fst i) (fst (at_ v)), Z.min (snd i) (snd (at_ v))) (slope v) (bend v)
  | None => v
  end.
(* All nodes, last first; `centres` enclose the nodes at t = 0, first first, or are none. *)
Fixpoint jet_run (deep : bool) (offsets : list itv) (ops : list op) (n : nat) (nodes : list jet) (centres : list itv) : option (list jet) :=
  match ops with
  | [] => Some nodes
  | o :: rest => bind (jet_of p T deep (node n nodes) o) (fun v =>
    match centres with
    | [] => jet_run deep offsets rest (S n) (v :: nodes) []
    | c :: centres => jet_run deep offsets rest (S n) (sharpen offsets c v :: nodes) centres
    end)
  end.
Fixpoint curve_nodes (ops : list op) (n : nat) (fs : list (R -> R)) : list (R -> R) :=
  match ops with [] => fs | o :: rest => curve_nodes rest (S n) ((fun t => total_of (curve_at n fs t) o) :: fs) end.

Section Along.
Variable delta : nat -> R.
Lemma spread_ok offsets t : (forall j, inside (nth j offsets zero) (t * delta j)) -> forall P y s, pin p P delta y -> spread offsets P = Some s -> inside s (t * y).
Proof.
  intros O. induction P as [|[m i] P IH]; cbn; intros y s Y E; [injection E as <-; subst y; rewrite Rmult_0_r; apply zero_ok|].
  destruct m as [|j [|]]; try discriminate. destruct (spread offsets P) as [r|]; [|discriminate]. injection E as <-. destruct Y as (c & z & C & Z & ->). cbn.
  replace (t * (c * (delta j * 1) + z)) with (c * (t * delta j) + t * z) by ring. apply add_ok; [|eapply IH; [exact Z|reflexivity]]. apply mul_ok; [exact Hp|exact C|apply O].
Qed.
Lemma derive_continuous f x l : is_derive f x l -> continuity_pt f x.
Proof. intros D. apply derivable_continuous_pt. exists l. apply is_derive_Reals, D. Qed.
Lemma good_mean deep f j t : good p deep between delta f j -> 0 <= t <= 1 -> exists y, pin p (slope j) delta y /\ f t = f 0 + t * y.
Proof.
  intros (f1 & f2 & H) Ht. assert (M : Rmin 0 t = 0 /\ Rmax 0 t = t) by (split; [apply Rmin_left|apply Rmax_right]; lra). destruct M as [M1 M2].
  destruct (MVT_gen f 0 t f1) as (c & C & E).
  - intros x X. rewrite M1, M2 in X. apply (H x). unfold between. lra.
  - intros x X. rewrite M1, M2 in X. eapply derive_continuous. apply (H x). unfold between. lra.
  - rewrite M1, M2 in C. exists (f1 c). split; [apply (H c); unfold between; lra|]. lra.
Qed.
Lemma sharpen_ok deep offsets c f v : good p deep between delta f v -> inside c (f 0) -> (forall j t, between t -> inside (nth j offsets zero) (t * delta j)) ->
  good p deep between delta f (sharpen offsets c v).
Proof.
  intros G C O. unfold sharpen. destruct (spread offsets (slope v)) as [s|] eqn:E; [|exact G]. pose proof G as (f1 & f2 & H). exists f1, f2. intros t Ht. destruct (H t Ht) as (A & B).
  split; [|exact B]. destruct (good_mean deep f v t G Ht) as (y & Y & E'). pose proof (add_ok p c s _ _ C (spread_ok offsets t (fun j => O j t Ht) _ _ _ Y E)) as S. rewrite <- E' in S.
  destruct A as [A1 A2], S as [S1 S2]. unfold Fixed.inside. cbn [fst snd at_]. split.
  - destruct (Z.max_spec (fst (add c s)) (fst (at_ v))) as [[_ M]|[_ M]]; cbn [fst snd] in *; rewrite M; assumption.
  - destruct (Z.min_spec (snd (add c s)) (snd (at_ v))) as [[_ M]|[_ M]]; cbn [fst snd] in *; rewrite M; assumption.
Qed.
(* The values at t. *)
Definition follows (on : R -> Prop) (ops : list op) (n : nat) (fs : list (R -> R)) : Prop :=
  forall t, on t -> run ops n (at_t fs t) = hd_error (at_t (curve_nodes ops n fs) t).
Lemma jet_run_ok deep on offsets ops : forall n A fs J, Forall2 (good p deep on delta) fs A -> jet_run deep offsets ops n A [] = Some J ->
  Forall2 (good p deep on delta) (curve_nodes ops n fs) J /\ follows on ops n fs.
Proof.
  induction ops as [|o ops IH]; cbn [jet_run curve_nodes]; intros n A fs J H E.
  - injection E as <-. split; [exact H|]. intros t _. reflexivity.
  - destruct (jet_of p T deep (node n A) o) as [v|] eqn:V; [|discriminate]. cbn [bind] in E. destruct (step_ok p Hp T HT deep on delta n A fs H o v V) as [G St].
    destruct (IH (S n) (v :: A) (_ :: fs) J (Forall2_cons _ _ G H) E) as [I1 I2]. split; [exact I1|]. intros t Ht. cbn [run]. rewrite (St t Ht). cbn [bind]. exact (I2 t Ht).
Qed.
Lemma curve_nodes_app ops : forall n fs, exists new, curve_nodes ops n fs = new ++ fs /\ length new = length ops.
Proof.
  induction ops as [|o ops IH]; intros n fs; [exists []; split; reflexivity|]. cbn. destruct (IH (S n) ((fun t => total_of (curve_at n fs t) o) :: fs)) as (new & E & L).
  exists (new ++ [fun t => total_of (curve_at n fs t) o]). rewrite E, <- app_assoc, app_length. cbn. split; [reflexivity|lia].
Qed.
(* The nodes that a run adds, first first. *)
Definition added (ops : list op) (n : nat) (fs : list (R -> R)) : list (R -> R) := firstn (length ops) (skipn (length fs) (rev (curve_nodes ops n fs))).
Lemma added_cons o ops n fs : added (o :: ops) n fs = (fun t => total_of (curve_at n fs t) o) :: added ops (S n) ((fun t => total_of (curve_at n fs t) o) :: fs).
Proof.
  unfold added. cbn [curve_nodes length]. set (g := fun t => total_of (curve_at n fs t) o). destruct (curve_nodes_app ops (S n) (g :: fs)) as (new & E & L). rewrite E.
  rewrite rev_app_distr. cbn [rev]. rewrite <- app_assoc. assert (F : forall l : list (R -> R), skipn (length fs) (rev fs ++ l) = l).
  { intros l. rewrite skipn_app, skipn_all2 by (rewrite rev_length; lia). rewrite rev_length, Nat.sub_diag. reflexivity. }
  rewrite F. cbn. f_equal. change (g :: rev new) with ([g] ++ rev new).
  replace (rev fs ++ [g] ++ rev new) with ((rev fs ++ [g]) ++ rev new) by (rewrite <- app_assoc; reflexivity).
  replace (match (rev fs ++ [g]) ++ rev new with [] => [] | _ :: l => skipn (length fs) l end) with (skipn (S (length fs)) ((rev fs ++ [g]) ++ rev new)) by reflexivity.
  rewrite skipn_app, skipn_all2 by (rewrite app_length, rev_length; cbn; lia). rewrite app_length, rev_length. cbn [length]. replace (S (length fs) - (length fs + 1))%nat with 0%nat by lia. reflexivity.
Qed.
Lemma sharp_run_ok deep offsets ops : (forall j t, between t -> inside (nth j offsets zero) (t * delta j)) ->
  forall n A fs C J, Forall2 (good p deep between delta) fs A -> Forall2 (fun f c => inside c (f 0)) (added ops n fs) C -> jet_run deep offsets ops n A C = Some J ->
  Forall2 (good p deep between delta) (curve_nodes ops n fs) J /\ follows between ops n fs.
Proof.
  intros O. induction ops as [|o ops IH]; intros n A fs C J H HC E.
  - cbn in *. injection E as <-. split; [exact H|]. intros t _. reflexivity.
  - cbn [jet_run curve_nodes] in *. rewrite added_cons in HC. inversion HC as [|f0 c fs0 C' H0 HC' E1 E2]. subst C.
    destruct (jet_of p T deep (node n A) o) as [v|] eqn:V; [|discriminate]. cbn [bind] in E. destruct (step_ok p Hp T HT deep between delta n A fs H o v V) as [G St].
    destruct (IH (S n) (sharpen offsets c v :: A) ((fun t => total_of (curve_at n fs t) o) :: fs) C' J) as [I1 I2]; [|exact HC'|exact E|].
    { constructor; [|exact H]. apply sharpen_ok; assumption. }
    split; [exact I1|]. intros t Ht. cbn [run]. rewrite (St t Ht). cbn [bind]. exact (I2 t Ht).
Qed.
Lemma good_taylor f j j0 : good p true between delta f j -> good p false start delta f j0 -> exists y z, pin p (slope j0) delta y /\ pin p (bend j) delta z /\ f 1 = f 0 + y + z.
Proof.
  intros (f1 & f2 & H) (g1 & g2 & G). destruct (G 0 eq_refl) as (_ & D0 & S0 & _).
  assert (E0 : f1 0 = g1 0). { destruct (H 0 ltac:(unfold between; lra)) as (_ & D & _). rewrite <- (is_derive_unique _ _ _ D). apply is_derive_unique, D0. }
  remember (f 1 - f 0 - f1 0) as K eqn:EK.
  destruct (MVT_cor2 (fun s => f 1 - f s - (1 - s) * f1 s - (1 - s) * (1 - s) * K) (fun s => - f1 s + f1 s - (1 - s) * (2 * f2 s) + 2 * (1 - s) * K) 0 1) as (c & E & C); [lra| |].
  - intros s Hs. apply is_derive_Reals. destruct (H s Hs) as (_ & D & _ & D'). destruct (D' eq_refl) as [D2 _].
    auto_derive; [repeat split; [exists (f1 s); exact D|exists (2 * f2 s); exact D2]|].
    change (fun x => f x) with f. change (fun x => f1 x) with f1. rewrite (is_derive_unique _ _ _ D), (is_derive_unique _ _ _ D2). ring.
  - exists (g1 0), (f2 c). split; [exact S0|]. destruct (H c ltac:(unfold between; lra)) as (_ & _ & _ & D). split; [apply D; reflexivity|].
    cbn beta in E. assert (X : (1 - c) * (K - f2 c) = 0) by lra. apply Rmult_integral in X. rewrite <- E0. lra.
Qed.

(* Lines of inputs from a to b: each input has a box and the polynomial of its part of the direction. *)
Fixpoint segments (a b : list R) : list (R -> R) := match a, b with x :: a, y :: b => (fun t => x + t * (y - x)) :: segments a b | _, _ => [] end.
Definition moved (x y : R) (s : itv * poly) : Prop := inside (fst s) x /\ inside (fst s) y /\ pin p (snd s) delta (y - x).
Inductive all_moved : list R -> list R -> list (itv * poly) -> Prop :=
  | none_moved : all_moved [] [] []
  | one_moved x y s a b S : moved x y s -> all_moved a b S -> all_moved (x :: a) (y :: b) (s :: S).
Definition input_jet (s : itv * poly) : jet := Jet (fst s) (snd s) [].
Lemma segment_ok deep (on : R -> Prop) x y s : (forall t, on t -> inside (fst s) (x + t * (y - x))) -> pin p (snd s) delta (y - x) -> good p deep on delta (fun t => x + t * (y - x)) (input_jet s).
Proof.
  intros I D. exists (fun _ => y - x), (fun _ => 0). intros t Ht. split; [apply I, Ht|]. split; [auto_derive; auto; ring|]. split; [exact D|]. intros _.
  split; [|reflexivity]. rewrite Rmult_0_r. apply @is_derive_const.
Qed.
Lemma convex i x y t : inside i x -> inside i y -> between t -> inside i (x + t * (y - x)).
Proof. intros [A B] [C D] [E F]. replace (x + t * (y - x)) with ((1 - t) * x + t * y) by ring. pose proof (scale_pos p Hp). split; rewrite Rmult_plus_distr_r, !Rmult_assoc; nra. Qed.
Lemma segments_good deep a b S : all_moved a b S -> Forall2 (good p deep between delta) (rev (segments a b)) (rev (map input_jet S)).
Proof.
  induction 1 as [|x y s a b S [A [B C]] H IH]; cbn; [constructor|]. apply Forall2_app; [exact IH|]. repeat constructor. apply segment_ok; [|exact C].
  intros t Ht. apply convex; assumption.
Qed.
Lemma segments_at a b S t : all_moved a b S -> length (segments a b) = length a /\ (t = 0 -> at_t (segments a b) t = a) /\ (t = 1 -> at_t (segments a b) t = b).
Proof.
  induction 1 as [|x y s a b S M H (L & Z & O)]; [repeat split|]. split; [cbn; lia|].
  split; intros E; unfold at_t in *; cbn [segments map]; [rewrite (Z E)|rewrite (O E)]; apply (f_equal2 cons); [subst t; ring|reflexivity|subst t; ring|reflexivity].
Qed.
Lemma all_moved_length a b S : all_moved a b S -> length a = length S /\ length b = length S.
Proof. induction 1 as [|x y s a b S M H [L L']]; cbn; [split; reflexivity|]. lia. Qed.
End Along.

Definition result (J : list jet) : option jet := hd_error J.
Definition inputs_run (deep : bool) (offsets : list itv) (ops : list op) (S : list (itv * poly)) (C : list itv) : option (list jet) :=
  jet_run deep offsets ops (length S) (rev (map input_jet S)) C.
Lemma at_t_rev fs t : at_t (rev fs) t = rev (at_t fs t).
Proof. unfold at_t. apply map_rev. Qed.
Lemma hd_at (fs : list (R -> R)) f t : hd_error fs = Some f -> hd_error (at_t fs t) = Some (f t).
Proof. destruct fs; cbn; [discriminate|]. intros E; injection E as <-. reflexivity. Qed.
Lemma Forall2_hd {A B} (P : A -> B -> Prop) l m b : Forall2 P l m -> hd_error m = Some b -> exists a, hd_error l = Some a /\ P a b.
Proof. intros H E. destruct H; [discriminate|]. injection E as <-. eexists; split; [reflexivity|assumption]. Qed.
Lemma follows_values delta (on : R -> Prop) ops S a b f t : all_moved delta a b S -> follows on ops (length S) (rev (segments a b)) -> on t -> hd_error (curve_nodes ops (length S) (rev (segments a b))) = Some f ->
  (t = 0 -> value ops a = Some (f 0)) /\ (t = 1 -> value ops b = Some (f 1)).
Proof.
  intros H F Ht Hf. specialize (F t Ht). rewrite (hd_at _ _ _ Hf) in F. destruct (segments_at delta a b S t H) as (_ & Z & O). destruct (all_moved_length _ _ _ _ H) as [L L'].
  rewrite at_t_rev in F. unfold value. split; intros E; [rewrite (Z E) in F; rewrite L|rewrite (O E) in F; rewrite L']; subst t; exact F.
Qed.
Theorem mean_line delta deep ops S a b J j : all_moved delta a b S -> inputs_run deep [] ops S [] = Some J -> result J = Some j ->
  exists r y, value ops a = Some r /\ value ops b = Some (r + y) /\ inside (at_ j) r /\ inside (at_ j) (r + y) /\ pin p (slope j) delta y.
Proof.
  intros H E R. destruct (jet_run_ok delta deep between [] ops _ _ _ _ (segments_good delta deep a b S H) E) as [G F].
  destruct (Forall2_hd _ _ _ _ G R) as (f & Hf & Gf). destruct (good_mean delta deep f j 1 Gf ltac:(lra)) as (y & Y & EY). rewrite Rmult_1_l in EY.
  destruct (follows_values delta between ops S a b f 0 H F ltac:(unfold between; lra) Hf) as [V0 _]. destruct (follows_values delta between ops S a b f 1 H F ltac:(unfold between; lra) Hf) as [_ V1].
  exists (f 0), y. rewrite <- EY. destruct Gf as (f1 & f2 & K). repeat split; auto; apply (K 0) || apply (K 1); unfold between; lra.
Qed.
(* The inputs at a: thin boxes; what is enclosed there holds at t = 0. *)
Definition starts (a b : list R) (S : list (itv * poly)) (delta : nat -> R) : Prop := Forall2 (fun ab s => inside (fst s) (fst ab) /\ pin p (snd s) delta (snd ab - fst ab)) (combine a b) S.
Lemma starts_good delta deep a b S : length a = length b -> starts a b S delta -> Forall2 (good p deep start delta) (rev (segments a b)) (rev (map input_jet S)).
Proof.
  unfold starts. revert b S. induction a as [|x a IH]; intros [|y b] S L H; cbn in *; try discriminate; inversion H; subst; [constructor|]. cbn.
  apply Forall2_app; [apply IH; [lia|assumption]|]. repeat constructor. match goal with K : _ /\ _ |- _ => destruct K as [K1 K2] end. apply segment_ok; [|exact K2].
  intros t ->. cbn [fst snd] in *. replace (x + 0 * (y - x)) with x by ring. exact K1.
Qed.
Definition centres_of (n : nat) (J : list jet) : list itv := map at_ (skipn n (rev J)).
Theorem taylor_line delta offsets ops S S0 a b J J0 j j0 : all_moved delta a b S -> starts a b S0 delta ->
  (forall j t, between t -> inside (nth j offsets zero) (t * delta j)) ->
  inputs_run false [] ops S0 [] = Some J0 -> result J0 = Some j0 -> inputs_run true offsets ops S (centres_of (length S) J0) = Some J -> result J = Some j ->
  exists r y z, value ops a = Some r /\ value ops b = Some (r + y + z) /\ inside (at_ j0) r /\ pin p (slope j0) delta y /\ pin p (bend j) delta z.
Proof.
  intros H H0 O E0 R0 E R. destruct (all_moved_length _ _ _ _ H) as [L L']. assert (LS : length S0 = length S).
  { unfold starts in H0. apply Forall2_length in H0. rewrite combine_length in H0. lia. }
  unfold inputs_run in E0. rewrite LS in E0.
  destruct (jet_run_ok delta false start [] ops _ _ _ _ (starts_good delta false a b S0 ltac:(lia) H0) E0) as [G0 F0]. destruct (Forall2_hd _ _ _ _ G0 R0) as (f & Hf & Gf).
  assert (HC : Forall2 (fun f c => inside c (f 0)) (added ops (length S) (rev (segments a b))) (centres_of (length S) J0)).
  { unfold added, centres_of. destruct (segments_at delta a b S 0 H) as (LG & _). rewrite rev_length, LG, L.
    destruct (curve_nodes_app ops (length S) (rev (segments a b))) as (new & EN & LN).
    rewrite firstn_all2 by (rewrite skipn_length, rev_length, EN, app_length, rev_length, LG; lia).
    apply Forall2_rev in G0. revert G0. generalize (rev (curve_nodes ops (length S) (rev (segments a b)))) (rev J0). clear. induction (length S) as [|n IH]; intros l m G.
    - cbn. induction G as [|g c l m K G IG]; cbn; constructor; [|exact IG]. destruct K as (f1 & f2 & K). apply (K 0 eq_refl).
    - destruct G; cbn; [constructor|]. apply IH. assumption. }
  destruct (sharp_run_ok delta true offsets ops O _ _ _ _ _ (segments_good delta true a b S H) HC E) as [G F]. destruct (Forall2_hd _ _ _ _ G R) as (f' & Hf' & Gf').
  rewrite Hf in Hf'. injection Hf' as <-. destruct (good_taylor delta f j j0 Gf' Gf) as (y & z & Y & Z & EY).
  destruct (follows_values delta between ops S a b f 0 H F ltac:(unfold between; lra) Hf) as [V0 _]. destruct (follows_values delta between ops S a b f 1 H F ltac:(unfold between; lra) Hf) as [_ V1].
  exists (f 0), y, z. rewrite <- EY. split; [auto|]. split; [auto|]. destruct Gf as (f1 & f2 & K). repeat split; auto. all: apply (K 0 eq_refl).
Qed.
End Lines.
