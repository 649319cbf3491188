import { RE2JS } from "re2js";
import { AppError } from "@/server/platform/errors";

const maxGlobLength = 500;

/**
 * Whether a path fits a glob: `*` and `?` within a name, `**` across folders, `[a-z]`, `[!a-z]` and `{one,two}`. A glob
 * without "/" is matched against the file's name alone. Compiled to RE2, so that no pattern can take long.
 * @throws AppError `invalid`.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  if (glob.length > maxGlobLength)
    throw new AppError("invalid", `The glob is longer than ${maxGlobLength} characters. Send a shorter one.`);
  const isForNames = !glob.includes("/");
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(`^${translate(glob.replace(/^\.?\//, ""))}$`, RE2JS.DOTALL);
  } catch {
    throw new AppError("invalid", `The glob ${glob} cannot be read. Send one such as *.ts or src/**/*.{ts,tsx}.`);
  }
  return (path) => compiled.matches(isForNames ? path.slice(path.lastIndexOf("/") + 1) : path);
}

function translate(glob: string): string {
  let pattern = "";
  let depth = 0;
  for (let index = 0; index < glob.length; ) {
    const rest = glob.slice(index);
    const klass = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(rest);
    const character = rest[0] ?? "";
    if (rest.startsWith("**/")) {
      pattern += "(?:[^/]+/)*";
      index += 3;
    } else if (rest.startsWith("**")) {
      pattern += ".*";
      index += 2;
    } else if (klass) {
      const [whole, negated, members = ""] = klass;
      pattern += `[${negated ? "^/" : ""}${members.replaceAll(/[\\[\]^&~]/g, "\\$&")}]`;
      index += whole.length;
    } else {
      if (character === "*") pattern += "[^/]*";
      else if (character === "?") pattern += "[^/]";
      else if (character === "{") pattern += "(?:";
      else if (character === "}" && depth > 0) pattern += ")";
      else if (character === "," && depth > 0) pattern += "|";
      else pattern += RE2JS.quote(character);
      if (character === "{") depth += 1;
      if (character === "}" && depth > 0) depth -= 1;
      index += 1;
    }
  }
  return pattern;
}
