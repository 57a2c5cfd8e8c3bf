(* verify PROBLEM.canonical FILE.cert: one line, VERIFIED, REJECTED, REFUSED (not proved here) or RESOURCE. *)
open Text

let contents path most =
  let channel = open_in_bin path in
  let length = in_channel_length channel in
  if length > most then raise (Limit (Printf.sprintf "%d bytes of %s" most path));
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
  require (Checker.verify (chars sum) d c (chars problem) (chars certificate)) "it is not proved by this checker's rules";
  let claims = [ ("lower", c.Checker.c_lower); ("upper", c.Checker.c_upper); ("within", c.Checker.c_within) ] in
  String.concat " and " (List.filter_map (fun (word, claim) -> if claim = None then None else Some word) claims)

let () =
  let answer code form = Printf.ksprintf (fun line -> print_endline line; exit code) form in
  match Sys.argv with
  | [| _; problem; certificate |] ->
    (try
       let problem = contents problem (256 * 1024 * 1024) and certificate = contents certificate (64 * 1024 * 1024) in
       answer 0 "VERIFIED %s" (judged problem certificate)
     with
     | Rejected reason -> answer 1 "REJECTED %s" reason
     | Refused what -> answer 5 "REFUSED nothing is proved here about %s" what
     | Limit what -> answer 3 "RESOURCE %s" what
     | Stack_overflow | Out_of_memory -> answer 3 "RESOURCE memory"
     | Sys_error reason -> prerr_endline reason; exit 2)
  | _ -> prerr_endline "The arguments must be PROBLEM.canonical FILE.cert."; exit 2
