(* Terms of an aggregate (specification, sections 6 and 7): rows in the forms q, m and t, and products. *)
Require Import ZArith Reals List Lra Lia Arith Bool.
From Certify Require Import Fixed Elementary Problem Polynomial Jets Lines Reverse Narrow Rational Evaluate Root.
Import ListNotations.
Open Scope R_scope.

Inductive shape := FormQ | FormM | FormT.
Record name := { form : shape; of_family : nat; of_row : nat; upper_side : bool }.

Section Terms.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Variable P : problem.
Variable Q : question.
Variable level : rat.
Notation inside := (inside p).

(* Where rows are prepared: a box and a number of cells. *)
Record prepared := { box : place; cells : nat }.
Definition offset_of (B : option bounds) (X : option bounds) : itv :=
  match B with
  | Some b => let x := match X with Some x => x | None => b end in of_bounds p (radd (fst x) (rneg (middle b)), radd (snd x) (rneg (middle b)))
  | None => zero
  end.
(* d = x - c on a box X within the prepared one. *)
Fixpoint offsets (B X : place) : list itv :=
  match B with [] => [] | b :: B => match X with x :: X => offset_of b x :: offsets B X | [] => offset_of b None :: offsets B [] end end.
Definition offset (B : place) (x : nat -> R) (j : nat) : R := match known B j with Some b => x j - real (middle b) | None => 0 end.
Lemma offset_of_ok b X x : (forall c, b = Some c -> within c x) -> (forall c, X = Some c -> within c x) -> inside (offset_of b X) (match b with Some b => x - real (middle b) | None => 0 end).
Proof.
  intros HB HX. unfold offset_of. destruct b as [b|]; [|apply zero_ok]. apply of_bounds_ok; [exact Hp|]. unfold within; cbn [fst snd]. rewrite !radd_ok, rneg_ok.
  destruct X as [c|]; [destruct (HX c eq_refl)|destruct (HB b eq_refl)]; lra.
Qed.
Lemma offsets_ok : forall B X x, in_place B x -> in_place X x -> forall j, inside (nth j (offsets B X) zero) (offset B x j).
Proof.
  unfold offset, known. induction B as [|b B IH]; intros X x HB HX j; [destruct j; cbn; apply zero_ok|]. cbn [offsets].
  destruct X as [|c X]; destruct j as [|j]; cbn [nth nth_error].
  - apply offset_of_ok; [|discriminate]. intros q ->. apply (HB O), eq_refl.
  - apply (IH [] (fun k => x (S k))); [intros k q; apply (HB (S k))|intros [|k] q; discriminate].
  - apply offset_of_ok; intros q ->; [apply (HB O), eq_refl|apply (HX O), eq_refl].
  - apply (IH X (fun k => x (S k))); [intros k q; apply (HB (S k))|intros k q; apply (HX (S k))].
Qed.
(* The offsets hold all the way from the centre. *)
Lemma offsets_between B x : in_place B x -> forall j t, between t -> inside (nth j (offsets B B) zero) (t * offset B x j).
Proof.
  intros X j t Ht. set (c := fun j => match known B j with Some b => real (middle b) | None => x j end).
  assert (C : in_place B c). { intros k b N. unfold c, known. rewrite N. pose proof (X k b N) as [A D]. unfold middle, within. rewrite rhalf_ok, radd_ok. lra. }
  pose proof (offsets_ok B B c C C j) as O. assert (Z : offset B c j = 0) by (unfold offset, c; destruct (known B j); ring). rewrite Z in O.
  replace (t * offset B x j) with (0 + t * (offset B x j - 0)) by ring. apply convex; [exact Hp|exact O|apply offsets_ok; exact X|exact Ht].
Qed.

Definition bound_of (f : nat) : option rat := option_map (fun s => radd (fst (snd s)) (rmul (snd (snd s)) level)) (find (fun s => Nat.eqb (fst s) f) (scope Q)).
Definition ceiling (b : rat) : Z := snd (of_rat p b).
Lemma ceiling_ok b : real b <= IZR (ceiling b) / scale p.
Proof.
  pose proof (scale_pos p Hp). destruct (of_rat_ok p Hp b) as [_ U]. unfold ceiling. apply Rmult_le_reg_r with (scale p); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact U.
Qed.
(* A measurement that several inputs read stays whole. *)
Definition reads (j : nat) (b : binding) : bool := match b with OfColumn i => Nat.eqb i j | OfVariable _ => false end.
Definition movable (row : list binding) (b : binding) (h : itv) : bool :=
  match b with OfColumn j => ((1 <? snd h - fst h)%Z && Nat.eqb (length (filter (reads j) row)) 1)%bool | OfVariable _ => false end.
Fixpoint zip {A B C} (f : A -> B -> C) (l : list A) (m : list B) : list C := match l, m with a :: l, b :: m => f a b :: zip f l m | _, _ => [] end.
(* The inputs on B x H and at c x H with the direction in which they move with d. *)
Definition moving (b : binding) (h : itv) : itv * poly := (h, match b with OfVariable j => own p j | OfColumn _ => [] end).
Definition centred (B : place) (b : binding) (h : itv) : option (itv * poly) :=
  match b with OfVariable j => option_map (fun q => (of_rat p (middle q), own p j)) (known B j) | OfColumn _ => Some (h, []) end.
Definition form_input (B : place) (b : binding) (h : itv) : option Root.form :=
  match b with OfColumn _ => Some (Num h) | OfVariable j => option_map (fun q => Rooted Zero [] [([], of_rat p (middle q)); ([j], unit_i p)]) (known B j) end.
Definition finish (side : bool) (e : Z) (G : poly) : poly := padd (if side then G else pneg G) (pconst (neg (e, e))).
Definition still (s : itv * poly) : itv * poly := (fst s, []).
Definition term_of (B : place) (F : family) (ops : list op) (n : name) (H : list itv) (e : Z) : option poly :=
  match form n with
  | FormQ => bind (all (zip (form_input B) (bindings F) H)) (fun nodes =>
      let enclosures := rev (map Within H) in
      bind (form_run p T (all_enclosed p T ops (length (bindings F)) enclosures) ops (length (bindings F)) (rev nodes) enclosures) (fun r => side_poly p (offsets B B) r (upper_side n) e))
  | FormM => bind (all (zip (centred B) (bindings F) H)) (fun S0 =>
      bind (inputs_run p T false [] ops (map still S0) []) (fun J0 => bind (result J0) (fun j0 =>
      bind (inputs_run p T false [] ops (zip moving (bindings F) H) []) (fun _ =>
      bind (reverse p T ops (zip moving (bindings F) H)) (fun G =>
      Some (finish (upper_side n) e (padd (pconst (at_ j0)) G)))))))
  | FormT => bind (all (zip (centred B) (bindings F) H)) (fun S0 =>
      bind (inputs_run p T false [] ops S0 []) (fun J0 => bind (result J0) (fun j0 =>
      bind (inputs_run p T true (offsets B B) ops (zip moving (bindings F) H) (centres_of (length (zip moving (bindings F) H)) J0)) (fun J => bind (result J) (fun j =>
      Some (finish (upper_side n) e (padd (padd (pconst (at_ j0)) (slope j0)) (bend j))))))))
  end.
(* Unknowns keep their intervals on B. *)
Fixpoint mix (bs : list binding) (given H : list itv) : list itv :=
  match bs, given, H with b :: bs, i :: given, h :: H => match b with OfVariable _ => i | OfColumn _ => h end :: mix bs given H | _, _, _ => [] end.
Definition row_term (D : prepared) (n : name) : option poly :=
  bind (bound_of (of_family n)) (fun b => bind (nth_error (families P) (of_family n)) (fun F =>
  bind (nth_error (tapes P) (tape F)) (fun ops => bind (all (map (input_of p P Q (box D) (of_row n)) (bindings F))) (fun inputs =>
  let free := zip (movable (bindings F)) (bindings F) inputs in
  let '(H, loss) := narrow p T ops (upper_side n) (S (length free)) (cells D) inputs free 0 in
  term_of (box D) F ops n (mix (bindings F) inputs H) (ceiling b + up p loss))))).

Variables (x : nat -> R) (M : nat -> nat -> R).
Hypothesis HM : measured P Q M.
Definition refuted (B : place) (G : poly) : Prop := exists y, pin p G (offset B x) y /\ y <= 0.
(* The inputs at the end of the line, and at its start: unknowns at the centre. *)
Fixpoint begins (B : place) (bs : list binding) (b : list R) : list R :=
  match bs, b with
  | c :: bs, r :: b => match c with OfVariable j => match known B j with Some q => real (middle q) | None => r end | OfColumn _ => r end :: begins B bs b
  | _, _ => []
  end.
Definition agrees (bs : list binding) (b : list R) : Prop := Forall2 (fun c r => match c with OfVariable j => r = x j | OfColumn _ => True end) bs b.
Lemma begins_length B : forall bs b, length bs = length b -> length (begins B bs b) = length b.
Proof. induction bs as [|c bs IH]; intros [|r b] L; cbn in *; try discriminate; [reflexivity|]. rewrite IH; lia. Qed.
Lemma finish_ok side e G B r : (exists y, pin p G (offset B x) y /\ r = y) -> sign side r <= IZR e / scale p -> refuted B (finish side e G).
Proof.
  intros (y & Y & ->) L. pose proof (scale_pos p Hp) as S. exists (sign side y + - (IZR e / scale p)). split; [|lra]. unfold finish. apply padd_ok; [exact Hp| |].
  - unfold sign. destruct side; [exact Y|apply pneg_ok, Y].
  - apply pconst_ok, neg_ok. unfold Fixed.inside; cbn. replace (IZR e / scale p * scale p) with (IZR e) by (field; lra). lra.
Qed.
Lemma lines_moved B : in_place B x -> forall bs H b S0, Forall2 inside H b -> agrees bs b -> all (zip (centred B) bs H) = Some S0 -> length bs = length H ->
  Forall2 (fun c h => match c with OfVariable j => forall q, known B j = Some q -> h = of_bounds p q | OfColumn _ => True end) bs H ->
  all_moved p (offset B x) (begins B bs b) b (zip moving bs H) /\ starts p (begins B bs b) b S0 (offset B x) /\
  all_moved p (fun _ => 0) (begins B bs b) (begins B bs b) (map still S0) /\ length (zip moving bs H) = length S0.
Proof.
  intros X. induction bs as [|c bs IH]; intros [|h H] b S0 F A E L W; try discriminate.
  - inversion F; subst. cbn in E. injection E as <-. repeat split; constructor.
  - inversion F as [|h0 y H0 b' I F' E1 E2]. subst h0 H0 b. inversion A as [|c0 y0 bs0 b0 A1 A2 E3 E4]. subst c0 y0 bs0 b0. inversion W as [|c1 h1 bs1 H1 W1 W2 E5 E6]. subst c1 h1 bs1 H1. cbn [zip all] in E.
    destruct (centred B c h) as [s|] eqn:C; [|discriminate]. cbn [bind] in E. destruct (all (zip (centred B) bs H)) as [S1|] eqn:E1'; [|discriminate]. injection E as <-.
    destruct (IH H b' S1 F' A2 E1' ltac:(cbn in L; lia) W2) as (I1 & I2 & I3 & I4). cbn [begins zip map length]. destruct c as [j|j].
    + unfold centred in C. destruct (known B j) as [q|] eqn:K; [|discriminate]. injection C as <-. subst y.
      pose proof (known_ok B x j q X K) as [Lo Up]. assert (Mid : within q (real (middle q))) by (unfold within, middle; rewrite rhalf_ok, radd_ok; lra).
      assert (Dir : pin p (own p j) (offset B x) (x j - real (middle q))). { pose proof (own_ok p j (offset B x)) as O. unfold offset in O at 2. rewrite K in O. exact O. }
      pose proof (W1 q eq_refl) as Hq. split; [|split; [|split; [|lia]]].
      * constructor; [|exact I1]. split; [rewrite Hq; apply of_bounds_ok; assumption|]. split; [assumption|exact Dir].
      * constructor; [|exact I2]. split; [apply of_rat_ok, Hp|exact Dir].
      * constructor; [|exact I3]. assert (IR := of_rat_ok p Hp (middle q)). split; [exact IR|]. split; [exact IR|]. cbn [snd still pin]. ring.
    + cbn in C. injection C as <-. split; [|split; [|split; [|lia]]].
      * constructor; [|exact I1]. split; [exact I|]. split; [exact I|]. cbn [snd moving pin]. ring.
      * constructor; [|exact I2]. split; [exact I|]. cbn [fst snd pin]. ring.
      * constructor; [|exact I3]. split; [exact I|]. split; [exact I|]. cbn [snd still pin]. ring.
Qed.

Lemma mix_ok B row whole bs : forall inputs H b, all (map (input_of p P Q B row) bs) = Some inputs -> in_place B x -> Forall2 inside H b ->
  (forall i, nth i (zip (movable whole) bs inputs) false = false -> nth i b 0 = nth i (map (input x M row) bs) 0) -> length b = length bs ->
  Forall2 inside (mix bs inputs H) b /\ agrees bs b /\ length bs = length (mix bs inputs H) /\
  Forall2 (fun c h => match c with OfVariable j => forall q, known B j = Some q -> h = of_bounds p q | OfColumn _ => True end) bs (mix bs inputs H).
Proof.
  induction bs as [|c bs IH]; intros inputs H b E X F Fr L.
  - cbn in E. injection E as <-. destruct b; [|discriminate]. cbn. repeat split; constructor.
  - cbn [map all] in E. destruct (input_of p P Q B row c) as [i|] eqn:I; [|discriminate]. cbn [bind] in E. destruct (all _) as [l|] eqn:EL; [|discriminate]. injection E as <-.
    destruct b as [|y b]; [discriminate|]. inversion F as [|h y0 H' b0 Ih F' E1 E2]. subst y0 b0 H. cbn [zip] in Fr.
    destruct (IH l H' b eq_refl X F' (fun k => Fr (S k)) ltac:(cbn in L; lia)) as (J1 & J2 & J3 & J4). cbn [mix length]. specialize (Fr O). cbn in Fr.
    pose proof (input_ok p Hp P Q B row c i x M X HM I) as In. destruct c as [j|j].
    + specialize (Fr eq_refl). cbn in Fr, In. subst y. repeat split; try (constructor; assumption); try lia.
      * constructor; [reflexivity|exact J2].
      * constructor; [|exact J4]. intros q K. unfold input_of in I. rewrite K in I. injection I as <-. reflexivity.
    + repeat split; try (constructor; auto; fail); try lia.
Qed.
Lemma form_inputs_ok B : in_place B x -> forall bs H nodes b, all (zip (form_input B) bs H) = Some nodes -> Forall2 inside H b -> agrees bs b -> Forall2 (means p (offset B x)) nodes b.
Proof.
  intros X. induction bs as [|c bs IH]; intros H nodes b E F A.
  - inversion A; subst. cbn in E. injection E as <-. constructor.
  - inversion A as [|c0 y bs0 b' A1 A2 E1 E2]. subst c0 bs0 b. inversion F as [|h y0 H' b0 I F' E3 E4]. subst y0 b0 H. cbn [zip all] in E.
    destruct (form_input B c h) as [f|] eqn:C; [|discriminate]. cbn [bind] in E. destruct (all _) as [l|] eqn:EL; [|discriminate]. injection E as <-. constructor; [|eapply IH; eassumption].
    destruct c as [j|j]; cbn in C; [|injection C as <-; exact I]. destruct (known B j) as [q|] eqn:K; [|discriminate]. injection C as <-. subst y.
    cbn. exists 0, (x j). split; [reflexivity|]. split; [|reflexivity]. exists (real (middle q)), (offset B x j). split; [apply of_rat_ok, Hp|]. split.
    * exists 1, 0. split; [apply unit_ok|]. split; [reflexivity|]. cbn. ring.
    * unfold offset. rewrite K. cbn. ring.
Qed.
Lemma term_of_ok B F ops n H e G b r : in_place B x -> Forall2 inside H b -> agrees (bindings F) b -> length (bindings F) = length H ->
  Forall2 (fun c h => match c with OfVariable j => forall q, known B j = Some q -> h = of_bounds p q | OfColumn _ => True end) (bindings F) H ->
  term_of B F ops n H e = Some G -> value ops b = Some r -> sign (upper_side n) r <= IZR e / scale p -> refuted B G.
Proof.
  intros X F2 A L W E V Le. pose proof (Forall2_length _ _ _ F2) as LH. unfold term_of in E. destruct (form n).
  - destruct (all (zip (form_input B) _ H)) as [nodes|] eqn:EN; [|discriminate]. cbn [bind] in E. cbv zeta in E. destruct (form_run _ _ _ _ _ _ _) as [f|] eqn:EF; [|discriminate]. cbn [bind] in E.
    pose proof (form_inputs_ok B X _ _ _ _ EN F2 A) as FN. unfold value in V. rewrite <- LH, <- L in V.
    assert (HB : Forall2 (holds p) (rev (map Within H)) (rev b)) by (apply Lines.Forall2_rev; clear - F2; induction F2; cbn; constructor; assumption).
    pose proof (form_run_ok p Hp T HT _ _ _ _ _ _ _ _ _ (Lines.Forall2_rev _ _ _ FN) HB EF V) as Me.
    eapply side_poly_ok; [exact Hp|exact E|intros j; apply offsets_ok; exact X|exact Me|exact Le].
  - destruct (all (zip (centred B) _ H)) as [S0|] eqn:ES; [|discriminate]. cbn [bind] in E. destruct (inputs_run _ _ _ _ _ (map still S0) _) as [J0|] eqn:E0; [|discriminate]. cbn [bind] in E.
    destruct (result J0) as [j0|] eqn:R0; [|discriminate]. cbn [bind] in E. destruct (inputs_run _ _ _ _ _ _ _) as [J|] eqn:EJ in E; [|discriminate]. cbn [bind] in E.
    destruct (reverse p T ops _) as [K|] eqn:EK; [|discriminate]. cbn [bind] in E. injection E as <-.
    destruct (lines_moved B X _ _ _ _ F2 A ES L W) as (M1 & _ & M3 & _).
    destruct (mean_line p Hp T HT _ _ ops _ _ _ _ _ M3 E0 R0) as (r0 & y0 & V0 & _ & I0 & _).
    destruct (mean_reverse p Hp T HT _ ops _ _ _ K M1 EK (ex_intro _ J EJ) r0 V0) as (y & V2 & Y).
    rewrite V in V2. injection V2 as ->. eapply finish_ok; [|exact Le]. exists (r0 + y). split; [|reflexivity].
    apply (padd_ok p Hp (pconst (at_ j0)) K); [apply pconst_ok, I0|exact Y].
  - destruct (all (zip (centred B) _ H)) as [S0|] eqn:ES; [|discriminate]. cbn [bind] in E. destruct (inputs_run p T false [] ops S0 []) as [J0|] eqn:E0; [|discriminate]. cbn [bind] in E.
    destruct (result J0) as [j0|] eqn:R0; [|discriminate]. cbn [bind] in E. destruct (inputs_run p T true _ _ _ _) as [J|] eqn:EJ; [|discriminate]. cbn [bind] in E.
    destruct (result J) as [j|] eqn:R; [|discriminate]. cbn [bind] in E. injection E as <-.
    destruct (lines_moved B X _ _ _ _ F2 A ES L W) as (M1 & M2 & _ & _).
    destruct (taylor_line p Hp T HT _ _ ops _ _ _ _ _ _ _ _ M1 M2 (offsets_between B x X) E0 R0 EJ R) as (r1 & y & z & V1 & V2 & I0 & Y & Z).
    rewrite V in V2. injection V2 as ->. eapply finish_ok; [|exact Le]. exists (r1 + y + z). split; [|reflexivity].
    apply (padd_ok p Hp (padd (pconst (at_ j0)) (slope j0)) (bend j)); [apply (padd_ok p Hp (pconst (at_ j0)) (slope j0)); [apply pconst_ok, I0|exact Y]|exact Z].
Qed.
Lemma zip_length {A B C} (f : A -> B -> C) : forall l m, length l = length m -> length (zip f l m) = length m.
Proof. induction l; intros [|b m] L; cbn in *; try discriminate; [reflexivity|]. rewrite IHl; lia. Qed.
(* Rows as they are bounded in S(level). *)
Definition bounded (f k : nat) : Prop := forall b, In (f, b) (scope Q) -> explained P b (real level) f k x M.
Lemma bound_of_ok f b : bound_of f = Some b -> exists s, In (f, s) (scope Q) /\ real b = real (fst s) + real (snd s) * real level.
Proof.
  unfold bound_of. destruct (find _ _) as [[f' s]|] eqn:E; [|discriminate]. intros H. injection H as <-. apply find_some in E. destruct E as [I E]. apply Nat.eqb_eq in E. cbn in E. subst f'.
  exists s. split; [exact I|]. cbn [snd]. rewrite radd_ok, rmul_ok. reflexivity.
Qed.
Lemma row_term_ok D n G : in_place (box D) x -> row_term D n = Some G -> bounded (of_family n) (of_row n) -> refuted (box D) G.
Proof.
  intros X E Bd. unfold row_term in E. destruct (bound_of (of_family n)) as [b|] eqn:EB; [|discriminate]. cbn [bind] in E. destruct (nth_error (families P) (of_family n)) as [F|] eqn:EF; [|discriminate]. cbn [bind] in E.
  destruct (nth_error (tapes P) (tape F)) as [ops|] eqn:ET; [|discriminate]. cbn [bind] in E. destruct (all _) as [inputs|] eqn:EI; [|discriminate]. cbn [bind] in E. cbv zeta in E.
  destruct (narrow _ _ _ _ _ _ _ _ _) as [H loss] eqn:EN. destruct (bound_of_ok _ _ EB) as (s & Is & Es). destruct (Bd s Is) as (F' & r & EF' & V & Le). rewrite EF in EF'. injection EF' as <-.
  unfold row_value in V. rewrite ET in V. cbn [bind] in V. set (a := map (input x M (of_row n)) (bindings F)) in *. assert (V' : value ops a = Some r) by (unfold value, a; rewrite map_length; exact V).
  pose proof (inputs_ok p Hp P Q (box D) (of_row n) x M X HM _ _ EI) as IA. fold a in IA. assert (La : length (bindings F) = length a) by (unfold a; rewrite map_length; reflexivity).
  pose proof (Forall2_length _ _ _ IA) as LI.
  destruct (narrow_ok p Hp T HT ops (upper_side n) (cells D) _ _ _ _ _ _ a r (zip_length (movable (bindings F)) (bindings F) inputs ltac:(lia)) EN IA V') as (b' & r' & FH & Vb & Cs & [Lb Fr]).
  destruct (mix_ok (box D) (of_row n) (bindings F) (bindings F) inputs H b' EI X FH Fr ltac:(lia)) as (M1 & M2 & M3 & M4).
  eapply (term_of_ok (box D) F ops n _ _ G b' r'); try eassumption. pose proof (scale_pos p Hp) as SP.
  rewrite plus_IZR. unfold Rdiv. rewrite Rmult_plus_distr_r. assert (C0 : cost p 0 = 0) by (unfold cost; lra).
  assert (Sg : sign (upper_side n) r <= IZR (ceiling b) / scale p).
  { apply Rle_trans with (2 := ceiling_ok b). rewrite Es. apply Rle_trans with (2 := Le). unfold Rabs, sign. destruct (upper_side n); destruct (Rcase_abs r); lra. }
  assert (Cl : cost p loss <= IZR (up p loss) / scale p).
  { unfold cost. apply Rmult_le_reg_r with (scale p * scale p); [nra|]. replace (IZR loss / (scale p * scale p) * (scale p * scale p)) with (IZR loss) by (field; lra).
    replace (IZR (up p loss) / scale p * (scale p * scale p)) with (IZR (up p loss) * scale p) by (field; lra). apply up_ge, Hp. }
  unfold Rdiv in Sg, Cl. lra.
Qed.
(* - (R_I - s_I d_I) (R_J - s_J d_J) *)
Definition product_term (B : place) (i : nat) (si : bool) (j : nat) (sj : bool) : option poly :=
  bind (known B i) (fun b => bind (known B j) (fun c =>
  let s (up : bool) := if up then unit_i p else neg (unit_i p) in
  Some (pmul p [([], of_rat p (rneg (radius b))); ([i], s si)] [([], of_rat p (radius c)); ([j], s (negb sj))]))).
Lemma product_term_ok B i si j sj G : in_place B x -> product_term B i si j sj = Some G -> refuted B G.
Proof.
  intros X. unfold product_term. destruct (known B i) as [b|] eqn:Bi; [|discriminate]. destruct (known B j) as [c|] eqn:Bj; [|discriminate]. cbn [bind]. cbv zeta. intros E.
  assert (E' : G = pmul p [([], of_rat p (rneg (radius b))); ([i], if si then unit_i p else neg (unit_i p))] [([], of_rat p (radius c)); ([j], if negb sj then unit_i p else neg (unit_i p))]) by congruence. clear E. subst G.
  assert (K : forall i b, known B i = Some b -> - real (radius b) <= offset B x i <= real (radius b)).
  { intros i' b' E. destruct (known_ok B x i' b' X E) as [L U]. unfold offset. rewrite E. unfold radius, middle. rewrite !rhalf_ok, !radd_ok, rneg_ok. lra. }
  pose proof (K _ _ Bi) as Gi. pose proof (K _ _ Bj) as Gj. set (d := offset B x) in *. set (u := if si then 1 else -1). set (v := if negb sj then 1 else -1).
  assert (S : forall s : bool, inside (if s then unit_i p else neg (unit_i p)) (if s then 1 else -1)) by (intros []; [apply unit_ok|apply neg_ok, unit_ok]).
  exists ((- real (radius b) + u * d i) * (real (radius c) + v * d j)). split.
  - apply pmul_ok; [exact Hp| |].
    + exists (- real (radius b)), (u * d i). split; [rewrite <- rneg_ok; apply of_rat_ok, Hp|]. split; [|unfold d; cbn [at_point]; ring]. exists u, 0. split; [apply (S si)|]. split; [reflexivity|unfold d; cbn [at_point]; ring].
    + exists (real (radius c)), (v * d j). split; [apply of_rat_ok, Hp|]. split; [|unfold d; cbn [at_point]; ring]. exists v, 0. split; [apply (S (negb sj))|]. split; [reflexivity|unfold d; cbn [at_point]; ring].
  - unfold u, v. destruct si, sj; cbn; nra.
Qed.
End Terms.
