import "server-only";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { isWithin } from "@/server/capabilities/sandbox/protected-paths";
import { noSensitivePaths } from "@/server/guard/paths/sensitive-globs";
import { whySensitive } from "@/server/guard/paths/sensitive-path";
import { isTooWide } from "./package-around";

/** Settings below a home that programs of package managers and clusters need, although they may hold a token. */
const usualSettings = [".npmrc", ".config/uv/uv.toml", ".config/pip/pip.conf", ".kube/config"];
/** Folders below a home that hold those of many programs, secrets among them. */
const wideFolders = new Set([".config", ".local", ".local/share", "Library", "Library/Application Support"]);

/** Files that a shell or a session reads at its start, and what was typed there. */
const shellFile =
  /^\.(?:(?:ba|z|k|mk|c|tc)sh\w*|bash_\w+|profile|z(?:profile|env|login|logout)|login|logout|x(?:profile|initrc|session\w*)|pam_environment)$/;
/** Stores of passwords and of browsers' sign-ins. */
const passwordStore =
  /\/(?:library\/keychains|\.mozilla|\.thunderbird|\.local\/share\/(?:keyrings|kwalletd)|\.config\/(?:fish|op|chromium|google-chrome|microsoft-edge|bravesoftware|1password|bitwarden)|library\/application support\/(?:google|firefox|chromium|bravesoftware|1password|bitwarden))(?:\/|$)/i;

/** Returns whether a file or folder of the machine holds secrets or a shell's start, so that a program's words alone offer it to nobody. */
export function holdsSecrets(file: string): boolean {
  return [file, realPathOf(file)].some((one) => {
    const inHome = isWithin(one, homedir()) ? path.relative(homedir(), one) : null;
    if (inHome !== null && usualSettings.includes(inHome)) return false;
    if (isTooWide(one) || (inHome !== null && wideFolders.has(inHome))) return true;
    return shellFile.test(path.basename(one)) || passwordStore.test(one) || whySensitive(one, noSensitivePaths) !== null;
  });
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
