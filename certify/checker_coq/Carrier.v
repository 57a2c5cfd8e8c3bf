(* Mantissas of CoqInterval's software floats with shifts and digit counts in one step each, proved equal to the
   standard ones, which go bit by bit. *)
Require Import ZArith Reals Lia.
From Flocq Require Import Core.
From Interval Require Import Float.Basic Float.Generic Float.Generic_proof Float.Sig Float.Specific_sig Float.Specific_stdz.

Module Carrier <: FloatCarrier.
Definition radix := StdZRadix2.radix.
Definition smantissa_type := Z.
Definition mantissa_type := positive.
Definition exponent_type := Z.
Definition MtoP (m : positive) := m.
Definition PtoM (m : positive) := m.
Definition MtoZ (m : Z) := m.
Definition ZtoM (m : Z) := m.
Definition EtoZ (e : Z) := e.
Definition ZtoE (e : Z) := e.
Definition valid_mantissa (_ : positive) := True.
Definition exponent_zero := 0%Z.
Definition exponent_one := 1%Z.
Definition mantissa_zero := 0%Z.
Definition mantissa_one := 1%positive.
Definition mantissa_pos := Zpos.
Definition mantissa_neg := Zneg.
Definition exponent_neg := Z.opp.
Definition exponent_add := Z.add.
Definition exponent_sub := Z.sub.
Definition exponent_cmp := Z.compare.
Definition exponent_div2_floor (e : Z) := (Z.div2 e, Z.odd e).
Definition mantissa_sign := StdZRadix2.mantissa_sign.
Definition mantissa_add := Pos.add.
Definition mantissa_sub := Pos.sub.
Definition mantissa_mul := Pos.mul.
Definition mantissa_cmp (a b : positive) := Z.compare (Zpos a) (Zpos b).
Definition mantissa_digits (m : positive) : Z := (Z.log2 (Zpos m) + 1)%Z.
Definition mantissa_even (m : positive) := Z.even (Zpos m).
Definition mantissa_scale2 (m : positive) (e : Z) := (m, e).
Definition mantissa_shl (m : positive) (d : Z) : positive := Z.to_pos (Z.shiftl (Zpos m) d).
Definition mantissa_shr (m : positive) (d : Z) (k : position) : positive * position :=
  let e := Z.shiftl 1 d in let (q, r) := Z.div_eucl (Zpos m) e in (Z.to_pos q, adjust_pos r (Z.to_pos e) k).
Definition mantissa_shrp (m : positive) (d : Z) (k : position) : position := adjust_pos (Zpos m) (Z.to_pos (Z.shiftl 1 d)) k.
Definition mantissa_div (a b : positive) : positive * position :=
  let (q, r) := Z.div_eucl (Zpos a) (Zpos b) in (Z.to_pos q, adjust_pos r b pos_Eq).
Definition mantissa_sqrt (m : positive) : positive * position :=
  let s := Z.sqrt (Zpos m) in let r := (Zpos m - s * s)%Z in
  (Z.to_pos s, if Z.eqb r 0 then pos_Eq else if Z.leb r s then pos_Lo else pos_Up).

Lemma PtoM_correct : forall n, MtoP (PtoM n) = n. Proof. reflexivity. Qed.
Lemma ZtoM_correct : forall n, MtoZ (ZtoM n) = n. Proof. reflexivity. Qed.
Lemma ZtoE_correct : forall n, EtoZ (ZtoE n) = n. Proof. reflexivity. Qed.
Lemma exponent_zero_correct : EtoZ exponent_zero = 0%Z. Proof. reflexivity. Qed.
Lemma exponent_one_correct : EtoZ exponent_one = 1%Z. Proof. reflexivity. Qed.
Lemma exponent_neg_correct : forall x, EtoZ (exponent_neg x) = (- EtoZ x)%Z. Proof. reflexivity. Qed.
Lemma exponent_add_correct : forall x y, EtoZ (exponent_add x y) = (EtoZ x + EtoZ y)%Z. Proof. reflexivity. Qed.
Lemma exponent_sub_correct : forall x y, EtoZ (exponent_sub x y) = (EtoZ x - EtoZ y)%Z. Proof. reflexivity. Qed.
Lemma exponent_cmp_correct : forall x y, exponent_cmp x y = Z.compare (EtoZ x) (EtoZ y). Proof. reflexivity. Qed.
Lemma exponent_div2_floor_correct : forall e, let (e', b) := exponent_div2_floor e in EtoZ e = (2 * EtoZ e' + if b then 1 else 0)%Z.
Proof. intros e. cbn. pose proof (Z.div2_odd e) as H. unfold EtoZ. destruct (Z.odd e); cbn in H; exact H. Qed.
Lemma mantissa_zero_correct : MtoZ mantissa_zero = 0%Z. Proof. reflexivity. Qed.
Lemma mantissa_pos_correct : forall x, valid_mantissa x -> MtoZ (mantissa_pos x) = Zpos (MtoP x). Proof. reflexivity. Qed.
Lemma mantissa_neg_correct : forall x, valid_mantissa x -> MtoZ (mantissa_neg x) = Zneg (MtoP x). Proof. reflexivity. Qed.
Lemma mantissa_sign_correct : forall x, match mantissa_sign x with Mzero => MtoZ x = 0%Z | Mnumber s p => MtoZ x = (if s then Zneg else Zpos) (MtoP p) /\ valid_mantissa p end.
Proof. exact StdZRadix2.mantissa_sign_correct. Qed.
Lemma mantissa_even_correct : forall x, valid_mantissa x -> mantissa_even x = Z.even (Zpos (MtoP x)). Proof. reflexivity. Qed.
Lemma mantissa_one_correct : MtoP mantissa_one = 1%positive /\ valid_mantissa mantissa_one. Proof. split; reflexivity. Qed.
Lemma mantissa_add_correct : forall x y, valid_mantissa x -> valid_mantissa y -> MtoP (mantissa_add x y) = (MtoP x + MtoP y)%positive /\ valid_mantissa (mantissa_add x y).
Proof. repeat split. Qed.
Lemma mantissa_sub_correct : forall x y, valid_mantissa x -> valid_mantissa y -> (MtoP y < MtoP x)%positive -> MtoP (mantissa_sub x y) = (MtoP x - MtoP y)%positive /\ valid_mantissa (mantissa_sub x y).
Proof. repeat split. Qed.
Lemma mantissa_mul_correct : forall x y, valid_mantissa x -> valid_mantissa y -> MtoP (mantissa_mul x y) = (MtoP x * MtoP y)%positive /\ valid_mantissa (mantissa_mul x y).
Proof. repeat split. Qed.
Lemma mantissa_cmp_correct : forall x y, valid_mantissa x -> valid_mantissa y -> mantissa_cmp x y = Z.compare (Zpos (MtoP x)) (Zpos (MtoP y)).
Proof. reflexivity. Qed.
Lemma mantissa_digits_correct : forall x, valid_mantissa x -> EtoZ (mantissa_digits x) = Zpos (count_digits radix (MtoP x)).
Proof.
  intros x V. apply eq_trans with (2 := StdZRadix2.mantissa_digits_correct x V). unfold EtoZ, StdZRadix2.EtoZ, mantissa_digits, StdZRadix2.mantissa_digits.
  assert (H : forall m n, (Zpos (StdZRadix2.digits_aux m n) = Zpos n + Zpos (Pos.size m) - 1)%Z).
  { induction m; intros n; cbn [StdZRadix2.digits_aux Pos.size]; rewrite ?IHm; lia. }
  rewrite H. destruct x; cbn [Z.log2 Pos.size]; lia.
Qed.
Lemma mantissa_scale2_correct : forall x d, valid_mantissa x -> let (x', d') := mantissa_scale2 x d in
  (IZR (Zpos (MtoP x')) * bpow radix (EtoZ d') = IZR (Zpos (MtoP x)) * bpow radix2 (EtoZ d))%R /\ valid_mantissa x'.
Proof. intros. split; reflexivity. Qed.
Lemma shifted m x : Zpos (shift radix m x) = Z.shiftl (Zpos m) (Zpos x).
Proof. rewrite shift_correct, Z.shiftl_mul_pow2 by lia. rewrite <- (Z.pow_pos_fold 2 x). reflexivity. Qed.
Lemma mantissa_shl_correct : forall x y z, valid_mantissa y -> EtoZ z = Zpos x -> MtoP (mantissa_shl y z) = shift radix (MtoP y) x /\ valid_mantissa (mantissa_shl y z).
Proof. intros x y z _ E. unfold EtoZ in E. subst z. split; [|exact I]. unfold mantissa_shl, MtoP. rewrite <- shifted. reflexivity. Qed.
Lemma mantissa_shr_correct : forall x y z k, valid_mantissa y -> EtoZ z = Zpos x -> (Zpos (shift radix 1 x) <= Zpos (MtoP y))%Z ->
  let (sq, l) := mantissa_shr y z k in let (q, r) := Z.div_eucl (Zpos (MtoP y)) (Zpos (shift radix 1 x)) in
  Zpos (MtoP sq) = q /\ l = adjust_pos r (shift radix 1 x) k /\ valid_mantissa sq.
Proof.
  intros x y z k _ E L. unfold EtoZ in E. subst z. unfold mantissa_shr, MtoP in *. rewrite <- shifted.
  pose proof (Z.div_str_pos (Zpos y) (Zpos (shift radix 1 x)) ltac:(lia)) as Q. unfold Z.div in Q.
  destruct (Z.div_eucl _ _) as [q r]. repeat split. destruct q; [lia|reflexivity|lia].
Qed.
Lemma mantissa_shrp_correct : forall x y z k, valid_mantissa y -> EtoZ z = Zpos x ->
  (Z.pow (radix_val radix) (Zpos x - 1) <= Zpos (MtoP y) /\ Zpos (MtoP y) < Zpos (shift radix 1 x))%Z ->
  let l := mantissa_shrp y z k in l = adjust_pos (Zpos (MtoP y)) (shift radix 1 x) k.
Proof. intros x y z k _ E _. unfold EtoZ in E. subst z. cbn zeta. unfold mantissa_shrp, MtoP. rewrite <- shifted. reflexivity. Qed.
Lemma mantissa_div_correct : forall x y, valid_mantissa x -> valid_mantissa y -> (Zpos (MtoP y) <= Zpos (MtoP x))%Z ->
  let (q, l) := mantissa_div x y in Zpos (MtoP q) = (Zpos (MtoP x) / Zpos (MtoP y))%Z /\
  Bracket.inbetween_int (Zpos (MtoP q)) (IZR (Zpos (MtoP x)) / IZR (Zpos (MtoP y))) (convert_location_inv l) /\ valid_mantissa q.
Proof.
  intros x y V W L. pose proof (StdZRadix2.mantissa_div_correct x y V W L) as H.
  replace (mantissa_div x y) with (StdZRadix2.mantissa_div x y); [exact H|].
  unfold StdZRadix2.mantissa_div, StdZRadix2.mantissa_split_div, mantissa_div. rewrite Zfast_div_eucl_correct.
  pose proof (Z.div_str_pos (Zpos x) (Zpos y) ltac:(unfold MtoP in L; lia)) as Q. unfold Z.div in Q.
  destruct (Z.div_eucl _ _) as [q r]. destruct q; [lia|reflexivity|lia].
Qed.
Lemma mantissa_sqrt_correct : forall x, valid_mantissa x -> let (q, l) := mantissa_sqrt x in let (s, r) := Z.sqrtrem (Zpos (MtoP x)) in
  Zpos (MtoP q) = s /\ match l with pos_Eq => r = 0%Z | pos_Lo => (0 < r <= s)%Z | pos_Mi => False | pos_Up => (s < r)%Z end /\ valid_mantissa q.
Proof.
  intros x _. unfold mantissa_sqrt, MtoP. pose proof (Z.sqrtrem_spec (Zpos x) ltac:(lia)) as H. pose proof (Z.sqrtrem_sqrt (Zpos x)) as S.
  destruct (Z.sqrtrem (Zpos x)) as [s r]. cbn [fst] in S. rewrite <- S. destruct H as [H1 H2].
  replace (Zpos x - s * s)%Z with r by lia. assert (0 < s)%Z by nia. split; [destruct s; [lia|reflexivity|lia]|]. split; [|exact I].
  destruct (Z.eqb_spec r 0); [assumption|]. destruct (Z.leb_spec r s); lia.
Qed.
End Carrier.
