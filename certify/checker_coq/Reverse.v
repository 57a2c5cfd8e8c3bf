(* Derivatives along a line from the row down to its inputs: each node's derivative is put in as a linear form in those of its operands. *)
Require Import ZArith Reals List Lra Lia Arith Bool.
From Coquelicot Require Import Coquelicot.
From Certify Require Import Fixed Elementary Problem Polynomial Jets Lines.
Import ListNotations.
Open Scope R_scope.

Section Reverse.
Variable p : Z.
Hypothesis Hp : (0 <= p)%Z.
Variable T : functions.
Hypothesis HT : right p T.
Notation inside := (inside p).

Definition single (k : nat) : poly := [([k], unit_i p)].
Definition is_none (P : poly) : bool := match P with [] => true | _ => false end.
(* A node by its own number; one that does not move has no slope. *)
Definition own_jet (n : nat) (e : jet) : jet := Jet (at_ e) (if is_none (slope e) then [] else single n) [].
(* Nodes, last first, and each one's derivative in those of its operands. *)
Fixpoint local_run (ops : list op) (n : nat) (nodes : list jet) (locals : list (nat * poly)) : option (list jet * list (nat * poly)) :=
  match ops with
  | [] => Some (nodes, locals)
  | o :: rest => bind (jet_of p T false (node n nodes) o) (fun e => local_run rest (S n) (own_jet n e :: nodes) ((n, slope e) :: locals))
  end.
Fixpoint take (n : nat) (P : poly) : option itv * poly :=
  match P with
  | [] => (None, [])
  | (m, i) :: P => match m with
    | [k] => if Nat.eqb k n then (Some i, P) else let r := take n P in (fst r, (m, i) :: snd r)
    | _ => let r := take n P in (fst r, (m, i) :: snd r)
    end
  end.
Fixpoint sweep (locals : list (nat * poly)) (P : poly) : poly :=
  match locals with
  | [] => P
  | (n, L) :: locals => let r := take n P in sweep locals (match fst r with Some i => padd (pscale p i L) (snd r) | None => snd r end)
  end.
Fixpoint to_inputs (S : list (itv * poly)) (P : poly) : option poly :=
  match P with
  | [] => Some []
  | (m, i) :: P => match m with
    | [k] => bind (nth_error S k) (fun s => bind (to_inputs S P) (fun R => Some (padd (pscale p i (snd s)) R)))
    | _ => None
    end
  end.
Fixpoint numbered (k : nat) (seeds : list (itv * poly)) : list jet :=
  match seeds with [] => [] | s :: rest => own_jet k (Jet (fst s) (snd s) []) :: numbered (S k) rest end.
Definition reverse (ops : list op) (S : list (itv * poly)) : option poly :=
  bind (local_run ops (length S) (rev (numbered 0 S)) []) (fun r => bind (hd_error (fst r)) (fun j => to_inputs S (sweep (snd r) (slope j)))).

Lemma single_ok k d : pin p (single k) d (d k).
Proof. exists 1, 0. split; [apply unit_ok|]. split; [reflexivity|]. cbn. ring. Qed.
Lemma take_ok n v : forall P y, pin p P v y -> match fst (take n P) with
  | Some i => exists a z, inside i a /\ pin p (snd (take n P)) v z /\ y = a * v n + z | None => pin p (snd (take n P)) v y end.
Proof.
  induction P as [|[m i] P IH]; intros y Y; [exact Y|]. destruct Y as (c & z & C & Z & ->).
  assert (G : match fst (take n P) with Some j => exists a w, inside j a /\ pin p ((m, i) :: snd (take n P)) v w /\ c * at_point m v + z = a * v n + w
    | None => pin p ((m, i) :: snd (take n P)) v (c * at_point m v + z) end).
  { specialize (IH z Z). destruct (fst (take n P)) as [j|].
    - destruct IH as (a & w & A & W & ->). exists a, (c * at_point m v + w). split; [exact A|]. split; [exists c, w; auto|ring].
    - exists c, z. auto. }
  cbn [take]. destruct m as [|k [|]]; try exact G. destruct (Nat.eqb_spec k n) as [->|]; [|exact G]. cbn [fst snd]. exists c, z. split; [exact C|]. split; [exact Z|]. cbn. ring.
Qed.
Lemma sweep_ok v : forall locals P y, (forall k L, In (k, L) locals -> pin p L v (v k)) -> pin p P v y -> pin p (sweep locals P) v y.
Proof.
  induction locals as [|[n L] locals IH]; intros P y H Y; [exact Y|]. cbn [sweep]. apply IH; [intros k M I; apply H; right; exact I|]. pose proof (take_ok n v P y Y) as K. cbv zeta.
  destruct (fst (take n P)) as [i|]; [|exact K]. destruct K as (a & z & A & Z & ->). apply padd_ok; [exact Hp| |exact Z]. rewrite Rmult_comm. apply pscale_ok; [exact Hp|exact A|]. apply H. left. reflexivity.
Qed.
Lemma to_inputs_ok delta v S : (forall k s, nth_error S k = Some s -> pin p (snd s) delta (v k)) -> forall P y G, pin p P v y -> to_inputs S P = Some G -> pin p G delta y.
Proof.
  intros H. induction P as [|[m i] P IH]; cbn [to_inputs]; intros y G Y E; [injection E as <-; exact Y|]. destruct m as [|k [|]]; try discriminate.
  destruct (nth_error S k) as [s|] eqn:N; [|discriminate]. cbn [bind] in E. destruct (to_inputs S P) as [R|] eqn:ER; [|discriminate]. cbn [bind] in E. injection E as <-. destruct Y as (c & z & C & Z & ->).
  apply padd_ok; [exact Hp| |eapply IH; [exact Z|reflexivity]]. cbn [at_point]. rewrite Rmult_1_r, Rmult_comm. apply pscale_ok; [exact Hp|exact C|apply H, N].
Qed.

Section At.
Variable t0 : R.
Definition here (t : R) : Prop := t = t0.
(* v k: the derivative of node k at t0. *)
Variable nodes_all : list (R -> R).
Definition v (k : nat) : R := Derive (nth k nodes_all (fun _ => 0)) t0.
Lemma own_good k f e : good p false here v f e -> nth k nodes_all (fun _ => 0) = f -> good p false here v f (own_jet k e) /\ pin p (slope e) v (v k).
Proof.
  intros (f1 & f2 & G) N. destruct (G t0 eq_refl) as (A & B & C & _). assert (E : v k = f1 t0) by (unfold v; rewrite N; apply is_derive_unique, B).
  split; [|rewrite E; exact C]. exists f1, f2. intros t ->. split; [exact A|]. split; [exact B|]. split; [|discriminate]. unfold own_jet, is_none; cbn [slope]. destruct (slope e); [exact C|]. rewrite <- E. apply single_ok.
Qed.
Lemma local_run_ok ops : forall n A fs locals J out, length fs = n -> nodes_all = rev (curve_nodes ops n fs) -> Forall2 (good p false here v) fs A ->
  (forall k L, In (k, L) locals -> pin p L v (v k)) -> local_run ops n A locals = Some (J, out) ->
  Forall2 (good p false here v) (curve_nodes ops n fs) J /\ (forall k L, In (k, L) out -> pin p L v (v k)).
Proof.
  induction ops as [|o ops IH]; cbn [local_run curve_nodes]; intros n A fs locals J out L All H HL E; [injection E as <- <-; split; assumption|].
  destruct (jet_of p T false (node n A) o) as [e|] eqn:V; [|discriminate]. cbn [bind] in E. destruct (step_ok p Hp T HT false here v n A fs H o e V) as [G _]. set (f := fun t => total_of (curve_at n fs t) o) in *.
  assert (N : nth n nodes_all (fun _ => 0) = f).
  { rewrite All. destruct (curve_nodes_app ops (S n) (f :: fs)) as (new & EN & _). rewrite EN, rev_app_distr. cbn [rev]. rewrite <- app_assoc, app_nth2; rewrite rev_length; [|lia]. rewrite L, Nat.sub_diag. reflexivity. }
  destruct (own_good n f e G N) as [G' P']. eapply IH; [| |constructor; [exact G'|exact H]| |exact E]; [cbn; lia|exact All|]. intros k M [I|I]; [injection I as <- <-; exact P'|apply HL, I].
Qed.
End At.
Theorem mean_reverse delta ops S a b G : all_moved p delta a b S -> reverse ops S = Some G ->
  (exists J, inputs_run p T false [] ops S [] = Some J) ->
  forall r, value ops a = Some r -> exists y, value ops b = Some (r + y) /\ pin p G delta y.
Proof.
  intros H E (J & EJ) r Va. unfold reverse in E. destruct (local_run ops (length S) (rev (numbered 0 S)) []) as [[A locals]|] eqn:EL; [|discriminate]. cbn [bind fst snd] in E.
  destruct (hd_error A) as [j|] eqn:Ej; [|discriminate]. cbn [bind] in E.
  set (fs := rev (segments a b)) in *. destruct (all_moved_length p _ _ _ _ H) as [L L'].
  assert (LF : length fs = length S) by (unfold fs; rewrite rev_length; destruct (segments_at p delta a b S 0 H) as (LS & _); lia).
  destruct (jet_run_ok p Hp T HT delta false between [] ops _ _ _ _ (segments_good p Hp delta false a b S H) EJ) as [_ F].
  assert (K : forall t0, between t0 -> exists f, hd_error (curve_nodes ops (length S) fs) = Some f /\ is_derive f t0 (Derive f t0) /\ pin p G delta (Derive f t0)).
  { intros t0 Ht. set (all := rev (curve_nodes ops (length S) fs)). destruct (curve_nodes_app ops (length S) fs) as (new & EN & LN).
    assert (In1 : forall k g, nth_error (segments a b) k = Some g -> nth k all (fun _ => 0) = g).
    { intros k g N. unfold all. rewrite EN, rev_app_distr. unfold fs at 1. rewrite rev_involutive. assert (k < length (segments a b))%nat by (apply nth_error_Some; rewrite N; discriminate).
      rewrite app_nth1 by assumption. apply nth_error_nth with (d := fun _ => 0) in N. exact N. }
    assert (Base : Forall2 (good p false (here t0) (v t0 all)) fs (rev (numbered 0 S)) /\ (forall k s, nth_error S k = Some s -> pin p (snd s) delta (v t0 all k))).
    { assert (W : forall a b S k0, all_moved p delta a b S -> (forall k g, nth_error (segments a b) k = Some g -> nth (k0 + k) all (fun _ => 0) = g) ->
        Forall2 (good p false (here t0) (v t0 all)) (segments a b) (numbered k0 S) /\ (forall k s, nth_error S k = Some s -> pin p (snd s) delta (v t0 all (k0 + k)))).
      { clear - Hp Ht. intros a' b' S' k0 H'. revert k0. induction H' as [|x y s a1 b1 S1 [M1 [M2 M3]] H1 IH]; intros k0 N; cbn [segments numbered]; [split; [constructor|intros [|k]; discriminate]|].
        destruct (IH (Datatypes.S k0)) as [I1 I2]. { intros k g Ng. replace (Datatypes.S k0 + k)%nat with (k0 + Datatypes.S k)%nat by lia. apply N, Ng. }
        pose proof (N O _ eq_refl) as N0. rewrite Nat.add_0_r in N0. assert (D : v t0 all k0 = y - x).
        { unfold v. rewrite N0. apply is_derive_unique. auto_derive; auto. ring. }
        split.
        - constructor; [|exact I1]. exists (fun _ => y - x), (fun _ => 0). intros t ->. split; [cbn; apply convex; assumption|]. split; [auto_derive; auto; ring|]. split; [|discriminate].
          unfold own_jet; cbn [slope]. destruct (snd s) eqn:Es; cbn [is_none]; [exact M3|rewrite <- D; apply single_ok].
        - intros [|k] q Nq; [cbn in Nq; injection Nq as ->; rewrite Nat.add_0_r, D; exact M3|]. replace (k0 + Datatypes.S k)%nat with (Datatypes.S k0 + k)%nat by lia. apply I2, Nq. }
      destruct (W a b S O H In1) as [W1 W2]. split; [apply Lines.Forall2_rev, W1|exact W2]. }
    destruct Base as [B1 B2]. destruct (local_run_ok t0 all ops (length S) _ fs [] A locals LF eq_refl B1 ltac:(intros k M []) EL) as [G1 G2].
    destruct (Forall2_hd _ _ _ _ G1 Ej) as (f & Hf & (f1 & f2 & Gf)). destruct (Gf t0 eq_refl) as (_ & D & P & _). pose proof (is_derive_unique _ _ _ D) as DU.
    exists f. split; [exact Hf|]. rewrite DU. split; [exact D|]. eapply to_inputs_ok; [exact B2| |exact E]. apply sweep_ok; [exact G2|exact P]. }
  destruct (K 0 ltac:(unfold between; lra)) as (f & Hf & _).
  assert (M0 : Rmin 0 1 = 0 /\ Rmax 0 1 = 1) by (split; [apply Rmin_left|apply Rmax_right]; lra). destruct M0 as [M0 M1].
  destruct (MVT_gen f 0 1 (Derive f)) as (c & C & EC).
  - intros x X. rewrite M0, M1 in X. destruct (K x ltac:(unfold between; lra)) as (g & Hg & D & _). rewrite Hf in Hg. injection Hg as <-. exact D.
  - intros x X. rewrite M0, M1 in X. destruct (K x ltac:(unfold between; lra)) as (g & Hg & D & _). rewrite Hf in Hg. injection Hg as <-. eapply derive_continuous, D.
  - rewrite M0, M1 in C. destruct (K c C) as (g & Hg & _ & P). rewrite Hf in Hg. injection Hg as <-.
    destruct (follows_values p delta between ops S a b f 0 H F ltac:(unfold between; lra) Hf) as [V0 _]. destruct (follows_values p delta between ops S a b f 1 H F ltac:(unfold between; lra) Hf) as [_ V1].
    rewrite (V0 eq_refl) in Va. injection Va as <-. exists (Derive f c). split; [rewrite (V1 eq_refl); f_equal; lra|exact P].
Qed.
End Reverse.
