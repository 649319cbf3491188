import { expect, test } from "vitest";
import { seenIn } from "@/server/testing/seen-in";
import { hasEscapeOptions } from "./escapes";

test.each<[sighting: string, commands: string[]]>([
  ["runs_command: starts another program: that is what rpmbuild is for", ["rpmbuild a"]],
  ["runs_command: starts another program: that is what -e of rsync is for", ["rsync -e x a b"]],
  ["loads_code: loads code from a file: that is what -l of gawk is for", ["gawk -l x"]],
  ["quiet: writes to a file: that is what -o of sort is for", ["sort a -o b"]],
  ["quiet: can start a shell from within", ["less a"]],
  ["runs_command: starts another program: that is what I and F in xvIf of tar are for", ["tar xvIf x a"]],
  ["runs_command: starts another program: that is what I and F in If of tar are for", ["tar If x a", "gtar If x a"]],
  ["runs_command: starts another program: that is what TT in -qrTT of zip is for", ["zip -qrTT x y"]],
  ["quiet: writes to the second file that uniq is given", ["uniq a b", "uniq a1 b2", "uniq 1a 2b", "uniq -f 1 a b"]],
  ["quiet: writes to the second file that guniq is given", ["guniq a b"]],
  ["quiet: writes to the second file that xxd is given", ["xxd a b", "xxd -s 0x10 a b"]],
  ["runs_command: can start the shell that it is given (/bin/sh  -ec)", ["foo '/bin/sh  -ec'"]],
])("a harmless name does more than it says: %s", (sighting, commands) => {
  for (const command of commands) expect(seenIn(command), command).toContain(sighting);
});

test.each(["uniq a", "uniq -f 1 a", "xxd -s 0x10 -l 16 a", "tar ./I", "tar a I", "zip a-xTT b", "zip -T a"])(
  "it does what it says in %s",
  (command) => {
    expect(seenIn(command)).toEqual([]);
  },
);

test("a program has such options when any list has it", () => {
  expect(["tar", "ssh", "date"].filter(hasEscapeOptions)).toEqual(["tar", "ssh", "date"]);
  expect(["ls", "constructor", "most"].filter(hasEscapeOptions)).toEqual([]);
});
