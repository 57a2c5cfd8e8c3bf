(* Polynomials with interval coefficients: `pin P d y` says that some selection of the coefficients has the value y at d. *)
Require Import ZArith Reals List Lra Lia Arith.
From Certify Require Import Fixed.
Import ListNotations.
Open Scope R_scope.

Definition monomial := list nat.
Definition poly := list (monomial * itv).
Fixpoint compare_places (a b : monomial) : comparison :=
  match a, b with
  | [], [] => Eq | [], _ => Lt | _, [] => Gt
  | i :: a, j :: b => match Nat.compare i j with Eq => compare_places a b | c => c end
  end.
(* By degree first, so that multiplying by a monomial keeps the order. *)
Definition compare_monomials (a b : monomial) : comparison :=
  match Nat.compare (length a) (length b) with Eq => compare_places a b | c => c end.
Fixpoint insert_variable (i : nat) (m : monomial) : monomial :=
  match m with [] => [i] | j :: r => if Nat.leb i j then i :: m else j :: insert_variable i r end.
Definition join (a b : monomial) : monomial := fold_right insert_variable b a.
Fixpoint at_point (m : monomial) (d : nat -> R) : R := match m with [] => 1 | j :: r => d j * at_point r d end.
Lemma compare_eq a b : compare_monomials a b = Eq -> a = b.
Proof.
  unfold compare_monomials. destruct (Nat.compare _ _); try discriminate. revert b.
  induction a as [|i a IH]; intros [|j b]; cbn; try discriminate; [reflexivity|].
  destruct (Nat.compare_spec i j) as [->| |]; try discriminate. intros H. f_equal. apply IH, H.
Qed.
Lemma insert_at i m d : at_point (insert_variable i m) d = d i * at_point m d.
Proof. induction m as [|j m IH]; cbn; [reflexivity|]. destruct (Nat.leb i j); cbn; [reflexivity|]. rewrite IH. ring. Qed.
Lemma join_at a b d : at_point (join a b) d = at_point a d * at_point b d.
Proof. unfold join. induction a as [|i a IH]; cbn; [ring|]. rewrite insert_at, IH. ring. Qed.

Definition zero : itv := (0%Z, 0%Z).
Definition is_zero (i : itv) : bool := (Z.eqb (fst i) 0 && Z.eqb (snd i) 0)%bool.

Section Polynomial.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Notation inside := (inside p).
Definition unit_i : itv := (one p, one p).
Lemma zero_ok : inside zero 0.
Proof. split; cbn; lra. Qed.
Lemma unit_ok : inside unit_i 1.
Proof. unfold Fixed.inside, unit_i, scale; cbn; lra. Qed.
Lemma is_zero_ok i x : is_zero i = true -> inside i x -> x = 0.
Proof.
  unfold is_zero. intros H [L U]. apply andb_prop in H. destruct H as [A B]. apply Z.eqb_eq in A, B. rewrite A in L. rewrite B in U.
  pose proof (scale_pos p Hp). nra.
Qed.

Fixpoint pin (P : poly) (d : nat -> R) (y : R) : Prop :=
  match P with [] => y = 0 | (m, i) :: P => exists c z, inside i c /\ pin P d z /\ y = c * at_point m d + z end.
Definition cons_term (m : monomial) (i : itv) (P : poly) : poly := if is_zero i then P else (m, i) :: P.
Fixpoint padd (P : poly) : poly -> poly :=
  match P with
  | [] => fun Q => Q
  | (m, i) :: P' => fix inner (Q : poly) : poly :=
    match Q with
    | [] => P
    | (n, j) :: Q' => match compare_monomials m n with
      | Eq => cons_term m (add i j) (padd P' Q') | Lt => (m, i) :: padd P' Q | Gt => (n, j) :: inner Q' end
    end
  end.
Definition pneg (P : poly) : poly := map (fun t => (fst t, neg (snd t))) P.
Definition pscale (k : itv) (P : poly) : poly := map (fun t => (fst t, mul p (snd t) k)) P.
Definition pconst (k : itv) : poly := [([], k)].
Definition ptimes (m : monomial) (i : itv) (Q : poly) : poly := map (fun t => (join m (fst t), mul p i (snd t))) Q.
Definition pmul (P Q : poly) : poly := fold_right (fun t => padd (ptimes (fst t) (snd t) Q)) [] P.
Fixpoint psqr (P : poly) : poly :=
  match P with [] => [] | (m, i) :: r => padd ((join m m, sqr p i) :: ptimes m (add i i) r) (psqr r) end.
Definition weigh (w : Z) (P : poly) : poly := map (fun t => (fst t, (w * fst (snd t), w * snd (snd t))%Z)) P.

Lemma cons_term_ok m i P d c y : inside i c -> pin P d y -> pin (cons_term m i P) d (c * at_point m d + y).
Proof.
  intros C Y. unfold cons_term. destruct (is_zero i) eqn:E.
  - rewrite (is_zero_ok _ _ E C), Rmult_0_l, Rplus_0_l. exact Y.
  - exists c, y. auto.
Qed.
Lemma padd_ok P : forall Q d y z, pin P d y -> pin Q d z -> pin (padd P Q) d (y + z).
Proof.
  induction P as [|[m i] P IH]; intros Q d y z Y Z; cbn [padd]; [cbn in Y; subst y; rewrite Rplus_0_l; exact Z|].
  revert y z Y Z. induction Q as [|[n j] Q IQ]; intros y z Y Z; [cbn in Z; subst z; rewrite Rplus_0_r; exact Y|].
  destruct (compare_monomials m n) eqn:E.
  - apply compare_eq in E. subst n. destruct Y as (c & v & C & V & ->), Z as (k & w & K & W & ->).
    replace (c * at_point m d + v + (k * at_point m d + w)) with ((c + k) * at_point m d + (v + w)) by ring.
    apply cons_term_ok; [apply add_ok; assumption|apply IH; assumption].
  - destruct Y as (c & v & C & V & ->). exists c, (v + z). split; [exact C|]. split; [apply IH; assumption|ring].
  - destruct Z as (k & w & K & W & ->). exists k, (y + w). split; [exact K|]. split; [apply IQ; assumption|ring].
Qed.
Lemma pneg_ok P d y : pin P d y -> pin (pneg P) d (- y).
Proof.
  revert y. induction P as [|[m i] P IH]; intros y Y; cbn in *; [subst; lra|]. destruct Y as (c & w & C & W & ->).
  exists (- c), (- w). split; [apply neg_ok; exact C|]. split; [auto|ring].
Qed.
Lemma pscale_ok k P d s y : inside k s -> pin P d y -> pin (pscale k P) d (y * s).
Proof.
  intros K. revert y. induction P as [|[m i] P IH]; intros y Y; cbn in *; [subst; lra|]. destruct Y as (c & w & C & W & ->).
  exists (c * s), (w * s). split; [apply mul_ok; assumption|]. split; [auto|ring].
Qed.
Lemma pconst_ok k d s : inside k s -> pin (pconst k) d s.
Proof. intros K. exists s, 0. split; [exact K|]. split; [reflexivity|]. cbn. ring. Qed.
Lemma ptimes_ok m i Q d c y : inside i c -> pin Q d y -> pin (ptimes m i Q) d (c * at_point m d * y).
Proof.
  intros C. revert y. induction Q as [|[n j] Q IH]; intros y Y; cbn in *; [subst y; ring|].
  destruct Y as (k & w & K & W & ->). exists (c * k), (c * at_point m d * w). split; [apply mul_ok; assumption|].
  split; [apply IH, W|]. rewrite join_at. ring.
Qed.
Lemma pmul_ok P Q d y z : pin P d y -> pin Q d z -> pin (pmul P Q) d (y * z).
Proof.
  revert y. induction P as [|[m i] P IH]; intros y Y Z; cbn in *; [subst; ring|]. destruct Y as (c & w & C & W & ->).
  replace ((c * at_point m d + w) * z) with (c * at_point m d * z + w * z) by ring. apply padd_ok; [apply ptimes_ok|]; auto.
Qed.
Lemma psqr_ok P d y : pin P d y -> pin (psqr P) d (y * y).
Proof.
  revert y. induction P as [|[m i] P IH]; intros y Y; cbn [psqr] in *; [cbn in *; subst; ring|]. destruct Y as (c & w & C & W & ->).
  replace ((c * at_point m d + w) * (c * at_point m d + w)) with (c * c * at_point (join m m) d + (c + c) * at_point m d * w + w * w) by (rewrite join_at; ring).
  apply padd_ok; [|auto]. exists (c * c), ((c + c) * at_point m d * w). split; [apply sqr_ok; assumption|]. split; [|ring].
  apply ptimes_ok; auto. apply add_ok; assumption.
Qed.
Lemma weigh_ok w P d y : (0 <= w)%Z -> pin P d y -> pin (weigh w P) d (IZR w * y).
Proof.
  intros N. apply IZR_le in N. revert y. induction P as [|[m i] P IH]; intros y Y; cbn in *; [subst; lra|]. destruct Y as (c & z & [L U] & Z & ->).
  exists (IZR w * c), (IZR w * z). split; [|split; [auto|ring]]. unfold Fixed.inside; cbn [fst snd]. rewrite !mult_IZR. rewrite Rmult_assoc. split; apply Rmult_le_compat_l; assumption.
Qed.

(* A lower bound, monomial by monomial, at twice the precision. *)
Section Least.
Variable offsets : list itv.
Fixpoint range (m : monomial) : itv :=
  match m with
  | [] => unit_i
  | i :: r => match r with
    | [] => nth i offsets zero
    | j :: s => if Nat.eqb i j then match s with [] => sqr p (nth i offsets zero) | _ => mul p (sqr p (nth i offsets zero)) (range s) end
                else mul p (nth i offsets zero) (range r) end
  end.
Fixpoint least (P : poly) : Z := match P with [] => 0%Z | (m, i) :: P => (fst (prods i (range m)) + least P)%Z end.
Variable d : nat -> R.
Hypothesis Hd : forall j, inside (nth j offsets zero) (d j).
Lemma range_ok : forall n m, (length m <= n)%nat -> inside (range m) (at_point m d).
Proof.
  induction n; intros [|i m] L; cbn in L; try lia; try apply unit_ok. cbn [range at_point]. destruct m as [|j m]; [cbn; rewrite Rmult_1_r; apply Hd|].
  destruct (Nat.eqb_spec i j) as [<-|].
  - cbn [at_point]. rewrite <- Rmult_assoc. assert (S : inside (sqr p (nth i offsets zero)) (d i * d i)) by (apply sqr_ok; [exact Hp|apply Hd]).
    destruct m as [|k m]; [cbn [at_point]; rewrite Rmult_1_r; exact S|]. apply mul_ok; [exact Hp|exact S|]. apply IHn. cbn in L |- *. lia.
  - apply mul_ok; [exact Hp|apply Hd|]. apply IHn. lia.
Qed.
Lemma least_ok P y : pin P d y -> IZR (least P) <= y * (scale p * scale p).
Proof.
  revert y. induction P as [|[m i] P IH]; intros y Y; cbn [least pin] in *; [subst; lra|]. destruct Y as (c & z & C & Z & ->). rewrite plus_IZR.
  pose proof (IH z Z). destruct (prods_ok i (range m) _ _ C (range_ok _ m (le_n _))) as [A _].
  replace ((c * at_point m d + z) * (scale p * scale p)) with (c * scale p * (at_point m d * scale p) + z * (scale p * scale p)) by ring. lra.
Qed.
End Least.
End Polynomial.
