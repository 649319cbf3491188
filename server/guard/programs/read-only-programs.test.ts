import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

it.each([
  ..."cat -n|cat -b|tac -b|less -r|less -S|bat -p|bat -A|comm -1|comm -2|od -w|fmt -p|bc -l|rev -w|readlink -e|readlink -f|realpath -e".split(
    "|",
  ),
  ..."namei -l|cut -w|paste -s|cmp -l|cmp -s|diff -y|head -q|tail -f|sort -u|uniq -c|wc -l|md5sum -b|stat -t|ls -l|du -a|tree -d|pr -d".split(
    "|",
  ),
  ..."grep -n x|grep -r x|zgrep -h x|rg -n x|file -b|hexdump -C|xxd -p|base64 -d|strings -a|shuf -z|nl -p|expand -i|column -t".split("|"),
])("an option without a value hides no file: %s ../x", (command) => {
  expect(effectLines(`${command} ../x`)).toMatch(/read (?:names )?outside \.\.\/x/);
});

it.each([
  ["ls /", "read names outside /"],
  ['grep --file="$x" a', "read not_known; read inside a"],
  ["sed -e", ""],
  ["sed -l", ""],
  ["chown", ""],
  ["tar -xf a.tgz -C out", "read inside a.tgz; write inside out recursive"],
  ["tar -cf a.tar -C src b", "write inside a.tar; read inside src recursive; read inside b recursive"],
  ["grep -r x /", "read outside / recursive"],
  ["find . -samefile {a,b}", "read names inside . recursive; read names inside {a,b}; read names inside a; read names inside b"],
])("%s reads what its words say", (command, effects) => expect(effectLines(command)).toBe(effects));

it.each([
  ["uniq a b", "read inside a; write inside b; !shell.text_program_writes"],
  ["uniq *", "read inside *; write inside *; !shell.text_program_writes"],
  ["xxd -r a b", "read inside a; write inside b; !shell.text_program_writes"],
  ["sed -i s/a/b/ a", "write inside a; !shell.text_program_writes"],
  ["echo ../*", "read names outside ../*"],
  ["echo ../*$x", "read names not_known"],
  ["x='../*'; echo $x", "read names not_known"],
  ["x='../*'; echo \"$x\"", ""],
  ['echo "*$x"', ""],
  ["f() { ls; }; f .?/x", "read names not_known .; read names not_known .?/x"],
  ["for f in ../*; do ls; done", "read names outside ../*; read names inside ."],
])("a program that looks writes, and a glob lists, where its words say so: %s", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});
