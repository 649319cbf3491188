import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ["python3 x.py -c 1", "execute inside x.py; !shell.written_program"],
  ["python3 -c 'import os'", "execute not_known; !shell.inline_program"],
  ["python3 -c 'import socket,subprocess'", "execute not_known; !shell.inline_program; !shell.reverse_shell"],
  ['python3 -c "$x"', "execute not_known; !shell.inline_program"],
  ["python3 -c", ""],
  ["python3 -m pytest -c pytest.ini", "execute inside; !shell.written_program"],
  ["python3 -m json.tool a.json b.json", "execute inside; read inside a.json; write inside b.json; !shell.written_program"],
  ["cat a | python3 -m json.tool", "read inside a; execute inside; !shell.written_program"],
  ["python3 -m venv .venv", "execute inside; write inside .venv; !shell.written_program"],
  ["python3 -m http.server", "execute inside; !shell.written_program"],
  ["python3 -m tokenize a.py", "execute inside; read inside a.py; !shell.written_program"],
  ["python3 -m unheard_of .", "execute inside; execute not_known; !shell.written_program"],
  ["python3 -m black .", "execute inside; write inside .; !shell.written_program"],
  ["python3 -m $x", "execute not_known; execute inside; !shell.not_followed; !shell.written_program; !shell.hidden_command"],
  ["python3 -m", ""],
  ["node -pe", ""],
  ["python3 --version", ""],
  ["python3", "execute not_known"],
  ["echo x | python3 -", "execute not_known; !shell.piped_program"],
  ["node x.js --eval y", "execute inside x.js; !shell.written_program"],
  ["node --check x.js", "read inside x.js"],
  ["node --test", "execute inside; !shell.written_program"],
  ["ruby -e 'p 1' f", "execute not_known; read inside f; !shell.inline_program"],
  ["perl -pi -e 's/a/b/' f", "execute not_known; write inside f; !shell.inline_program"],
  ["php -f x.php y", "execute inside x.php; !shell.written_program"],
  ["tclsh x", "execute inside x; !shell.written_program"],
];

it.each(commands)("%s: a language runs its option, its file or its input", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});
