(* Enclosures of rows where they are defined (specification, section 4): the rule `evaluate`. *)
Require Import ZArith Reals List Lra Lia.
From Certify Require Import Fixed Elementary Problem Polynomial Lines Rational.
Import ListNotations.
Open Scope R_scope.

(* Nowhere: defined at no point. Whole: no bounds known. *)
Inductive enclosure := Nowhere | Whole | Within (i : itv).

Section Evaluate.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Notation inside := (Fixed.inside p).
Definition holds (e : enclosure) (x : R) : Prop := match e with Nowhere => False | Whole => True | Within i => inside i x end.
Definition of_option (o : option itv) : enclosure := match o with Some i => Within i | None => Whole end.
Definition unary (f : itv -> enclosure) (a : enclosure) : enclosure := match a with Nowhere => Nowhere | Whole => Whole | Within i => f i end.
Definition binary (f : itv -> itv -> enclosure) (a b : enclosure) : enclosure :=
  match a, b with Nowhere, _ | _, Nowhere => Nowhere | Within i, Within j => f i j | _, _ => Whole end.
Definition root (i : itv) : enclosure := if (snd i <? 0)%Z then Nowhere else Within (sqrt_pos p i).
Definition logarithm (i : itv) : enclosure := if (snd i <=? 0)%Z then Nowhere else if (fst i <=? 0)%Z then Whole else of_option (ln_i p i).
Definition quotient (i j : itv) : enclosure := if (Z.eqb (fst j) 0 && Z.eqb (snd j) 0)%bool then Nowhere else of_option (div p i j).

Definition enclosure_raw (node : nat -> option enclosure) (o : op) : option enclosure :=
  let u i f := bind (node i) (fun a => Some (unary f a)) in
  let b i j f := bind (node i) (fun a => bind (node j) (fun b => Some (binary f a b))) in
  match o with
  | Const q => Some (Within (of_rat p q))
  | Problem.Pi => Some (of_option (pi T))
  | Add i j => b i j (fun i j => Within (add i j))
  | Sub i j => b i j (fun i j => Within (sub i j))
  | Mul i j => b i j (fun i j => Within (mul p i j))
  | Div i j => b i j quotient
  | Neg i => u i (fun i => Within (neg i))
  | Sqr i => u i (fun i => Within (sqr p i))
  | Sqrt i => u i root
  | Sin i => u i (fun i => of_option (sine T i))
  | Cos i => u i (fun i => of_option (cosine T i))
  | Exp i => u i (fun i => of_option (exp_i p i))
  | Log i => u i logarithm
  | Atan i => u i (fun i => of_option (atan_i p i))
  end.
Definition capped (e : enclosure) : enclosure := match e with Within i => if tame p i then e else Whole | _ => e end.
Definition enclosure_of (node : nat -> option enclosure) (o : op) : option enclosure := option_map capped (enclosure_raw node o).
Fixpoint enclose_run (ops : list op) (n : nat) (nodes : list enclosure) : option enclosure :=
  match ops with
  | [] => hd_error nodes
  | o :: rest => bind (enclosure_of (node n nodes) o) (fun v => enclose_run rest (S n) (v :: nodes))
  end.

Lemma unary_ok f F a x y : holds a x -> (forall i, inside i x -> holds (f i) y) -> y = F -> holds (unary f a) F.
Proof. intros A H <-. destruct a; cbn in *; auto. Qed.
Lemma binary_ok f a b x y z : holds a x -> holds b y -> (forall i j, inside i x -> inside j y -> holds (f i j) z) -> holds (binary f a b) z.
Proof. intros A B H. destruct a, b; cbn in *; auto. Qed.
Lemma of_option_ok o x : (forall j, o = Some j -> inside j x) -> holds (of_option o) x.
Proof. destruct o; cbn; auto. Qed.

Definition related (G : nat -> option enclosure) (g : nat -> option R) : Prop := forall i x, g i = Some x -> exists a, G i = Some a /\ holds a x.

Ltac one G i x := destruct (_ i) as [x|] eqn:?E; [|discriminate]; cbn [bind] in *.
Lemma unary_step G g i f F v : related G g -> bind (g i) F = Some v ->
  (forall x j, F x = Some v -> inside j x -> holds (f j) v) -> exists a, bind (G i) (fun a => Some (unary f a)) = Some a /\ holds a v.
Proof.
  intros H E K. destruct (g i) as [x|] eqn:X; [|discriminate]. cbn in E. destruct (H _ _ X) as (a & A & B). rewrite A. cbn. eexists; split; [reflexivity|].
  destruct a; cbn in *; auto. eapply K; eassumption.
Qed.
Lemma binary_step G g i j f F v : related G g -> bind (g i) (fun a => bind (g j) (F a)) = Some v ->
  (forall x y k l, F x y = Some v -> inside k x -> inside l y -> holds (f k l) v) ->
  exists a, bind (G i) (fun a => bind (G j) (fun b => Some (binary f a b))) = Some a /\ holds a v.
Proof.
  intros H E K. destruct (g i) as [x|] eqn:X; [|discriminate]. cbn in E. destruct (g j) as [y|] eqn:Y; [|discriminate]. cbn in E.
  destruct (H _ _ X) as (a & A & A'), (H _ _ Y) as (b & B & B'). rewrite A, B. cbn. eexists; split; [reflexivity|].
  destruct a, b; cbn in *; auto. eapply K; eassumption.
Qed.
Lemma raw_ok G g o v : related G g -> value_of g o = Some v -> exists a, enclosure_raw G o = Some a /\ holds a v.
Proof.
  intros H. destruct o; cbn [value_of enclosure_raw]; intros E.
  - injection E as <-. eexists; split; [reflexivity|]. apply of_rat_ok; exact Hp.
  - injection E as <-. eexists; split; [reflexivity|]. apply of_option_ok; intros; eapply pi_right; eassumption.
  - eapply binary_step; [exact H|exact E|]. intros x y k l F K L. cbn beta in F; injection F as <-. apply add_ok; assumption.
  - eapply binary_step; [exact H|exact E|]. intros x y k l F K L. cbn beta in F; injection F as <-. apply sub_ok; assumption.
  - eapply binary_step; [exact H|exact E|]. intros x y k l F K L. cbn beta in F; injection F as <-. apply mul_ok; assumption.
  - eapply binary_step; [exact H|exact E|]. intros x y k l F K L. cbn beta in F. destruct (Req_EM_T y 0) as [|N]; [discriminate|]. cbn beta in F; injection F as <-.
    assert (Q : holds (of_option (div p k l)) (x / y)) by (apply of_option_ok; intros q E'; eapply div_ok; eassumption).
    unfold quotient. destruct (Z.eqb_spec (fst l) 0) as [E1|_]; [|exact Q]. destruct (Z.eqb_spec (snd l) 0) as [E2|_]; [|exact Q].
    destruct L as [L1 L2]. rewrite E1 in L1. rewrite E2 in L2. pose proof (scale_pos p Hp). exfalso. apply N. nra.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F; injection F as <-. apply neg_ok; assumption.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F; injection F as <-. apply sqr_ok; assumption.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F. destruct (Rle_dec 0 x) as [X|]; [|discriminate]. cbn beta in F; injection F as <-.
    unfold root. destruct (Z.ltb_spec (snd j) 0) as [N|_]; cbn; [|apply sqrt_ok; assumption].
    destruct J as [_ J]. apply IZR_lt in N. pose proof (scale_pos p Hp). nra.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F; injection F as <-. apply of_option_ok. intros; eapply sine_ok; eassumption.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F; injection F as <-. apply of_option_ok. intros; eapply cosine_ok; eassumption.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F; injection F as <-. apply of_option_ok. intros; eapply exp_ok; eassumption.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F. destruct (Rlt_dec 0 x) as [X|]; [|discriminate]. cbn beta in F; injection F as <-.
    unfold logarithm. destruct (Z.leb_spec (snd j) 0) as [N|_]. { destruct J as [_ J]. apply IZR_le in N. pose proof (scale_pos p Hp). cbn. nra. }
    destruct (Z.leb_spec (fst j) 0); [exact Logic.I|]. apply of_option_ok. intros; eapply ln_ok; eassumption.
  - eapply unary_step; [exact H|exact E|]. intros x j F J. cbn beta in F; injection F as <-. apply of_option_ok. intros; eapply atan_ok; eassumption.
Qed.

Lemma enclosure_ok G g o v : related G g -> value_of g o = Some v -> exists a, enclosure_of G o = Some a /\ holds a v.
Proof.
  intros H E. destruct (raw_ok G g o v H E) as (a & A & K). exists (capped a). unfold enclosure_of. rewrite A. split; [reflexivity|].
  destruct a as [| |i]; cbn in *; auto. destruct (tame p i); [exact K|exact Logic.I].
Qed.
Lemma node_related n A a : Forall2 holds A a -> related (node n A) (node n a).
Proof.
  intros H i x. unfold node. destruct (Nat.ltb i n); [|discriminate]. generalize (n - 1 - i)%nat. clear i.
  induction H as [|e y A a K H IH]; intros [|k]; cbn; try discriminate; [|apply IH]. intros E; injection E as ->. eauto.
Qed.
Lemma run_ok ops : forall n A a v, Forall2 holds A a -> run ops n a = Some v -> exists e, enclose_run ops n A = Some e /\ holds e v.
Proof.
  induction ops as [|o ops IH]; cbn; intros n A a v H E.
  - destruct H; [discriminate|]. cbn in *. injection E as <-. eauto.
  - destruct (value_of (node n a) o) as [w|] eqn:W; [|discriminate]. cbn in E.
    destruct (enclosure_ok _ _ _ _ (node_related n _ _ H) W) as (e & -> & K). cbn. eapply IH; [|exact E]. constructor; assumption.
Qed.

Definition wide (i : itv) : enclosure := Within i.
Definition enclose_row (P : problem) (Q : question) (B : place) (F : family) (row : nat) : option enclosure :=
  bind (nth_error (tapes P) (tape F)) (fun ops => bind (all (map (input_of p P Q B row) (bindings F))) (fun inputs =>
  enclose_run ops (length (bindings F)) (rev (map wide inputs)))).
Lemma row_ok P Q B F row x M r : in_place B x -> measured P Q M -> row_value P F row x M = Some r -> forall e, enclose_row P Q B F row = Some e -> holds e r.
Proof.
  intros X HM V e E. unfold row_value in V. unfold enclose_row in E. destruct (nth_error (tapes P) (tape F)) as [ops|]; [|discriminate]. cbn [bind] in E, V.
  destruct (all _) as [inputs|] eqn:A; [|discriminate]. cbn [bind] in E. pose proof (inputs_ok p Hp P Q B row x M X HM _ _ A) as I.
  destruct (run_ok ops (length (bindings F)) (rev (map wide inputs)) (rev (map (input x M row) (bindings F))) r) as (e' & E' & H); [|exact V|rewrite E in E'; injection E' as <-; exact H].
  apply Forall2_rev. clear - I. induction I; cbn; constructor; assumption.
Qed.
Definition misses (bound : rat) (e : enclosure) : bool :=
  match e with Nowhere => true | Whole => false | Within (l, h) => let a := snd (of_rat p bound) in ((a <? l)%Z || (h <? - a)%Z)%bool end.
Lemma misses_ok bound e r : misses bound e = true -> holds e r -> ~ Rabs r <= real bound.
Proof.
  intros H K N. destruct e as [| |[l h]]; [exact K|discriminate|]. unfold misses in H. destruct (of_rat_ok p Hp bound) as [_ U]. destruct K as [L R]. cbn [fst snd] in L, R.
  pose proof (scale_pos p Hp) as S. set (a := snd (of_rat p bound)) in *. apply Bool.orb_true_iff in H. destruct H as [H|H]; apply Z.ltb_lt, IZR_lt in H; revert N; unfold Rabs; destruct (Rcase_abs r).
  - intros. nra. - intros. nra. - rewrite opp_IZR in H. intros. nra. - rewrite opp_IZR in H. intros. nra.
Qed.
End Evaluate.
