import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ["sudo cat a", "elevate outside; read inside a; !shell.other_user"],
  ["sudo rm -rf x", "elevate outside; delete inside x recursive; !shell.other_user; !shell.delete"],
  ["sudo -l", ""],
  ["sudo -k", ""],
  ["sudo -e a", "elevate outside; write inside a; !shell.other_user"],
  [
    "sudo -u bob LD_PRELOAD=x.so ls src",
    "elevate outside; execute not_known; read names inside src; !shell.other_user; !shell.environment",
  ],
  ['sudo "$x=1" ls', "execute not_known; elevate outside; !shell.not_followed; !shell.other_user; !shell.hidden_command"],
  ["sudo -s", "elevate outside; !shell.other_user"],
  ["su - bob -c 'rm a'", "delete inside a; elevate outside; !shell.delete; !shell.other_user"],
  ["runuser -u bob ls -la src", "elevate outside; read names inside src; !shell.other_user"],
  ["runuser bob -c 'rm a'", "delete inside a; elevate outside; !shell.delete; !shell.other_user"],
  ["env LC_ALL=C ls src", "read names inside src"],
  ["env - ls src", "read names inside src"],
  ["env A-B ls", "execute not_known"],
  ["env", ""],
  ['env -S "cat a" b', "read inside a; read inside b"],
  ['env -S "cat $x" b', "execute not_known; !shell.eval"],
  ["env -C /srv cat data", "read names outside /srv; read outside /srv/data"],
  ["cd /srv && env -C sub cat data", "read names outside /srv; read names outside /srv/sub; read outside /srv/sub/data"],
  ["timeout 5 cat a", "read inside a"],
  ["timeout $x cat a", "execute not_known; read inside a; !shell.not_followed; !shell.hidden_command"],
  ["for x in '5 cp a'; do nice -n $x ls; done", "execute not_known; read names inside .; !shell.not_followed"],
  ["(rm() { :; }); rm a", "delete inside a; !shell.delete"],
  ["nice -10 cat a", "read inside a"],
  ["ionice -t cat a", "read inside a"],
  ["nohup", ""],
  ["watch -n 1 cat a", "read inside a"],
  ["flock -n lock -c 'rm a'", "delete inside a; write inside lock; !shell.delete"],
  ["script -q out", "execute not_known; write inside out; !shell.runs_command"],
  ["script -c 'rm a' out", "delete inside a; write inside out; !shell.delete"],
  ["echo x | script", "execute not_known; !shell.runs_command; !shell.piped_program"],
  ["strace -o out ls", "write inside out; execute not_known; read names inside .; !shell.runs_command"],
  ["strace -o '|sh' ls", "write inside |sh; execute not_known; read names inside .; !shell.runs_command"],
  ["chroot /srv ls", "elevate outside; read names outside /srv; read names inside .; !shell.other_root"],
  ["bwrap ls", "elevate outside; execute not_known; !shell.other_root"],
  ["systemd-run ls", "elevate outside; read names inside .; !shell.services"],
  ["perf stat ls", "execute not_known; read names inside .; !shell.runs_command"],
  ["perf foo", "execute not_known"],
  ["direnv exec . ls", "execute inside; read names inside .; !shell.written_program"],
  ["op run -- cat a", "connect outside my.1password.com; read inside a"],
  ["dotenv -e a cat b", "read inside a; read inside b; execute not_known"],
  ["dotenv run cat b", "read inside b"],
  ["sshpass -f a cat b", "read inside a; read inside b"],
];

it.each(commands)("%s: a command inside a command has its own effects, and those of its wrapper", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});
