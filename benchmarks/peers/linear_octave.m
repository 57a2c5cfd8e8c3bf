% Interval linear systems by octave-interval's A \ b, in a process of its own: octave-cli linear_octave.m FOLDER; ends as raw doubles.
pkg load interval
folder = argv (){1};
data = jsondecode (fileread (fullfile (folder, "data.json")));
answers = {};
for k = 1:numel (data.systems)
  entry = data.systems(k);
  n = entry.size;
  file = fopen (fullfile (folder, [entry.name ".raw"]), "rb", "ieee-le");
  ends = fread (file, [n, 2 * n + 2], "double"); % columns of a matrix first: written transposed
  fclose (file);
  A = infsup (ends(:, 1:n), ends(:, n+1:2*n));
  b = infsup (ends(:, 2*n+1), ends(:, 2*n+2));
  best = Inf;
  try
    for again = 1:data.repeat
      start = tic ();
      x = A \ b;
      best = min (best, toc (start));
    endfor
    out = fopen (fullfile (folder, [entry.name ".octave"]), "wb", "ieee-le");
    fwrite (out, [inf(x), sup(x)], "double");
    fclose (out);
    answers{end+1} = struct ("name", entry.name, "seconds", best);
  catch problem
    answers{end+1} = struct ("name", entry.name, "failed", problem.message);
  end_try_catch
endfor
printf ("%s\n", jsonencode (answers));
