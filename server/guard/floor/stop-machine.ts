import { globFits } from "../matching/glob";
import type { RunningCommand } from "../shell/running-commands";
import { type Wrapper, wrappedAt } from "../shell/wrappers";

const switches = ["reboot", "shutdown", "halt", "poweroff"];
const harmless = /^(--help|--version|-c|--show)$/;
const managers = new Set(["systemctl", "loginctl"]);
const managed = /^(poweroff|reboot|halt|kexec|soft-reboot|emergency|rescue|default|exit)$/;

/** Options of systemctl and loginctl whose value is the next word. */
const managerOptions: Wrapper = {
  valued: "tpPHMnos",
  valuedLong:
    "--type --state --property --host --machine --lines --output --signal --kill-whom --kill-value --job-mode --root --image --when --what --legend".split(
      " ",
    ),
};
const isStoppingUnit = (unit: string): boolean =>
  /^(reboot|poweroff|halt|kexec|soft-reboot|shutdown|emergency|rescue|exit|runlevel[06])\.target$|^systemd-(reboot|poweroff|halt|kexec)\.service$/.test(
    unit,
  );

/** Whether a command powers the machine off or starts it again. */
export function stopsMachine({ name, words }: RunningCommand): boolean {
  const args = words.slice(1);
  // /sbin/reb*t is spelled out by the shell before it runs.
  const isTelling = /[a-z][^a-z]*[a-z]/.test(name);
  if (isTelling && switches.some((known) => globFits(name, known))) return !args.some((word) => harmless.test(word));
  if (name === "init" || name === "telinit") return args.some((word) => /^[06]$/.test(word));
  if (managers.has(name)) {
    const start = wrappedAt(managerOptions, args) ?? args.length;
    return (
      managed.test(args[start] ?? "") || (/^(start|restart|isolate)$/.test(args[start] ?? "") && args.slice(start).some(isStoppingUnit))
    );
  }
  return name === "kexec" && args.some((word) => /^(-e|--exec)$/.test(word));
}

/** Whether a command ends every process, or the first one, on which all others depend. */
export function killsEverything({ name, words }: RunningCommand): boolean {
  const args = words.slice(1);
  if (name === "killall5") return true;
  if (name === "pkill" || (name === "killall" && args.some((word) => /^(-\w*r|--regexp)$/.test(word)))) {
    return args.some((word) => /^(\.|\.\*|\.\+|\^|\$|)$/.test(word));
  }
  return name === "kill" && killed(args).some((pid) => /^-?0*1$/.test(pid));
}

/** The process ids of a kill: not the signal, whether that is written -9, -KILL, -s KILL or -n 9. */
function killed(args: readonly string[]): readonly string[] {
  const [first = ""] = args;
  if (/^(-l|-L|--list|--table)/.test(first)) return [];
  if (/^(-s|-n|--signal)$/.test(first)) return args.slice(2);
  // `kill -1` alone names no process for some shells and every process for others.
  return first.startsWith("-") && args.length > 1 ? args.slice(1) : args;
}
