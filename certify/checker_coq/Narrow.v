(* The measurement lemma (specification, section 7): a box H of inputs with its slack. *)
Require Import ZArith Reals List Lra Lia Arith Bool.
From Certify Require Import Fixed Elementary Problem Polynomial Jets Lines.
Import ListNotations.
Open Scope R_scope.

Fixpoint put {A} (k : nat) (v : A) (l : list A) {struct l} : list A :=
  match l, k with [], _ => [] | _ :: r, O => v :: r | x :: r, S k => x :: put k v r end.
Definition sign (side : bool) (r : R) := if side then r else - r.
Definition oriented (side : bool) (P : poly) : poly := if side then P else pneg P.

Section Narrow.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Variable ops : list op.
Variable side : bool.
Notation inside := (inside p).
Definition cost (z : Z) : R := IZR z / (scale p * scale p).
(* By how much s r may rise when the inputs move by these offsets, at twice the precision. *)
Definition rise (offsets : list itv) (P : poly) : Z := (- least p offsets (pneg P))%Z.
Definition slopes (seeds : list (itv * poly)) : option poly :=
  bind (inputs_run p T false [] ops seeds []) (fun J => bind (result J) (fun j => Some (oriented side (slope j)))).
Definition own (k : nat) : poly := [([k], unit_i p)].

(* Several inputs move at once: from anywhere in their intervals to points. *)
Fixpoint seeds_of (k : nat) (H : list itv) (free : list bool) : list (itv * poly) :=
  match H, free with h :: H, b :: free => (h, if b then own k else []) :: seeds_of (S k) H free | _, _ => [] end.
Fixpoint offsets_of (H : list itv) (free : list bool) (goals : list (option Z)) : list itv :=
  match H, free, goals with
  | h :: H, b :: free, g :: goals => match b, g with true, Some e => (e - snd h, e - fst h)%Z | _, _ => zero end :: offsets_of H free goals
  | _, _, _ => []
  end.
Fixpoint reach (H : list itv) (free : list bool) (goals : list (option Z)) : option (list itv * list bool) :=
  match H, free, goals with
  | [], [], [] => Some ([], [])
  | h :: H, b :: free, g :: goals => bind (reach H free goals) (fun r =>
    match b, g with
    | true, Some e => if ((fst h <=? e) && (e <=? snd h))%Z then Some ((e, e) :: fst r, false :: snd r) else None
    | _, _ => Some (h :: fst r, b :: snd r)
    end)
  | _, _, _ => None
  end.
Fixpoint goal_points (a : list R) (free : list bool) (goals : list (option Z)) : list R :=
  match a, free, goals with
  | x :: a, b :: free, g :: goals => match b, g with true, Some e => IZR e / scale p | _, _ => x end :: goal_points a free goals
  | _, _, _ => []
  end.
Definition frozen (free : list bool) (a b : list R) : Prop := length a = length b /\ forall k, nth k free false = false -> nth k b 0 = nth k a 0.

Lemma rise_ok offsets d P y : (forall j, inside (nth j offsets zero) (d j)) -> pin p P d y -> y <= cost (rise offsets P).
Proof.
  intros O Y. pose proof (least_ok p Hp offsets d O _ _ (pneg_ok p P d y Y)) as L. pose proof (scale_pos p Hp) as S. unfold cost, rise. rewrite opp_IZR.
  apply Rmult_le_reg_r with (scale p * scale p); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra. lra.
Qed.
Lemma oriented_ok P d y : pin p P d y -> pin p (oriented side P) d (sign side y).
Proof. unfold oriented, sign. destruct side; [auto|apply pneg_ok]. Qed.
Lemma point_ok e : inside (e, e) (IZR e / scale p).
Proof. pose proof (scale_pos p Hp). unfold Fixed.inside. cbn. replace (IZR e / scale p * scale p) with (IZR e) by (field; lra). lra. Qed.
Lemma inside_point h e : (fst h <= e <= snd h)%Z -> inside h (IZR e / scale p).
Proof. intros [A B]. apply IZR_le in A, B. destruct (point_ok e) as [C D]. cbn in C, D. split; lra. Qed.
Lemma own_ok k d : pin p (own k) d (d k).
Proof. exists 1, 0. split; [apply unit_ok|]. split; [reflexivity|]. cbn. ring. Qed.
Lemma cost_le a b : (a <= b)%Z -> cost a <= cost b.
Proof. intros L. apply IZR_le in L. pose proof (scale_pos p Hp). unfold cost. apply Rmult_le_compat_r; [|exact L]. left. apply Rinv_0_lt_compat. nra. Qed.
Lemma cost_plus a b : cost (a + b) = cost a + cost b.
Proof. unfold cost. rewrite plus_IZR. lra. Qed.

Lemma reach_ok : forall H free goals H' free' a, reach H free goals = Some (H', free') -> Forall2 inside H a ->
  let b := goal_points a free goals in Forall2 inside H b /\ Forall2 inside H' b /\ length b = length a /\ frozen free a b /\
  (forall k, nth k free false = false -> nth k free' false = false) /\ (forall j, inside (nth j (offsets_of H free goals) zero) (nth j b 0 - nth j a 0)).
Proof.
  induction H as [|h H IH]; intros [|b free] [|g goals] H' free' a E F; cbn in E; try discriminate; inversion F as [|h0 x H0 a0 I F']; subst.
  - injection E as <- <-. cbn. split; [constructor|]. split; [constructor|]. split; [reflexivity|]. split; [split; auto|]. split; [auto|].
    intros [|j]; cbn; rewrite Rminus_diag_eq by reflexivity; apply zero_ok.
  - destruct (reach H free goals) as [[H1 f1]|] eqn:R; [|discriminate]. cbn [bind fst snd] in E. destruct (IH free goals H1 f1 a0 R F') as (A & B & C & [D1 D2] & M & O). cbn [goal_points offsets_of].
    assert (K : forall u v o, inside h u -> inside v u -> (b = false -> u = x) -> inside o (u - x) -> forall bb, (b = false -> bb = false) ->
      Forall2 inside (h :: H) (u :: goal_points a0 free goals) /\ Forall2 inside (v :: H1) (u :: goal_points a0 free goals) /\ length (u :: goal_points a0 free goals) = length (x :: a0) /\
      frozen (b :: free) (x :: a0) (u :: goal_points a0 free goals) /\ (forall k, nth k (b :: free) false = false -> nth k (bb :: f1) false = false) /\
      (forall j, inside (nth j (o :: offsets_of H free goals) zero) (nth j (u :: goal_points a0 free goals) 0 - nth j (x :: a0) 0))).
    { intros u v o U V Same Off bb Bb. repeat split; try (constructor; assumption).
      - cbn. lia. - cbn. lia. - intros [|k]; cbn; auto. - intros [|k]; cbn; auto. - destruct j; cbn; [apply Off|apply O]. - destruct j; cbn; [apply Off|apply O]. }
    destruct b; [destruct g as [e|]|].
    + destruct ((fst h <=? e) && (e <=? snd h))%Z eqn:L; [|discriminate]. injection E as <- <-. apply andb_prop in L. destruct L as [L1 L2]. apply Z.leb_le in L1, L2.
      apply K; auto; [apply inside_point; auto|apply point_ok|discriminate|]. destruct (point_ok e) as [P1 P2]. cbn in P1, P2. destruct I as [I1 I2].
      unfold Fixed.inside; cbn [fst snd]. rewrite !minus_IZR, Rmult_minus_distr_r. lra.
    + injection E as <- <-. apply K; auto. rewrite Rminus_diag_eq by reflexivity. apply zero_ok.
    + injection E as <- <-. apply K; auto. rewrite Rminus_diag_eq by reflexivity. apply zero_ok.
Qed.
Lemma seeds_moved d : forall H free k a b, Forall2 inside H a -> Forall2 inside H b -> length free = length H -> frozen free a b ->
  (forall i, d (k + i)%nat = nth i b 0 - nth i a 0) -> all_moved p d a b (seeds_of k H free).
Proof.
  induction H as [|h H IH]; intros free k a b A B L [Len Fr] D; inversion A; inversion B; subst.
  - destruct free; [constructor|discriminate].
  - destruct free as [|f free]; [discriminate|]. cbn [seeds_of]. constructor.
    + split; [assumption|]. split; [assumption|]. cbn [fst snd]. specialize (D O). rewrite Nat.add_0_r in D. cbn in D. destruct f; [rewrite <- D; apply own_ok|].
      specialize (Fr O eq_refl). cbn in Fr. cbn. lra.
    + apply IH; [assumption|assumption|cbn in L; lia|split; [cbn in Len; lia|intros i; apply (Fr (S i))]|].
      intros i. specialize (D (S i)). cbn in D. rewrite <- D. f_equal. lia.
Qed.
Lemma reach_length : forall H free goals r, reach H free goals = Some r -> length free = length H.
Proof. induction H as [|h H IH]; intros [|b free] [|g goals] r E; cbn in *; try discriminate; [reflexivity|]. destruct (reach H free goals) eqn:R; [|discriminate]. f_equal. eapply IH, R. Qed.
Lemma slopes_mean d a b S P r : slopes S = Some P -> all_moved p d a b S -> value ops a = Some r -> exists r' y, value ops b = Some r' /\ pin p P d y /\ sign side r' = sign side r + y.
Proof.
  unfold slopes. intros E M V. destruct (inputs_run _ _ _ _ _ _ _) as [J|] eqn:EJ; [|discriminate]. cbn [bind] in E. destruct (result J) as [j|] eqn:R; [|discriminate]. cbn [bind] in E. injection E as <-.
  destruct (mean_line p Hp T HT d false ops S a b J j M EJ R) as (r0 & y & V0 & V1 & _ & _ & Y). rewrite V in V0. injection V0 as <-.
  exists (r + y), (sign side y). split; [exact V1|]. split; [apply oriented_ok, Y|]. unfold sign. destruct side; ring.
Qed.
Lemma move_ok H free goals P H' free' a r : slopes (seeds_of 0 H free) = Some P -> reach H free goals = Some (H', free') -> Forall2 inside H a -> value ops a = Some r ->
  exists b r', Forall2 inside H b /\ Forall2 inside H' b /\ value ops b = Some r' /\ sign side r' <= sign side r + cost (Z.max 0 (rise (offsets_of H free goals) P)) /\ frozen free a b /\
  (forall k, nth k free false = false -> nth k free' false = false).
Proof.
  intros E R F V. destruct (reach_ok H free goals H' free' a R F) as (A & B & L & Fr & M & O). set (b := goal_points a free goals) in *.
  set (d := fun j => nth j b 0 - nth j a 0). assert (AM : all_moved p d a b (seeds_of 0 H free)) by (apply seeds_moved; auto; eapply reach_length, R).
  destruct (slopes_mean d a b _ P r E AM V) as (r' & y & V' & Y & EY). exists b, r'. repeat split; auto; try apply Fr.
  pose proof (rise_ok (offsets_of H free goals) d P y O Y). pose proof (cost_le _ _ (Z.le_max_r 0 (rise (offsets_of H free goals) P))). lra.
Qed.

(* One input alone, over cells: `scan` finds the cut from which s r rises least to anywhere; `left` is what it may rise by from what lies
   on the left of the first cut. *)
Definition hull_of (c e : Z) : itv := (Z.min c e, Z.max c e).
Definition axis_seeds (k : nat) (cell : itv) (H : list itv) : list (itv * poly) := put k (cell, own k) (map (fun h => (h, [])) H).
Definition along (k : nat) (i : itv) (P : poly) : Z := rise (repeat zero k ++ [i]) P.
Fixpoint scan (k : nat) (H : list itv) (cuts : list Z) (left : Z) : option (Z * (Z * Z)) :=
  match cuts with
  | [] => None
  | c :: rest => match rest with
    | [] => Some (0%Z, (Z.max left 0, c))
    | e :: _ => bind (slopes (axis_seeds k (hull_of c e) H)) (fun P =>
      let w := (e - c)%Z in
      bind (scan k H rest (Z.max (along k (hull_of 0 w) P) (along k (w, w) P + left))) (fun found =>
      let right := Z.max (along k (hull_of (- w) 0) P) (along k (- w, - w)%Z P + fst found) in
      let here := Z.max left right in
      Some (right, if (here <=? fst (snd found))%Z then (here, c) else snd found)))
    end
  end.

Section Axis.
Variables (k : nat) (H : list itv) (a : list R).
Hypothesis HA : Forall2 inside H a.
Definition at_cut (u : R) : option R := value ops (put k u a).
(* From v to u s r rises by no more than l. *)
Definition rises (u v : R) (l : Z) : Prop := forall r, at_cut v = Some r -> exists r', at_cut u = Some r' /\ sign side r' <= sign side r + cost l.
Definition cut (c : Z) : R := IZR c / scale p.
Definition lies (c e u : R) : Prop := c <= u <= e \/ e <= u <= c.
Lemma put_moved d K u v cell : inside cell u -> inside cell v -> d K = v - u -> forall j (H0 : list itv) a0, Forall2 inside H0 a0 ->
  all_moved p d (put j u a0) (put j v a0) (put j (cell, own K) (map (fun h => (h, [])) H0)).
Proof.
  intros U V D. assert (Same : forall H0 a0, Forall2 inside H0 a0 -> all_moved p d a0 a0 (map (fun h => (h, [])) H0)).
  { intros H0 a0 F. induction F as [|h x H0 a0 I F IH]; cbn; constructor; [|exact IH]. split; [exact I|]. split; [exact I|]. cbn. lra. }
  intros j H0 a0 F. revert j. induction F as [|h x H0 a0 I F IH]; intros [|j]; cbn; try constructor; auto.
  - split; [exact U|]. split; [exact V|]. cbn [fst snd]. rewrite <- D. apply own_ok.
  - split; [exact I|]. split; [exact I|]. cbn. lra.
Qed.
Lemma lies_inside c e u : lies (cut c) (cut e) u -> inside (hull_of c e) u.
Proof.
  pose proof (scale_pos p Hp) as S. assert (K : forall z, cut z * scale p = IZR z) by (intros; unfold cut; field; lra). intros L. unfold Fixed.inside, hull_of. cbn [fst snd].
  pose proof (IZR_le _ _ (Z.le_min_l c e)). pose proof (IZR_le _ _ (Z.le_min_r c e)). pose proof (IZR_le _ _ (Z.le_max_l c e)). pose proof (IZR_le _ _ (Z.le_max_r c e)).
  assert (N : forall x y : R, x <= y -> x * scale p <= y * scale p) by (intros; nra).
  destruct L as [[L1 L2]|[L1 L2]]; apply N in L1, L2; rewrite K in L1, L2; lra.
Qed.
Lemma rises_in c e P u v i : slopes (axis_seeds k (hull_of c e) H) = Some P -> lies (cut c) (cut e) u -> lies (cut c) (cut e) v -> inside i (u - v) -> rises u v (along k i P).
Proof.
  intros E U V I r R. set (d := fun j => if Nat.eqb j k then u - v else 0).
  assert (M : all_moved p d (put k v a) (put k u a) (axis_seeds k (hull_of c e) H)) by (apply put_moved; try (apply lies_inside; assumption); [unfold d; rewrite Nat.eqb_refl; reflexivity|exact HA]).
  destruct (slopes_mean d _ _ _ P r E M R) as (r' & y & V' & Y & EY). exists r'. split; [exact V'|]. rewrite EY. apply Rplus_le_compat_l. eapply rise_ok; [|exact Y].
  intros j. unfold d. destruct (Nat.eqb_spec j k) as [->|N].
  - rewrite app_nth2; rewrite repeat_length; [|lia]. rewrite Nat.sub_diag. exact I.
  - destruct (Nat.lt_ge_cases j k) as [L|L].
    + rewrite app_nth1 by (rewrite repeat_length; exact L). rewrite nth_repeat. apply zero_ok.
    + rewrite nth_overflow; [apply zero_ok|]. rewrite app_length, repeat_length. cbn. lia.
Qed.
Lemma rises_trans u v w l m : rises u v l -> rises v w m -> rises u w (l + m).
Proof. intros A B r R. destruct (B r R) as (r1 & R1 & L1). destruct (A r1 R1) as (r2 & R2 & L2). exists r2. split; [exact R2|]. rewrite cost_plus. lra. Qed.
Lemma rises_le u v l m : (l <= m)%Z -> rises u v l -> rises u v m.
Proof. intros L A r R. destruct (A r R) as (r1 & R1 & L1). exists r1. split; [exact R1|]. pose proof (cost_le _ _ L). lra. Qed.
Lemma rises_refl u l : (0 <= l)%Z -> rises u u l.
Proof. intros L r R. exists r. split; [exact R|]. pose proof (cost_le _ _ L). assert (cost 0 = 0) by (unfold cost; lra). lra. Qed.
Lemma difference c e u : lies (cut c) (cut e) u -> inside (hull_of 0 (e - c)) (cut e - u) /\ inside (hull_of (- (e - c)) 0) (cut c - u).
Proof.
  pose proof (scale_pos p Hp) as S. assert (K : forall z, cut z * scale p = IZR z) by (intros; unfold cut; field; lra). intros L. unfold Fixed.inside, hull_of. cbn [fst snd].
  assert (N : forall x y : R, x <= y -> x * scale p <= y * scale p) by (intros; nra).
  rewrite !Rmult_minus_distr_r, !K. destruct L as [[L1 L2]|[L1 L2]]; apply N in L1, L2; rewrite K in L1, L2.
  - assert (c <= e)%Z by (apply le_IZR; lra). rewrite Z.min_l, Z.max_r, Z.min_l, Z.max_r by lia. rewrite opp_IZR, minus_IZR. lra.
  - assert (e <= c)%Z by (apply le_IZR; lra). rewrite Z.min_r, Z.max_l, Z.min_r, Z.max_l by lia. rewrite opp_IZR, minus_IZR. lra.
Qed.
Lemma exact_step c e : inside (e - c, e - c)%Z (cut e - cut c) /\ inside (- (e - c), - (e - c))%Z (cut c - cut e).
Proof.
  pose proof (scale_pos p Hp) as S. assert (K : forall z, cut z * scale p = IZR z) by (intros; unfold cut; field; lra). unfold Fixed.inside. cbn [fst snd].
  rewrite !Rmult_minus_distr_r, !K, opp_IZR, minus_IZR. lra.
Qed.
Lemma lies_split a' b c u : lies a' c u -> lies a' b u \/ lies b c u.
Proof. unfold lies. intros L. destruct (Rle_dec a' u), (Rle_dec u b), (Rle_dec b u), (Rle_dec u a'); lra. Qed.
Lemma scan_cons c e cuts left : scan k H (c :: e :: cuts) left = bind (slopes (axis_seeds k (hull_of c e) H)) (fun P =>
  bind (scan k H (e :: cuts) (Z.max (along k (hull_of 0 (e - c)) P) (along k (e - c, e - c)%Z P + left))) (fun found =>
  let right := Z.max (along k (hull_of (- (e - c)) 0) P) (along k (- (e - c), - (e - c))%Z P + fst found) in
  let here := Z.max left right in Some (right, if (here <=? fst (snd found))%Z then (here, c) else snd found))).
Proof. reflexivity. Qed.
Lemma scan_ok first : forall cuts c0 left right l c, scan k H (c0 :: cuts) left = Some (right, (l, c)) -> (forall u, lies first (cut c0) u -> rises (cut c0) u left) ->
  let e := cut (last (c0 :: cuts) 0%Z) in (forall u, lies (cut c0) e u -> rises (cut c0) u right) /\ (forall u, lies first e u -> rises (cut c) u l).
Proof.
  induction cuts as [|e cuts IH]; intros c0 left right l c E L.
  - cbn in E. injection E as <- <- <-. cbn. split; intros u U.
    + replace u with (cut c0) by (destruct U; lra). apply rises_refl. lia.
    + eapply rises_le; [|apply L, U]. lia.
  - rewrite scan_cons in E. destruct (slopes _) as [P|] eqn:S; [|discriminate]. cbn [bind] in E.
    destruct (scan k H (e :: cuts) _) as [[right1 best]|] eqn:R; [|discriminate]. cbn [bind fst snd] in E. cbv zeta in E. destruct best as [l1 c1]. cbn [fst snd] in E.
    assert (InC : lies (cut c0) (cut e) (cut c0)) by (unfold lies; lra). assert (InE : lies (cut c0) (cut e) (cut e)) by (unfold lies; lra).
    destruct (IH e _ _ _ _ R) as [I1 I2].
    { intros u U. destruct (lies_split _ (cut c0) _ _ U) as [V|V].
      - eapply rises_le; [apply Z.le_max_r|]. eapply rises_trans; [|apply L, V]. eapply rises_in; [exact S|exact InE|exact InC|apply exact_step].
      - eapply rises_le; [apply Z.le_max_l|]. eapply rises_in; [exact S|exact InE|exact V|apply difference, V]. }
    change (last (c0 :: e :: cuts) 0%Z) with (last (e :: cuts) 0%Z). cbv zeta. set (right0 := Z.max (along k (hull_of (- (e - c0)) 0) P) (along k (- (e - c0), - (e - c0))%Z P + right1)) in *.
    assert (Rt : forall u, lies (cut c0) (cut (last (e :: cuts) 0%Z)) u -> rises (cut c0) u right0).
    { intros u U. destruct (lies_split _ (cut e) _ _ U) as [V|V].
      - eapply rises_le; [apply Z.le_max_l|]. eapply rises_in; [exact S|exact InC|exact V|apply difference, V].
      - eapply rises_le; [apply Z.le_max_r|]. eapply rises_trans; [|apply I1, V]. eapply rises_in; [exact S|exact InC|exact InE|apply exact_step]. }
    destruct (Z.leb_spec (Z.max left right0) l1); injection E as <- <- <-.
    + split; [exact Rt|]. intros u U. destruct (lies_split _ (cut c0) _ _ U) as [V|V]; (eapply rises_le; [|first [apply L, V|apply Rt, V]]); lia.
    + split; [exact Rt|exact I2].
Qed.
End Axis.

Fixpoint cuts_of (lo hi : Z) (n : Z) (j : nat) : list Z :=
  match j with O => [hi] | S i => (hi - (hi - lo) * Z.of_nat j / n)%Z :: cuts_of lo hi n i end.
(* Each free input goes to its best cut. *)
Fixpoint shift (cells : nat) (H0 H : list itv) (free : list bool) (k : nat) : option (list itv * Z) :=
  match H, free with
  | h :: H, b :: free => bind (shift cells H0 H free (S k)) (fun r =>
    if b then bind (scan k H0 (fst h :: cuts_of (fst h) (snd h) (Z.of_nat cells) (pred cells)) 0) (fun found =>
      let '(l, c) := snd found in if ((fst h <=? c) && (c <=? snd h))%Z then Some ((c, c) :: fst r, snd r + Z.max 0 l)%Z else None)
    else Some (h :: fst r, snd r))
  | _, _ => Some ([], 0%Z)
  end.
Definition coefficient (k : nat) (P : poly) : itv := match find (fun t => match fst t with [j] => Nat.eqb j k | _ => false end) P with Some t => snd t | None => zero end.
(* Where s r is monotone the end at which it is least; `final`: the better end of the others. *)
Definition goal (final : bool) (h g : itv) : option Z :=
  if (0 <=? fst g)%Z then Some (fst h) else if (snd g <=? 0)%Z then Some (snd h) else
  if final then Some (if (- fst g <=? snd g)%Z then fst h else snd h) else None.
Fixpoint goals_of (final : bool) (P : poly) (k : nat) (H : list itv) (free : list bool) : list (option Z) :=
  match H, free with h :: H, b :: free => (if b then goal final h (coefficient k P) else None) :: goals_of final P (S k) H free | _, _ => [] end.
Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.
Fixpoint narrow (fuel : nat) (cells : nat) (H : list itv) (free : list bool) (loss : Z) : list itv * Z :=
  match fuel with
  | O => (H, loss)
  | S fuel => if forallb negb free then (H, loss) else
    match slopes (seeds_of 0 H free) with
    | None => (H, loss)
    | Some P =>
      let step final := let goals := goals_of final P 0 H free in
        bind (reach H free goals) (fun r => Some (fst r, snd r, loss + Z.max 0 (rise (offsets_of H free goals) P))%Z) in
      if existsb is_some (goals_of false P 0 H free) then
        match step false with Some (H', free', loss') => narrow fuel cells H' free' loss' | None => (H, loss) end
      else if Nat.leb cells 1 then match step true with Some (H', _, loss') => (H', loss') | None => (H, loss) end
      else match shift cells H H free 0 with Some (H', l) => (H', loss + l)%Z | None => (H, loss) end
    end
  end.

Lemma frozen_refl free a : frozen free a a.
Proof. split; auto. Qed.
Lemma nth_put {A} (d v : A) : forall l k j, nth j (put k v l) d = if (Nat.eqb j k && Nat.ltb k (length l))%bool then v else nth j l d.
Proof.
  induction l as [|x l IH]; intros k j; cbn [put length].
  - replace (Nat.ltb k 0) with false by (destruct k; reflexivity). rewrite andb_false_r. reflexivity.
  - destruct k, j; cbn [nth Nat.eqb andb]; try reflexivity. rewrite IH. reflexivity.
Qed.
Lemma put_length {A} (v : A) : forall l k, length (put k v l) = length l.
Proof. induction l; intros [|k]; cbn; auto. Qed.
Lemma put_inside H a k e h : Forall2 inside H a -> nth_error H k = Some h -> inside h e -> Forall2 inside H (put k e a).
Proof. intros F. revert k. induction F; intros [|k] N I; cbn in *; try discriminate; constructor; auto. injection N as ->. exact I. Qed.
Lemma put_same H a k h : Forall2 inside H a -> nth_error H k = Some h -> put k (nth k a 0) a = a /\ inside h (nth k a 0).
Proof. intros F. revert k. induction F; intros [|k] N; cbn in *; try discriminate; [injection N as ->; auto|]. destruct (IHF k N). split; [f_equal|]; assumption. Qed.
Lemma last_cuts lo hi n j c : last (c :: cuts_of lo hi n j) 0%Z = hi.
Proof. revert c. induction j; intros c; cbn [cuts_of]; [reflexivity|]. exact (IHj (hi - (hi - lo) * Z.of_nat (S j) / n)%Z). Qed.
Lemma shift_ok cells H0 a : forall H free k H' loss, (forall i, nth_error H i = nth_error H0 (k + i)) -> shift cells H0 H free k = Some (H', loss) -> length free = length H ->
  Forall2 inside H0 a -> forall r, value ops a = Some r ->
  exists b r', Forall2 inside H0 b /\ value ops b = Some r' /\ sign side r' <= sign side r + cost loss /\ length b = length a /\
  (forall i, (i < k)%nat \/ nth (i - k) free false = false -> nth i b 0 = nth i a 0) /\ Forall2 inside H' (skipn k b).
Proof.
  induction H as [|h H IH]; intros free k H' loss HH E Len F r V.
  - destruct free; [|discriminate]. cbn in E. injection E as <- <-. exists a, r. assert (cost 0 = 0) by (unfold cost; lra). repeat split; auto; try lra.
    rewrite skipn_all2; [constructor|]. rewrite <- (Forall2_length _ _ _ F). specialize (HH O). cbn in HH. symmetry in HH. rewrite Nat.add_0_r in HH. apply nth_error_None in HH. exact HH.
  - destruct free as [|f free]; [discriminate|]. cbn [shift] in E. destruct (shift cells H0 H free (S k)) as [[H1 l1]|] eqn:Rest; [|discriminate]. cbn [bind fst snd] in E.
    destruct (IH free (S k) H1 l1) with (r := r) as (b & r' & A & B & C & L & D & G); auto; [intros i; specialize (HH (S i)); cbn in HH; rewrite HH; f_equal; lia|].
    assert (N : nth_error H0 k = Some h) by (specialize (HH O); rewrite Nat.add_0_r in HH; symmetry; exact HH).
    destruct (put_same H0 b k h A N) as [PS PI]. assert (Split : forall l : list R, (k < length l)%nat -> skipn k l = nth k l 0 :: skipn (S k) l).
    { clear. induction k; intros [|x l] L; cbn in *; try lia; [reflexivity|]. rewrite IHk by lia. reflexivity. }
    assert (Kb : (k < length b)%nat) by (rewrite <- (Forall2_length _ _ _ A); apply nth_error_Some; rewrite N; discriminate).
    destruct f.
    + destruct (scan k H0 _ 0) as [[right [l c]]|] eqn:Sc; [|discriminate]. cbn [bind snd] in E. destruct ((fst h <=? c) && (c <=? snd h))%Z eqn:Lc; [|discriminate]. injection E as <- <-.
      apply andb_prop in Lc. destruct Lc as [L1 L2]. apply Z.leb_le in L1, L2.
      destruct (scan_ok k H0 b A (cut (fst h)) _ _ _ _ _ _ Sc) as [_ S2].
      { intros u U. replace u with (cut (fst h)) by (destruct U; lra). apply rises_refl. lia. }
      rewrite last_cuts in S2. assert (U : lies (cut (fst h)) (cut (snd h)) (nth k b 0)).
      { pose proof (scale_pos p Hp) as S. left. destruct PI as [P1 P2]. unfold cut. split; apply Rmult_le_reg_r with (scale p); try exact S.
        - replace (IZR (fst h) / scale p * scale p) with (IZR (fst h)) by (field; lra). exact P1.
        - replace (IZR (snd h) / scale p * scale p) with (IZR (snd h)) by (field; lra). exact P2. }
      destruct (S2 _ U r') as (r2 & V2 & C2); [unfold at_cut; rewrite PS; exact B|]. exists (put k (cut c) b), r2. split; [eapply put_inside; [exact A|exact N|apply inside_point; lia]|].
      split; [exact V2|]. split; [rewrite cost_plus; pose proof (cost_le _ _ (Z.le_max_r 0 l)); lra|]. split; [rewrite put_length; exact L|]. split.
      * intros i J. rewrite nth_put. destruct (Nat.eqb_spec i k) as [->|Ni]; [exfalso; destruct J as [J|J]; [lia|rewrite Nat.sub_diag in J; discriminate]|]. cbn [andb]. apply D.
        destruct (Nat.lt_ge_cases i (S k)); [left; assumption|]. right. destruct J as [J|J]; [lia|]. replace (i - k)%nat with (S (i - S k)) in J by lia. exact J.
      * rewrite Split by (rewrite put_length; exact Kb). constructor; [rewrite nth_put, Nat.eqb_refl; destruct (Nat.ltb_spec k (length b)); [apply point_ok|lia]|].
        replace (skipn (S k) (put k (cut c) b)) with (skipn (S k) b); [exact G|]. clear. generalize (cut c). intros v. revert k. induction b as [|x b IH]; intros [|k]; cbn; try reflexivity. apply IH.
    + injection E as <- <-. exists b, r'. split; [exact A|]. split; [exact B|]. split; [exact C|]. split; [exact L|]. split.
      * intros i J. apply D. destruct (Nat.lt_ge_cases i (S k)); [left; assumption|]. right. destruct J as [J|J]; [lia|]. replace (i - k)%nat with (S (i - S k)) in J by lia. exact J.
      * rewrite Split by exact Kb. constructor; assumption.
Qed.
Theorem narrow_ok cells : forall fuel H free loss H' loss' a r, length free = length H -> narrow fuel cells H free loss = (H', loss') -> Forall2 inside H a -> value ops a = Some r ->
  exists b r', Forall2 inside H' b /\ value ops b = Some r' /\ sign side r' + cost loss <= sign side r + cost loss' /\ frozen free a b.
Proof.
  induction fuel as [|fuel IH]; intros H free loss H' loss' a r Len E F V.
  { cbn in E. injection E as <- <-. exists a, r. repeat split; auto. lra. }
  assert (Same : (H, loss) = (H', loss') -> exists b r', Forall2 inside H' b /\ value ops b = Some r' /\ sign side r' + cost loss <= sign side r + cost loss' /\ frozen free a b).
  { intros E'; injection E' as <- <-. exists a, r. repeat split; auto. lra. }
  cbn [narrow] in E. destruct (forallb negb free); [apply Same; exact E|]. destruct (slopes (seeds_of 0 H free)) as [P|] eqn:S; [|apply Same; exact E]. cbv zeta in E.
  destruct (existsb is_some _); [|destruct (Nat.leb cells 1)].
  - destruct (reach H free (goals_of false P 0 H free)) as [[H1 free1]|] eqn:R; cbn [bind fst snd] in E; [|apply Same; exact E].
    destruct (move_ok H free _ P H1 free1 a r S R F V) as (b & r1 & A & B & V1 & C & [L D] & M).
    assert (LF : length free1 = length H1).
    { clear - R. revert R. generalize (goals_of false P 0 H free). revert free free1 H1. induction H as [|h H IHH]; intros [|f fs] fs' H1 [|g gs] R; cbn in R; try discriminate; [injection R as <- <-; reflexivity|].
      destruct (reach H fs gs) as [[H2 f2]|] eqn:R2; [|discriminate]. cbn [bind fst snd] in R. specialize (IHH _ _ _ _ R2). destruct f; [destruct g|]; try (injection R as <- <-; cbn; lia).
      destruct (_ && _)%bool; [|discriminate]. injection R as <- <-. cbn. lia. }
    destruct (IH _ _ _ _ _ b r1 LF E B V1) as (b' & r' & A' & V' & C' & [L' D']).
    exists b', r'. split; [exact A'|]. split; [exact V'|]. split; [rewrite cost_plus in C'; lra|]. split; [lia|]. intros k K. rewrite D' by (apply M, K). apply D, K.
  - destruct (reach H free (goals_of true P 0 H free)) as [[H1 free1]|] eqn:R; cbn [bind fst snd] in E; [|apply Same; exact E]. injection E as <- <-.
    destruct (move_ok H free _ P H1 free1 a r S R F V) as (b & r1 & A & B & V1 & C & D & M). exists b, r1. split; [exact B|]. split; [exact V1|]. split; [rewrite cost_plus; lra|exact D].
  - destruct (shift cells H H free 0) as [[H1 l]|] eqn:R; [|apply Same; exact E]. injection E as <- <-.
    destruct (shift_ok cells H a H free 0 H1 l (fun _ => eq_refl) R Len F r V) as (b & r1 & A & V1 & C & L & D & G). exists b, r1. split; [exact G|]. split; [exact V1|].
    split; [rewrite cost_plus; lra|]. split; [lia|]. intros k K. apply D. right. rewrite Nat.sub_0_r. exact K.
Qed.
End Narrow.
