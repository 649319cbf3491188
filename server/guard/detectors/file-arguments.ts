import { runsCommands } from "../call/tool-facts";
import { excerpt } from "../excerpt";
import { maxPathChars } from "../paths/followed-path";
import { isPathName } from "../paths/path-name";
import { sensitiveClass } from "../paths/sensitive-path";
import { type Detector, type DetectorMatch, noDetectorMatches } from "./detector";

/** Finds sensitive files among the arguments of tools that do not declare effects, such as those of MCP servers. */
export const sensitiveArguments: Detector["find"] = ({ texts, tool }, { sensitivePaths }) => {
  if (tool.effects || runsCommands(tool)) return noDetectorMatches;
  let found: DetectorMatch[] | null = null;
  for (const { name, text, hints } of texts) {
    if (!hints.mayBeSensitive && sensitivePaths.isEmpty) continue;
    if (text.length > maxPathChars || !(isPathName(name) || looksLikePath(text))) continue;
    if (sensitiveClass(text, sensitivePaths) === null) continue;
    found ??= [];
    found.push({ message: `\`${excerpt(text)}\` is a file that holds secrets.`, text });
  }
  return found ?? noDetectorMatches;
};

/** Returns whether a text is a single line that begins like a path. */
function looksLikePath(text: string): boolean {
  return /^(?:~|\.{0,2}\/|\.[\w-]|[A-Za-z]:[\\/]|file:)[^\n]*$/.test(text);
}
