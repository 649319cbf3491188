import { systemFolderOf } from "../../floor/system-folders";
import { argumentsOf, type CommandCheck, type Family, forNames, nothing, operandsOf, seen } from "./danger";

const ofRm: CommandCheck = (command) => {
  const args = argumentsOf(command);
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  const recursive = options.some((word) => /^-[a-zA-Z]*[rR]|^--r/.test(word));
  if (options.some((word) => /^--(help|version)$/.test(word))) return nothing;
  return recursive
    ? seen("shell.delete_recursively", "deletes folders with everything in them", command)
    : seen("shell.delete", "deletes files", command);
};

const deletes =
  (what: string): CommandCheck =>
  (command) =>
    seen("shell.delete", what, command);

const deletesInDatabase =
  (what: string): CommandCheck =>
  (command) =>
    argumentsOf(command).every((word) => /^(-V|-\?|--(help|version))$/.test(word)) && argumentsOf(command).length > 0
      ? nothing
      : seen("shell.delete_service_data", what, command);

/** Services in which words after the command's name delete what is kept there. */
const remote: Record<string, RegExp> = {
  "docker-compose": /\bdown .*(-v|--volumes)/,
  docker: /^((system|volume|image|container|network|builder) (prune|rm)|rm|rmi|compose .*down .*(-v|--volumes))\b/,
  podman: /^((system|volume|image|container|network) (prune|rm)|rm|rmi)\b/,
  kubectl: /^(delete|drain|replace --force)\b/,
  helm: /^(delete|uninstall)\b/,
  terraform: /^(destroy|apply .*-destroy|state rm)\b/,
  tofu: /^(destroy|apply .*-destroy|state rm)\b/,
  pulumi: /^destroy\b/,
  aws: /\b(rm|rb|delete-[a-z-]+|terminate-instances|deregister-[a-z-]+)\b/,
  gcloud: /\bdelete\b/,
  gsutil: /^(rm|rb)\b/,
  az: /\bdelete\b/,
  heroku: /(destroy|pg:reset)/,
  gh: /^(repo|release|secret|issue|variable|workflow|run|cache|gist) delete\b/,
  npm: /^(unpublish|deprecate|owner rm)\b/,
  cargo: /^(yank|owner)\b/,
  "redis-cli": /\b(flushall|flushdb|shutdown)\b/i,
  mysqladmin: /\b(drop|shutdown)\b/,
  etcdctl: /^del\b/,
  rabbitmqctl: /^(delete_\w+|purge_queue|reset|force_reset|clear_\w+)\b/,
  consul: /^(kv delete|services deregister)\b/,
  vault: /^(delete|kv (delete|destroy|metadata delete)|(secrets|auth) disable|lease revoke)\b/,
  nats: /^(stream|consumer|kv|object) (rm|del|delete|purge)\b/,
  pg_dropcluster: /./,
  rsync: /--(delete|remove-source-files)/,
  rclone: /^(delete|purge|sync|cleanup|rmdirs?)\b/,
  mc: /^(rm|rb)\b/,
  zfs: /^(destroy|rollback)\b/,
  zpool: /^(destroy|labelclear)\b/,
  lvremove: /./,
  vgremove: /./,
  btrfs: /subvolume delete/,
  virsh: /^(destroy|undefine|vol-delete)\b/,
  apt: /^(remove|purge|autoremove)\b/,
  "apt-get": /^(remove|purge|autoremove)\b/,
  dnf: /^(remove|erase|autoremove)\b/,
  yum: /^(remove|erase|autoremove)\b/,
  pacman: /^-R/,
};

/** What the words may mean from their first operand on: an option before it may take the next word for its value, or not. */
function afterOptions(args: readonly string[]): string[] {
  const starts = new Set([0]);
  for (const at of starts) {
    const word = args[at];
    if (!word?.startsWith("-")) continue;
    starts.add(at + 1);
    if (!word.includes("=")) starts.add(at + 2);
  }
  return [...starts].map((at) =>
    args
      .slice(at, at + maxServiceWords)
      .join(" ")
      .slice(0, maxServiceChars),
  );
}

const maxServiceWords = 50;
const maxServiceChars = 2_000;

/** Commands that delete. */
export const deletion: Family = {
  dangers: [
    {
      id: "shell.delete",
      title: "Deleting files",
      severity: "medium",
      verdict: "require_approval",
      escapes: false,
      explanation: "What rm, unlink, shred and the like delete does not go to a bin, from which it could be taken back.",
      fix: "Move the files aside, or say which ones have to go.",
    },
    {
      id: "shell.delete_recursively",
      title: "Deleting folders with everything in them",
      severity: "high",
      verdict: "require_approval",
      escapes: false,
      explanation: "rm -r deletes whole folders at once; a wrong name or an empty variable makes that a lot.",
      fix: "Name the files, or move the folder aside.",
    },
    {
      id: "shell.delete_service_data",
      title: "Deleting what a service keeps",
      severity: "high",
      verdict: "require_approval",
      escapes: false,
      explanation: "Containers, clusters, buckets, packages and databases are deleted where others may depend on them.",
      fix: "Ask a person to do it.",
    },
  ],
  ofCommand: new Map<string, CommandCheck>([
    ...forNames(["rm", "grm", "srm", "trash-empty"], ofRm),
    ["rimraf", (command) => seen("shell.delete_recursively", "deletes folders with everything in them", command)],
    ["del", deletes("deletes files")],
    ["unlink", deletes("deletes a file")],
    ["shred", deletes("overwrites files so that nobody can restore them")],
    ["wipe", deletes("overwrites files so that nobody can restore them")],
    [
      "truncate",
      (command) =>
        /(^|\s)(-c?s|--s(?:ize|iz|i)?)[\s=]*[0-9</-]/.test(argumentsOf(command).join(" "))
          ? seen("shell.delete", "cuts a file off", command)
          : nothing,
    ],
    [
      "mv",
      (command) =>
        operandsOf(command).at(-1) === "/dev/null" ? seen("shell.delete", "moves files to where they are gone", command) : nothing,
    ],
    [
      "rmdir",
      (command) =>
        operandsOf(command).some((target) => systemFolderOf(target, command.folder) !== null)
          ? seen("shell.delete_recursively", "removes a system folder", command)
          : nothing,
    ],
    ["dropdb", deletesInDatabase("deletes a database")],
    ["dropuser", deletesInDatabase("deletes a user of databases")],
    ...Object.entries(remote).map(([name, pattern]): [string, CommandCheck] => [
      name,
      (command) =>
        afterOptions(argumentsOf(command)).some((text) => pattern.test(text))
          ? seen("shell.delete_service_data", "deletes what a service keeps", command)
          : nothing,
    ]),
  ]),
};
