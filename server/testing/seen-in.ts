import { dangersIn } from "@/server/guard/detectors/shell-danger/dangers-in";
import { readShell } from "@/server/guard/shell/running-commands";

/** What is dangerous in a command line, each as its danger's name and what is said of it. */
export const seenIn = (command: string) =>
  [...dangersIn(readShell(command)).values()].flat().map(({ danger, does }) => `${danger.replace("shell.", "")}: ${does}`);
