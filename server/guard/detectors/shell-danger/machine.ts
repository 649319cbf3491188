import { followedPath } from "../../shell/followed-path";
import { valuesOf } from "../../shell/inner-commands";
import { attachedValue, isLongOption } from "../../shell/long-option";
import { homeFolder } from "../../shell/resolve-word";
import type { RunningCommand, RunningScript } from "../../shell/running-commands";
import { argumentsOf, type CommandCheck, type Family, forNames, nothing, operandsOf, type Seen, seen } from "./danger";

const startup =
  /(^|\/)(\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|login|xinitrc|xsession|xprofile|inputrc|vimrc|gvimrc|exrc|emacs|gitconfig|npmrc|yarnrc|pypirc|curlrc|wgetrc|gemrc|irbrc|pryrc|pythonrc|perldb|psqlrc|my\.cnf|netrc|screenrc|tmux\.conf|gdbinit|lldbinit|lesskey|nanorc|mailrc|muttrc|condarc|envrc|pam_environment)|authorized_keys2?|\.git\/(hooks\/.+|config)|\.ssh\/.+|\.husky\/.+|\.config\/(git|autostart|systemd|fish|nvim|environment\.d)\/.+|crontabs?\/.+|LaunchAgents\/.+|\.local\/bin\/.+|sitecustomize\.py|usercustomize\.py)$/;
const system = /^\/(etc|boot|bin|sbin|lib|lib32|lib64|sys|proc\/sys|root|var\/spool\/cron|var\/lib|usr|private\/etc|Library|System)(\/|$)/;

const homeKeys = new RegExp(`^${homeFolder}/\\.(ssh|aws|gnupg|kube|docker)(/|$)`);

function ofPath(target: string, folder: string): "startup" | "keys" | "sudoers" | "system" | null {
  const file = followedPath(target, folder);
  if (/authorized_keys2?$/.test(file)) return "keys";
  if (/sudoers(\.d\/.*)?$/.test(file)) return "sudoers";
  if (startup.test(file)) return "startup";
  return system.test(file) || homeKeys.test(file) ? "system" : null;
}

const messages = {
  keys: ["shell.login_keys", "changes who may log in (authorized_keys)"],
  sudoers: ["shell.sudoers", "changes who may act as root (sudoers)"],
  startup: ["shell.startup_file", "changes a file whose commands run by themselves"],
  system: ["shell.system_file", "changes a file of the system"],
} as const;

function written(target: string, folder: string, text: string): readonly Seen[] {
  const kind = ofPath(target, folder);
  return kind ? [{ danger: messages[kind][0], does: `${messages[kind][1]}: ${target}`, text }] : nothing;
}

/** The same text stands for every target: joined once, however many there are. */
function allWritten(targets: readonly string[], { folder, words }: RunningCommand): readonly Seen[] {
  const text = words.join(" ");
  return [...new Set(targets)].flatMap((target) => written(target, folder, text));
}

/** Commands that write to every file that they are given, and those that write to the last. */
const writers = [
  "tee",
  "truncate",
  "touch",
  "ed",
  "ex",
  "vi",
  "vim",
  "nano",
  "patch",
  "chattr",
  "unlink",
  "rm",
  "chmod",
  "chown",
  "sponge",
  "mkdir",
  "setfacl",
];
const copiers = ["cp", "mv", "install", "ln", "rsync", "scp"];

const ofWriter = (command: RunningCommand) => allWritten(operandsOf(command), command);
const ofCopier: CommandCheck = (command) => {
  const folder = valuesOf(argumentsOf(command), ["-t", "--target-directory"]);
  return allWritten([...operandsOf(command).slice(-1), ...folder], command);
};

/** Options that say where what is downloaded or unpacked goes. */
const targetOptions: Record<string, readonly string[]> = {
  curl: ["-o", "--output", "--output-dir"],
  wget: ["-O", "-P", "--output-document", "--directory-prefix"],
  tar: ["-C", "--directory"],
  unzip: ["-d"],
};
const targetChecks = Object.entries(targetOptions).map(([name, options]): [string, CommandCheck] => [
  name,
  (command) => allWritten(valuesOf(argumentsOf(command), options), command),
]);

const ofSed: CommandCheck = (command) =>
  argumentsOf(command).some((word) => /^-[nrEsuzb]*[iI]/.test(word) || isLongOption(word, "--in-place")) ? ofWriter(command) : nothing;

const ofDd: CommandCheck = (command) => {
  const target = argumentsOf(command)
    .find((word) => word.startsWith("of="))
    ?.slice(3);
  const asks = argumentsOf(command).some((word) => /^(if|of)=/.test(word))
    ? seen("shell.raw_copy", "copies raw blocks, which a wrong name makes fatal", command)
    : nothing;
  return target ? [...asks, ...written(target, command.folder, command.words.join(" "))] : asks;
};

const ofService: CommandCheck = (command) => {
  // The name of a service is a path inside a folder of scripts.
  if (command.name === "service" && operandsOf(command)[0]?.includes("/"))
    return seen("shell.services", "runs a script by its path", command);
  const verb = operandsOf(command).find((word) => /^[a-z-]+$/.test(word)) ?? "";
  const verbs =
    /^(stop|disable|mask|kill|restart|try-restart|enable|reenable|start|isolate|edit|link|daemon-reexec|set-default|revert|delete|set-property|set-environment|import-environment)$/;
  return verbs.test(command.name === "service" || command.name === "rc-service" ? (operandsOf(command)[1] ?? "") : verb)
    ? seen("shell.services", "changes what runs on the machine", command)
    : nothing;
};

const ofKill: CommandCheck = (command) =>
  argumentsOf(command).some(
    (word, at, all) =>
      /^-(9|KILL|SIGKILL)$/.test(word) ||
      ((/^-[sn]$/.test(word) || isLongOption(word, "--signal")) && /^(9|(SIG)?KILL)$/i.test(attachedValue(word) ?? all[at + 1] ?? "")),
  )
    ? seen("shell.kill_by_name", "ends processes by name, at once", command)
    : nothing;

const ofCrontab: CommandCheck = (command) =>
  /^(-u \S+ )?-l$/.test(argumentsOf(command).join(" "))
    ? nothing
    : seen("shell.schedule", "sets commands that run later by themselves", command);
const schedules: CommandCheck = (command) =>
  /^-(l|V|c)/.test(argumentsOf(command)[0] ?? "") ? nothing : seen("shell.schedule", "sets a command that runs later by itself", command);
const changesMachine: CommandCheck = (command) =>
  /^(-l|-L|--list|--help|--version|-V|-S|-n -L|status|list|show|)$/.test(argumentsOf(command).join(" ")) && command.name !== "passwd"
    ? nothing
    : seen("shell.machine_setup", `changes how the machine is set up (${command.name})`, command);

const ofScript = ({ writesTo, commands }: RunningScript): readonly Seen[] => {
  const folder = commands[0]?.folder ?? ".";
  return writesTo.flatMap((target) => written(target, folder, `> ${target}`));
};

const danger = (id: string, title: string, severity: "high" | "medium", explanation: string, fix: string) => ({
  id,
  title,
  severity,
  verdict: "require_approval" as const,
  escapes: false,
  explanation,
  fix,
});

/** What changes the machine itself, or what runs on it later. */
export const machine: Family = {
  dangers: [
    danger(
      "shell.login_keys",
      "Keys for logging in",
      "high",
      "A line in authorized_keys lets its owner log in from anywhere.",
      "Ask a person to add the key.",
    ),
    danger(
      "shell.sudoers",
      "Who may act as root",
      "high",
      "A line in sudoers lets a user do everything on the machine.",
      "Ask a person to change it.",
    ),
    danger(
      "shell.startup_file",
      "Files whose commands run by themselves",
      "high",
      "Shell profiles, git hooks, editor settings and autostart folders run commands later, when nobody looks.",
      "Say what should be changed there, and let a person do it.",
    ),
    danger(
      "shell.system_file",
      "Files of the system",
      "high",
      "Folders such as /etc and /usr belong to the machine; a wrong line there breaks it or opens it.",
      "Keep to the workspace.",
    ),
    danger(
      "shell.raw_copy",
      "Copying raw blocks",
      "medium",
      "dd writes wherever it is told without asking; a wrong letter overwrites a disk.",
      "Use cp, or head -c for a piece of a file.",
    ),
    danger(
      "shell.schedule",
      "Commands that run later",
      "high",
      "crontab, at and timers run commands when nobody looks, and again and again.",
      "Use a tool for schedules, which people see.",
    ),
    danger(
      "shell.services",
      "Services of the machine",
      "high",
      "Stopping or starting services changes the machine for everybody on it.",
      "Ask a person to do it.",
    ),
    danger(
      "shell.kill_by_name",
      "Ending processes by name",
      "medium",
      "pkill -9 and killall -9 end every process with a name, without a chance to save.",
      "End the one process, by its number, and without -9.",
    ),
    danger(
      "shell.machine_setup",
      "How the machine is set up",
      "high",
      "Users, passwords, kernel modules, mounts and firewalls concern everybody on the machine.",
      "Ask a person to do it.",
    ),
  ],
  ofCommand: new Map<string, CommandCheck>([
    ...forNames(writers, ofWriter),
    ...forNames(copiers, ofCopier),
    ...targetChecks,
    ["sed", ofSed],
    ["dd", ofDd],
    ["gdd", ofDd],
    ...forNames(
      ["systemctl", "service", "rc-service", "launchctl", "sv", "initctl", "supervisorctl", "chkconfig", "update-rc.d"],
      ofService,
    ),
    ...forNames(["pkill", "killall", "skill"], ofKill),
    ["crontab", ofCrontab],
    ...forNames(["at", "batch", "systemd-run", "anacron", "incrontab", "fcrontab", "atrm"], schedules),
    ...forNames(
      "visudo useradd usermod userdel adduser deluser createuser groupadd groupmod passwd chpasswd chsh chfn gpasswd vipw vigr insmod rmmod modprobe sysctl mount umount swapoff swapon iptables ip6tables nft ufw firewall-cmd setenforce apparmor_parser hostnamectl timedatectl dmsetup losetup fdisk parted cfdisk sfdisk gdisk pvcreate vgcreate lvcreate cryptsetup update-grub grub-install efibootmgr alternatives update-alternatives kextload spctl csrutil launchd defaults nvram auditctl tc".split(
        " ",
      ),
      changesMachine,
    ),
    [
      "history",
      (command) =>
        argumentsOf(command).some((word) => /^-[a-z]*[cdw]/.test(word))
          ? seen("shell.machine_setup", "removes traces of what was run", command)
          : nothing,
    ],
  ]),
  ofScript,
};
