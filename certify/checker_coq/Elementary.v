(* sin, cos, exp, ln, atan and pi of fixed-point intervals, by CoqInterval's functions (software floats on Z), and a
   memory of sines and cosines: a lazy tree, in which each is computed once and which is proved to hold what it should. *)
Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Interval Require Import Interval.Interval_compl Interval.Float_full Float.Specific_ops Interval.Interval Real.Xreal.
From Interval Require Import Float.Basic Float.Sig Float.Generic_proof.
From Certify Require Import Fixed Carrier.
Module F := SpecificFloat Carrier.
Module I := FloatIntervalFull F.
Open Scope R_scope.

Notation SF := Specific_ops.Float.
Lemma toX_Float m e : F.toX (SF m e) = Xreal (IZR m * bpow radix2 e).
Proof.
  unfold F.toX, F.toF. destruct m as [|m|m]; cbn -[FtoR bpow]; unfold Carrier.EtoZ, Carrier.MtoP.
  - rewrite Rmult_0_l. reflexivity.
  - apply f_equal. change F.radix with radix2. rewrite FtoR_split. reflexivity.
  - apply f_equal. change F.radix with radix2. rewrite FtoR_split. reflexivity.
Qed.

Section Elementary.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Definition prec := F.PtoP (Z.to_pos (p + 40)).
Definition lift (i : itv) : I.type := I.bnd (SF (fst i) (- p)%Z) (SF (snd i) (- p)%Z).
(* Z.shiftl by a negative number is a shift to the right, rounded down. *)
Definition lower_end (m e : Z) : Z := Z.shiftl m (e + p).
Definition upper_end (m e : Z) : Z := (- Z.shiftl (- m) (e + p))%Z.
Definition back (I : I.type) : option itv :=
  match I with
  | Float.Ibnd (SF m e) (SF m' e') => if ((e <=? 9000) && (e' <=? 9000))%Z%bool then Some (lower_end m e, upper_end m' e') else None
  | _ => None
  end.
Lemma scale_bpow : scale p = bpow radix2 p.
Proof. unfold scale. rewrite one_pow by exact Hp. rewrite <- IZR_Zpower by exact Hp. reflexivity. Qed.
Lemma lower_end_le m e : IZR (lower_end m e) <= IZR m * bpow radix2 e * scale p.
Proof.
  rewrite scale_bpow, Rmult_assoc, <- bpow_plus. unfold lower_end. destruct (Z.leb_spec 0 (e + p)) as [H|H].
  - rewrite Z.shiftl_mul_pow2, mult_IZR by exact H. rewrite <- IZR_Zpower by exact H. apply Rle_refl.
  - rewrite <- (Z.opp_involutive (e + p)) at 1. rewrite Z.shiftl_opp_r, Z.shiftr_div_pow2 by lia.
    pose proof (floor_div_le m (2 ^ (- (e + p))) ltac:(apply Z.pow_pos_nonneg; lia)) as L. unfold floor_div in L.
    change 2%Z with (radix_val radix2) in L at 2. rewrite IZR_Zpower in L by lia. rewrite bpow_opp in L.
    pose proof (bpow_gt_0 radix2 (e + p)) as B. apply (Rmult_le_compat_r (bpow radix2 (e + p))) in L; [|lra].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r in L by lra. exact L.
Qed.
Lemma upper_end_ge m e : IZR m * bpow radix2 e * scale p <= IZR (upper_end m e).
Proof. unfold upper_end. pose proof (lower_end_le (- m) e) as L. unfold lower_end in L. rewrite !opp_IZR in *. lra. Qed.
Lemma lift_ok i x : inside p i x -> contains (I.convert (lift i)) (Xreal x).
Proof.
  intros [L U]. unfold lift. rewrite I.bnd_correct by reflexivity. change I.F.toX with F.toX. rewrite !toX_Float. cbn.
  rewrite bpow_opp, <- scale_bpow. pose proof (scale_pos p Hp) as S.
  split; apply Rmult_le_reg_r with (scale p); try exact S; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; assumption.
Qed.
Lemma back_ok J i y : back J = Some i -> contains (I.convert J) (Xreal y) -> inside p i y.
Proof.
  destruct J as [|l u]; [discriminate|]. destruct l as [|m e]; [discriminate|]. destruct u as [|m' e']; [discriminate|].
  cbn [back]. destruct (_ && _)%bool; [|discriminate]. intros E. injection E as <-. unfold I.convert. change (I.F.valid_lb _ && I.F.valid_ub _)%bool with true.
  change I.F.toX with F.toX. cbn iota. rewrite !toX_Float. cbn [contains]. intros [L U]. pose proof (scale_pos p Hp) as S.
  pose proof (lower_end_le m e). pose proof (upper_end_ge m' e'). split; cbn [fst snd]; nra.
Qed.
Definition via (f : I.type -> I.type) (i : itv) : option itv := back (f (lift i)).
Lemma via_ok f F i j x y : I.extension F f -> F (Xreal x) = Xreal y -> inside p i x -> via f i = Some j -> inside p j y.
Proof. intros E V X H. eapply back_ok; [exact H|]. rewrite <- V. apply E, lift_ok, X. Qed.
(* Arguments beyond 2^20 are not computed with. *)
Definition near (f : itv -> option itv) (i : itv) : option itv :=
  if ((Z.log2 (Z.abs (fst i)) <=? p + 20) && (Z.log2 (Z.abs (snd i)) <=? p + 20))%Z%bool then f i else None.
Lemma near_ok f i j : near f i = Some j -> f i = Some j.
Proof. unfold near. destruct (_ && _)%bool; [auto|discriminate]. Qed.
Definition sin_i := near (via (I.sin prec)).
Definition cos_i := near (via (I.cos prec)).
Definition exp_i := near (via (I.exp prec)).
Definition atan_i := via (I.atan prec).
Definition ln_i := via (I.ln prec).
Definition pi_i := back (I.pi prec).
Lemma sin_ok i j x : inside p i x -> sin_i i = Some j -> inside p j (sin x).
Proof. intros X E. apply near_ok in E. revert X E. apply via_ok with (F := Xsin); [apply I.sin_correct|reflexivity]. Qed.
Lemma cos_ok i j x : inside p i x -> cos_i i = Some j -> inside p j (cos x).
Proof. intros X E. apply near_ok in E. revert X E. apply via_ok with (F := Xcos); [apply I.cos_correct|reflexivity]. Qed.
Lemma exp_ok i j x : inside p i x -> exp_i i = Some j -> inside p j (exp x).
Proof. intros X E. apply near_ok in E. revert X E. apply via_ok with (F := Xexp); [apply I.exp_correct|reflexivity]. Qed.
Lemma atan_ok i j x : inside p i x -> atan_i i = Some j -> inside p j (atan x).
Proof. apply via_ok with (F := Xatan); [apply I.atan_correct|reflexivity]. Qed.
Lemma ln_ok i j x : 0 < x -> inside p i x -> ln_i i = Some j -> inside p j (ln x).
Proof. intros X. apply via_ok with (F := Xln); [apply I.ln_correct|]. cbn. unfold Xln'. rewrite is_positive_true by exact X. reflexivity. Qed.
Lemma pi_ok j : pi_i = Some j -> inside p j PI.
Proof. intros H. eapply back_ok; [exact H|]. apply I.pi_correct. Qed.
End Elementary.

(* A function of positive numbers as a tree whose branches and leaves are computed when they are first asked for. *)
CoInductive leaf (A : Type) := Leaf (a : A).
CoInductive lazy_tree (A : Type) := Branch (here : leaf A) (even odd : lazy_tree A).
Arguments Leaf {A}. Arguments Branch {A}.
CoFixpoint grow {A} (f : positive -> A) : lazy_tree A :=
  Branch (Leaf (f 1%positive)) (grow (fun q => f (xO q))) (grow (fun q => f (xI q))).
Fixpoint look {A} (t : lazy_tree A) (q : positive) : A :=
  match t with
  | Branch here even odd => match q with xH => match here with Leaf a => a end | xO q => look even q | xI q => look odd q end
  end.
Lemma look_grow {A} q : forall f : positive -> A, look (grow f) q = f q.
Proof. induction q; intros f; cbn; [rewrite IHq|rewrite IHq|]; reflexivity. Qed.
Definition code (z : Z) : positive := match z with Z0 => 1 | Zpos q => xO q | Zneg q => xI q end.
Definition decode (q : positive) : Z := match q with xH => 0 | xO q => Zpos q | xI q => Zneg q end.
Lemma decode_code z : decode (code z) = z.
Proof. destruct z; reflexivity. Qed.
Definition memory := lazy_tree (lazy_tree (option itv * option itv)).
Definition remember (f : itv -> option itv * option itv) : memory :=
  grow (fun a => grow (fun b => f (decode a, decode a + decode b)%Z)).
Definition recall (t : memory) (i : itv) : option itv * option itv := look (look t (code (fst i))) (code (snd i - fst i)).
Lemma recall_remember f i : recall (remember f) i = f i.
Proof.
  destruct i as [l h]. unfold recall, remember. cbn [fst snd]. rewrite !look_grow, !decode_code. do 2 f_equal. lia.
Qed.

(* pi and the sines and cosines that are remembered. *)
Record functions := { pi : option itv; sines : memory }.
Definition functions_of (p : Z) : functions := {| pi := pi_i p; sines := remember (fun i => (sin_i p i, cos_i p i)) |}.
Definition right (p : Z) (T : functions) : Prop := pi T = pi_i p /\ forall i, recall (sines T) i = (sin_i p i, cos_i p i).
Lemma functions_of_right p : right p (functions_of p).
Proof. split; [reflexivity|]. intros i. apply recall_remember. Qed.
Definition sine (T : functions) (i : itv) : option itv := fst (recall (sines T) i).
Definition cosine (T : functions) (i : itv) : option itv := snd (recall (sines T) i).
Lemma sine_ok p T i j x : (0 <= p)%Z -> right p T -> inside p i x -> sine T i = Some j -> inside p j (sin x).
Proof. intros H [_ E] X. unfold sine. rewrite E. apply sin_ok; assumption. Qed.
Lemma cosine_ok p T i j x : (0 <= p)%Z -> right p T -> inside p i x -> cosine T i = Some j -> inside p j (cos x).
Proof. intros H [_ E] X. unfold cosine. rewrite E. apply cos_ok; assumption. Qed.
Lemma pi_right p T j : (0 <= p)%Z -> right p T -> pi T = Some j -> inside p j PI.
Proof. intros H [E _]. rewrite E. apply pi_ok; assumption. Qed.
