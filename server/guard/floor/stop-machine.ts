import { globFits } from "../paths/glob";
import type { FloorCommand } from "./floor-command";

const switches = ["reboot", "shutdown", "halt", "poweroff"];
const harmless = /^(--help|--version|-c|--show)$/;
const managers = new Set(["systemctl", "loginctl"]);
const managed =
  /^(poweroff|reboot|halt|kexec|soft-reboot|emergency|rescue|default|exit|suspend|hibernate|hybrid-sleep|suspend-then-hibernate)$/;

/** Options of systemctl and loginctl whose value is the next word. */
const valued =
  /^(?:-\w*[tpPHMnos]|--(?:type|state|property|host|machine|lines|output|signal|kill-whom|kill-value|job-mode|root|image|when|what|legend))$/;
/** Clients of D-Bus, which can stop the machine by a method call. */
const busClients = /^(?:dbus-send|busctl|gdbus|qdbus(?:-qt[56]|6)?)$/;
const stoppingMethod = /(?:^|\.)(?:PowerOff|Reboot|Halt|Suspend|Hibernate|HybridSleep|KExec)(?:With\w+)?$/;

function afterOptions(args: readonly string[]): number {
  let at = 0;
  for (let word = args[at]; word?.startsWith("-"); word = args[at]) at += valued.test(word) ? 2 : 1;
  return Math.min(at, args.length);
}

const isStoppingUnit = (unit: string): boolean =>
  /^(reboot|poweroff|halt|kexec|soft-reboot|shutdown|emergency|rescue|exit|runlevel[06])\.target$|^systemd-(reboot|poweroff|halt|kexec)\.service$/.test(
    unit,
  );

/** Returns whether a command powers off, restarts or suspends the machine. */
export function stopsMachine({ name, words }: FloorCommand): boolean {
  const args = words.slice(1);
  // The shell expands /sbin/reb*t before it runs, so a pattern with enough letters is matched as a glob.
  const isTelling = /[a-z][^a-z]*[a-z]/.test(name);
  if (isTelling && switches.some((known) => globFits(name, known))) return !args.some((word) => harmless.test(word));
  if (name === "init" || name === "telinit") return args.some((word) => /^[06]$/.test(word));
  if (managers.has(name)) {
    const start = afterOptions(args);
    return (
      managed.test(args[start] ?? "") || (/^(start|restart|isolate)$/.test(args[start] ?? "") && args.slice(start).some(isStoppingUnit))
    );
  }
  if (/^pm-(?:suspend|hibernate|suspend-hybrid)$/.test(name)) return !args.some((word) => harmless.test(word));
  if (name === "rtcwake") return args.some((word) => /^(?:-\w*m|--m\w*=)?(?:mem|off|disk|standby|freeze)$/.test(word));
  if (busClients.test(name)) return args.some((word) => stoppingMethod.test(word));
  return name === "kexec" && args.some((word) => /^(-e|--exec)$/.test(word));
}

/** Returns whether a command ends every process, or process 1, on which all others depend. */
export function killsEverything({ name, words }: FloorCommand): boolean {
  const args = words.slice(1);
  if (name === "killall5") return true;
  // Without a program name, the command ends all processes of the user.
  if (/^(?:killall|pkill|skill)$/.test(name)) {
    const valued = args.findIndex((word) => /^(?:-s|--signal)$/.test(word)) + 1;
    const user = args.findIndex((word) => /^(?:-[uU]|--(?:euid|uid|user))$/.test(word));
    const others = args.filter((word, at) => !word.startsWith("-") && at !== user + 1 && (valued === 0 || at !== valued));
    if (user >= 0 && /^(?:root|0)$/.test(String(args[user + 1])) && others.length === 0) return true;
    if (name === "killall" && others.some((word) => /^(?:init|systemd)$/.test(word))) return true;
  }
  if (name === "pkill" || (name === "killall" && args.some((word) => /^(-\w*r|--regexp)$/.test(word)))) {
    return args.some((word) => /^(\.|\.\*|\.\+|\^|\$|)$/.test(word));
  }
  return name === "kill" && killed(args).some((pid) => /^-?0*1$/.test(pid));
}

/** Returns the process ids of a `kill`, without the signal (-9, -KILL, -s KILL, -n 9). */
function killed(args: readonly string[]): readonly string[] {
  const [first = ""] = args;
  if (/^(-l|-L|--list|--table)/.test(first)) return [];
  if (/^(-s|-n|--signal)$/.test(first)) return args.slice(2);
  // Shells disagree on `kill -1` alone: some see no process, others every process.
  return first.startsWith("-") && args.length > 1 ? args.slice(1) : args;
}
