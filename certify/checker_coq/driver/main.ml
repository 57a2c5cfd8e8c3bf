(* verify PROBLEM.canonical FILE.cert: one line, VERIFIED, REJECTED, REFUSED (not proved here) or RESOURCE. `verify -` judges many pairs: each is a
   line with the numbers of bytes of the problem and of the certificate, then these bytes; each is answered by a line with the exit code before it. *)
open Text

let contents path most =
  let channel = open_in_bin path in
  let length = in_channel_length channel in
  if length > most then raise (Limit (Printf.sprintf "%d bytes of a file" most));
  let data = really_input_string channel length in
  close_in channel;
  data

let chars data = List.init (String.length data) (String.get data)

let judged problem certificate =
  let d = Read_problem.read problem in
  let c = Read_certificate.read certificate in
  let sum = Sha256.of_string problem in
  require (c.Checker.hash = chars sum) "problem: the certificate is for another problem";
  Form.check d c;
  require (Checker.verify (chars sum) d c (chars problem) (chars certificate)) "certificate: proof: it is not proved by the rules of this checker";
  let claims = [ ("lower", c.Checker.c_lower); ("upper", c.Checker.c_upper); ("within", c.Checker.c_within) ] in
  String.concat " and " (List.filter_map (fun (word, claim) -> if claim = None then None else Some word) claims)

let answer problem certificate =
  try (0, "VERIFIED " ^ judged (problem ()) (certificate ())) with
  | Rejected reason -> (1, "REJECTED " ^ reason)
  | Refused what -> (5, "REFUSED nothing is proved here about " ^ what)
  | Limit what -> (3, "RESOURCE " ^ what)
  | Stack_overflow | Out_of_memory -> (3, "RESOURCE memory")
  | Invalid_argument _ | Failure _ | Not_found -> (1, "REJECTED the text is not allowed")
  | Z.Overflow -> (3, "RESOURCE a number is too large")

let rec serve () = match String.split_on_char ' ' (input_line stdin) with
  | [ first; second ] ->
    let problem = really_input_string stdin (int_of_string first) in
    let certificate = really_input_string stdin (int_of_string second) in
    let code, line = answer (fun () -> problem) (fun () -> certificate) in
    Printf.printf "%d %s\n%!" code line;
    serve ()
  | _ -> failwith "two numbers of bytes were expected"

let () = match Sys.argv with
  | [| _; "-" |] -> (try serve () with End_of_file -> ())
  | [| _; problem; certificate |] ->
    (try
       let code, line = answer (fun () -> contents problem (256 * 1024 * 1024)) (fun () -> contents certificate (64 * 1024 * 1024)) in
       print_endline line;
       exit code
     with Sys_error reason -> prerr_endline reason; exit 2)
  | _ -> prerr_endline "The arguments must be PROBLEM.canonical FILE.cert."; exit 2
