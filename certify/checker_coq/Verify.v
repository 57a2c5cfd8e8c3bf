(* The checker and its theorem. *)
Require Import ZArith Reals List Lra Lia Bool Ascii.
From Certify Require Import Fixed Elementary Problem Polynomial Rational Terms Tree Witness Text.
Import ListNotations.
Open Scope R_scope.

Definition parts_of (w : witness_lines) (d : document) : option (list (nat * list (rat * rat))) :=
  sequence (map (fun c => option_map (fun j => (j, map (fun t => (fraction_value (fst t), match snd t with Some u => fraction_value u | None => fraction_value (fst t) end)) (snd c)))
    (place_of (fst c) (map c_name (d_columns d)))) (w_columns w)).
Definition when {A} (o : option A) (f : A -> bool) : bool := match o with Some a => f a | None => true end.
(* Each claim that is made is proved. *)
Definition judge (d : document) (c : certificate) (P : problem) (Q : question) : bool :=
  let p := precision c in let T := functions_of p in
  (well_formed P Q && once Q && (0 <=? p)%Z &&
   when (c_lower c) (fun e => check p T P Q e None (root P Q) (c_tree c)) &&
   when (c_within c) (fun e => check p T P Q e (Some (c_hull c, c_facets c)) (root P Q) (c_tree c)) &&
   when (c_upper c) (fun e => match parts_of (c_witness c) d with
     | Some parts => check_witness p T P Q e {| values := w_values (c_witness c); without := w_without (c_witness c); fractions := parts |}
     | None => false end))%bool.
Definition verify (sum : text) (d : document) (c : certificate) (problem_file certificate_file : text) : bool :=
  (same_text (problem_text d) problem_file && same_text (certificate_text c) certificate_file && same_text (hash c) sum && plain d c &&
   match problem_of d, question_of d c with Some P, Some Q => judge d c P Q | _, _ => false end)%bool.

Lemma same_text_ok a : forall b, same_text a b = true -> a = b.
Proof. induction a as [|x a IH]; intros [|y b] H; cbn in H; try discriminate; [reflexivity|]. apply andb_prop in H. destruct H as [E H]. apply Ascii.eqb_eq in E. subst. f_equal. apply IH, H. Qed.

(* What is claimed holds. *)
Definition holds (P : problem) (Q : question) (c : certificate) : Prop :=
  (forall e, c_lower c = Some e -> lower_claim P Q e) /\ (forall e, c_upper c = Some e -> upper_claim P Q e) /\
  (forall e, c_within c = Some e -> within_claim P Q e (c_hull c) (c_facets c)).
Lemma entries_ordered P Q : well_formed P Q = true -> forall j entries k b, nth_error (columns P) j = Some entries -> nth_error entries k = Some b -> real (fst b) <= real (snd b).
Proof.
  unfold well_formed. intros H j entries k b E N. repeat (apply andb_prop in H; destruct H as [H ?]).
  match goal with K : forallb (forallb ordered) _ = true |- _ => rewrite forallb_forall in K; specialize (K entries (nth_error_In _ _ E)); rewrite forallb_forall in K; apply ordered_ok, K, (nth_error_In _ _ N) end.
Qed.
Lemma factor_positive P Q : well_formed P Q = true -> 0 <= real (factor Q).
Proof. unfold well_formed. intros H. apply positive_of. repeat (apply andb_prop in H; destruct H as [H ?]). assumption. Qed.
Theorem judge_sound d c P Q : judge d c P Q = true -> well_formed P Q = true /\ holds P Q c.
Proof.
  unfold judge. cbv zeta. intros H. apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [H I]. apply andb_prop in H. destruct H as [H L].
  apply andb_prop in H. destruct H as [H Hp]. apply andb_prop in H. destruct H as [W O]. apply Z.leb_le in Hp. pose proof (functions_of_right (precision c)) as HT. split; [exact W|]. split; [|split].
  - intros e E. rewrite E in L. cbn [when] in L. intros (x & S). exact (check_sound _ Hp _ HT P Q e None _ L x S).
  - intros e E. rewrite E in U. cbn [when] in U. destruct (parts_of _ _) as [parts|]; [|discriminate]. eapply (witness_sound _ Hp _ HT P Q e); [exact (entries_ordered P Q W)|exact (factor_positive P Q W)|exact O|exact U].
  - intros e E. rewrite E in I. cbn [when] in I. intros x S. exact (check_sound _ Hp _ HT P Q e (Some (c_hull c, c_facets c)) _ I x S).
Qed.
(* The theorem: the files are the texts of a problem and a certificate, the certificate names this problem's hash, nothing is vacuous, and what is
   claimed is true. *)
Theorem verify_sound sum d c problem_file certificate_file : verify sum d c problem_file certificate_file = true ->
  problem_text d = problem_file /\ certificate_text c = certificate_file /\ hash c = sum /\ plain d c = true /\
  exists P Q, problem_of d = Some P /\ question_of d c = Some Q /\ well_formed P Q = true /\ holds P Q c.
Proof.
  unfold verify. intros H. apply andb_prop in H. destruct H as [H J]. apply andb_prop in H. destruct H as [H W]. apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B].
  split; [apply same_text_ok, A|]. split; [apply same_text_ok, B|]. split; [apply same_text_ok, C|]. split; [exact W|].
  destruct (problem_of d) as [P|]; [|discriminate]. destruct (question_of d c) as [Q|]; [|discriminate]. exists P, Q. split; [reflexivity|]. split; [reflexivity|]. eapply judge_sound, J.
Qed.
(* Well-formed questions are about something: there are unknowns within their bounds and measurements within theirs. *)
Theorem not_vacuous P Q : well_formed P Q = true -> (exists M, measured P Q M) /\
  (forall f s F, In (f, s) (scope Q) -> nth_error (families P) f = Some F -> fits P F = true /\ (0 < rows F)%nat) /\ scope Q <> [] /\ (point Q = None -> exists x, placed P Q x).
Proof.
  intros H. split; [|split; [|split]].
  - exists (fun j k => match bind (nth_error (columns P) j) (fun c => nth_error c k) with Some b => (real (fst b) + real (snd b)) / 2 | None => 0 end).
    intros j entries k l u E N. rewrite E. cbn [bind]. rewrite N. cbn [fst snd]. pose proof (entries_ordered P Q H _ _ _ _ E N) as LU. cbn in LU. pose proof (factor_positive P Q H). rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. nra.
  - intros f s F _ E. unfold well_formed in H. repeat (apply andb_prop in H; destruct H as [H ?]).
    match goal with K : forallb (fits P) _ = true |- _ => rewrite forallb_forall in K; specialize (K F (nth_error_In _ _ E)) end.
    split; [assumption|]. match goal with K : fits P F = true |- _ => unfold fits in K; apply andb_prop in K; destruct K as [K _]; apply andb_prop in K; destruct K as [K _]; apply Nat.ltb_lt, K end.
  - unfold well_formed in H. repeat (apply andb_prop in H; destruct H as [H ?]). match goal with K : negb _ = true |- _ => intros Z; rewrite Z in K; discriminate end.
  - intros N. unfold placed. rewrite N. exists (fun j => match nth_error (variables P) j with Some b => real (fst b) | None => 0 end). intros j b _ E. rewrite E.
    unfold well_formed in H. repeat (apply andb_prop in H; destruct H as [H ?]). rewrite forallb_forall in H. pose proof (ordered_ok b (H b (nth_error_In _ _ E))). split; lra.
Qed.
