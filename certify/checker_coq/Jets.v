(* Nodes of a tape along a line of inputs, a(t) = a + t delta: enclosed values, and first and half second derivatives by
   t as polynomials in the direction (specification, section 7). *)
Require Import ZArith Reals List Lra Lia Arith Bool.
From Coquelicot Require Import Coquelicot.
From Certify Require Import Fixed Elementary Problem Polynomial.
Import ListNotations.
Open Scope R_scope.

Record jet := Jet { at_ : itv; slope : poly; bend : poly }.

(* The same functions without domains: what a node is as a function of t. *)
Definition total_of (get : nat -> R) (o : op) : R :=
  match o with
  | Const q => real q | Problem.Pi => PI | Add i j => get i + get j | Sub i j => get i - get j | Mul i j => get i * get j
  | Div i j => get i * / get j | Neg i => - get i | Sqr i => get i * get i | Sqrt i => sqrt (get i) | Sin i => sin (get i)
  | Cos i => cos (get i) | Exp i => exp (get i) | Log i => ln (get i) | Atan i => atan (get i)
  end.
Definition curve_at (n : nat) (fs : list (R -> R)) (t : R) (i : nat) : R := match node n fs i with Some f => f t | None => 0 end.
Fixpoint curve_run (ops : list op) (n : nat) (fs : list (R -> R)) : R -> R :=
  match ops with
  | [] => match fs with f :: _ => f | [] => fun _ => 0 end
  | o :: rest => curve_run rest (S n) ((fun t => total_of (curve_at n fs t) o) :: fs)
  end.

Section Jets.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Variable deep : bool.
Notation inside := (inside p).

Definition constant (i : itv) : jet := Jet i [] [].
Definition is_constant (u : jet) : bool := match slope u, bend u with [], [] => true | _, _ => false end.
(* phi(u), from enclosures of phi, of its derivative and of half its second derivative. *)
Definition compose (value : option itv) (first half_second : unit -> option itv) (u : jet) : option jet :=
  bind value (fun v =>
  if is_constant u then Some (constant v) else
  bind (first tt) (fun a =>
  if deep then bind (half_second tt) (fun b => Some (Jet v (pscale p a (slope u)) (padd (pscale p a (bend u)) (pscale p b (psqr p (slope u))))))
  else Some (Jet v (pscale p a (slope u)) []))).
Definition sum (u w : jet) : jet := Jet (add (at_ u) (at_ w)) (padd (slope u) (slope w)) (padd (bend u) (bend w)).
Definition minus (u : jet) : jet := Jet (neg (at_ u)) (pneg (slope u)) (pneg (bend u)).
Definition product (u w : jet) : jet :=
  Jet (mul p (at_ u) (at_ w)) (padd (pscale p (at_ w) (slope u)) (pscale p (at_ u) (slope w)))
    (if deep then padd (pmul p (slope u) (slope w)) (padd (pscale p (at_ w) (bend u)) (pscale p (at_ u) (bend w))) else []).
Definition inverse (i : itv) : option itv := div p (unit_i p) i.
Definition half (i : itv) : itv := mul p (enclose p 1 2) i.
Definition jet_raw (get : nat -> option jet) (o : op) : option jet :=
  let u i f := bind (get i) f in
  let b i j f := bind (get i) (fun a => bind (get j) (f a)) in
  match o with
  | Const q => Some (constant (enclose p (fst q) (Zpos (snd q))))
  | Problem.Pi => bind (pi T) (fun i => Some (constant i))
  | Add i j => b i j (fun a c => Some (sum a c))
  | Sub i j => b i j (fun a c => Some (sum a (minus c)))
  | Neg i => u i (fun a => Some (minus a))
  | Mul i j => b i j (fun a c => Some (product a c))
  | Div i j => b i j (fun a c => bind (inverse (at_ c)) (fun r =>
      bind (compose (Some r) (fun _ => Some (neg (sqr p r))) (fun _ => Some (mul p r (sqr p r))) c) (fun reciprocal =>
      Some (product a reciprocal))))
  | Sqr i => u i (fun a => compose (Some (sqr p (at_ a))) (fun _ => Some (add (at_ a) (at_ a))) (fun _ => Some (unit_i p)) a)
  | Sqrt i => u i (fun a => if (0 <? fst (at_ a))%Z then let r := sqrt_pos p (at_ a) in
      compose (Some r) (fun _ => inverse (add r r)) (fun _ => bind (inverse (mul p (at_ a) r)) (fun k => Some (neg (mul p (enclose p 1 8) k)))) a else None)
  | Sin i => u i (fun a => let s := sine T (at_ a) in compose s (fun _ => cosine T (at_ a)) (fun _ => bind s (fun s => Some (neg (half s)))) a)
  | Cos i => u i (fun a => let c := cosine T (at_ a) in
      compose c (fun _ => bind (sine T (at_ a)) (fun s => Some (neg s))) (fun _ => bind c (fun c => Some (neg (half c)))) a)
  | Exp i => u i (fun a => let e := exp_i p (at_ a) in compose e (fun _ => e) (fun _ => bind e (fun e => Some (half e))) a)
  | Log i => u i (fun a => if (0 <? fst (at_ a))%Z then
      compose (ln_i p (at_ a)) (fun _ => inverse (at_ a)) (fun _ => bind (inverse (at_ a)) (fun k => Some (neg (half (sqr p k))))) a else None)
  | Atan i => u i (fun a => let h := inverse (add (unit_i p) (sqr p (at_ a))) in
      compose (atan_i p (at_ a)) (fun _ => h) (fun _ => bind h (fun h => Some (neg (mul p (at_ a) (sqr p h))))) a)
  end.

Definition jet_of (get : nat -> option jet) (o : op) : option jet := bind (jet_raw get o) (fun e => if tame p (at_ e) then Some e else None).

(* What a jet means along one line: `on` is the set of t, delta the direction. *)
Variable on : R -> Prop.
Variable delta : nat -> R.
Definition good (f : R -> R) (j : jet) : Prop := exists f1 f2 : R -> R, forall t, on t ->
  inside (at_ j) (f t) /\ is_derive f t (f1 t) /\ pin p (slope j) delta (f1 t) /\
  (deep = true -> is_derive f1 t (2 * f2 t) /\ pin p (bend j) delta (f2 t)).
Lemma good_ext f g j : (forall t, f t = g t) -> good f j -> good g j.
Proof.
  intros E (f1 & f2 & H). exists f1, f2. intros t Ht. destruct (H t Ht) as (A & B & C). rewrite <- E. split; [exact A|]. split; [|exact C].
  eapply is_derive_ext; [|exact B]. exact E.
Qed.
Lemma constant_ok c i : inside i c -> good (fun _ => c) (constant i).
Proof.
  intros H. exists (fun _ => 0), (fun _ => 0). intros t _. split; [exact H|]. split; [apply @is_derive_const|]. split; [reflexivity|]. intros _.
  split; [|reflexivity]. rewrite Rmult_0_r. apply @is_derive_const.
Qed.
Lemma sum_ok f g u w : good f u -> good g w -> good (fun t => f t + g t) (sum u w).
Proof.
  intros (f1 & f2 & Hf) (g1 & g2 & Hg). exists (fun t => f1 t + g1 t), (fun t => f2 t + g2 t). intros t Ht.
  destruct (Hf t Ht) as (A & B & C & D), (Hg t Ht) as (A' & B' & C' & D'). split; [apply add_ok; assumption|].
  split; [exact (is_derive_plus f g t _ _ B B')|]. split; [apply padd_ok; assumption|]. intros E. destruct (D E) as [D1 D2], (D' E) as [D1' D2'].
  split; [|apply padd_ok; assumption]. rewrite Rmult_plus_distr_l. exact (is_derive_plus f1 g1 t _ _ D1 D1').
Qed.
Lemma minus_ok f u : good f u -> good (fun t => - f t) (minus u).
Proof.
  intros (f1 & f2 & Hf). exists (fun t => - f1 t), (fun t => - f2 t). intros t Ht. destruct (Hf t Ht) as (A & B & C & D).
  split; [apply neg_ok; assumption|]. split; [exact (is_derive_opp f t _ B)|]. split; [apply pneg_ok; assumption|]. intros E. destruct (D E) as [D1 D2].
  split; [|apply pneg_ok; assumption]. replace (2 * - f2 t) with (- (2 * f2 t)) by ring. exact (is_derive_opp f1 t _ D1).
Qed.
Lemma product_ok f g u w : good f u -> good g w -> good (fun t => f t * g t) (product u w).
Proof.
  intros (f1 & f2 & Hf) (g1 & g2 & Hg). exists (fun t => f1 t * g t + g1 t * f t), (fun t => f1 t * g1 t + (f2 t * g t + g2 t * f t)). intros t Ht.
  destruct (Hf t Ht) as (A & B & C & D), (Hg t Ht) as (A' & B' & C' & D'). split; [apply mul_ok; assumption|].
  split. { rewrite (Rmult_comm (g1 t)). exact (is_derive_mult f g t _ _ B B' Rmult_comm). }
  split; [apply padd_ok; [exact Hp| |]; apply pscale_ok; assumption|]. intros E. destruct (D E) as [D1 D2], (D' E) as [D1' D2']. cbn [bend product]. rewrite E.
  split; [|repeat apply padd_ok; try exact Hp; [apply pmul_ok|apply pscale_ok|apply pscale_ok]; assumption].
  replace (2 * (f1 t * g1 t + (f2 t * g t + g2 t * f t))) with ((2 * f2 t * g t + f1 t * g1 t) + (2 * g2 t * f t + g1 t * f1 t)) by ring.
  apply (is_derive_plus (fun t => f1 t * g t) (fun t => g1 t * f t)); [exact (is_derive_mult f1 g t _ _ D1 B' Rmult_comm)|exact (is_derive_mult g1 f t _ _ D1' B Rmult_comm)].
Qed.
Lemma compose_ok f u j value first half_second phi phi1 phi2 : good f u -> compose value first half_second u = Some j ->
  (forall t, on t -> is_derive phi (f t) (phi1 (f t)) /\ is_derive phi1 (f t) (2 * phi2 (f t))) ->
  (forall i t, on t -> inside (at_ u) (f t) -> value = Some i -> inside i (phi (f t))) ->
  (forall i t, on t -> inside (at_ u) (f t) -> first tt = Some i -> inside i (phi1 (f t))) ->
  (forall i t, on t -> inside (at_ u) (f t) -> half_second tt = Some i -> inside i (phi2 (f t))) ->
  good (fun t => phi (f t)) j.
Proof.
  intros (f1 & f2 & Hf) E Dphi V1 V2 V3. unfold compose in E. destruct value as [v|]; [|discriminate]. cbn [bind] in E.
  exists (fun t => f1 t * phi1 (f t)), (fun t => f2 t * phi1 (f t) + f1 t * f1 t * phi2 (f t)).
  assert (G : forall t, on t -> is_derive (fun t => phi (f t)) t (f1 t * phi1 (f t)) /\
    (deep = true -> is_derive (fun t => f1 t * phi1 (f t)) t (2 * (f2 t * phi1 (f t) + f1 t * f1 t * phi2 (f t))))).
  { intros t Ht. destruct (Hf t Ht) as (A & B & C & D). destruct (Dphi t Ht) as [P1 P2]. split; [exact (is_derive_comp phi f t _ _ P1 B)|].
    intros Ed. destruct (D Ed) as [D1 _].
    replace (2 * (f2 t * phi1 (f t) + f1 t * f1 t * phi2 (f t))) with (2 * f2 t * phi1 (f t) + f1 t * (f1 t * (2 * phi2 (f t)))) by ring.
    exact (is_derive_mult f1 (fun t => phi1 (f t)) t _ _ D1 (is_derive_comp phi1 f t _ _ P2 B) Rmult_comm). }
  intros t Ht. destruct (Hf t Ht) as (A & B & C & D). destruct (G t Ht) as [G1 G2]. specialize (V1 v t Ht A eq_refl).
  destruct (is_constant u) eqn:K.
  - injection E as <-. unfold is_constant in K. destruct (slope u); [|discriminate]. destruct (bend u); [|discriminate]. cbn in C. rewrite C in *.
    split; [exact V1|]. rewrite Rmult_0_l in G1 |- *. split; [exact G1|]. split; [reflexivity|]. intros Ed. split; [apply G2, Ed|]. destruct (D Ed) as [_ D2]. cbn in D2. rewrite D2. cbn. ring.
  - destruct (first tt) as [a|] eqn:EA; [|discriminate]. cbn [bind] in E. specialize (V2 a t Ht A eq_refl). destruct deep eqn:Ed.
    + destruct (half_second tt) as [b|] eqn:EB; [|discriminate]. cbn [bind] in E. injection E as <-. specialize (V3 b t Ht A eq_refl). cbn [at_ slope bend].
      destruct (D eq_refl) as [D1 D2]. split; [exact V1|]. split; [exact G1|]. split; [apply pscale_ok; assumption|]. intros _. split; [apply G2; reflexivity|].
      apply padd_ok; [exact Hp| |]; apply pscale_ok; try assumption. apply psqr_ok; assumption.
    + injection E as <-. cbn [at_ slope bend]. split; [exact V1|]. split; [exact G1|]. split; [apply pscale_ok; assumption|discriminate].
Qed.

Section Step.
Variables (n : nat) (A : list jet) (fs : list (R -> R)).
Hypothesis HA : Forall2 good fs A.
Definition at_t (gs : list (R -> R)) (t : R) : list R := map (fun f : R -> R => f t) gs.
Lemma get_ok i a : node n A i = Some a -> good (fun t => curve_at n fs t i) a /\ forall t, node n (at_t fs t) i = Some (curve_at n fs t i).
Proof.
  unfold curve_at, node, at_t. destruct (Nat.ltb i n); [|discriminate]. generalize (n - 1 - i)%nat. clear i.
  induction HA as [|f e F B K H IH]; intros [|j]; cbn; try discriminate; [|apply IH; assumption]. intros E; injection E as ->. split; [exact K|reflexivity].
Qed.
Lemma inverse_ok i j x : inside i x -> inverse i = Some j -> inside j (/ x) /\ x <> 0.
Proof. intros I E. replace (/ x) with (1 / x) by (unfold Rdiv; ring). exact (div_ok p Hp (unit_i p) i 1 x j (unit_ok p) I E). Qed.
Lemma half_ok i x : inside i x -> inside (half i) (x / 2).
Proof.
  intros I. replace (x / 2) with (1 / 2 * x) by lra. apply mul_ok; [exact Hp| |exact I].
  apply span_ok; [exact Hp| | |]; try reflexivity. split; apply Rle_refl.
Qed.
Lemma eighth_ok : inside (enclose p 1 8) (1 / 8).
Proof. apply span_ok; [exact Hp| | |]; try reflexivity. split; apply Rle_refl. Qed.
Lemma positive i x : (0 < fst i)%Z -> inside i x -> 0 < x.
Proof. intros P [L _]. apply IZR_lt in P. pose proof (scale_pos p Hp). nra. Qed.
Tactic Notation "pick" hyp(H) constr(i) ident(a) ident(G) ident(E) := let K := fresh "K" in
  destruct (node n A i) as [a|] eqn:K; [|discriminate]; cbn [bind] in H; destruct (get_ok _ _ K) as [G E].
Lemma step_raw o e : jet_raw (node n A) o = Some e ->
  good (fun t => total_of (curve_at n fs t) o) e /\ forall t, on t -> value_of (node n (at_t fs t)) o = Some (total_of (curve_at n fs t) o).
Proof.
  destruct o; cbn [jet_raw value_of total_of]; intros H.
  - injection H as <-. split; [|reflexivity]. apply constant_ok. destruct q as [a b]. apply span_ok; try exact Hp; try reflexivity. split; apply Rle_refl.
  - destruct (Elementary.pi T) as [a|] eqn:E; [|discriminate]. injection H as <-. split; [|reflexivity]. apply constant_ok. eapply pi_right; eassumption.
  - pick H i a G E. pick H j c G' E'. injection H as <-. split; [apply sum_ok; assumption|]. intros t _. rewrite E, E'. reflexivity.
  - pick H i a G E. pick H j c G' E'. injection H as <-. split; [exact (sum_ok _ _ _ _ G (minus_ok _ _ G'))|]. intros t _. rewrite E, E'. reflexivity.
  - pick H i a G E. pick H j c G' E'. injection H as <-. split; [apply product_ok; assumption|]. intros t _. rewrite E, E'. reflexivity.
  - pick H i a G E. pick H j c G' E'. destruct (inverse (at_ c)) as [r|] eqn:R; [|discriminate]. cbn [bind] in H.
    destruct (compose (Some r) _ _ c) as [c'|] eqn:C; [|discriminate]. cbn [bind] in H. injection H as <-.
    pose proof G' as (g1 & g2 & Hg). assert (N : forall t, on t -> curve_at n fs t j <> 0) by (intros t Ht; eapply inverse_ok; [apply (Hg t Ht)|exact R]).
    split. 2:{ intros t Ht. rewrite E, E'. cbn. destruct (Req_EM_T _ 0) as [Z|]; [destruct (N t Ht Z)|reflexivity]. }
    apply product_ok; [exact G|]. eapply (compose_ok _ c c' _ _ _ (fun x => / x) (fun x => - (/ x * / x)) (fun x => / x * (/ x * / x)) G' C).
    + intros t Ht. specialize (N t Ht). split; auto_derive; auto; field; auto.
    + intros k t Ht I Ek. injection Ek as <-. eapply inverse_ok; eassumption.
    + intros k t Ht I Ek. injection Ek as <-. apply neg_ok, sqr_ok; [exact Hp|]. eapply inverse_ok; eassumption.
    + intros k t Ht I Ek. injection Ek as <-. destruct (inverse_ok _ _ _ I R) as [V _]. apply mul_ok; [exact Hp|exact V|]. apply sqr_ok; assumption.
  - pick H i a G E. injection H as <-. split; [apply minus_ok; assumption|]. intros t _. rewrite E. reflexivity.
  - pick H i a G E. split; [|intros t _; rewrite E; reflexivity].
    eapply (compose_ok _ a e _ _ _ (fun x => x * x) (fun x => x + x) (fun x => 1) G H).
    + intros t Ht. split; auto_derive; auto; ring.
    + intros k t Ht I Ek. injection Ek as <-. apply sqr_ok; assumption.
    + intros k t Ht I Ek. injection Ek as <-. apply add_ok; assumption.
    + intros k t Ht I Ek. injection Ek as <-. apply unit_ok.
  - pick H i a G E. destruct (Z.ltb_spec 0 (fst (at_ a))) as [P|]; [|discriminate]. cbv zeta in H.
    pose proof G as (g1 & g2 & Hg). assert (N : forall t, on t -> 0 < curve_at n fs t i) by (intros t Ht; eapply positive; [exact P|apply (Hg t Ht)]).
    split. 2:{ intros t Ht. rewrite E. cbn. destruct (Rle_dec 0 _) as [|Q]; [reflexivity|]. specialize (N t Ht). lra. }
    assert (S : forall x, 0 < x -> inside (at_ a) x -> inside (sqrt_pos p (at_ a)) (sqrt x)) by (intros; apply sqrt_ok; [exact Hp|lra|assumption]).
    eapply (compose_ok _ a e _ _ _ sqrt (fun x => / (sqrt x + sqrt x)) (fun x => - (1 / 8 * / (x * sqrt x))) G H).
    + intros t Ht. specialize (N t Ht). pose proof (sqrt_lt_R0 _ N) as N'. pose proof (sqrt_sqrt _ (Rlt_le _ _ N)) as SS. split; auto_derive; try (repeat split; auto; lra).
      * field. lra.
      * set (s := sqrt (curve_at n fs t i)) in *. rewrite <- SS. field. lra.
    + intros k t Ht I Ek. injection Ek as <-. apply S; auto.
    + intros k t Ht I Ek. eapply inverse_ok; [|exact Ek]. apply add_ok; apply S; auto.
    + intros k t Ht I Ek. destruct (inverse (mul p (at_ a) (sqrt_pos p (at_ a)))) as [q|] eqn:Q; [|discriminate]. injection Ek as <-. apply neg_ok, mul_ok; [exact Hp|apply eighth_ok|].
      eapply inverse_ok; [|exact Q]. apply mul_ok; [exact Hp|exact I|apply S; auto].
  - pick H i a G E. split; [|intros t _; rewrite E; reflexivity]. cbv zeta in H.
    eapply (compose_ok _ a e _ _ _ sin cos (fun x => - (sin x / 2)) G H).
    + intros t Ht. split; auto_derive; auto; field.
    + intros k t Ht I Ek. eapply sine_ok; eassumption.
    + intros k t Ht I Ek. eapply cosine_ok; eassumption.
    + intros k t Ht I Ek. destruct (sine T (at_ a)) as [s|] eqn:S; [|discriminate]. injection Ek as <-. apply neg_ok, half_ok. eapply sine_ok; eassumption.
  - pick H i a G E. split; [|intros t _; rewrite E; reflexivity]. cbv zeta in H.
    eapply (compose_ok _ a e _ _ _ cos (fun x => - sin x) (fun x => - (cos x / 2)) G H).
    + intros t Ht. split; auto_derive; auto; field.
    + intros k t Ht I Ek. eapply cosine_ok; eassumption.
    + intros k t Ht I Ek. destruct (sine T (at_ a)) as [s|] eqn:S; [|discriminate]. injection Ek as <-. apply neg_ok. eapply sine_ok; eassumption.
    + intros k t Ht I Ek. destruct (cosine T (at_ a)) as [s|] eqn:S; [|discriminate]. injection Ek as <-. apply neg_ok, half_ok. eapply cosine_ok; eassumption.
  - pick H i a G E. split; [|intros t _; rewrite E; reflexivity]. cbv zeta in H.
    eapply (compose_ok _ a e _ _ _ exp exp (fun x => exp x / 2) G H).
    + intros t Ht. split; auto_derive; auto; field.
    + intros k t Ht I Ek. eapply exp_ok; eassumption.
    + intros k t Ht I Ek. eapply exp_ok; eassumption.
    + intros k t Ht I Ek. destruct (exp_i p (at_ a)) as [s|] eqn:S; [|discriminate]. injection Ek as <-. apply half_ok. eapply exp_ok; eassumption.
  - pick H i a G E. destruct (Z.ltb_spec 0 (fst (at_ a))) as [P|]; [|discriminate].
    pose proof G as (g1 & g2 & Hg). assert (N : forall t, on t -> 0 < curve_at n fs t i) by (intros t Ht; eapply positive; [exact P|apply (Hg t Ht)]).
    split. 2:{ intros t Ht. rewrite E. cbn. destruct (Rlt_dec 0 _) as [|Q]; [reflexivity|]. specialize (N t Ht). lra. }
    eapply (compose_ok _ a e _ _ _ ln (fun x => / x) (fun x => - (/ x * / x / 2)) G H).
    + intros t Ht. specialize (N t Ht). split; auto_derive; try (repeat split; auto; lra). field. lra.
    + intros k t Ht I Ek. eapply ln_ok; [exact Hp|apply N, Ht|exact I|exact Ek].
    + intros k t Ht I Ek. eapply inverse_ok; eassumption.
    + intros k t Ht I Ek. destruct (inverse (at_ a)) as [q|] eqn:Q; [|discriminate]. injection Ek as <-. apply neg_ok, half_ok, sqr_ok; [exact Hp|]. eapply inverse_ok; eassumption.
  - pick H i a G E. split; [|intros t _; rewrite E; reflexivity]. cbv zeta in H.
    assert (O : forall x, 0 < 1 + x * x) by (intros; nra).
    eapply (compose_ok _ a e _ _ _ atan (fun x => / (1 + x * x)) (fun x => - (x * (/ (1 + x * x) * / (1 + x * x)))) G H).
    + intros t Ht. pose proof (O (curve_at n fs t i)). split; auto_derive; try lra. { unfold Rsqr, pow. field. nra. } field. lra.
    + intros k t Ht I Ek. eapply atan_ok; eassumption.
    + intros k t Ht I Ek. eapply inverse_ok; [|exact Ek]. apply add_ok; [apply unit_ok|apply sqr_ok; assumption].
    + intros k t Ht I Ek. destruct (inverse (add (unit_i p) (sqr p (at_ a)))) as [q|] eqn:Q; [|discriminate]. injection Ek as <-. apply neg_ok, mul_ok; [exact Hp|exact I|]. apply sqr_ok; [exact Hp|].
      eapply inverse_ok; [|exact Q]. apply add_ok; [apply unit_ok|apply sqr_ok; assumption].
Qed.
Lemma step_ok o e : jet_of (node n A) o = Some e ->
  good (fun t => total_of (curve_at n fs t) o) e /\ forall t, on t -> value_of (node n (at_t fs t)) o = Some (total_of (curve_at n fs t) o).
Proof. unfold jet_of. destruct (jet_raw (node n A) o) as [v|] eqn:E; [|discriminate]. cbn [bind]. destruct (tame p (at_ v)); [|discriminate]. intros K; injection K as <-. apply step_raw, E. Qed.
End Step.
End Jets.
