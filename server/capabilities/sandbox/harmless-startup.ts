import { splitGitSettings } from "./git-settings";

/** Settings of npm that name no program, no registry and no code. */
const npmSettings =
  /^(?:engine-strict|save-exact|save-prefix|legacy-peer-deps|strict-peer-deps|auto-install-peers|strict-peer-dependencies|shamefully-hoist|hoist|hoist-pattern\[\]|public-hoist-pattern\[\]|node-linker|resolution-mode|link-workspace-packages|prefer-workspace-packages|shared-workspace-lockfile|package-lock|fund|audit|loglevel|progress|update-notifier|ignore-workspace-root-check|prefer-offline|side-effects-cache|dedupe-peer-dependents|ignore-scripts)$/;
/** Settings of yarn that name no program. */
const yarnSettings =
  /^(?:nodeLinker|enableGlobalCache|compressionLevel|enableTelemetry|nmMode|enableScripts|defaultSemverRangePrefix|nmHoistingLimits):/;
/** Words in settings of an editor that name a program, an environment or a task. */
const editorPrograms =
  /path|command|shell|terminal|task|exec|interpreter|env|args|git\.|server|binary|runtime|sdk|tool|plugin|debug|launch|run|bin|trust|profile|https?:|\$\{/i;

/**
 * Returns whether a file that usually runs something runs nothing with this content. Scaffolds write such files, and only
 * the parts that run are set aside.
 */
export function runsNothing(file: string, text: string): boolean {
  const lower = file.toLowerCase();
  if (lower.endsWith(".vscode/extensions.json")) return true;
  if (lower.endsWith(".vscode/settings.json")) return !editorPrograms.test(text);
  if (/(?:^|\/)\.npmrc$/.test(lower)) return linesOf(text).every((line) => npmSettings.test(line.split("=")[0]?.trim() ?? ""));
  if (/(?:^|\/)\.yarnrc\.ya?ml$/.test(lower)) return linesOf(text).every((line) => yarnSettings.test(line.trim()));
  if (isGitSettings(file)) return splitGitSettings(text).running.length === 0;
  if (/(?:^|\/)\.git\/worktrees\/[^/]+\/commondir$/.test(file)) return text.trim() === "../..";
  return false;
}

/** Returns whether a file holds settings of git, whose harmless part stays when the rest is set aside. */
export const isGitSettings = (file: string): boolean =>
  /(?:^|\/)(?:\.git\/(?:.*\/)?config(?:\.worktree)?|\.gitconfig|\.config\/git\/config)$/.test(file);

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => !/^\s*(?:[#;].*)?$/.test(line));
}
