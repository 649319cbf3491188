import fc from "fast-check";

const pick = (...texts: string[]) => fc.constantFrom(...texts);
const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(""));
const several = (part: fc.Arbitrary<string>, least: number, most: number, between = "") =>
  fc.array(part, { minLength: least, maxLength: most }).map((texts) => texts.join(between));

/** Paths of the folder that lies in the box: files, folders, links out of it, and names that a program takes for options. */
const plainPath = pick(
  ..."a.txt a.txt sub sub/b.txt sub/deep . ./sub/../a.txt sub/.. README.md 'b c' list -n * *.txt sub/* ?.txt [a-b].txt s*".split(" "),
  "'b c'",
  '"a.txt"',
  "a\\.txt",
  "$PWD/a.txt",
  "./*",
  "**",
);
/** Paths that leave, or may leave, in as many ways as we know. */
const sharpPath = pick(
  ...".. ../two/.env ../../secret-key sub/../../two /etc/shadow link link/.env up/secret-key key envlink .env .e* .?nv .ssh/id_rsa".split(
    " ",
  ),
  ...".? .[.] .[!x] .* .?/two/.env sub/.? sub/.?/.? *.? ./.?/.? {..,a.txt} .{.,} {.,}{.,} ~ ~/.. ~root ~+/.. ~-".split(" "),
  ...[
    "$x",
    '"$x"',
    "$x/two/.env",
    "${x}",
    ".${x}.",
    ".${x}./two/.env",
    "./.${x}./.${x}./secret-key",
    '."$x".',
    "$1",
    '"$@"',
    "$*",
    ".$!.",
    "$y$y",
  ],
  ...[
    "$HOME/..",
    "${HOME}/../two",
    "${PWD%/*}",
    "$OLDPWD",
    "${x:-..}",
    "${x-..}/two",
    "${PWD%/*}/two/.env",
    "$((1))/../..",
    "$(echo ..)/two",
  ],
  ...[
    "$(cat list)",
    '"$(cat list)"',
    "`cat list`",
    "$(ls -d .?)",
    "'..'",
    "'.'.",
    '"."."/two"',
    "\\.\\.",
    ".\\./two",
    "..\\/two",
    "a.txt/../../two",
  ],
);
const fragments = several(
  pick(
    ".",
    ".",
    "..",
    "/",
    "/",
    "a",
    "sub",
    "two",
    "$x",
    "${x}",
    "*",
    "?",
    "[.]",
    "'.'",
    '"."',
    "\\.",
    "{.,}",
    "~",
    "$!",
    "$@",
    ".env",
    "secret-key",
    "link",
    "$y",
  ),
  1,
  6,
);
const anyPath = fc.oneof({ arbitrary: plainPath, weight: 8 }, { arbitrary: sharpPath, weight: 3 }, { arbitrary: fragments, weight: 2 });

const blank = pick(" ", " ", " ", "  ", "\t", " \\\n");
const command = (name: string, ...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(blank, ...parts).map(([space, ...texts]) => [name, ...texts.filter((text) => text !== "")].join(space));
const maybe = (part: fc.Arbitrary<string>) => fc.oneof(fc.constant(""), part);

const findTest = fc.oneof(
  pick(
    "-name '*.txt'",
    "-name *.txt",
    "-type f",
    "-type d",
    "-type l",
    "-maxdepth 1",
    "-mindepth 1",
    "-follow",
    "-print",
    "-print0",
    "-ls",
    "-empty",
  ),
  pick(
    "-size -9k",
    "-not -name x",
    "! -name x",
    "\\( -name a -o -name b \\)",
    "-printf '%p\\n'",
    "-prune",
    "-o",
    "-quit",
    "-path '*/..*'",
    "-depth",
  ),
  pick(
    "-exec cat {} +",
    "-exec cat {} \\;",
    "-exec grep -h KEY {} +",
    "-exec ls {} \\;",
    "-exec ls {}/.. \\;",
    "-exec cat {}/../../two/.env \\;",
  ),
  pick(
    "-exec ls .{} \\;",
    "-execdir cat {} \\;",
    "-exec sh -c 'cat ../two/.env' \\;",
    "-delete",
    "-exec touch p \\;",
    "-fprint p",
    "-files0-from list",
  ),
  join(pick("-newer ", "-samefile ", "-anewer "), anyPath),
  join(pick("-exec cat ", "-exec ls "), anyPath, pick(" {} +", " \\;", " {} \\;")),
);

const fourReaders = fc.oneof(
  command("ls", maybe(pick("-la", "-R", "-L", "-d", "-RL", "--", "-H", "-1")), maybe(anyPath), maybe(anyPath)),
  command("cat", maybe(pick("-n", "-", "--", "-A")), anyPath, maybe(anyPath)),
  command(
    "grep",
    pick(
      "KEY",
      "-r KEY",
      "-R KEY",
      "-rh ''",
      "-h ''",
      "-e KEY",
      "-rf",
      "-f",
      "-c KEY",
      "--include='*.txt' -r KEY",
      "-rn KEY --",
      "--exclude-from=list -r KEY",
    ),
    anyPath,
    maybe(anyPath),
  ),
  command("find", maybe(pick("-L", "-H", "-P")), maybe(anyPath), maybe(anyPath), several(findTest, 0, 3, " ")),
);

const moreReaders = fc.oneof(
  fourReaders,
  command("head", maybe(pick("-1", "-c 20")), anyPath),
  command("tail", maybe(pick("-n 3", "-c 20")), anyPath),
  command("sort", maybe(pick("-u", "-o p", "--files0-from=list", "--files0-from=-", "-m")), anyPath),
  command("wc", maybe(pick("-l", "--files0-from=list", "-c")), anyPath),
  command("uniq", anyPath, maybe(anyPath)),
  command("du", maybe(pick("-a", "-L", "--files0-from=list")), anyPath),
  command("stat", maybe(pick("-L", "-c %n")), anyPath),
  command("file", maybe(pick("-f list", "-b")), anyPath),
  command("diff", maybe(pick("-r", "--from-file=list")), anyPath, anyPath),
  command("cut", pick("-c1-5", "-d, -f1"), anyPath),
  command("tac", anyPath),
  command("nl", anyPath),
  command("md5sum", maybe(pick("-c")), anyPath),
  command("readlink", pick("-f", "-e"), anyPath),
  command("realpath", anyPath),
  command("echo", anyPath, maybe(anyPath)),
  command("printf", pick("'%s\\n'", "-v 'a[$(touch p)]'", "'\\056\\056'"), anyPath),
  command("test", pick("-f", "-e", "-d", "-v"), fc.oneof(anyPath, pick("'a[$(touch p)]'"))),
  command(
    "awk",
    pick("'{ print $1 }'", "'{ while ((getline l < $1) > 0) print l }'", "'{ print > \"p\" }'", "'BEGIN { system(\"touch p\") }'", "-f"),
    anyPath,
  ),
  command("sed", pick("-n 1p", "'s/a/b/'", "-i 's/a/b/'", "'1e touch p'", "'w p'", "'r list'", "-f"), anyPath),
);

const redirections = fc.oneof(
  { arbitrary: pick(" 2>/dev/null", " 2>&1", " >/dev/null", " </dev/null"), weight: 4 },
  { arbitrary: join(pick(" < ", " <", " 0<"), anyPath), weight: 2 },
  { arbitrary: join(pick(" > ", " >> ", " >| ", " <> ", " 2> "), pick("p", "$x", "/dev/null", "../p", "*")), weight: 1 },
);

/** Scripts out of readers, with everything around them that a shell knows. */
function scriptsOf(reader: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const prefix = pick(
    "",
    "",
    "",
    "",
    "timeout 2 ",
    "env ",
    "nice ",
    "command ",
    "LC_ALL=C ",
    "x=.. ",
    "x=. y=. ",
    "time ",
    "! ",
    "env -C .. ",
    "exec ",
    "nohup ",
  );
  const simple = join(prefix, reader, maybe(redirections));
  const setting = fc.oneof(
    join(
      pick("x=", "y=", "export x=", "readonly y=", "HOME=", "OLDPWD=", "CDPATH=", "IFS="),
      fc.oneof(pick("..", ".", "'. .'", "a.txt", "''"), anyPath),
    ),
    join(
      pick("cd ", "cd -P ", "cd -- ", "cd "),
      fc.oneof(pick("sub", "sub", "sub/deep", "missing", "a.txt", "link", "..", "-", ""), anyPath),
      pick("", "", " 2>/dev/null"),
    ),
    join(fc.constant("set -- "), anyPath, maybe(join(fc.constant(" "), anyPath))),
    pick("read x < list", "read -r x y < list", "unset x", "shift", ":", "true", "false", "set -f", "set -e", "set -u", "getopts a x"),
  );
  const xargs = join(
    pick("xargs ", "xargs -n1 ", "xargs -0 ", "xargs -I{} ", "xargs -r ", "xargs -a list ", "xargs -d '\\n' "),
    pick("cat", "ls", "cat {}", "ls {}/..", "grep -h KEY", "cat ./{}", "find", "grep KEY a.txt", "echo"),
  );
  const { script } = fc.letrec<{ script: string }>((tie) => {
    const inner = tie("script");
    return {
      script: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        simple,
        simple,
        join(fc.oneof(setting, inner), pick("; ", " && ", " || ", "\n", " & ", " | "), inner),
        join(setting, pick("; ", " && ", "\n", " || "), simple),
        join(inner, fc.constant(" | "), xargs),
        join(xargs, pick(" < list", " <<E\na.txt\nE", " <<E\n../two/.env\nE")),
        inner.map((body) => `(${body}\n)`),
        inner.map((body) => `{ ${body}\n}`),
        fc.tuple(inner, inner).map(([test, body]) => `if ${test}\nthen ${body}\nfi`),
        fc.tuple(anyPath, anyPath, inner).map(([first, second, body]) => `for x in ${first} ${second}; do ${body}\ndone`),
        inner.map((body) => `while read x; do ${body}\ndone < list`),
        inner.map((body) => `case a in a) ${body}\n;; esac`),
        fc.tuple(inner, anyPath).map(([body, path]) => `f() { ${body}\n}; f ${path}`),
        fc.tuple(inner, anyPath).map(([body, path]) => `cat <<E\n${path} $(${body}\n)\nE`),
        fc.tuple(inner, simple).map(([body, next]) => `${next.split(" ")[0]} "$(${body}\n)"`),
      ),
    };
  });
  return script;
}

/** Grammars by the rule whose programs they use. */
export const grammars = { readers: scriptsOf(fourReaders), sixty: scriptsOf(moreReaders) } as const;
