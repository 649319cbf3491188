import { arch } from "node:os";

/** Lets a Perl program make a system call by its number: x86_64, arm64. */
const call = (numbers: readonly [number, number], args: string) =>
  `perl -e 'my $r = syscall(${numbers[arch() === "arm64" ? 1 : 0]}, ${args}); print "tried $!\\n"; print "TAKEN\\n" if $r != -1'`;
const connect = (to: string) => `perl -MSocket -e '${to} print "tried\\n"; if (connect($s, $a)) { print "TAKEN\\n" }'`;
const unixSocket = (file: string) => `socket(my $s, AF_UNIX, SOCK_STREAM, 0); my $a = pack_sockaddr_un(${file});`;
const tcpSocket = (host: string, port: string) =>
  `socket(my $s, AF_INET, SOCK_STREAM, 0) or die; alarm 3; my $a = pack_sockaddr_in(${port}, inet_aton("${host}"));`;

export type TheftCommand = {
  command: string;
  /** Whether the same line takes something outside of the sandbox, which shows that it would notice. Harmless there. */
  takesOutside?: true;
};

/**
 * Each line prints "tried", and "TAKEN" or the secret where it got what it should not. `{data}` is the data folder, `{workspace}`
 * the workspace's id, `{other}` another conversation's; `{pid}` and `{port}` are the server's; `{abstract}` names a socket.
 */
export const theftCommands: Record<string, TheftCommand> = {
  "reads the secret key in the data folder": { command: "cat {data}/secret-key; echo tried", takesOutside: true },
  "lists the data folder": { command: "ls {data} | grep -q secret-key && echo TAKEN; echo tried", takesOutside: true },
  "reads the secret key beside its own folder by ..": { command: "cat ../../../../secret-key; echo tried", takesOutside: true },
  "reads another conversation's files": {
    command: "cat ../{other}/notes.txt {data}/workspaces/{workspace}/conversations/{other}/notes.txt; echo tried",
    takesOutside: true,
  },
  "lists other conversations": { command: "ls .. | grep -q {other} && echo TAKEN; echo tried", takesOutside: true },
  "reads /tmp of another conversation": {
    command: "cat /tmp/../{data}/sandbox/tmp/{other}/draft {data}/sandbox/tmp/{other}/draft; echo tried",
    takesOutside: true,
  },
  "reads the file behind a link planted before": { command: "cat planted; cat planted-folder/secret-key; echo tried", takesOutside: true },
  "reads environments of other processes": {
    command: "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep THIEF_SECRET; echo tried",
    takesOutside: true,
  },
  "reads the server's environment by its number": { command: "cat /proc/{pid}/environ; echo tried", takesOutside: true },
  "finds the environment that the sandbox was made with": {
    command: "cat /proc/1/environ /proc/self/environ | tr '\\0' '\\n' | grep -E 'PATH=.*node_modules|DATABASE_URL|THIEF'; echo tried",
  },
  "reads the server's memory": { command: "head -c 10 /proc/{pid}/maps && echo TAKEN; echo tried", takesOutside: true },
  "sees processes of the machine": { command: "test -e /proc/{pid} && echo TAKEN; echo tried", takesOutside: true },
  "gets out by /proc/self/root": { command: "cat /proc/self/root/{data}/secret-key; echo tried", takesOutside: true },
  "gets out by the root of process 1": { command: "cat /proc/1/root/{data}/secret-key /proc/1/cwd/../../../../secret-key; echo tried" },
  "gets out by an open folder": {
    command: "for fd in /proc/self/fd/* /proc/1/fd/*; do cat $fd/secret-key $fd/../secret-key; done; echo tried",
  },
  "connects to a socket in the data folder": { command: connect(unixSocket('"{data}/sock"')), takesOutside: true },
  "connects to an abstract socket": { command: connect(unixSocket('"\\0{abstract}"')), takesOutside: true },
  "connects to our port on loopback": { command: connect(tcpSocket("127.0.0.1", "{port}")), takesOutside: true },
  "connects to the cloud's metadata": { command: connect(tcpSocket("169.254.169.254", "80")) },
  "connects to a public address": { command: connect(tcpSocket("1.1.1.1", "443")) },
  "opens a socket to the host of a virtual machine": { command: `perl -e 'print "tried\\n"; print "TAKEN\\n" if socket(my $s, 40, 1, 0)'` },
  "opens a packet socket": { command: `perl -e 'print "tried\\n"; print "TAKEN\\n" if socket(my $s, 17, 3, 0)'` },
  "signals the server": { command: "kill -0 {pid} && echo TAKEN; echo tried", takesOutside: true },
  // It ends its own shell, too, and with that the sandbox: nothing printed afterwards is sure to arrive.
  "signals everybody": { command: "echo tried; kill -TERM -1" },
  "traces a process": { command: call([101, 117], "16, 1, 0, 0") },
  "asks to be traced": { command: call([101, 117], "0, 0, 0, 0"), takesOutside: true },
  "reads another process's memory": { command: call([310, 270], "1, 0, 0, 0, 0, 0") },
  "takes another process's open file": { command: call([438, 438], "0, 0, 0") },
  "makes a user namespace": { command: call([272, 97], "0x10000000"), takesOutside: true },
  "makes a mount namespace": { command: "unshare -Urm true && echo TAKEN; echo tried", takesOutside: true },
  "makes a user namespace by clone": {
    command: `perl -e 'my $p = syscall(${arch() === "arm64" ? 220 : 56}, 0x10000000 | 17, 0, 0, 0, 0); exit 0 if $p == 0; print "tried\\n"; print "TAKEN\\n" if $p > 0'`,
    takesOutside: true,
  },
  "joins a namespace": { command: "nsenter --net=/proc/1/ns/net true && echo TAKEN; echo tried" },
  "mounts a file system": {
    command:
      "mount -t tmpfs none /tmp && echo TAKEN; mount --bind / /tmp && echo TAKEN; mount -o remount,rw /usr && echo TAKEN; echo tried",
  },
  "mounts by the newer calls": { command: call([430, 430], 'my $type = "tmpfs", 0') },
  unmounts: { command: "umount -l /etc && echo TAKEN; umount -l /proc && echo TAKEN; echo tried" },
  "changes its root": { command: call([161, 51], 'my $folder = "/tmp"') },
  "loads a program into the kernel": { command: call([321, 280], "0, 0, 0") },
  "watches events of the kernel": { command: call([298, 241], "0, 0, -1, -1, 0") },
  "handles page faults of others": { command: call([323, 282], "0") },
  "makes a ring for the kernel's input and output": { command: call([425, 425], "8, 0") },
  "uses the kernel's keys": { command: call([250, 219], "0, -3, 1"), takesOutside: true },
  "opens a file by its handle": { command: call([304, 265], "0, 0, 0") },
  "changes the personality": { command: call([135, 92], "0x0040000"), takesOutside: true },
  "sets the clock": { command: "date -s 2030-01-01 && echo TAKEN; echo tried" },
  "has a capability": { command: "grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status | grep -v 0000000000000000 && echo TAKEN; echo tried" },
  "may become more by a program": { command: "grep -q 'NoNewPrivs:.*1' /proc/self/status || echo TAKEN; echo tried", takesOutside: true },
  "runs without a filter of system calls": {
    command: "grep -q 'Seccomp:.*2' /proc/self/status || echo TAKEN; echo tried",
    takesOutside: true,
  },
  "becomes root by a setuid program": { command: "su -c 'echo TAKEN' </dev/null; sudo -n echo TAKEN; echo tried" },
  "leaves a setuid program": {
    command:
      "cp /bin/true planted-suid; chmod u+s planted-suid && echo TAKEN; chmod 4755 planted-suid; chmod g+s planted-suid; perl -e 'use Fcntl; sysopen(my $f, \"made-suid\", O_CREAT|O_WRONLY, 04755)'; test -u planted-suid && echo TAKEN; test -g planted-suid && echo TAKEN; test -u made-suid && echo TAKEN; echo tried",
    takesOutside: true,
  },
  "makes a device file": { command: "mknod disk b 254 0 && echo TAKEN; mknod memory c 1 1 && echo TAKEN; echo tried" },
  "closes the devices of the machine for everybody": {
    command: "chmod 600 /dev/null && test $(id -u) != 0 && echo TAKEN; chmod 600 /dev/urandom; echo tried; test -w /dev/null || echo TAKEN",
  },
  "writes the kernel's settings": {
    command: "cat /proc/sys/kernel/core_pattern > kept; (cat kept > /proc/sys/kernel/core_pattern) && echo TAKEN; echo tried",
  },
  "writes anything in /proc/sys": { command: "find /proc/sys -type f -writable | head -1 | grep . && echo TAKEN; echo tried" },
  "asks the kernel for a crash": { command: "test -w /proc/sysrq-trigger && echo TAKEN; echo tried" },
  "reads the kernel's memory": {
    command:
      "for f in /proc/kcore /dev/mem /dev/kmem /proc/kpageflags /proc/kmsg; do head -c1 $f | grep -q . && echo TAKEN; done; echo tried",
  },
  "reaches control groups or devices": {
    command:
      "ls /sys/fs/cgroup /sys/devices && echo TAKEN; ls /dev/sd* /dev/vd* /dev/disk /dev/fuse /dev/kvm /dev/net && echo TAKEN; echo tried",
  },
  "writes programs of the system": { command: "(echo x > /usr/bin/thief) && echo TAKEN; (echo x > /bin/sh) && echo TAKEN; echo tried" },
  "writes /etc": {
    command:
      "(echo x >> /etc/passwd) && echo TAKEN; (echo x > /etc/ld.so.preload) && echo TAKEN; (echo x > /etc/alternatives/x) && echo TAKEN; echo tried",
  },
  "writes beside the folders that it has": {
    command: "for d in / /run /var/tmp /dev /home .. ../..; do (echo x > $d/thief) && echo TAKEN; done; echo tried",
  },
  "reads the machine's users and keys": {
    command:
      "cat /etc/shadow /etc/gshadow /etc/ssl/private/* /root/.ssh/* /etc/ssh/* | grep . && echo TAKEN; grep -v -E '^(root|agent|nobody):' /etc/passwd && echo TAKEN; echo tried",
  },
  "finds other software or homes of the machine": {
    command: "ls -A /home /root /var/lib /opt /srv /mnt /run/user | grep . && echo TAKEN; echo tried",
  },
  "writes a hook of git": {
    command: "(echo x > .git/hooks/pre-commit) && echo TAKEN; (echo x > .git/hooks/post-commit) && echo TAKEN; echo tried",
    takesOutside: true,
  },
  "puts another .git in the place of the first": {
    command: "mv .git elsewhere && echo TAKEN; rm -rf .git/hooks && echo TAKEN; echo tried",
  },
  "changes git's settings": {
    command:
      "git config core.hooksPath /tmp && echo TAKEN; (echo x >> .git/config) && echo TAKEN; chmod 777 .git/config && echo TAKEN; echo tried",
  },
  "reads a sensitive file": {
    command: "cat .env nested/.env; cp .env copy && cat copy; ln .env linked && cat linked; chmod 644 .env; cat .env; echo tried",
    takesOutside: true,
  },
  "moves a sensitive file to read it": { command: "mv .env moved; cat moved; mv nested away; cat away/.env; mv away nested; echo tried" },
  "reads what a sensitive folder holds": { command: "cat .ssh/id_thief; ls .ssh | grep . && echo TAKEN; echo tried" },
};
