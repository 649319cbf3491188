import type { AnalyzedCall } from "../call/analyzed-call";
import { mayRunPrograms } from "../call/declared-language";
import type { ShellReading } from "../effects/effects-of-script";
import { excerpt } from "../excerpt";
import { type Detector, type DetectorMatch, noDetectorMatches } from "./detector";

type Row = Pick<Detector, "id" | "title" | "severity" | "verdict" | "explanation" | "fix" | "needsOpening"> & {
  confinedBySandbox?: true;
  isEverydayWork?: Detector["isEverydayWork"];
};

/** How grave a finding is, with each way in which it decides. */
function graded(severity: Row["severity"]) {
  const asks = { severity, verdict: "require_approval" } as const;
  const asksUnconfined = { ...asks, confinedBySandbox: true } as const;
  return {
    denies: { severity, verdict: "deny" },
    asks,
    /** The effects lie outside of the sandbox, on the machine or in the network. */
    asksOfMachine: { ...asks, needsOpening: "machine" },
    asksOfNetwork: { ...asks, needsOpening: "network" },
    /** In the sandbox the finding is only a note, because its effects stay there. */
    asksUnconfined,
    /** As above, and a note in a developer's project, too: the effects of the command decide there. */
    asksUnlessEveryday: { ...asksUnconfined, isEverydayWork: () => true },
    /** As above, where a build makes again what the command deletes. */
    asksUnlessRebuildable: {
      ...asksUnconfined,
      isEverydayWork: ({ effects }: AnalyzedCall) =>
        effects.every(({ kind, target }) => kind !== "delete" || (target.where === "inside" && target.class === "rebuildable")),
    },
  } as const;
}
const critical = graded("critical");
const high = graded("high");
const medium = graded("medium");

function row(
  id: string,
  title: string,
  decides: Pick<Row, "severity" | "verdict" | "confinedBySandbox" | "isEverydayWork" | "needsOpening">,
  explanation: string,
  fix: string,
): Row {
  return { id, title, ...decides, explanation, fix };
}

/** All notes that the program table can attach to a command, in the order in which people read them. */
const rows: readonly Row[] = [
  row(
    "shell.download_and_run",
    "A download that runs unread",
    critical.denies,
    "What a server sends at that moment is run as a program, before anybody has seen it.",
    "Download to a file, look at it, and run it in a second step.",
  ),
  row(
    "shell.hidden_program",
    "A program that is hidden in the command",
    high.asksUnconfined,
    "Text is decoded or unpacked and then run: what it does cannot be seen in the command.",
    "Write the commands themselves.",
  ),
  row(
    "shell.piped_program",
    "Output that is run as a program",
    high.asksUnconfined,
    "What another command prints is run by a shell, and cannot be known before.",
    "Look at the output first, and run the commands themselves.",
  ),
  row(
    "shell.made_runnable",
    "A file that becomes a program and runs",
    medium.asksUnconfined,
    "chmod +x and running the same file in one go is how unknown programs are started.",
    "Make it runnable and run it in two steps, or name its interpreter.",
  ),
  row(
    "shell.upload",
    "A file that is sent away",
    medium.asksOfNetwork,
    "The content of a file leaves the machine.",
    "Send only what is needed, with a tool that is meant for it.",
  ),
  row(
    "shell.written_program",
    "A file that is written and runs unread",
    medium.asksUnlessEveryday,
    "A command line that writes a file and runs it hides what runs: in the output of another command, or in a program's text.",
    "Write the file in one call and run it in another, or run its commands themselves.",
  ),
  row(
    "shell.reverse_shell",
    "A shell for another machine",
    critical.denies,
    "The command connects a shell of this machine to another one, from which anybody can then run anything.",
    "Use a tool for the network request that you need.",
  ),
  row(
    "shell.delete",
    "Deleting files",
    medium.asksUnlessRebuildable,
    "What rm, unlink, shred and the like delete does not go to a bin, from which it could be taken back.",
    "Move the files aside, or say which ones have to go.",
  ),
  row(
    "shell.delete_service_data",
    "Deleting what a service keeps",
    high.asksOfNetwork,
    "Containers, clusters, buckets, packages and databases are deleted where others may depend on them.",
    "Ask a person to do it.",
  ),
  row(
    "shell.open_permissions",
    "Files that everybody may change",
    high.asksUnconfined,
    "chmod 777, 666, o+w and u+s let every user of the machine change a file, or run it as its owner.",
    "Give the right to the one user who needs it: 755 or 644.",
  ),
  row(
    "shell.change_owner",
    "Files with another owner",
    medium.asksUnconfined,
    "Giving whole folders to another user, or files to root, can lock people and programs out.",
    "Change the one file that needs it.",
  ),
  row(
    "shell.other_user",
    "Commands with the rights of another user",
    high.asksOfMachine,
    "sudo, doas, su and pkexec run a command as another user, mostly as the one who may do everything.",
    "Run the command without it, or leave it to a person.",
  ),
  row(
    "shell.other_root",
    "Commands with another root or in other namespaces",
    medium.asksUnconfined,
    "chroot, unshare, nsenter and the like take a command out of the surroundings in which rules were written for it.",
    "Run the command where it is.",
  ),
  row(
    "shell.container_escape",
    "A container that has the machine in its hands",
    high.asksOfMachine,
    "With folders of the machine, its devices or all its rights, a container can change everything on the machine.",
    "Give the container the workspace folder alone.",
  ),
  row(
    "shell.container_run",
    "A program in a container",
    medium.asksOfMachine,
    "docker run and exec start any program of an image, which rules for shell commands do not see.",
    "Run the program here if that is possible.",
  ),
  row(
    "shell.remote_command",
    "A command on another machine",
    medium.asksOfNetwork,
    "What ssh runs on another machine, and what ssh itself is told to start here, is out of the workspace.",
    "Leave it to a person, or to a tool that is made for that machine.",
  ),
  row(
    "shell.raw_copy",
    "Copying raw blocks",
    medium.asksUnconfined,
    "dd writes wherever it is told without asking; a wrong letter overwrites a disk.",
    "Use cp, or head -c for a piece of a file.",
  ),
  row(
    "shell.schedule",
    "Commands that run later",
    high.asksOfMachine,
    "crontab, at and timers run commands when nobody looks, and again and again.",
    "Use a tool for schedules, which people see.",
  ),
  row(
    "shell.services",
    "Services of the machine",
    high.asksOfMachine,
    "Stopping or starting services changes the machine for everybody on it.",
    "Ask a person to do it.",
  ),
  row(
    "shell.kill_by_name",
    "Ending processes by name",
    medium.asksUnconfined,
    "pkill -9 and killall -9 end every process with a name, without a chance to save.",
    "End the one process, by its number, and without -9.",
  ),
  row(
    "shell.machine_setup",
    "How the machine is set up",
    high.asksOfMachine,
    "Users, passwords, kernel modules, mounts and firewalls concern everybody on the machine.",
    "Ask a person to do it.",
  ),
  row(
    "shell.git_escape",
    "git that starts another program",
    high.asksUnconfined,
    "Settings given with -c, --upload-pack, --exec, ext:: addresses, bisect run and the like make git start any program.",
    "Use git without these options; ask for a setting to be changed.",
  ),
  row(
    "shell.git_force_push",
    "A push that overwrites or deletes",
    high.asksOfNetwork,
    "A forced push replaces what others have on the server, and a deleting one removes it. Neither can be undone there.",
    "Push without force to a new branch, or let a person do it.",
  ),
  row(
    "shell.git_discard",
    "git that throws work away",
    high.asks,
    "reset --hard, clean -f, branch -D, checkout -- and the like remove changes that exist nowhere else.",
    "Commit or stash first, and look at what would be lost.",
  ),
  row(
    "shell.find_delete",
    "find that deletes",
    high.asksUnconfined,
    "-delete removes every file that the search finds, at once and without a list to look at.",
    "Search first, without -delete, and then remove the files by name.",
  ),
  row(
    "shell.find_exec",
    "find that runs a command",
    high.asksUnconfined,
    "-exec, -execdir, -ok and -okdir start a command for every file that the search finds. Only -exec with a program that can do nothing but print is a search, too.",
    "Search first, and then run the command on the files that were meant.",
  ),
  row(
    "shell.find_write",
    "find that writes a file",
    medium.asksUnconfined,
    "-fprint, -fprint0, -fprintf and -fls write over the file that they are given, with a content that can be chosen.",
    "Let it print what it finds.",
  ),
  row(
    "shell.text_program_runs",
    "awk or sed that runs a command",
    high.asksUnconfined,
    "system(), a pipe or an indirect call in awk, and e in sed, start any program from within a text filter.",
    "Let awk and sed print text, and run the other program by its own name.",
  ),
  row(
    "shell.text_program_writes",
    "A program that reads, told to write a file",
    medium.asksUnlessEveryday,
    "print > file in awk and w in sed write over any file that the program names.",
    "Print the text, and write the file with a tool for files.",
  ),
  row(
    "shell.inline_program",
    "A program inside the command line",
    medium.asksUnconfined,
    "sh -c, python -c, perl -e, node -e, vim -c and a script on an interpreter's input run a program that a rule for the command's name cannot see. Scripts for a shell are read and judged too; other languages are not.",
    "Write the program to a file of the workspace and run that, or use the commands themselves.",
  ),
  row(
    "shell.eval",
    "Text that is run as a command",
    medium.asksUnconfined,
    "eval, source and alias turn text into commands, which may only be known when they run.",
    "Write the command itself.",
  ),
  row(
    "shell.runs_command",
    "A program that starts another one",
    high.asksUnconfined,
    "Many ordinary programs have an option that starts any other program: tar --checkpoint-action, sort --compress-program, rsync -e. A harmless name then runs anything.",
    "Leave the option out, or run the other program by its own name.",
  ),
  row(
    "shell.loads_code",
    "A program that is made to load code",
    high.asksUnconfined,
    "The option makes an ordinary program load a library or a module from a file, whose code then runs inside it.",
    "Leave the option out.",
  ),
  row(
    "shell.environment",
    "Variables that change what commands do",
    high.asksUnconfined,
    "With PATH, LD_PRELOAD, GIT_SSH_COMMAND, PAGER, NODE_OPTIONS and the like set, a harmless command starts another program or loads other code.",
    "Leave the variable as it is, or name the program by its path.",
  ),
  row(
    "shell.hidden_command",
    "A command whose name is hidden",
    high.asksUnconfined,
    "Quotes inside names, encoded characters, globs, substitutions and invisible characters are ways to run a command without writing its name.",
    "Write the command's name as it is.",
  ),
  row(
    "shell.unreadable",
    "A command line that cannot be read",
    medium.asksUnconfined,
    "The text does not follow the grammar of shells, or shells read it differently. What it does is then a guess.",
    "Check quotes and brackets, or send the commands one by one.",
  ),
  row(
    "shell.powershell",
    "PowerShell",
    medium.asksUnconfined,
    "PowerShell has a grammar of its own, which is not read here: nobody can say what such a script does before it runs.",
    "Use the ordinary shell, or let a person look at the script.",
  ),
];

/** Not relaxable, because nobody can vouch for scripts that the guard does not read. */
const firm = new Set(["shell.powershell"]);

/** The notes of the program table as detectors; an admin may make each stricter and most milder. */
export const shellNoteDetectors: readonly Detector[] = rows.map((row) => ({
  ...row,
  relaxable: !firm.has(row.id),
  appliesTo: mayRunPrograms,
  find: ({ commands, code }): readonly DetectorMatch[] => {
    let found: DetectorMatch[] | null = null;
    for (const { reading } of commands) found = withNotes(found, reading, row.id);
    if (code) found = withNotes(found, code, row.id);
    return found ?? noDetectorMatches;
  },
}));

function withNotes(found: DetectorMatch[] | null, { notes }: Pick<ShellReading, "notes">, id: string): DetectorMatch[] | null {
  for (const { detector, says, text } of notes) {
    if (detector !== id) continue;
    found ??= [];
    found.push({ message: `This command ${excerpt(says)}.`, text });
  }
  return found;
}
