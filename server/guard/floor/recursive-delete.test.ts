import { describe, expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { readShell } from "@/server/testing/guard/read-shell";
import { checkHardFloor } from "./check-hard-floor";

const isDenied = (command: string) => checkHardFloor(readShell(command)).some(({ detector }) => detector === "floor.recursive_delete");

describe("deleting a system folder and everything in it is denied", () => {
  test.each(["rm -r", "grm -r", "srm -r", "rimraf", "rm -dR", "rm --r", "rm -vf --recursive"])("by %s", (command) => {
    expect(isDenied(`${command} /etc`)).toBe(true);
    expect(isDenied(`${command} ./etc`)).toBe(false);
  });
  test.each(["rm", "rm -f", "rm --force", "rm --rx", "rm -- -r", "rm --preserve-root", "ls -r", "cp -r"])("and not by %s", (command) => {
    expect(isDenied(`${command} /etc`)).toBe(false);
  });
  test.each(["rm -r a -- /etc", "rm a -r /etc", "rm -r -- -x /etc", "rm -r -f-x /etc"])("wherever options stand: %s", (command) => {
    expect(isDenied(command)).toBe(true);
  });
});

test.each(examples`
  rm src /etc ¦ cd /home && rm -rf ada/build ¦ mv x /etc ¦ mv a b /usr/local ¦ cd /home && tar --remove-files -cf /tmp/x.tar ada/build
  cd /home && rsync -a --delete ada/a ada/b ¦ rsync x--delete /etc /tmp/b ¦ unknown --delete /etc ¦ gtar -cf x.tar /etc
`)("what only looks like deleting a system folder is for the rules to decide: %s", (command) => expect(isDenied(command)).toBe(false));

test.each(examples`
  mv a /etc b ¦ mv --target-directory=/tmp/x /etc ¦ mv -t /tmp/x a /usr ¦ tar --remove-files -cf x.tar /etc
  gtar --remove-files -cf x.tar /etc ¦ rsync -a --delete-after x/ /etc
`)("moving a system folder away, or packing it up and deleting it, is denied: %s", (command) => expect(isDenied(command)).toBe(true));

describe("find that deletes all that it finds in a system folder is denied", () => {
  test.each(examples`
    find /etc -delete ¦ find -L /etc -delete ¦ find -H -O3 /etc -delete ¦ find build /etc -delete ¦ find a-b /etc -delete
    find /etc -depth -delete ¦ find /etc -d -xdev -mount -delete ¦ find /etc -mindepth 1 -delete ¦ find /etc -maxdepth 1 -exec rm -rf {} +
    find /etc -type f -print -delete ¦ find /etc -print0 -ls -delete
    find /etc -true -a -follow -and -daystart -noleaf -warn -nowarn -ignore_readdir_race -regextype sed -delete
    find /etc '(' -type f -o -type l ')' -delete ¦ find /etc -name x -o -delete ¦ find /etc -name x -or -delete
    find /etc -name x , -delete ¦ find /etc ! -name x -delete ¦ find /etc -not -name x -delete ¦ find /etc -name '*' -delete
    find /etc -path '/*' -delete ¦ find /etc -iname '**' -delete ¦ find /etc -wholename '*' -delete ¦ find /etc -delete -name x
    find /etc -exec rm {} + ¦ find /etc -exec /bin/rm {} ';' ¦ find /etc -execdir rm {} ';' ¦ find /etc -ok rm {} ';'
    find /etc -okdir rm {} ';' ¦ find /etc -exec srm {} ';' ¦ find /etc -exec ls -la {} ';' -exec rm {} ';'
    find /etc -exec ls -la {} + -delete ¦ find /etc -exec rm -rf {}
  `)("%s", (command) => expect(isDenied(command)).toBe(true));

  test.each(examples`
    find /etc ¦ find -L ¦ find /etc -name '*.bak' -delete ¦ find /etc -name x-L -delete ¦ find /etc -name '*.a' -o -name '*.b' -delete
    find /etc -type f -mtime +30 -delete ¦ find /etc -name x -exec rm {} + ¦ find /etc -name x -exec ls -la {} ';' -exec rm {} ';'
    find /etc -exec grep -l x {} ';' -name y -delete ¦ find /etc -exec ls {} + ¦ find /etc -exec ls -delete ';'
    find /etc -exec rmdir-list {} + ¦ find /etc -exec ¦ find /etc -printf -delete.txt ¦ find /etc -path '/etc/*.d' -delete
    find /etc -perm '*' -delete ¦ find /etc -name 'x*' -delete ¦ find /etc -names '*' -delete ¦ find /etc --name '*' -delete
    find /etc -x-true -delete ¦ find /etc -typed f -delete ¦ find src-(a /etc/x -delete ¦ find ./etc -delete ¦ find a-L -delete
    fd /etc -delete ¦ find . -name /etc -delete ¦ find . -delete /etc
  `)("but not %s", (command) => expect(isDenied(command)).toBe(false));
});
