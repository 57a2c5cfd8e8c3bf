(* The canonical problem. *)
open Checker
open Text

let count lines word least =
  let n = natural (field lines word) in
  require (Z.geq n (Z.of_int least)) (Printf.sprintf "%s: there must be at least %d" word least);
  if Z.gt n (Z.of_int 1_000_000) then raise (Limit "1000000 lines in the problem");
  Z.to_int n

let apart names what =
  let seen = Hashtbl.create 16 in
  List.iter (fun name -> require (not (Hashtbl.mem seen name)) (what ^ ": a name occurs twice"); Hashtbl.add seen name ()) names

let bounds low high =
  let b = (rational low, rational high) in
  require (not (less (snd b) (fst b))) "the lower bound is above the upper bound";
  b

let operation new_version node tokens =
  let at token = let i = small token in require (i < node) (Printf.sprintf "node %d may refer to earlier nodes only" node); i in
  match tokens with
  | [ "const"; q ] -> Const (rational q)
  | [ "pi" ] -> Pi
  | [ "add"; i; j ] -> Add (at i, at j) | [ "sub"; i; j ] -> Sub (at i, at j) | [ "mul"; i; j ] -> Mul (at i, at j) | [ "div"; i; j ] -> Div (at i, at j)
  | [ "neg"; i ] -> Neg (at i) | [ "sqr"; i ] -> Sqr (at i) | [ "sqrt"; i ] -> Sqrt (at i) | [ "sin"; i ] -> Sin (at i) | [ "cos"; i ] -> Cos (at i)
  | [ "exp"; i ] -> Exp (at i) | [ "log"; i ] -> Log (at i) | [ "atan"; i ] -> Atan (at i)
  | [ "erf"; _ ] when new_version -> refuse "the function erf"
  | code :: _ -> reject "operation '%s' is unknown, or has more or fewer operands" (String.escaped code)
  | [] -> reject "an operation was expected"

let binding unknowns columns rows token =
  require (String.length token > 1) "a binding was expected";
  let index = small (String.sub token 1 (String.length token - 1)) in
  match token.[0] with
  | 'v' -> require (index < unknowns) (token ^ " does not exist"); OfVariable index
  | 'c' ->
    (match List.nth_opt columns index with
     | None -> reject "%s does not exist" token
     | Some c -> require (List.length c.c_entries = rows) (token ^ " has not as many entries as the family has rows"); OfColumn index)
  | _ -> reject "'%s' is neither a variable v3 nor a column c5" (String.escaped token)

let number_at data at = Z.extract (Z.of_int64 (String.get_int64_le data at)) 0 64

let finite word = Z.to_int (Z.extract word 52 11) < 2047

let family new_version unknowns columns tapes tokens = match tokens with
  | name :: "table" :: rows :: us when new_version ->
    let rows = natural rows in
    require (Z.geq rows Z.one && Z.leq rows (Z.of_int 100_000_000)) "families: 1 to 100000000 rows";
    let us = List.map (fun t -> match binding unknowns [] 0 t with OfVariable j -> j | OfColumn _ -> reject "a table is of variables") us in
    require (us <> [] && List.sort_uniq compare us = us) "a table is of variables, ascending, each once";
    Table (named name, Z.to_int rows, us, [])
  | _ :: "intervals" :: _ when new_version -> refuse "tables whose coefficients are intervals"
  | name :: tape :: rows :: bs ->
    let rows = natural rows and tape = small tape in
    require (Z.geq rows Z.one && Z.leq rows (Z.of_int 1_000_000)) "families: 1 to 1000000 rows";
    (match List.nth_opt tapes tape with
     | None -> reject "there is no tape %d" tape
     | Some t -> require (List.length bs = t.t_inputs) "bindings: the tape has more or fewer inputs");
    Rows (named name, tape, Z.to_int rows, List.map (binding unknowns columns (Z.to_int rows)) bs)
  | _ -> reject "NAME TAPE ROWS BINDING... was expected"

let names_of = List.map (function Rows (n, _, _, _) | Table (n, _, _, _) -> n)

(* Numbers of tables that one run of this checker reads. *)
let most_numbers = 4_000_000

let with_records data start families =
  let at = ref start in
  let found = List.map (function
    | Rows _ as family -> family
    | Table (name, rows, us, _) ->
      let width = List.length us + 2 in
      require (!at + 8 * width * rows <= String.length data) "table: the records are not all there";
      if width * rows > most_numbers then raise (Limit (Printf.sprintf "%d numbers of tables" most_numbers));
      let record k = List.init width (fun i -> number_at data (!at + 8 * (width * k + i))) in
      let records = List.init rows record in
      List.iter (fun r -> require (List.for_all finite r) "table: a number of a record is not finite") records;
      at := !at + 8 * width * rows;
      Table (name, rows, us, records)) families in
  require (!at = String.length data) "table: something follows after the last record";
  found

let read data =
  let new_version = String.length data >= 18 && String.sub data 0 18 = "certify-problem 3\n" in
  let rec text_end from = match String.index_from_opt data from 'e' with
    | None -> String.length data
    | Some i -> if i > 0 && data.[i - 1] = '\n' && i + 4 <= String.length data && String.sub data i 4 = "end\n" then i + 4 else text_end (i + 1) in
  let stop = if new_version then text_end 0 else String.length data in
  let lines = lines_of data "problem" stop in
  try
    (match keyword lines "certify-problem" with [ ("2" | "3") ] -> () | _ -> reject "'certify-problem 2' or 3 was expected");
    let unknown () = match tokens lines with
      | [ name; measure; low; high ] -> { u_name = named name; u_unit = unit_of measure; u_bounds = bounds low high }
      | _ -> reject "NAME UNIT LOWER UPPER was expected" in
    let entry () = match tokens lines with [ low; high ] -> bounds low high | _ -> reject "LOWER UPPER was expected" in
    let column () = match keyword lines "column" with
      | [ name; measure; n ] ->
        let n = small n in
        require (n >= 1) "columns: there must be at least 1";
        { c_name = named name; c_unit = unit_of measure; c_entries = times n entry }
      | _ -> reject "column NAME UNIT COUNT was expected" in
    let tape () = match keyword lines "tape" with
      | [ name; inputs; n ] ->
        let inputs = small inputs and n = small n in
        require (n >= 1) "tapes: there must be at least 1";
        { t_name = named name; t_inputs = inputs; t_ops = List.init n (fun k -> operation new_version (inputs + k) (tokens lines)) }
      | _ -> reject "tape NAME INPUTS OPERATIONS was expected" in
    let d_unknowns = times (count lines "variables" 1) unknown in
    apart (List.map (fun u -> u.u_name) d_unknowns) "variables";
    let d_columns = times (count lines "columns" 0) column in
    apart (List.map (fun c -> c.c_name) d_columns) "columns";
    let d_tapes = times (count lines "tapes" (if new_version then 0 else 1)) tape in
    apart (List.map (fun t -> t.t_name) d_tapes) "tapes";
    let families = times (count lines "families" 1) (fun () -> family new_version (List.length d_unknowns) d_columns d_tapes (tokens lines)) in
    apart (names_of families) "families";
    exact lines "end";
    finish lines;
    { version_3 = new_version; d_unknowns; d_columns; d_tapes; d_families = with_records data stop families }
  with Rejected reason -> reject "%s: %s" (where lines) reason
