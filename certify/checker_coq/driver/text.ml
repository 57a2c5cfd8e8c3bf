(* Lines and numbers of a file. What is read here is written again by proved code and compared with the file, byte by byte: a mistake here can
   cost an answer, not make a false one. *)
(* The names that extracted code hides. *)
module Z = Z
module List = List
module String = String

exception Rejected of string  (* the text is not allowed, or nothing is proved *)
exception Refused of string  (* what this checker has no proof for *)
exception Limit of string

let reject form = Printf.ksprintf (fun reason -> raise (Rejected reason)) form
let refuse form = Printf.ksprintf (fun reason -> raise (Refused reason)) form
let require condition reason = if not condition then raise (Rejected reason)

type lines = { data : string; file : string; stop : int; mutable offset : int; mutable number : int }

let lines_of data file stop =
  require (stop > 0 && data.[stop - 1] = '\n') (file ^ ": the last line does not end in LF");
  { data; file; stop; offset = 0; number = 0 }

let where lines = Printf.sprintf "%s line %d" lines.file lines.number

let tokens lines =
  lines.number <- lines.number + 1;
  if lines.offset >= lines.stop then reject "the file ends too early";
  let stop = String.index_from lines.data lines.offset '\n' in
  let length = stop - lines.offset in
  require (length >= 1 && length <= 1_000_000) "a line has 1 to 1000000 characters";
  let line = String.sub lines.data lines.offset length in
  lines.offset <- stop + 1;
  String.iter (fun c -> require (c < '\128') "the file is not ASCII") line;
  let found = String.split_on_char ' ' line in
  require (not (List.mem "" found)) "tokens are separated by exactly one space";
  found

let keyword lines word = match tokens lines with
  | first :: rest when first = word -> rest
  | first :: _ -> reject "a line '%s' was expected, not '%s'" word (String.escaped (String.sub first 0 (min 40 (String.length first))))
  | [] -> reject "a line '%s' was expected" word

let field lines word = match keyword lines word with [ one ] -> one | found -> reject "'%s' takes 1 token, not %d" word (List.length found)
let exact lines word = require (tokens lines = [ word ]) (Printf.sprintf "'%s' was expected" word)

let ahead lines start =
  let length = String.length start in
  lines.offset + length <= lines.stop && String.sub lines.data lines.offset length = start

let finish lines = require (lines.offset = lines.stop) "something follows after 'end'"

let digits token = token <> "" && String.length token <= 2000 && String.for_all (fun c -> c >= '0' && c <= '9') token
let natural token = if digits token then Z.of_string token else reject "'%s' is not a natural number" (String.escaped token)

let small token =
  let value = natural token in
  if Z.leq value (Z.of_int 1_000_000_000) then Z.to_int value else reject "%s is too large" token

let integer token =
  if token <> "" && token.[0] = '-' then Z.neg (natural (String.sub token 1 (String.length token - 1))) else natural token

let rational token = match String.split_on_char '/' token with
  | [ n ] -> (integer n, Z.one)
  | [ n; d ] ->
    let n = integer n and d = natural d in
    require (Z.gt d Z.one && Z.equal (Z.gcd n d) Z.one) (token ^ " is not in lowest terms");
    (n, d)
  | _ -> reject "'%s' is not a rational number" (String.escaped token)

let less (a, b) (c, d) = Z.lt (Z.mul a d) (Z.mul c b)
let not_negative token = let q = rational token in require (Z.sign (fst q) >= 0) (token ^ " is negative"); q

(* mantissa and exponent, below 2^8192 *)
let dyadic token =
  let check m e =
    require (Z.leq (Z.abs e) (Z.of_int 4096)) "an exponent is not within +-4096";
    require (Z.numbits m + Z.to_int e <= 8192) "a number is not below 2^8192" in
  match String.split_on_char 'p' token with
  | [ m ] -> let m = integer m in check m Z.zero; (m, None)
  | [ m; e ] -> let m = integer m and e = integer e in check m e; (m, Some e)
  | _ -> reject "'%s' is not a dyadic number" (String.escaped token)

let value_of (m, e) = match e with
  | None -> (m, Z.one)
  | Some e -> let e = Z.to_int e in if e >= 0 then (Z.shift_left m e, Z.one) else (m, Z.shift_left Z.one (- e))

let letter c = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
let named token =
  require (String.length token <= 64 && letter token.[0] && String.for_all (fun c -> letter c || (c >= '0' && c <= '9') || String.contains "_.-" c) token)
    (String.escaped token ^ " is not a name");
  List.of_seq (String.to_seq token)
let unit_of token =
  require (String.length token <= 16 && String.for_all (fun c -> letter c || (c >= '0' && c <= '9') || String.contains "_./^-" c) token)
    (String.escaped token ^ " is not a unit");
  List.of_seq (String.to_seq token)
let times count f = List.init count (fun _ -> f ())
