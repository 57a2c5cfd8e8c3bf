(* Rational numbers, boxes of unknowns, measurements with a factor on their half-widths, and their enclosures. *)
Require Import ZArith Reals List Lra Lia Arith Bool.
From Certify Require Import Fixed Problem Polynomial.
Import ListNotations.
Open Scope R_scope.

Definition radd (a b : rat) : rat := (fst a * Zpos (snd b) + fst b * Zpos (snd a), (snd a * snd b)%positive)%Z.
Definition rneg (a : rat) : rat := (- fst a, snd a)%Z.
Definition rmul (a b : rat) : rat := (fst a * fst b, (snd a * snd b)%positive)%Z.
Definition rhalf (a : rat) : rat := (fst a, (2 * snd a)%positive).
Definition rle (a b : rat) : bool := (fst a * Zpos (snd b) <=? fst b * Zpos (snd a))%Z.
Definition rlt (a b : rat) : bool := (fst a * Zpos (snd b) <? fst b * Zpos (snd a))%Z.
Definition middle (b : bounds) : rat := rhalf (radd (fst b) (snd b)).
Definition radius (b : bounds) : rat := rhalf (radd (snd b) (rneg (fst b))).
Definition is_one (f : rat) : bool := (Z.eqb (fst f) 1 && Pos.eqb (snd f) 1)%bool.
Definition widen (f : rat) (b : bounds) : bounds :=
  if is_one f then b else (radd (middle b) (rneg (rmul f (radius b))), radd (middle b) (rmul f (radius b))).
Lemma radd_ok a b : real (radd a b) = real a + real b.
Proof. unfold real, radd; cbn [fst snd]. rewrite Pos2Z.inj_mul, plus_IZR, !mult_IZR. field. split; apply IZR_neq; discriminate. Qed.
Lemma rneg_ok a : real (rneg a) = - real a.
Proof. unfold real, rneg; cbn [fst snd]. rewrite opp_IZR. field. apply IZR_neq; discriminate. Qed.
Lemma rmul_ok a b : real (rmul a b) = real a * real b.
Proof. unfold real, rmul; cbn [fst snd]. rewrite Pos2Z.inj_mul, !mult_IZR. field. split; apply IZR_neq; discriminate. Qed.
Lemma rhalf_ok a : real (rhalf a) = real a / 2.
Proof. unfold real, rhalf; cbn [fst snd]. rewrite Pos2Z.inj_mul, mult_IZR. field. apply IZR_neq; discriminate. Qed.
Lemma cross a b : real a <= real b <-> (fst a * Zpos (snd b) <= fst b * Zpos (snd a))%Z.
Proof.
  unfold real. assert (A : 0 < IZR (Zpos (snd a))) by (apply IZR_lt; reflexivity). assert (B : 0 < IZR (Zpos (snd b))) by (apply IZR_lt; reflexivity).
  assert (E : forall x y, x = y * IZR (Zpos (snd a)) * IZR (Zpos (snd b)) -> x = y * (IZR (Zpos (snd a)) * IZR (Zpos (snd b)))) by (intros; lra).
  assert (KA : IZR (fst a) / IZR (Zpos (snd a)) * (IZR (Zpos (snd a)) * IZR (Zpos (snd b))) = IZR (fst a * Zpos (snd b))) by (rewrite mult_IZR; field; lra).
  assert (KB : IZR (fst b) / IZR (Zpos (snd b)) * (IZR (Zpos (snd a)) * IZR (Zpos (snd b))) = IZR (fst b * Zpos (snd a))) by (rewrite mult_IZR; field; lra).
  assert (P : 0 < IZR (Zpos (snd a)) * IZR (Zpos (snd b))) by nra. split; intros H.
  - apply le_IZR. rewrite <- KA, <- KB. apply Rmult_le_compat_r; [lra|exact H].
  - apply IZR_le in H. rewrite <- KA, <- KB in H. apply Rmult_le_reg_r in H; assumption.
Qed.
Lemma rle_ok a b : rle a b = true -> real a <= real b.
Proof. unfold rle. intros H. apply Z.leb_le in H. apply cross, H. Qed.
Lemma ordered_ok b : ordered b = true -> real (fst b) <= real (snd b).
Proof. apply rle_ok. Qed.
Lemma is_one_ok f : is_one f = true -> real f = 1.
Proof. unfold is_one. intros H. apply andb_prop in H. destruct H as [A B]. apply Z.eqb_eq in A. apply Pos.eqb_eq in B. unfold real. rewrite A, B. lra. Qed.
Lemma widen_ok f l u m : within (widen f (l, u)) m <-> Rabs (m - (real l + real u) / 2) <= real f * ((real u - real l) / 2).
Proof.
  unfold widen. destruct (is_one f) eqn:E; unfold within; cbn [fst snd].
  - rewrite (is_one_ok f E). split; [intros [A B]; apply Rabs_le; lra|]. intros H. apply Rabs_le_between in H || (unfold Rabs in H; destruct (Rcase_abs _) in H). all: lra.
  - unfold middle, radius. rewrite !radd_ok, !rneg_ok, !rmul_ok, !rhalf_ok, !radd_ok, !rneg_ok. cbn [fst snd]. split.
    + intros [A B]. apply Rabs_le. lra.
    + intros H. unfold Rabs in H. destruct (Rcase_abs _) in H; lra.
Qed.

(* Boxes: None where an unknown is none of the scope. *)
Definition place := list (option bounds).
Definition in_place (B : place) (x : nat -> R) : Prop := forall j b, nth_error B j = Some (Some b) -> within b (x j).
Definition known (B : place) (j : nat) : option bounds := match nth_error B j with Some b => b | None => None end.
Fixpoint set (i : nat) (b : bounds) (l : place) {struct l} : place :=
  match l, i with [], _ => [] | _ :: r, O => Some b :: r | x :: r, S i => x :: set i b r end.
Lemma known_ok B x j b : in_place B x -> known B j = Some b -> within b (x j).
Proof. unfold known. intros H E. destruct (nth_error B j) as [o|] eqn:N; [|discriminate]. subst o. apply H, N. Qed.
Lemma set_ok l : forall x i b, in_place l x -> within b (x i) -> in_place (set i b l) x.
Proof.
  induction l as [|c l IH]; intros x [|i] b H W [|j] e E; cbn in E; try discriminate.
  - injection E as <-. exact W.
  - apply (H (S j)), E.
  - apply (H O), E.
  - refine (IH (fun k => x (S k)) i b _ W j e E). intros k q K. apply (H (S k)), K.
Qed.
Definition entry (P : problem) (Q : question) (row j : nat) : option bounds :=
  option_map (widen (factor Q)) (bind (nth_error (columns P) j) (fun c => nth_error c row)).
Lemma entry_ok P Q row j b M : measured P Q M -> entry P Q row j = Some b -> within b (M j row).
Proof.
  unfold entry. intros HM E. destruct (nth_error (columns P) j) as [c|] eqn:C; [|discriminate]. cbn in E. destruct (nth_error c row) as [[l u]|] eqn:N; [|discriminate].
  injection E as <-. apply widen_ok. eapply HM; eassumption.
Qed.

Section Enclose.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Notation inside := (inside p).
Definition of_rat (q : rat) : itv := enclose p (fst q) (Zpos (snd q)).
Definition of_bounds (b : bounds) : itv := span p (fst (fst b)) (Zpos (snd (fst b))) (fst (snd b)) (Zpos (snd (snd b))).
Lemma of_bounds_ok b x : within b x -> inside (of_bounds b) x.
Proof. intros [L U]. unfold of_bounds. apply span_ok; try exact Hp; try reflexivity. split; assumption. Qed.
Lemma of_rat_ok q : inside (of_rat q) (real q).
Proof. change (of_rat q) with (of_bounds (q, q)). apply of_bounds_ok. split; apply Rle_refl. Qed.
(* An input of a row: unknowns in a box, measurements in their intervals. *)
Definition input_of (P : problem) (Q : question) (B : place) (row : nat) (b : binding) : option itv :=
  option_map of_bounds (match b with OfVariable j => known B j | OfColumn j => entry P Q row j end).
Lemma input_ok P Q B row b i x M : in_place B x -> measured P Q M -> input_of P Q B row b = Some i -> inside i (input x M row b).
Proof.
  unfold input_of. intros X HM E. destruct b as [j|j]; cbn [input].
  - destruct (known B j) as [q|] eqn:K; [|discriminate]. injection E as <-. apply of_bounds_ok. eapply known_ok; eassumption.
  - destruct (entry P Q row j) as [q|] eqn:K; [|discriminate]. injection E as <-. apply of_bounds_ok. eapply entry_ok; eassumption.
Qed.
Fixpoint all {A} (l : list (option A)) : option (list A) := match l with [] => Some [] | a :: l => bind a (fun a => bind (all l) (fun l => Some (a :: l))) end.
Lemma inputs_ok P Q B row x M : in_place B x -> measured P Q M -> forall bs inputs, all (map (input_of P Q B row) bs) = Some inputs -> Forall2 inside inputs (map (input x M row) bs).
Proof.
  intros X HM. induction bs as [|b bs IH]; cbn [map all]; intros inputs E; [injection E as <-; constructor|].
  destruct (input_of P Q B row b) as [i|] eqn:I; [|discriminate]. cbn [bind] in E. destruct (all _) as [l|]; [|discriminate]. injection E as <-.
  constructor; [eapply input_ok; eassumption|apply IH; reflexivity].
Qed.
End Enclose.
