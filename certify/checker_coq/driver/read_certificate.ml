(* The certificate: of version 5, or of version 6 with the claim `errors`; what has no proof is refused by its name. *)
open Checker
open Text

let row token = match String.split_on_char '.' token with
  | [ f; k ] -> (small f, small k)
  | _ -> reject "'%s' is no row F.K" (String.escaped token)

let fraction token = match String.split_on_char '.' token with
  | [ ("0" | "1") as n ] -> (Z.of_string n, 0)
  | [ "0"; ds ] when digits ds && String.length ds <= 40 -> (Z.of_string ds, String.length ds)
  | _ -> reject "'%s' is not a fraction from 0 to 1" (String.escaped token)

let token text = match String.split_on_char ':' text with
  | [ s ] -> (fraction s, None)
  | [ s; t ] -> (fraction s, Some (fraction t))
  | _ -> reject "'%s' is not a fraction from 0 to 1" (String.escaped text)

(* One term of an aggregate. *)
let term text =
  let length = String.length text in
  let rec past i = if i < length && text.[i] >= '0' && text.[i] <= '9' then past (i + 1) else i in
  let part from upto = small (String.sub text from (upto - from)) in
  let sign i = if i < length && text.[i] = '+' then true else if i < length && text.[i] = '-' then false else reject "'%s' is no term" (String.escaped text) in
  let weight i =
    let w = dyadic (String.sub text i (length - i)) in
    require (Z.sign (fst w) > 0) "a weight is not a positive dyadic number";
    w in
  let first = past 1 in
  match text.[0] with
  | 'q' | 'm' | 't' ->
    require (first < length && text.[first] = '.') (String.escaped text ^ " is no term");
    let second = past (first + 1) in
    let form = match text.[0] with 'q' -> FormQ | 'm' -> FormM | _ -> FormT in
    RowTerm ({ form0 = form; of_family = part 1 first; of_row = part (first + 1) second; upper_side = sign second }, weight (second + 1))
  | 'b' ->
    let si = sign first in
    let second = past (first + 1) in
    Product (part 1 first, si, part (first + 1) second, sign second, weight (second + 1))
  | 'c' -> refuse "measurements as unknowns of an aggregate"
  | _ -> reject "'%s' is no term" (String.escaped text)

let rec tree lines = match tokens lines with
  | [ "split"; v; c ] ->
    let c = dyadic c in
    let left = tree lines in
    let right = tree lines in
    Split (small v, c, left, right)
  | [ "prepare"; n ] -> Prepare (small n, tree lines)
  | [ "evaluate"; f; k ] -> Evaluate (small f, small k)
  | "aggregate" :: terms -> Aggregate (List.map term terms)
  | [ "open" ] -> Open
  | [ "hitting"; n ] ->
    let n = small n in
    require (n >= 1 && n <= 10_000) "hitting: 1 to 10000 children";
    Hitting (List.fold_left (fun rest t -> Then (t, rest)) Done (List.rev (times n (fun () -> tree lines))))
  | "frame" :: _ -> refuse "frames"
  | "known" :: _ -> refuse "zeros and minima"
  | "piece" :: _ -> refuse "pieces"
  | [ "end" ] -> reject "a child is missing"
  | word :: _ -> reject "'%s' is no node" (String.escaped word)
  | [] -> reject "a node was expected"

let level word token = if token = "none" then None else (ignore word; Some (not_negative token))

let group lines = match keyword lines "group" with
  | "model" :: "rows" :: base :: scale :: names -> { g_base = not_negative base; g_scale = not_negative scale; g_names = List.map named names }
  | "model" :: ("largest" | "euclidean") :: _ -> refuse "groups of the norms largest and euclidean"
  | _ -> reject "group: ROLE NORM BASE SCALE NAME... was expected"

let point lines version = match tokens lines with
  | [ "box" ] -> None
  | "point" :: values -> Some (List.map rational values)
  | "part" :: _ when version = "6" -> refuse "parts of a box"
  | _ -> reject "'point' with its values or 'box' was expected"

let about lines version =
  if version = "5" then
    let names = List.map named (keyword lines "scope") in
    let none = (Z.zero, Z.one) and one = (Z.one, Z.one) in
    ([ { g_base = none; g_scale = one; g_names = names } ], point lines version, one)
  else begin
    (match field lines "claim" with
     | "errors" -> ()
     | "system" | "violations" -> refuse "claims about systems and violations"
     | _ -> reject "claim: none of errors, system, violations");
    let n = small (field lines "groups") in
    require (n >= 1) "groups: there must be at least 1";
    let groups = times n (fun () -> group lines) in
    let at = point lines version in
    (groups, at, not_negative (field lines "factor"))
  end

let witness lines discard =
  exact lines "witness";
  let w_values = List.map rational (keyword lines "values") in
  let w_without = if discard = 0 then [] else List.map row (keyword lines "without") in
  require (List.sort_uniq compare w_without = w_without && List.length w_without <= discard) "without: at most so many rows as are discarded, ascending, each once";
  let rec columns found =
    if ahead lines "column " then match keyword lines "column" with
      | name :: ts -> let name = named name in columns ((name, List.map token ts) :: found)
      | [] -> reject "column NAME TOKEN... was expected"
    else List.rev found in
  { w_values; w_without; w_columns = columns [] }

let hull lines =
  exact lines "hull";
  let rec boxes found = if ahead lines "facet " || ahead lines "tree" then List.rev found else match tokens lines with
    | [ low; high ] -> let b = Read_problem.bounds low high in boxes (b :: found)
    | _ -> reject "hull: a lower end and an upper end were expected" in
  let rec facets found = if ahead lines "facet " then begin
      let values = List.rev_map rational (keyword lines "facet") in
      facets ((List.rev (List.tl values), List.hd values) :: found)
    end else List.rev found in
  let found = boxes [] in
  (found, facets [])

let read data =
  if String.length data > 16 * 1024 * 1024 then raise (Limit "16 MiB of a certificate");
  let lines = lines_of data "certificate" (String.length data) in
  try
    let version = field lines "certify-certificate" in
    require (version = "5" || version = "6") "'certify-certificate 5' or 6 was expected";
    let hash = field lines "problem" in
    require (String.length hash = 64 && String.for_all (fun c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) hash) "a SHA-256 in lower case was expected";
    let precision = small (field lines "precision") in
    require (precision >= 64 && precision <= 512) "precision: it must be from 64 to 512";
    let groups, c_point, c_factor = about lines version in
    (match field lines "norm" with "largest" -> () | "squares" -> refuse "the norm squares" | _ -> reject "norm: largest or squares");
    let c_discard = small (field lines "discard") in
    if version = "6" && c_discard > 64 then refuse "more than 64 rows left out of tables";
    require (c_discard <= 64) "discard: more than 64";
    let claim word = level word (field lines word) in
    let c_lower = claim "lower" in
    let c_upper = claim "upper" in
    let c_within = claim "within" in
    if field lines "volume" <> "none" then refuse "volumes";
    if field lines "zeros" <> "none" then refuse "zeros";
    if keyword lines "minimum" <> [ "none" ] then refuse "minima";
    (match c_lower, c_upper, c_within with
     | Some a, Some b, None -> require (less a b) "claim: lower must be below upper"
     | Some _, None, None | None, Some _, None | None, None, Some _ -> ()
     | _ -> reject "claim: one is claimed, or lower and upper together");
    require (c_within = None || c_point = None) "claim: within is claimed about the box";
    let c_witness = if c_upper = None then { w_values = []; w_without = []; w_columns = [] } else witness lines c_discard in
    let c_hull, c_facets = if c_within = None then ([], []) else hull lines in
    let c_tree = if c_lower = None && c_within = None then Open else begin exact lines "tree"; tree lines end in
    exact lines "end";
    finish lines;
    { version_6 = (version = "6"); hash = List.of_seq (String.to_seq hash); precision0 = Z.of_int precision; groups; c_point; c_factor; c_discard; c_lower; c_upper; c_within;
      c_witness; c_hull; c_facets; c_tree }
  with Rejected reason -> reject "%s: %s" (where lines) reason
