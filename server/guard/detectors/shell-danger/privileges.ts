import { isLongOption } from "../../shell/long-option";
import { argumentsOf, type CommandCheck, type Family, forNames, nothing, operandsOf, seen } from "./danger";

const openMode = /^[0-7]?[0-7]{0,2}[2367]$|(^|,)[ugoa]*[oa][ugoa]*[+=][rxX]*w|(^|,)[+=][rxX]*w/;
const specialMode = /^0?[2467][0-7]{3}$|[+=][rwxXt]*s/;

const ofChmod: CommandCheck = (command) => {
  const mode =
    argumentsOf(command).find((word) => /^[0-7]{3,5}$|^[ugoa]*[-+=][rwxXstugo]*(,|$)/.test(word) && !/^-[Rvcf]+$/.test(word)) ?? "";
  if (specialMode.test(mode)) return seen("shell.open_permissions", `lets everybody run a file with its owner's rights (${mode})`, command);
  return openMode.test(mode) ? seen("shell.open_permissions", `lets everybody change a file (${mode})`, command) : nothing;
};

const ofChown: CommandCheck = (command) => {
  const recursive = argumentsOf(command).some((word) => /^-[a-zA-Z]*R/.test(word) || isLongOption(word, "--recursive"));
  const root = operandsOf(command).some((word) => /^(root|0)?:?(root|0)(:.*)?$|^(root|0):/.test(word));
  return recursive || root ? seen("shell.change_owner", "gives files another owner", command) : nothing;
};

const elevates = (command: Parameters<CommandCheck>[0]) =>
  argumentsOf(command).some((word) => /^(--version|--help|-V|-l|--list|-k|-K|-v)$/.test(word)) && operandsOf(command).length === 0
    ? nothing
    : seen("shell.other_user", `runs with the rights of another user (${command.name})`, command);

/** A folder of the machine as the first part of a mount: its root, what belongs to the system or to a user. */
const machineFolder =
  /^(-v|--volume=?|--mount=?)?(type=bind,.*(source|src)=)?\/(:|,|etc|root|var\/run|proc|dev|home|usr)?(:|,|\/|$)|docker\.sock|^~|^\$HOME|^\/~/;
const opening = /^--(privileged|cap-add|device|security-opt)/;
const namespaces = /^--(?:pid|net|network|ipc|uts|userns|cgroupns)(?:=(.*))?$/;

const ofContainer: CommandCheck = (command) => {
  const args = argumentsOf(command);
  if (!args.some((word) => /^(run|create|exec|container)$/.test(word))) return nothing;
  const isOpen = args.some((word, at) => {
    const isMount = /^(-v|--volume|--mount)$/.test(args[at - 1] ?? "") || /^(-v|--volume=|--mount=)/.test(word);
    const namespace = namespaces.exec(word);
    return opening.test(word) || (isMount && machineFolder.test(word)) || (namespace !== null && (namespace[1] ?? args[at + 1]) === "host");
  });
  return isOpen
    ? seen("shell.container_escape", "starts a container that has the machine in its hands", command)
    : seen("shell.container_run", "runs a program in a container", command);
};

const asks = { verdict: "require_approval" } as const;

/** Rights: of files, of users, of containers. */
export const privileges: Family = {
  dangers: [
    {
      ...asks,
      id: "shell.open_permissions",
      title: "Files that everybody may change",
      severity: "high",
      escapes: false,
      explanation: "chmod 777, 666, o+w and u+s let every user of the machine change a file, or run it as its owner.",
      fix: "Give the right to the one user who needs it: 755 or 644.",
    },
    {
      ...asks,
      id: "shell.change_owner",
      title: "Files with another owner",
      severity: "medium",
      escapes: false,
      explanation: "Giving whole folders to another user, or files to root, can lock people and programs out.",
      fix: "Change the one file that needs it.",
    },
    {
      ...asks,
      id: "shell.other_user",
      title: "Commands with the rights of another user",
      severity: "high",
      escapes: true,
      explanation: "sudo, doas, su and pkexec run a command as another user, mostly as the one who may do everything.",
      fix: "Run the command without it, or leave it to a person.",
    },
    {
      ...asks,
      id: "shell.other_root",
      title: "Commands with another root or in other namespaces",
      severity: "medium",
      escapes: true,
      explanation: "chroot, unshare, nsenter and the like take a command out of the surroundings in which rules were written for it.",
      fix: "Run the command where it is.",
    },
    {
      ...asks,
      id: "shell.container_escape",
      title: "A container that has the machine in its hands",
      severity: "high",
      escapes: true,
      explanation: "With folders of the machine, its devices or all its rights, a container can change everything on the machine.",
      fix: "Give the container the workspace folder alone.",
    },
    {
      ...asks,
      id: "shell.container_run",
      title: "A program in a container",
      severity: "medium",
      escapes: true,
      explanation: "docker run and exec start any program of an image, which rules for shell commands do not see.",
      fix: "Run the program here if that is possible.",
    },
    {
      ...asks,
      id: "shell.remote_command",
      title: "A command on another machine",
      severity: "medium",
      escapes: true,
      explanation: "What ssh runs on another machine, and what ssh itself is told to start here, is out of the workspace.",
      fix: "Leave it to a person, or to a tool that is made for that machine.",
    },
  ],
  ofCommand: new Map<string, CommandCheck>([
    ["chmod", ofChmod],
    ["chown", ofChown],
    ["chgrp", ofChown],
    ...forNames(["setcap", "setfacl", "chattr", "chcon"], (command) =>
      seen("shell.open_permissions", "changes who may do what with a file", command),
    ),
    ...forNames(
      ["sudo", "doas", "su", "pkexec", "runuser", "sudoedit", "gosu", "su-exec", "dzdo", "sg", "newgrp", "setpriv", "capsh"],
      elevates,
    ),
    ...forNames(
      [
        "chroot",
        "unshare",
        "nsenter",
        "bwrap",
        "firejail",
        "lxc",
        "lxc-attach",
        "systemd-nspawn",
        "arch-nspawn",
        "machinectl",
        "ctr",
        "runc",
        "crun",
        "nerdctl",
        "aa-exec",
        "proot",
      ],
      (command) => seen("shell.other_root", `takes a command to other surroundings (${command.name})`, command),
    ),
    ["docker", ofContainer],
    ["podman", ofContainer],
    [
      "kubectl",
      (command) =>
        argumentsOf(command).some((word) => /^(exec|attach|debug|cp|run|proxy|port-forward)$/.test(word))
          ? seen("shell.remote_command", "runs a command in a cluster", command)
          : nothing,
    ],
    ...forNames(["ssh", "rsh", "rlogin", "rexec", "mosh", "autossh", "sshpass", "pssh", "pdsh", "psexec", "winrm", "slsh"], (command) =>
      /^-V$/.test(argumentsOf(command).join(" ")) ? nothing : seen("shell.remote_command", "runs a command on another machine", command),
    ),
  ]),
};
