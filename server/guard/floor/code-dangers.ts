import type { FloorName } from "./hard-floor";

const systemFolder = "(?:\\*|~|(?:etc|usr|home|root|var|bin|sbin|boot|lib\\d*|opt|srv|dev)\\/?\\**)?";
const target = `(?:\\/${systemFolder}|~\\/?)["'\`\\s)]`;
/** A call of a function that deletes, or `rm` in a call that runs a shell command; a mere mention does not match. */
const deletes = new RegExp(
  `\\b(?:rmtree|rm_rf?|remove_(?:dir_)?(?:entry|all|tree)\\w*|rm(?:dir)?Sync|removeSync|rimraf|remove_tree|deltree|del_tree)\\b[^;\\n]{0,40}?["'\`\\s(=]${target}` +
    `|(?:\\b(?:system|exec\\w*|popen|run|call|check_call|check_output|spawn\\w*|shell_exec|passthru|qx)\\b[^;\\n]{0,20}?|\`|%x)["'\`\\s({\\[]*rm["',\\s]+-(?:[rRf]|[\\w-]*[rR])[^;\\n]{0,30}?["'\\s]${target}`,
);
const forks = (() => {
  const fork = String.raw`(?:\b|_)fork\b`;
  const endless = String.raw`\bwhile\b\s*(?:\(?\s*(?:1|true|True|:)\s*\)?)\s*[:{]?\s*[^}\n;]{0,60}`;
  return new RegExp(
    [
      String.raw`${fork}[\s()]*(?:while|until)\b`,
      `${endless}${fork}`,
      String.raw`\bloop\s*(?:do|\{)[^}\n]{0,60}${fork}`,
      String.raw`\bfor\s*\(\s*;\s*;\s*\)[^}\n]{0,60}${fork}`,
      String.raw`${fork}\(\)\s*for\b[^\n]{0,40}\b(?:iter\(\s*int|count\(|repeat\()`,
    ].join("|"),
  );
})();
/** Process id -1 means every process; process 1 is the ancestor of all others. */
const kills =
  /\b(?:os\.|process\.|posix_)kill(?:pg)?\(\s*-?1\s*[,)]|\bProcess\.kill\(?\s*[^,()\n]{1,12},\s*-?1\s*[,)]|\bkill\b[\s(]*['"]?(?:-?(?:SIG)?[A-Z]{3,5}|-?\d+)['"]?\s*(?:,|=>)\s*-?1\s*(?:[;)}]|$)/;

/** Searches a program in another language for a certain catastrophe of the hard floor. */
export function findCodeDanger(code: string): { what: FloorName; does: string } | null {
  if (deletes.test(code)) return { what: "recursive_delete", does: "deletes a folder of the system and everything in it" };
  if (kills.test(code)) return { what: "kill_everything", does: "ends every process of the machine" };
  return forks.test(code) ? { what: "fork_bomb", does: "starts itself over and over" } : null;
}
