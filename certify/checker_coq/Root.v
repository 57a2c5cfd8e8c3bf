(* Rows in the form sigma sqrt(D) + v with polynomials D and v in d, and their sides (specification, section 7: the form q). *)
Require Import ZArith Reals List Lra Lia Arith.
From Certify Require Import Fixed Elementary Problem Polynomial Lines Narrow Rational Evaluate.
Import ListNotations.
Open Scope R_scope.

Section Form.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Notation inside := (inside p).
Notation pin := (pin p).
(* Forms. *)
Inductive sigma := Zero | Plus | Minus.
Inductive form := Num (i : itv) | Rooted (s : sigma) (D V : poly).
Definition shape (s : sigma) (a b y : R) : Prop := match s with Zero => y = b | Plus => 0 <= a /\ y = sqrt a + b | Minus => 0 <= a /\ y = - sqrt a + b end.
Definition means (d : nat -> R) (f : form) (y : R) : Prop :=
  match f with Num i => inside i y | Rooted s D V => exists a b, pin D d a /\ pin V d b /\ shape s a b y end.
Definition flip (s : sigma) := match s with Zero => Zero | Plus => Minus | Minus => Plus end.
Definition parts (f : form) : sigma * poly * poly := match f with Num i => (Zero, [], pconst i) | Rooted s D V => (s, D, V) end.
Definition fneg (f : form) : form := match f with Num i => Num (neg i) | Rooted s D V => Rooted (flip s) D (pneg V) end.
Definition fadd (f g : form) : option form :=
  match f, g with
  | Num i, Num j => Some (Num (add i j))
  | _, _ => let '(s, D, V) := parts f in let '(t, E, W) := parts g in
    match s, t with Zero, _ => Some (Rooted t E (padd V W)) | _, Zero => Some (Rooted s D (padd V W)) | _, _ => None end
  end.
Definition fscale (f : form) (k : itv) : option form :=
  match f with
  | Num i => Some (Num (mul p i k))
  | Rooted s D V =>
    let made s := Some (Rooted s (pscale p (sqr p k) D) (pscale p k V)) in
    match s with Zero => Some (Rooted Zero [] (pscale p k V)) | _ => if (0 <=? fst k)%Z then made s else if (snd k <=? 0)%Z then made (flip s) else None end
  end.
Definition fmul (f g : form) : option form :=
  match f, g with
  | f, Num k => fscale f k
  | Num k, g => fscale g k
  | Rooted Zero _ V, Rooted Zero _ W => Some (Rooted Zero [] (pmul p V W))
  | _, _ => None
  end.
Definition fsqr (f : form) : option form :=
  match f with
  | Num i => Some (Num (sqr p i)) | Rooted Zero _ V => Some (Rooted Zero [] (psqr p V)) | Rooted _ D [] => Some (Rooted Zero [] D) | _ => None
  end.
Definition fsqrt (f : form) : option form := match f with Num i => Some (Num (sqrt_pos p i)) | Rooted Zero _ V => Some (Rooted Plus V []) | _ => None end.
Definition number (f : option itv) : option form := option_map Num f.
Definition form_of (get : nat -> option form) (o : op) : option form :=
  let u i f := bind (get i) f in
  let b i j f := bind (get i) (fun a => bind (get j) (f a)) in
  let n i f := bind (get i) (fun a => match a with Num i => number (f i) | _ => None end) in
  match o with
  | Const q => Some (Num (enclose p (fst q) (Zpos (snd q))))
  | Problem.Pi => number (pi T)
  | Add i j => b i j fadd
  | Sub i j => b i j (fun a c => fadd a (fneg c))
  | Mul i j => b i j fmul
  | Div i j => b i j (fun a c => match c with Num k => bind (div p (unit_i p) k) (fscale a) | _ => None end)
  | Neg i => u i (fun a => Some (fneg a))
  | Sqr i => u i fsqr
  | Sqrt i => u i fsqrt
  | Sin i => n i (sine T) | Cos i => n i (cosine T) | Exp i => n i (exp_i p) | Atan i => n i (atan_i p)
  | Log i => None
  end.
(* A node that has no such form, or one of a degree above 4, is its enclosure. *)
Definition up_to (degree : nat) (f : form) : bool :=
  match f with Num i => tame p i | Rooted _ D V => forallb (fun t => Nat.leb (length (fst t)) degree) (D ++ V) end.
Definition formed (strict : bool) (nodes : nat -> option form) (e : enclosure) (o : op) : option form :=
  let enclosed := if strict then match e with Within i => Some (Num i) | _ => None end else None in
  match form_of nodes o with Some f => if up_to 4 f then Some f else enclosed | None => enclosed end.
(* Whether all nodes of the tape are enclosed and defined. *)
Definition root_within (node : nat -> option enclosure) (o : op) : bool :=
  match o with Sqrt i => match node i with Some (Within j) => (0 <=? fst j)%Z | _ => false end | _ => true end.
Fixpoint all_enclosed (ops : list op) (n : nat) (enclosures : list enclosure) : bool :=
  match ops with
  | [] => true
  | o :: rest => match enclosure_of p T (node n enclosures) o with
    | Some (Within i) => (root_within (node n enclosures) o && all_enclosed rest (S n) (Within i :: enclosures))%bool
    | _ => false end
  end.
Fixpoint form_run (strict : bool) (ops : list op) (n : nat) (nodes : list form) (enclosures : list enclosure) : option form :=
  match ops with
  | [] => bind (hd_error nodes) (fun f => if up_to 2 f then Some f else None)
  | o :: rest => bind (enclosure_of p T (node n enclosures) o) (fun e =>
      bind (formed strict (node n nodes) e o) (fun v => form_run strict rest (S n) (v :: nodes) (e :: enclosures)))
  end.

Section Meaning.
Variable d : nat -> R.
Lemma parts_ok f y : means d f y -> let '(s, D, V) := parts f in exists a b, pin D d a /\ pin V d b /\ shape s a b y.
Proof. destruct f as [i|s D V]; cbn; [|auto]. intros I. exists 0, y. split; [reflexivity|]. split; [exact (pconst_ok p i d y I)|reflexivity]. Qed.
Lemma fneg_ok f y : means d f y -> means d (fneg f) (- y).
Proof.
  destruct f as [i|s D V]; cbn; [apply neg_ok|]. intros (a & b & A & B & S). exists a, (- b). split; [exact A|]. split; [apply pneg_ok, B|].
  destruct s; cbn in *; [subst; reflexivity| |]; destruct S as [S ->]; (split; [exact S|ring]).
Qed.
Lemma fadd_ok f g h y z : fadd f g = Some h -> means d f y -> means d g z -> means d h (y + z).
Proof.
  intros E F G. pose proof (parts_ok f y F) as F'. pose proof (parts_ok g z G) as G'. unfold fadd in E.
  destruct (parts f) as [[s D] V], (parts g) as [[t D'] W]. destruct F' as (a & b & A & B & Sh), G' as (a' & b' & A' & B' & Sh').
  assert (L : forall h, match s, t with Zero, _ => Some (Rooted t D' (padd V W)) | _, Zero => Some (Rooted s D (padd V W)) | _, _ => None end = Some h -> means d h (y + z)).
  { intros h' E'. destruct s, t; try discriminate; injection E' as <-; cbn in *; (eexists; exists (b + b'); split; [first [exact A|exact A']|]; split; [apply padd_ok; auto|]);
      repeat match goal with H : _ /\ _ |- _ => destruct H end; subst; try (split; [assumption|]); ring. }
  destruct f as [i|]; [destruct g as [j|]|]; try (apply L; exact E). injection E as <-. apply add_ok; assumption.
Qed.
Lemma sqrt_scale a c : 0 <= a -> 0 <= c -> sqrt (a * (c * c)) = sqrt a * c.
Proof. intros A C. rewrite sqrt_mult by nra. f_equal. apply sqrt_square, C. Qed.
Lemma fscale_ok f k h y c : fscale f k = Some h -> means d f y -> inside k c -> means d h (y * c).
Proof.
  intros E F K. destruct f as [i|s D V]; cbn in E; [injection E as <-; apply mul_ok; assumption|]. destruct F as (a & b & A & B & S). pose proof (scale_pos p Hp) as SP.
  assert (Q : inside (sqr p k) (c * c)) by (apply sqr_ok; assumption). pose proof (pscale_ok p Hp _ _ _ _ _ Q A) as A'. pose proof (pscale_ok p Hp _ _ _ _ _ K B) as B'.
  destruct s; [injection E as <-; exists 0, (b * c); cbn in S; subst; repeat split; auto| |]; destruct S as [S ->];
    (destruct (Z.leb_spec 0 (fst k)) as [N|_]; [|destruct (Z.leb_spec (snd k) 0) as [N|_]; [|discriminate]]); injection E as <-; apply IZR_le in N; destruct K as [K1 K2];
    exists (a * (c * c)), (b * c); (split; [exact A'|]); (split; [exact B'|]); cbn; (split; [nra|]).
  - rewrite sqrt_scale by nra. ring.
  - replace (c * c) with (- c * - c) by ring. rewrite sqrt_scale by nra. ring.
  - rewrite sqrt_scale by nra. ring.
  - replace (c * c) with (- c * - c) by ring. rewrite sqrt_scale by nra. ring.
Qed.
Lemma fmul_ok f g h y z : fmul f g = Some h -> means d f y -> means d g z -> means d h (y * z).
Proof.
  intros E F G. destruct g as [k|t D' W].
  - eapply fscale_ok; [|exact F|exact G]. destruct f as [|[]]; exact E.
  - destruct f as [k|s D V]; [rewrite Rmult_comm; exact (fscale_ok (Rooted t D' W) k h z y E G F)|]. destruct s, t; try discriminate. injection E as <-.
    destruct F as (a & b & A & B & S), G as (a' & b' & A' & B' & S'). cbn in S, S'. subst. exists 0, (b * b'). repeat split. apply pmul_ok; auto.
Qed.
Lemma fsqr_ok f h y : fsqr f = Some h -> means d f y -> means d h (y * y).
Proof.
  intros E F. destruct f as [k|s D V]; cbn in E; [injection E as <-; apply sqr_ok; assumption|]. destruct F as (a & b & A & B & S).
  destruct s; [injection E as <-; cbn in S; subst; exists 0, (b * b); repeat split; apply psqr_ok; auto| |]; destruct V; try discriminate; injection E as <-; cbn in B; destruct S as [S ->]; subst b;
    exists 0, a; repeat split; auto; cbn; pose proof (sqrt_sqrt a S); lra.
Qed.
Lemma fsqrt_ok f h y : fsqrt f = Some h -> means d f y -> 0 <= y -> means d h (sqrt y).
Proof.
  intros E F Y. destruct f as [k|s D V]; cbn in E; [injection E as <-; apply sqrt_ok; assumption|]. destruct F as (a & b & A & B & S).
  destruct s; try discriminate. injection E as <-. cbn in S. subst. exists b, 0. repeat split; auto. ring.
Qed.
Definition linked (G : nat -> option form) (g : nat -> option R) : Prop := forall i x, g i = Some x -> exists f, G i = Some f /\ means d f x.
Lemma form_of_ok G g o f v : linked G g -> form_of G o = Some f -> value_of g o = Some v -> means d f v.
Proof.
  intros H. destruct o; cbn [form_of value_of]; intros E V.
  1: { injection E as <-. injection V as <-. destruct q. unfold real; cbn. apply span_ok; try exact Hp; try reflexivity. split; apply Rle_refl. }
  1: { injection V as <-. destruct (pi T) eqn:Q; [|discriminate]. injection E as <-. eapply pi_right; eassumption. }
  all: try (destruct (g i) as [x|] eqn:X; [|discriminate]; destruct (H _ _ X) as (a & A & XA); rewrite A in E; cbn [bind] in E, V).
  all: try (destruct (g j) as [y|] eqn:Y; [|discriminate]; destruct (H _ _ Y) as (b & B & YB); rewrite B in E; cbn [bind] in E, V).
  - injection V as <-. eapply fadd_ok; eassumption.
  - injection V as <-. eapply fadd_ok; [exact E|exact XA|apply fneg_ok, YB].
  - injection V as <-. eapply fmul_ok; eassumption.
  - destruct b as [k|]; [|discriminate]. destruct (div p (unit_i p) k) as [r|] eqn:Q; [|discriminate]. cbn in E. destruct (div_ok p Hp _ _ _ _ _ (unit_ok p) YB Q) as [R N].
    destruct (Req_EM_T y 0); [contradiction|]. injection V as <-. replace (x / y) with (x * (1 / y)) by (field; exact N). eapply fscale_ok; eassumption.
  - injection E as <-. injection V as <-. apply fneg_ok, XA.
  - injection V as <-. eapply fsqr_ok; eassumption.
  - destruct (Rle_dec 0 x); [|discriminate]. injection V as <-. eapply fsqrt_ok; eassumption.
  - injection V as <-. destruct a as [k|]; [|discriminate]. destruct (sine T k) eqn:Q; [|discriminate]. injection E as <-. eapply sine_ok; eassumption.
  - injection V as <-. destruct a as [k|]; [|discriminate]. destruct (cosine T k) eqn:Q; [|discriminate]. injection E as <-. eapply cosine_ok; eassumption.
  - injection V as <-. destruct a as [k|]; [|discriminate]. destruct (exp_i p k) eqn:Q; [|discriminate]. injection E as <-. eapply exp_ok; eassumption.
  - discriminate.
  - injection V as <-. destruct a as [k|]; [|discriminate]. destruct (atan_i p k) eqn:Q; [|discriminate]. injection E as <-. eapply atan_ok; eassumption.
Qed.
Lemma node_linked n A a : Forall2 (means d) A a -> linked (node n A) (node n a).
Proof.
  intros H i x. unfold node. destruct (Nat.ltb i n); [|discriminate]. generalize (n - 1 - i)%nat. clear i.
  induction H as [|e y A a K H IH]; intros [|k]; cbn; try discriminate; [|apply IH]. intros E; injection E as ->. eauto.
Qed.
Lemma form_run_ok strict ops : forall n A B a f v, Forall2 (means d) A a -> Forall2 (holds p) B a -> form_run strict ops n A B = Some f -> run ops n a = Some v -> means d f v.
Proof.
  induction ops as [|o ops IH]; cbn [form_run run]; intros n A B a f v H HB E V.
  - destruct H; [discriminate|]. cbn in *. destruct (up_to 2 _); [|discriminate]. injection E as <-. injection V as <-. assumption.
  - destruct (value_of (node n a) o) as [u|] eqn:U; [|discriminate]. cbn [bind] in V.
    destruct (enclosure_ok p Hp T HT _ _ _ _ (node_related p n _ _ HB) U) as (e & EE & HE). rewrite EE in E. cbn [bind] in E.
    destruct (formed strict (node n A) e o) as [w|] eqn:W; [|discriminate]. cbn [bind] in E.
    apply (IH (S n) (w :: A) (e :: B) (u :: a) f v); [|constructor; assumption|exact E|exact V]. constructor; [|assumption].
    assert (Enclosed : (if strict then match e with Within i => Some (Num i) | _ => None end else None) = Some w -> means d w u) by (intros K; destruct strict, e; try discriminate; injection K as <-; exact HE).
    unfold formed in W. destruct (form_of (node n A) o) as [g|] eqn:G; [destruct (up_to 4 g)|]; try (apply Enclosed; exact W).
    injection W as <-. eapply form_of_ok; [apply node_linked; eassumption|exact G|exact U].
Qed.
End Meaning.

(* The polynomial of a side of a row: at a point with s r <= bound some selection of it is <= 0. *)
Definition side_poly (offsets : list itv) (f : form) (side : bool) (bound : Z) : option poly :=
  let '(s, D, V) := parts f in
  let signed := padd (if side then V else pneg V) (pconst (neg (bound, bound))) in
  match (if side then s else flip s) with
  | Zero => Some signed
  | Plus => Some (padd D (pneg (psqr p signed)))
  | Minus => if (0 <=? least p offsets signed)%Z then Some (padd (psqr p signed) (pneg D)) else None
  end.
Lemma side_poly_ok offsets d f side bound G r : side_poly offsets f side bound = Some G -> (forall j, inside (nth j offsets zero) (d j)) ->
  means d f r -> sign side r <= IZR bound / scale p -> exists y, pin G d y /\ y <= 0.
Proof.
  intros E O F L. pose proof (scale_pos p Hp) as SP. unfold side_poly in E. pose proof (parts_ok d f r F) as Parts. destruct (parts f) as [[s D] V]. destruct Parts as (a & b & A & B & S).
  set (e := IZR bound / scale p) in *. assert (K : inside (neg (bound, bound)) (- e)).
  { apply neg_ok. unfold Fixed.inside, e; cbn. replace (IZR bound / scale p * scale p) with (IZR bound) by (field; lra). lra. }
  set (signed := padd (if side then V else pneg V) (pconst (neg (bound, bound)))) in *. set (w := sign side b - e).
  assert (W : pin signed d w) by (apply padd_ok; [exact Hp|destruct side; [exact B|apply pneg_ok, B]|apply pconst_ok, K]).
  assert (Sh : shape (if side then s else flip s) a w (sign side r - e)).
  { unfold w. destruct side, s; cbn in *; repeat match goal with H : _ /\ _ |- _ => destruct H end; subst; try (split; [assumption|]); ring. }
  destruct (if side then s else flip s); cbn in Sh.
  - injection E as <-. exists w. split; [exact W|]. lra.
  - injection E as <-. exists (a + - (w * w)). split; [apply padd_ok; [exact Hp|exact A|apply pneg_ok, psqr_ok; auto]|]. destruct Sh as [P Q].
    pose proof (R_sqrt.sqrt_pos a). pose proof (sqrt_sqrt a P). nra.
  - destruct (Z.leb_spec 0 (least p offsets signed)) as [N|]; [|discriminate]. injection E as <-. exists (w * w + - a). split; [apply padd_ok; [exact Hp|apply psqr_ok; auto|apply pneg_ok, A]|]. destruct Sh as [P Q].
    apply IZR_le in N. pose proof (least_ok p Hp offsets d O _ _ W). assert (0 <= w) by (apply Rmult_le_reg_r with (scale p * scale p); [nra|rewrite Rmult_0_l; lra]). pose proof (R_sqrt.sqrt_pos a). pose proof (sqrt_sqrt a P). nra.
Qed.
End Form.
