import type { JsonObject } from "@/contracts/common";
import { programsThatAct } from "./escapes/acting-programs";
import { catastrophes } from "./escapes/catastrophes";
import type { EscapeGroup } from "./escapes/escape-group";
import { evaluatedNames } from "./escapes/evaluated-names";
import { machineCatastrophes } from "./escapes/machine-catastrophes";
import { networkEscapes } from "./escapes/network-escapes";
import { unseenFolders } from "./escapes/unseen-folders";
import { unseenPaths } from "./escapes/unseen-paths";
import { unseenWords } from "./escapes/unseen-words";

export type Escape = Omit<EscapeGroup, "commands"> & { command: string };

const groups: readonly EscapeGroup[] = [
  ...unseenPaths,
  ...unseenWords,
  ...unseenFolders,
  ...evaluatedNames,
  ...programsThatAct,
  ...networkEscapes,
  ...catastrophes,
  ...machineCatastrophes,
];

/** Commands beyond the permission of the readers' rules, or of any rule. */
export const escapes: readonly Escape[] = groups.flatMap(({ commands, ...group }) => commands.map((command) => ({ ...group, command })));

/** The narrow rule: four programs that only look. */
export const readersRule = "^(ls|cat|grep|find)(\\s|$)";

const sixtyReaders =
  "ls cat grep egrep fgrep rg find fd head tail tac nl wc sort uniq cut tr paste join comm diff cmp rev fold fmt expand pr column shuf " +
  "stat file du df tree readlink realpath basename dirname pwd cd echo printf test \\[ true false date which type whoami id uname hostname " +
  "strings od xxd hexdump base64 md5sum sha256sum cksum zcat zgrep jq awk sed";
/** The wide rule: sixty programs that are called read-only, `cd` among them. */
export const sixtyReadersRule = `^(${sixtyReaders.split(" ").join("|")})(\\s|$)`;

/** Consecutive calls, at least one of which must not pass, because the second runs the file that the first writes. */
export type EscapeInTwoCalls = { calls: readonly { tool: "write_file" | "shell_execute"; arguments: JsonObject }[] };

/** Rules that allow each of the calls by tool and words. */
export const rulesForTwoCalls = [
  { tool: "write_file" },
  { tool: "shell_execute", pattern: "^(ls|cat|grep|find|echo|git (status|diff|log|commit)|npm test|make|python3|node|sh|pytest)(\\s|$)" },
] as const;

const thenRun = (path: string, content: string, command: string): EscapeInTwoCalls => ({
  calls: [
    { tool: "write_file", arguments: { path, content } },
    { tool: "shell_execute", arguments: { command } },
  ],
});

const thenRunShell = (first: string, second: string): EscapeInTwoCalls => ({
  calls: [
    { tool: "shell_execute", arguments: { command: first } },
    { tool: "shell_execute", arguments: { command: second } },
  ],
});

/** Class F: two calls in a row. */
export const escapesInTwoCalls: readonly EscapeInTwoCalls[] = [
  thenRun(".git/config", '[core]\n\tfsmonitor = "touch p"\n', "git status"),
  thenRun(".git/config", '[diff]\n\texternal = "touch p"\n', "git diff"),
  thenRun(".git/config", '[core]\n\tpager = "touch p"\n', "git log"),
  thenRun("./.git/config", "[core]\n\thooksPath = .\n", "git commit -m x"),
  thenRun("src/../.git/config", "[core]\n\thooksPath = .\n", "git commit -m x"),
  thenRun(".git/hooks/pre-commit", "#!/bin/sh\ntouch p\n", "git commit -m x"),
  thenRun("package.json", '{"scripts":{"test":"touch p"}}', "npm test"),
  thenRun("package.json", '{"scripts":{"pretest":"cat ../secret-key"}}', "npm test"),
  thenRun(".npmrc", "script-shell=./a.sh\n", "npm test"),
  thenRun("Makefile", "all:\n\ttouch p\n", "make"),
  thenRun("GNUmakefile", "all:\n\ttouch p\n", "make"),
  thenRun("a.py", "import os; os.system('touch p')\n", "python3 a.py"),
  thenRun("json.py", "import os; os.system('touch p')\n", "python3 -m json.tool a.json"),
  thenRun("conftest.py", "import os; os.system('touch p')\n", "pytest"),
  thenRun("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-p evil"\n', "pytest"),
  thenRun("a.js", "require('fs').writeFileSync('../p', '')\n", "node a.js"),
  thenRun("a.sh", "cat ../secret-key\n", "sh a.sh"),
  thenRun("list", "../secret-key\n", "cat list | xargs cat"),
  thenRunShell("echo 'touch p' > a.sh", "sh a.sh"),
  thenRunShell("cat > a.py <<'E'\nimport os\nE", "python3 a.py"),
  thenRunShell("echo '[core]' > .git/config", "git status"),
  thenRunShell("echo x > .git/hooks/pre-commit", "git commit -m x"),
  thenRunShell("echo 'all:; touch p' > Makefile", "make"),
];
