import { describe, expect, test } from "vitest";
import { looseWordIn } from "./loose-word";
import { readShell } from "./running-commands";

const looseIn = (command: string) => looseWordIn(readShell(command).script);

describe("a word that may become another one when it runs", () => {
  test.each([
    ["find . $X", "`$X`, which can become an action"],
    ["timeout 5 find . $X", "can become an action"],
    ["env /usr/bin/find . $X", "can become an action"],
    ['find . "a$X"', "can become an action"],
    ["for d in a b; do find . -$d; done", "can become an action"],
    ["for d in a b; do find . -d$d; done", "can become an action"],
    ['for d in a b; do find . "-d"$d; done', "can become an action"],
    ["for d in a b; do find . '-d'$d; done", "can become an action"],
    ["for d in a b; do find . ''-d$d; done", "can become an action"],
    ['for d in a b; do find . "-d$d"; done', "can become an action"],
    ["for HOME in -delete; do find ~; done", "can become an action"],
    ["for d in a b; do find . ${!d}; done", "can become an action"],
    ["for d in a b; do find . ${d[0]}; done", "can become an action"],
    ["for d in a b; do find . ${d%a}; done", "can become an action"],
    ["find . ${X}", "can become an action"],
    ["for d; do find $d; done", "can become an action"],
    ["for d in a -x; do find $d; done", "can become an action"],
    ["for d in a*; do find $d; done", "can become an action"],
    ["for d in a b; do ls; done; for d in a -x; do find $d; done", "can become an action"],
    ["for d in a b; do find . $d?; done", "the glob `$d?`, which fits a file with the name -delete"],
    ["for d in a b; do find . $d*elete; done", "fits a file with the name -delete"],
    ["timeout 5 git log $X", "`$X`, which can become an option"],
    ["sort $X", "can become an option"],
    ["python3 $X", "can become an option"],
    ["bash $X", "can become an option"],
    ["awk $X", "can become an option"],
    ["gawk $X", "can become an option"],
    ["sed $X", "can become an option"],
    ["gsed $X", "can become an option"],
    ["git log @(x)", "can become an option"],
    ["for HOME in --output=x; do git diff ~/a; done", "can become an option"],
    ["for b in x y; do git log -x--a=$b; done", "`-x--a=$b`, which can become another option"],
    ["git log --author=*", "another option"],
  ])("stands in %j", (command, reason) => {
    expect(looseIn(command)).toContain(reason);
  });

  test.each([
    "X=1",
    "ls $X",
    "xgit $X",
    "gitx $X",
    "find $HOME $PWD $OLDPWD ${HOME}",
    'for d in a b; do find $d ${d} "$d" a$d; done',
    "for d in a b; do find . src/$d* $d????????? ; done",
    "for PWD in -x; do git log a; done",
    "git log a$X",
    "for b in x y; do git log --author=$b; done",
    "timeout 5 ls $X",
  ])("stands nowhere in %j", (command) => {
    expect(looseIn(command)).toBeNull();
  });
});
