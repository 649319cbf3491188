import { connects, connectsTo, elevates, type Program, program, runsAnother, runsFolderCode, runsUnknown } from "../program";
import { otherUser, records, runsAsOther, runsBehindDashes, runsForUser, runsInEnvironment, traces } from "../special/wrappers";
import { joined } from "../special/xargs-and-parallel";
import { perArgumentPrograms } from "./xargs-and-parallel";

const otherRoot = elevates("shell.other_root", "runs in other surroundings: another root, or other namespaces");

/** Programs that run a command given in their words. */
export const wrapperPrograms: readonly Program[] = [
  program("sudo", {
    optionsFirst: true,
    special: runsAsOther,
    folderOption: "-D --chdir",
    valued: {
      "-u -g -p -C -D -h -R -r -T -t -U --user --group --prompt --chdir --host --chroot --role --type --other-user --close-from": "text",
    },
  }),
  program("sudoedit", { does: [otherUser], operands: ["writes"], valued: { "-u -g -p": "text" } }),
  program("doas dzdo", { does: [otherUser], operands: ["command"], valued: { "-u -C -a": "text" } }),
  program("pkexec", { does: [otherUser], operands: ["command"], valued: { "--user": "text" } }),
  program("gosu su-exec setuidgid", { does: [otherUser], operands: ["text", "command"] }),
  program("su sg newgrp", {
    does: [otherUser],
    valued: { "-c --command --session-command": "script", "-s --shell": "executes", "-g -G -w --group": "text" },
  }),
  program("runuser", {
    does: [otherUser],
    special: runsForUser,
    valued: { "-c --command --session-command": "script", "-s --shell": "executes", "-u --user -g -G -w --group --supp-group": "text" },
  }),
  program("run0", {
    does: [otherUser],
    operands: ["command"],
    folderOption: "-D --chdir",
    valued: { "-u -g -D --user --group --nice --chdir --unit --property --slice --machine --setenv --background": "text" },
  }),
  program("env", {
    optionsFirst: true,
    special: runsInEnvironment,
    folderOption: "-C --chdir",
    valued: { "-u --unset -C --chdir -S --split-string": "text" },
  }),
  program("nohup setsid chronic unbuffer eatmydata catchsegv linux32 linux64 dbus-run-session busybox toybox", {
    operands: ["command"],
    isTransparent: true,
  }),
  program("nice", { operands: ["command"], isTransparent: true, valued: { "-n --adjustment": "text" } }),
  program("ionice", { operands: ["command"], isTransparent: true, valued: { "-c --class -n --classdata -p --pid -P -u": "text" } }),
  program("caffeinate", { operands: ["command"], isTransparent: true, valued: { "-t -w": "text" } }),
  program("timeout", { operands: ["text", "command"], isTransparent: true, valued: { "-k --kill-after -s --signal": "text" } }),
  program("stdbuf", { operands: ["command"], isTransparent: true, valued: { "-i -o -e --input --output --error": "text" } }),
  program("time", { operands: ["command"], isTransparent: true, valued: { "-f --format": "text", "-o --output": "writes" } }),
  program("chrt", { operands: ["text", "command"], isTransparent: true, valued: { "-T -P -D": "text" } }),
  program("taskset faketime", { operands: ["text", "command"], isTransparent: true }),
  program("prlimit", { operands: ["command"], isTransparent: true, valued: { "-p --pid -o --output": "text" } }),
  program("tini dumb-init systemd-inhibit systemd-cat", {
    operands: ["command"],
    isTransparent: true,
    valued: { "-p -e -r -t --identifier --priority --what --who --why --mode": "text" },
  }),
  program("xvfb-run", {
    operands: ["command"],
    isTransparent: true,
    valued: { "-n --server-num -s --server-args -w --wait -p": "text", "-e --error-file -f --auth-file": "writes" },
  }),
  program("fakeroot", { operands: ["command"], valued: { "-l --lib --faked": runsAnother, "-i": "reads", "-s": "writes", "-b": "text" } }),
  program("ssh-agent", { operands: ["command"], isTransparent: true, valued: { "-a -E -t -O": "text", "-P": runsAnother } }),
  ...perArgumentPrograms,
  program("watch", {
    optionsFirst: true,
    special: ({ parsed, role }) => role("script", joined(parsed.operands)),
    valued: { "-n --interval -q --equexit": "text", "-s --shotsdir": "writes" },
  }),
  program("hyperfine", {
    operands: ["script"],
    valued: {
      "-p --prepare -s --setup -c --cleanup --conclude --reference": "script",
      "-w --warmup -r --runs -m --min-runs -M --max-runs -P --parameter-scan -D --parameter-step-size -L --parameter-list --style --sort -u --time-unit -n --command-name --output":
        "text",
      "--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode": "writes",
      "--input": "reads",
      "-S --shell": runsAnother,
    },
  }),
  program("flock", {
    operands: ["writes", "command"],
    isTransparent: true,
    valued: { "-w --timeout --wait -E --conflict-exit-code": "text", "-c --command": "script" },
  }),
  program("script", {
    operands: ["writes", "command"],
    special: records,
    valued: {
      "-c --command": "script",
      "-T --log-timing -I --log-in -O --log-out -B --log-io": "writes",
      "-m -o -E --echo --logging-format --output-limit": "text",
    },
    runsInput: (args) => !args.some(({ value }) => /^-\w*c|^--c/.test(value)),
  }),
  program("chroot", { does: [otherRoot], operands: ["lists", "command"], valued: { "--userspec --groups": "text" } }),
  program("unshare", {
    does: [otherRoot],
    operands: ["command"],
    valued: { "-R -S -G -w --root --wd --setuid --setgid --propagation": "text" },
  }),
  program("nsenter", { does: [otherRoot], operands: ["command"], valued: { "-t -S -G --target --setuid --setgid": "text" } }),
  program("setpriv", {
    does: [otherRoot],
    operands: ["command"],
    valued: { "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig": "text" },
  }),
  program("firejail proot", { does: [otherRoot], operands: ["command"], valued: { "-r -b -w -q": "text" } }),
  program("aa-exec", { does: [otherRoot], operands: ["command"], valued: { "-p -n --profile --namespace": "text" } }),
  program("bwrap capsh systemd-nspawn arch-nspawn machinectl toolbox distrobox flatpak-spawn", { does: [otherRoot, runsUnknown] }),
  program("systemd-run", {
    does: [elevates("shell.services", "has systemd run a command, out of reach of the sandbox")],
    operands: ["command"],
    valued: {
      "-p -u -E -H -M -G -d --property --setenv --unit --on-active --on-calendar --on-boot --uid --gid --slice --description --working-directory":
        "text",
    },
  }),
  program("strace", {
    does: [runsAnother],
    operands: ["command"],
    special: traces,
    valued: { "-o --output": "writes", "-e -p -s -u -P -a -A -b -E -I -S -X -O --trace --attach --user --env --string-limit": "text" },
  }),
  program("ltrace", {
    does: [runsAnother],
    operands: ["command"],
    special: traces,
    valued: { "-o --output": "writes", "-e -p -s -u -a -A -D -F -l -n -w -x": "text" },
  }),
  program("valgrind", {
    operands: ["command"],
    does: [runsAnother],
    valued: { "--log-file --xml-file --massif-out-file --callgrind-out-file --cachegrind-out-file": "writes", "--suppressions": "reads" },
  }),
  program("gdb lldb rr", { does: [runsAnother] }),
  program("perf", {
    subcommands: {
      "record stat trace": {
        operands: ["command"],
        does: [runsAnother],
        valued: {
          "-o --output": "writes",
          "-e --event -F --freq -c --count -p --pid -t --tid -C --cpu -G --cgroup -r --repeat -D --delay --call-graph -x -m -u": "text",
        },
      },
      "report annotate script diff evlist": {
        valued: { "-i --input": "reads", "-o --output": "writes", "-s --script -g --gen-script": runsAnother },
      },
      "list version": {},
    },
  }),
  program("direnv", { subcommands: { exec: { operands: ["lists", "command"], does: [runsFolderCode] }, "status version help": {} } }),
  program("doppler infisical", {
    subcommands: {
      run: {
        operands: ["command"],
        does: [connects],
        valued: {
          "-p -c -t --project --config --token --mount --env --path --projectId --name-transformer": "text",
          "--command": "script",
          "--fallback": "writes",
        },
      },
    },
  }),
  program("op", {
    subcommands: {
      run: { operands: ["command"], does: [connectsTo("my.1password.com")], valued: { "--env-file": "configures", "--account": "text" } },
    },
  }),
  program("aws-vault", {
    subcommands: {
      exec: {
        operands: ["text", "command"],
        does: [connectsTo("sts.amazonaws.com")],
        valued: { "-d --duration -n -t --mfa-token --region --prompt": "text" },
      },
    },
  }),
  program("dotenv dotenvx env-cmd", {
    subcommands: { run: { operands: ["command"], valued: { "-f --env-file -e --env": "configures" } } },
    otherwise: { does: [runsUnknown] },
    valued: { "-f --file -e --env-file": "configures", "-v -c -p": "text" },
    special: runsBehindDashes,
  }),
];
