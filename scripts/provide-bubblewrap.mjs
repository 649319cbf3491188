import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const advice = `The tests of the sandbox need bubblewrap, and it was not found. Install it:
  Debian, Ubuntu   sudo apt-get update && sudo apt-get install -y bubblewrap
  Fedora           sudo dnf install -y bubblewrap`;

/**
 * Finds bubblewrap, and installs Debian's package where we are root and there is none.
 * @returns {boolean} whether it is there; false after saying what to do
 */
export function provideBubblewrap() {
  if (isThere()) return true;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    console.log("No bubblewrap found: installing Debian's with apt-get ...");
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const args of [["update"], ["install", "-y", "--no-install-recommends", "bubblewrap"]]) {
      const { status, stdout, stderr, error } = spawnSync("apt-get", args, { env: environment, encoding: "utf8" });
      if (status !== 0) {
        console.error(error ? `apt-get cannot be run: ${error.message}` : `${stdout}${stderr}`.trimEnd());
        break;
      }
    }
    if (isThere()) return true;
  }
  console.error(advice);
  return false;
}

function isThere() {
  return spawnSync("bwrap", ["--version"], { stdio: "ignore" }).status === 0;
}
