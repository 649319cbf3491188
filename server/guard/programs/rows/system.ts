import { connects, elevates, loadsCode, type Program, type ProgramSpec, program, readsUnknown, runsAnother, runsUnknown } from "../program";
import {
  changes,
  changesMachine,
  ends,
  endsNamed,
  looks,
  machine,
  plansJobs,
  schedules,
  showsEnvironments,
  signals,
  verb,
} from "../special/system";
import { documentPrograms } from "./documents";

const stopsMachine = elevates("shell.machine_setup", "stops or restarts the machine");

/** The command of `tmux new -d 'npm start'`: a single word is a script, several words are a command. */
const startsInside: ProgramSpec = {
  operands: ["text"],
  valued: { "-s -t -n -x -y -F -l -p": "text", "-c": "lists", "-e": "text" },
  special: ({ parsed, role, run }) => {
    const [first, ...rest] = parsed.operands;
    if (first && rest.length === 0) role("script", first);
    else run(parsed.operands);
  },
};

/** Programs that inspect or change the machine, or run other programs in the background. */
export const systemPrograms: readonly Program[] = [
  looks(
    "free uptime uname whoami id groups logname users who w last lastlog arch nproc getconf locale tty lscpu lsblk lsusb lspci lsmod lsns lslocks lsmem findmnt blkid vmstat iostat mpstat sar pidstat numactl hwinfo lshw inxi sw_vers getent uuidgen mcookie tput clear reset stty usleep sync printenv pstree pidof pmap ipcs sensors acpi",
  ),
  looks("ps", {
    special: showsEnvironments,
    valued: { "-o -p -u -U -C -G -t --sort --format --ppid": "text" },
    flags: { "-E": [readsUnknown] },
  }),
  looks("top htop btop", { valued: { "-o -p -u -U -C -G -t -d -n --sort --format --ppid": "text" } }),
  looks("neofetch fastfetch", { valued: { "--config -c": "executes" } }),
  looks("jot nologin"),
  looks("watchman fswatch inotifywait inotifywatch", {
    operands: ["lists"],
    recursive: "-r --recursive",
    valued: { "-e -t --format --exclude --include --timefmt": "text", "-o --outfile": "writes" },
  }),
  program("hostname domainname dnsdomainname", {
    operands: ["text"],
    special: ({ parsed, does }) => void (parsed.operands.length > 0 && does(changesMachine)),
    valued: { "-F --file -b": { role: "reads", does: [changesMachine] } },
  }),
  program("lsof", { operands: ["lists"], valued: { "-i -p -u -c -g -d -s -T -S -F -r": "text", "+D +d": "lists" } }),
  program("fuser", { operands: ["lists"], flags: { "-k --kill": [signals] }, valued: { "-n --namespace": "text" } }),
  program("ss netstat", {
    valued: { "-f -A -p": "text", "-F -D --filter --diag": "reads" },
    flags: { "-K --kill": [changesMachine], "-p": [] },
  }),
  program("ip", {
    valued: { "-b -batch": runsAnother, "-n -netns -f -family -rc": "text" },
    wordOptions: true,
    special: ({ parsed, does, run }) => {
      const [object, action, name, ...rest] = parsed.operands;
      if (object?.value === "netns" && action?.value === "exec" && name) run(rest);
      else if (object && action && !/^(?:s|sh|show|l|ls|list|g|get|help|monitor|save)/.test(action.value)) does(changesMachine, action);
    },
  }),
  program("ifconfig iwconfig ethtool arp route bridge", machine(/^(?:-[anve]+|[\w.:]+|-[a-z] [\w.:]+)$/)),
  program("dmesg", {
    flags: { "-c -C --clear --read-clear -D -E": [changesMachine] },
    valued: { "-l -f -n -s --level --facility --since --until": "text", "-F --file": "reads" },
  }),
  program("journalctl", {
    valued: {
      "-u --unit -n --lines -o --output -S --since -U --until -p --priority -t --identifier -g --grep -k -b -M --field -F -i": "text",
      "-D --directory --file --root": "reads",
    },
    flags: { "--vacuum-size --vacuum-time --vacuum-files --rotate --flush": [changesMachine], "-k": [], "-b": [] },
  }),
  program("man info apropos whatis help tldr cheat", {
    valued: {
      "-P --pager -H --html --preprocessor": runsAnother,
      "-M --manpath -C --config-file": "reads",
      "-s -S -k -f -K -m -L -p --sections": "text",
    },
  }),
  program("ldd", { operands: ["reads"] }),
  program("objdump readelf otool addr2line c++filt dwarfdump", {
    operands: ["reads"],
    valued: { "-j -M -m -b --section --start-address --stop-address -x -p -e --disassemble": "text" },
    flags: { "-x -p": [] },
  }),
  program("kill", { special: ends, wordOptions: true, valued: { "-s -n --signal -q": "text" } }),
  program("pkill killall skill", {
    special: endsNamed,
    valued: { "-s --signal -u --euid -U --user -g -G -P -t -F -o": "text" },
    flags: { "-o": [] },
  }),
  program("crontab", {
    special: plansJobs,
    valued: { "-u": "text" },
    flags: { "-r": [{ kind: "delete", target: { where: "outside" }, irreversible: true }] },
  }),
  program("at batch anacron incrontab fcrontab", {
    does: [schedules],
    valued: { "-f": "executes", "-q -t -u --unit --on-calendar": "text" },
    runsInput: () => true,
    isShell: true,
  }),
  program("atq", {}),
  program("atrm", { does: [schedules] }),
  program("systemctl", {
    special: verb(/^(?:status|show|cat|help|list-[\w-]+|is-[\w-]+|get-default|show-environment)$/),
    valued: { "-p --property -t --type --state -n --lines -o --output -H --host -M --machine -s --signal --root": "text" },
  }),
  program("service rc-service", { special: verb(/^status$/, 1), flags: { "--status-all": [] } }),
  program("launchctl loginctl supervisorctl initctl sv rc-update chkconfig pm2", {
    special: verb(
      /^(?:list|print|blame|status|avail|session-status|user-status|show[\w-]*|list-[\w-]+|--list|ls|logs|prettylist|jlist|info|describe|tail)$/,
    ),
  }),
  changes(
    "useradd usermod userdel adduser deluser groupadd groupmod groupdel passwd chpasswd chsh chfn gpasswd visudo vipw vigr insmod rmmod umount swapoff setenforce setcap apparmor_parser losetup dmsetup fdisk parted cfdisk sfdisk gdisk sgdisk wipefs mkswap mke2fs mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs fsck e2fsck resize2fs tune2fs blkdiscard hdparm cryptsetup pvcreate vgcreate lvcreate lvremove vgremove zfs zpool btrfs mdadm update-grub grub-install efibootmgr kextload csrutil nvram auditctl tc ifup ifdown dhclient wg-quick openvpn",
  ),
  program("modprobe", { does: [changesMachine], valued: { "-C --config": { role: "reads", does: [loadsCode] } } }),
  program("mount", machine(/^(?:-l|-t \w+)$/)),
  program("swapon", machine(/^(?:-s|--show|--summary)/)),
  program("sysctl", machine(/^(?:-[anNbeq]+ ?|-n [\w.]+|[\w.]+)(?:[\w. ]*)$/)),
  program(
    "iptables ip6tables nft ufw firewall-cmd pfctl",
    machine(/^(?:-n |-t \w+ )*(?:-L|-S|--list|status|list|show|app list|--state|-sr)\b(?!.*-[FAIDXPZ])/),
  ),
  program(
    "hostnamectl timedatectl localectl bootctl networkctl nmcli sestatus getenforce update-alternatives alternatives",
    machine(/^(?:status|show|list|--display|--list|--query|device|connection show|list-[\w-]+)/),
  ),
  program("reboot shutdown poweroff halt init telinit", { does: [stopsMachine] }),
  program("defaults", machine(/^(?:read|find|domains)/)),
  program("tmux", {
    valued: { "-f": "executes", "-L -S -T": "text", "-c": "script" },
    subcommands: {
      "ls list-sessions lsw list-windows lsp list-panes lsc list-clients list-keys lscm list-commands info has has-session show show-options display display-message capturep capture-pane attach attach-session a switch-client select-window select-pane rename-window rename-session detach":
        {},
      "new new-session neww new-window splitw split-window respawnw respawn-window respawnp respawn-pane": startsInside,
      "kill-session kill-window kill-pane kill-server": { does: [signals] },
      "source source-file": { operands: ["executes"] },
      "run run-shell": { operands: ["script"] },
    },
    otherwise: { does: [runsAnother] },
  }),
  program("screen", {
    operands: ["command"],
    valued: { "-S -t -T -r -x -d -p -h -e": "text", "-c": "executes", "-X": runsAnother, "-Logfile": "writes" },
    flags: { "-d -r -x": [] },
  }),
  program("xdotool ydotool wmctrl", { does: [runsAnother] }),
  program("notify-send say spd-say espeak beep", { operands: ["text"], valued: { "-f": "reads", "-o -w": "writes" } }),
  program("screencapture scrot gnome-screenshot grim", {
    operands: ["writes"],
    does: [{ kind: "read", target: { where: "outside", class: "sensitive" } }],
    valued: { "-f": "writes" },
  }),
  program("pbpaste xclip xsel wl-paste", {
    operands: ["reads"],
    does: [{ kind: "read", target: { where: "outside" } }],
    valued: { "-selection -t -target -d -o": "text" },
    flags: { "-o": [] },
  }),
  program("pbcopy wl-copy", { does: [{ kind: "write", target: { where: "outside" } }] }),
  program("code cursor windsurf subl zed idea codium", {
    operands: ["reads"],
    does: [runsAnother],
    valued: { "--install-extension": { role: "text", does: [loadsCode, connects] } },
  }),
  program("claude codex gemini aider opencode amp copilot llm ollama", { does: [runsUnknown, connects], operands: ["text"] }),
  ...documentPrograms,
];
