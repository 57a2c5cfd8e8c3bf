include Z
let id x = x
let xi x = Z.succ (Z.shift_left x 1)
let xo x = Z.shift_left x 1
let match_positive fi fo f1 p = if Z.leq p Z.one then f1 () else if Z.testbit p 0 then fi (Z.shift_right p 1) else fo (Z.shift_right p 1)
let match_z f0 fp fn z = let s = Z.sign z in if s == 0 then f0 () else if s == 1 then fp z else fn (Z.neg z)
let match_n f0 fp z = if Z.sign z == 0 then f0 () else fp z
let pred_pos p = if Z.leq p Z.one then Z.one else Z.pred p
let sub_pos a b = let d = Z.sub a b in if Z.leq d Z.zero then Z.one else d
let fdiv0 a b = if Z.sign b == 0 then Z.zero else Z.fdiv a b
let fmod0 a b = if Z.sign b == 0 then a else Z.sub a (Z.mul b (Z.fdiv a b))
let div_eucl a b = if Z.sign b == 0 then (Z.zero, a) else let q = Z.fdiv a b in (q, Z.sub a (Z.mul b q))
let shiftl a n = let n = Z.to_int n in if Stdlib.(>=) n 0 then Z.shift_left a n else Z.shift_right a (Stdlib.(~-) n)
let shiftr a n = let n = Z.to_int n in if Stdlib.(>=) n 0 then Z.shift_right a n else Z.shift_left a (Stdlib.(~-) n)
let isqrt a = if Z.leq a Z.zero then Z.zero else Z.sqrt a
let pow_pos a n = Z.pow a (Z.to_int n)
let is_odd a = Z.testbit a 0
let is_even a = not (Z.testbit a 0)
type comparison = Cmp.comparison = Eq | Lt | Gt
let cmp a b = if Z.equal a b then Eq else if Z.lt a b then Lt else Gt
let cmp_cont r a b = if Z.equal a b then r else if Z.lt a b then Lt else Gt
let log2 a = if Z.leq a Z.one then Z.zero else Z.of_int (Stdlib.pred (Z.numbits a))
let test a n = Z.testbit a (Z.to_int n)
let of_nat = Z.of_int
let to_nat a = if Stdlib.(<=) (Z.sign a) 0 then 0 else Z.to_int a
let to_pos a = if Z.leq a Z.one then Z.one else a
let pow a b = if Stdlib.(<) (Z.sign b) 0 then Z.zero else Z.pow a (Z.to_int b)
