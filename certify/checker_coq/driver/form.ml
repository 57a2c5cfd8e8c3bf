(* Rules of form that truth does not need (specification, sections 3 and 6): what the other checkers reject for its form is rejected here too. *)
open Checker
open Text

let find name lines = 
  let rec at k = function [] -> None | (n, line) :: rest -> if n = name then Some (k, line) else at (k + 1) rest in
  at 0 lines

let family_lines d = List.map (function (Rows (n, _, _, _) | Table (n, _, _, _)) as f -> (n, f)) d.d_families
let rows_of_family = function Rows (_, _, rows, _) | Table (_, rows, _, _) -> rows

(* Numbers of the scope's families, each once, in the problem's order. *)
let scope d c =
  let names = family_lines d in
  let ascending l = List.sort_uniq compare l = l in
  let groups = List.map (fun g -> List.map (fun n -> match find n names with Some (k, _) -> k | None -> reject "scope: there is no such family") g.g_names) c.groups in
  let all = List.concat groups in
  require (all <> [] && List.for_all ascending groups && List.length (List.sort_uniq compare all) = List.length all
           && List.for_all (fun g -> g <> []) groups && ascending (List.map List.hd groups)) "scope: at least one family, in the problem's order, each once";
  List.sort compare all

let used d numbers =
  let bound k = match List.nth d.d_families k with Rows (_, _, _, bs) -> bs | Table (_, _, us, _) -> List.map (fun j -> OfVariable j) us in
  let bs = List.concat_map bound numbers in
  let unknowns = List.sort_uniq compare (List.filter_map (function OfVariable j -> Some j | OfColumn _ -> None) bs) in
  (unknowns, List.filter_map (function OfColumn j -> Some j | OfVariable _ -> None) bs)

let inside (low, high) (least, greatest) = not (less low least) && not (less greatest high) && not (less high low)

let values d unknowns vs =
  require (List.length vs = List.length unknowns) "as many values as the scope has unknowns were expected";
  List.iter2 (fun j v -> require (inside (v, v) (List.nth d.d_unknowns j).u_bounds) "a value is out of its bounds") unknowns vs

let witness d c unknowns columns numbers =
  let w = c.c_witness in
  values d unknowns w.w_values;
  List.iter (fun (f, k) -> require (List.mem f numbers && k < rows_of_family (List.nth d.d_families f)) "witness: there is no such row in the scope") w.w_without;
  let wanted = List.map (fun j -> List.nth d.d_columns j) (List.sort_uniq compare columns) in
  require (List.map fst w.w_columns = List.map (fun l -> l.c_name) wanted) "witness: one line for each column of the scope, in order, was expected";
  List.iter2 (fun (_, tokens) column ->
      require (List.length tokens = List.length column.c_entries) "witness: a column takes as many fractions as it has entries";
      let uses = List.length (List.filter (fun j -> (List.nth d.d_columns j).c_name = column.c_name) columns) in
      require (uses = 1 || List.for_all (fun (_, second) -> second = None) tokens) "witness: s:t in a column whose entries are used more than once") w.w_columns wanted

let hull d c unknowns =
  require (List.length c.c_hull = List.length unknowns) "hull: a pair of ends for each unknown of the scope was expected";
  List.iter2 (fun j b -> require (inside b (List.nth d.d_unknowns j).u_bounds) "hull: an end is out of its bounds") unknowns c.c_hull;
  List.iter (fun (a, _) -> require (List.length a = List.length unknowns) "hull: facets of as many coefficients as unknowns and a bound were expected") c.c_facets

(* Terms: rows and unknowns of the scope, none twice, products in order, one row at least. *)
let aggregate row unknowns terms =
  let key = function
    | RowTerm (n, _) -> row n.of_family n.of_row; (n.form0 = FormQ, n.form0 = FormM, n.of_family, n.of_row, n.upper_side, -1)
    | Product (i, si, j, sj, _) ->
      require (List.mem i unknowns && List.mem j unknowns) "aggregate: an unknown is not in the scope";
      require (compare (i, not si) (j, not sj) <= 0) "aggregate: a product is not in order";
      (si, sj, i, j, true, 0) in
  let keys = List.map key terms in
  require (List.length (List.sort_uniq compare keys) = List.length keys) "aggregate: a term occurs twice";
  require (List.exists (function RowTerm _ -> true | Product _ -> false) terms) "aggregate: there is no row among the terms"

let rec tree row unknowns within = function
  | Split (_, _, left, right) -> tree row unknowns within left; tree row unknowns within right
  | Prepare (_, t) -> tree row unknowns within t
  | Evaluate (f, k) -> row f k
  | Aggregate terms -> aggregate row unknowns terms
  | Open -> require within "open: there is no hull"
  | Hitting c -> let rec all = function Done -> () | Then (t, rest) -> tree row unknowns within t; all rest in all c

let check d c =
  let numbers = scope d c in
  let unknowns, columns = used d numbers in
  let row f k = require (List.mem f numbers && k < rows_of_family (List.nth d.d_families f)) (Printf.sprintf "there is no row %d.%d in the scope" f k) in
  Option.iter (values d unknowns) c.c_point;
  if c.c_upper <> None then begin
    witness d c unknowns columns numbers;
    Option.iter (fun vs -> require (vs = c.c_witness.w_values) "witness: the values are not those of the point") c.c_point
  end;
  if c.c_within <> None then hull d c unknowns;
  if c.c_lower <> None || c.c_within <> None then tree row unknowns (c.c_within <> None) c.c_tree
