import { describe, expect, test } from "vitest";
import { examples, examplesByName } from "@/server/testing/guard/examples";
import { readShell } from "@/server/testing/guard/read-shell";
import { checkHardFloor } from "./check-hard-floor";
import { hardFloor } from "./hard-floor";

const detectorsOf = (command: string) => checkHardFloor(readShell(command)).map(({ detector }) => detector);

test.each([
  ...examplesByName({
    recursive_delete: examples`
      rm -rf / ¦ rm -fr / ¦ rm -r -f / ¦ rm -Rf / ¦ rm --recursive --force / ¦ rm --recurs / ¦ rm --no-preserve-root -rf / ¦ rm / -rf
      rm -rf -- / ¦ rm -rf /* ¦ rm -rf // ¦ rm -rf /./ ¦ rm -rf /tmp/.. ¦ rm -rf '/' ¦ rm -rf "/"* ¦ rm -rf /etc ¦ rm -rf /etc/
      rm -rf /etc/* ¦ rm -rf /e* ¦ rm -rf /et? ¦ rm -rf /[e]tc ¦ rm -rf /{bin,etc} ¦ rm -rf build /usr ¦ rm -rf /usr/lib
      rm -rf /var/lib/* ¦ rm -rf /home ¦ rm -rf /home/ada ¦ rm -rf /home/$USER ¦ rm -rf /root ¦ rm -rf ~ ¦ rm -rf ~/ ¦ rm -rf ~/*
      rm -rf ~/.* ¦ rm -rf ~ada ¦ rm -rf $HOME ¦ rm -rf "$HOME" ¦ rm -rf /$UNSET ¦ rm -rf /$UNSET/* ¦ X=/; rm -rf $X
      X=/etc; rm -rf $X/* ¦ export X=/; rm -rf $X ¦ x='rm -rf /'; $x ¦ for d in /bin /etc; do rm -rf $d; done ¦ {rm,-rf,/} ¦ r\m -rf /
      'rm' -rf / ¦ r''m -rf / ¦ $'\x72m' -rf / ¦ $(echo rm) -rf / ¦ $(which rm) -rf / ¦ "$(command -v rm)" -rf / ¦ $(type -p rm) -rf /
      x=rm; "$x" -rf / ¦ timeout --sig KILL 5 rm -rf / ¦ sudo --us root rm -rf / ¦ nsenter -r rm -rf / ¦ su --com='rm -rf /'
      su -mc'rm -rf /' ¦ env --sp='rm -rf /' ¦ mv /* /tmp/x ¦ mv -t /tmp/x /etc ¦ mv / x ¦ tar --remove-files -cf x.tar /
      tar --rem -cf x.tar /etc ¦ rsync -a --delete empty/ / ¦ rsync -a --remove-source-files /usr x/ ¦ env -C / rm -rf .
      env --chd=/etc rm -rf ./* ¦ sudo -D / rm -rf * ¦ rm -rf /{a..z}* ¦ . /dev/stdin <<< 'rm -rf /'
      source /proc/self/fd/0 <<< 'rm -rf /' ¦ /bin/rm -rf / ¦ cd / && rm -rf * ¦ cd /; rm -rf ./* ¦ cd /usr && rm -rf lib
      cd ../../../.. && rm -rf * ¦ rm -rf ../../../../../../* ¦ rm -rf ../../../../etc ¦ ls; rm -rf / ¦ false || rm -rf /
      sudo rm -rf / ¦ sudo -u root rm -rf / ¦ busybox rm -rf / ¦ echo / | xargs rm -rf ¦ xargs rm -rf <<< / ¦ find / -delete
      find / -type f -delete ¦ find ~ -exec rm -rf {} + ¦ find . -exec rm -rf / ';' ¦ sh -c "rm -rf /" ¦ bash -lc "rm -rf /"
      ls $(rm -rf /) ¦ cat <(rm -rf /) ¦ for x in a /; do rm -rf "$x"; done ¦ rm -rf {x},/} ¦ rm -rf {,}{,}{,}{,}{,}{,}{,}{/,x}
      f() { rm -rf /; }; f ¦ trap 'rm -rf /' EXIT ¦ rm -rf / ) ¦ ( rm -rf / ¦ rm -rf / 'unfinished ¦ ｒｍ -rf /
    `,
    kill_everything: examples`
      kill -9 01 ¦ kill -9 -01 ¦ kill -1 ¦ kill -9 -1 ¦ kill -KILL -1 ¦ kill -s KILL -1 ¦ kill -- -1 ¦ kill -9 -- -1 ¦ sudo kill -9 -1
      kill -9 1 ¦ killall5 -9 ¦ pkill -9 .
    `,
    fork_bomb: examples`
      f(){ g & g; }; g(){ f & f; }; f ¦ f(){ g | g; }; g(){ f; }; f ¦ f(){ g & }; g(){ h; }; h(){ f; f; }; f ¦ :(){ :|:& };:
      :() { : | : & }; : ¦ bomb() { bomb | bomb; }; bomb ¦ function b { b & b & }; b ¦ bash -c ":(){ :|:& };:"
    `,
    power: examples`
      systemctl -t service reboot ¦ systemctl --host h poweroff ¦ systemctl isolate poweroff.target ¦ systemctl start reboot.target
      echo b | tee /proc/sysrq-trigger ¦ echo b > /proc//sysrq-trigger ¦ cd /proc; echo b > sysrq-trigger
      dd if=x of=/proc/./sysrq-trigger ¦ cp x /proc/sysrq-trigger ¦ command reboot ¦ command -p reboot ¦ command -- reboot -v
      sudo -n reboot -l ¦ echo reboot | xargs -I{} {} ¦ printf 'a\nreboot\n' | xargs -I % sh -c % ¦ echo reboot | xargs -i sudo {}
      echo boot | xargs --replace=% re% ¦ parallel ::: reboot ¦ parallel sudo ::: reboot ¦ parallel {}oot ::: reb
      echo reboot | xargs -I% -i {} ¦ echo reboot | xargs -ti {} ¦ echo 'a reboot' | xargs -n1 sudo ¦ parallel {} ::: ls reboot ¦ reboot
      /sbin/reboot ¦ sudo reboot ¦ sudo -n reboot now ¦ doas poweroff ¦ env X=1 reboot ¦ env -i X=1 reboot ¦ env -S 'reboot now'
      X=1 reboot ¦ nohup reboot & ¦ nice -n 5 reboot ¦ timeout 5 reboot ¦ timeout -s KILL 5 reboot ¦ setsid reboot ¦ command reboot
      exec reboot ¦ sudo env nice timeout 5 reboot ¦ sh -c reboot ¦ sh -c "reboot" ¦ sh -c 'sh -c "reboot"' ¦ eval reboot
      eval 're''boot' ¦ echo reboot | sh ¦ printf 'rebo%s' ot | bash ¦ bash <<< reboot ¦ $(reboot) ¦ ls; reboot ¦ ls & reboot
      ls | reboot ¦ (reboot) ¦ if true; then reboot; fi ¦ while sleep 1; do reboot; done ¦ ! reboot ¦ r\eboot ¦ x=reboot; $x
      /sbin/reb*t ¦ cd /sbin && ./reboot ¦ halt -f ¦ shutdown -h now ¦ init 0 ¦ telinit 6 ¦ systemctl poweroff
      systemctl --force reboot ¦ echo b > /proc/sysrq-trigger ¦ xargs -n1 sudo <<< reboot ¦ watch -n 1 reboot ¦ su -c reboot
      find . -maxdepth 0 -exec reboot ';' ¦ kexec -e
    `,
    raw_device: examples`
      curl -o /dev/sda https://example.com ¦ curl -so/dev/sda https://example.com ¦ wget --output-d=/dev/sda https://example.com
      cp -t /dev/sda x ¦ cat x | sponge /dev/sda ¦ cd /dev; cat x > sda ¦ cd /dev && tee sda < x ¦ cd /dev; > sda
      nvme format /dev/nvme0n1 ¦ hdparm --security-erase x /dev/sda ¦ cryptsetup luksFormat /dev/sda1 ¦ parted -s /dev/sda mklabel gpt
      openssl enc -out /dev/sda ¦ dd if=/dev/zero of=/dev/sda ¦ dd of=/dev/nvme0n1 bs=1M ¦ dd of=/dev/../dev/sda
      dd of=/dev/mapper/root ¦ cat image | sudo dd of=/dev/mmcblk0 ¦ cat image > /dev/sda ¦ cat image >> /dev/sda
      cat image >| /dev/sda ¦ { cat image; } > /dev/vda ¦ > /dev/sda ¦ D=/dev/sda; cat image > $D ¦ cat image | tee /dev/sda
      cp image /dev/sda ¦ shred /dev/sd[a] ¦ wipefs -a /dev/sda ¦ blkdiscard /dev/nvme0n1
    `,
    make_file_system: examples`
      mkfs /dev/sda1 ¦ mkfs.ext4 /dev/vda ¦ sudo /sbin/mkfs.xfs -f /dev/sdb ¦ mke2fs /dev/sda1 ¦ mkswap /dev/sda2
    `,
  }),
  ["recursive_delete", `rm -rf \${HOME}/*`],
  ["recursive_delete", `rm -rf \${X:-/}`],
  ["recursive_delete", "ls `rm -rf /`"],
  ["recursive_delete", "x=; rm -rf ${x:-/}"],
  ["recursive_delete", "cat <<E\n$(rm -rf /)\nE"],
  ["recursive_delete", "rm \u001b[0m-rf /"],
  ["power", "sh <<E\nreboot\nE"],
  ["power", "`reboot`"],
  ["power", "echo `echo \\`reboot\\``"],
  ["power", "ls\nreboot"],
  ["power", "re\\\nboot"],
  ["power", "reboot\u2028ls"],
])("is never run, approved or not, as %s: %j", (what, command) => expect(detectorsOf(command)).toContain(`floor.${what}`));

describe("is never run, when it is handed on as text", () => {
  test.each([
    ...examplesByName({
      recursive_delete: examples`
        eval rm -rf / ¦ ssh host 'rm -rf /' ¦ ssh host rm -rf / ¦ python3 <<< "import os; os.system('rm -rf /')"
        node --eval 'require("fs").rmdirSync("/", { recursive: true })' ¦ deno eval "Deno.removeSync('/', { recursive: true })"
        awk 'BEGIN { "rm -rf /" | getline }' ¦ sed '1e rm -rf /' a.txt ¦ cd /; rm -rf * ¦ pushd /etc; rm -rf *
        find / -print0 | xargs -0 rm -rf ¦ rm -rf $(find /etc) ¦ cd /; find . -print0 | xargs -0 rm -rf
        docker run -v /:/h alpine rm -rf /h ¦ docker run --volume=/etc:/h alpine rm -rf /h/*
      `,
      power: examples`
        python3 -c 'import os; os.system("sudo reboot")' ¦ pm-suspend ¦ rtcwake -m mem -s 60 ¦ rtcwake --mode=off ¦ rtcwake --mode off
        qdbus --system org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager.PowerOff true
        echo mem > /sys/power/state
      `,
      raw_device: examples`
        perl -e 'system("dd if=/dev/zero of=/dev/sda")' ¦ pvremove /dev/sda
      `,
      system_rights: examples`
        chmod 000 / ¦ find / -exec chmod 000 {} +
      `,
      kill_everything: examples`
        kill -9 $(ps -e -o pid=) ¦ kill -9 $(ps -ef | awk '{print $2}') ¦ ps -eo pid | tail -n +2 | xargs -n1 kill -9 ¦ kill -9 $(pgrep .)
        kill -9 $(pgrep -u root) ¦ kill -9 $(pidof init) ¦ pkill --signal 9 -u root ¦ skill -9 -u root ¦ killall -9 systemd
        python3 -c 'import os; os.kill(-1, 9)' ¦ perl -e 'kill 9, -1' ¦ perl -e 'kill "KILL", -1;' ¦ node -e 'process.kill(-1, 9)'
        ruby -e 'Process.kill(9, -1)'
      `,
      fork_bomb: examples`
        while true; do bash -c '$0' & done ¦ python3 -c 'import os; [os.fork() for _ in iter(int, 1)]'
        php -r 'while (true) { pcntl_fork(); }'
      `,
    }),
    ["recursive_delete", "cat <<E | sh\nrm -rf /\nE"],
    ["recursive_delete", "sh <<-E\n\trm -rf /\n\tE"],
    ["recursive_delete", "python3 - <<'E'\nimport shutil\nshutil.rmtree('/')\nE"],
    ["recursive_delete", "node <<'E'\nrequire('child_process').spawn('rm', ['-rf', '/'])\nE"],
    ["kill_everything", "for p in /proc/[0-9]*; do kill -9 ${p#/proc/}; done"],
    ["fork_bomb", "python3 - <<'E'\nimport os\nwhile True:\n    os.fork()\nE"],
  ])("%s: %j", (what, command) => expect(detectorsOf(command)).toContain(`floor.${what}`));

  test.each([
    ...examples`
      eval rm -rf dist ¦ echo 'rm -rf dist' | sh ¦ ssh host 'rm -rf build' ¦ python3 <<< "print('rm -rf /')"
      kill -9 $(ps aux | grep node | awk '{print $2}') ¦ kill -9 $(ps aux | awk '/node/ {print $2}') ¦ kill -9 $(pgrep node)
      kill -9 $(pgrep -u root node) ¦ kill -9 $(ps -p 12 -o pid=) ¦ kill -9 $(lsof -ti :3000) ¦ for p in 1234 1235; do kill $p; done
      find / -name core | xargs rm ¦ find . -print0 | xargs -0 rm -rf ¦ docker run -v /:/h alpine ls /h
      docker run -v $PWD:/h alpine rm -rf /h ¦ chmod 000 secret ¦ python3 -c 'import os; os.kill(pid, 9)' ¦ node -e 'process.kill(1234)'
      perl -e 'kill 0, 1234' ¦ rtcwake -m no -s 60 ¦ cat /sys/power/state
    `,
    "cat <<'E' > x.sh\nrm -rf /\nE",
  ])("and is for the rules to decide: %j", (command) => expect(detectorsOf(command)).toEqual([]));
});

test.each([
  ...examples`
    echo reboot ¦ command -v reboot ¦ kill 0123 ¦ kill $((1 + 1)) ¦ f(){ g; }; g(){ f; }; f ¦ f(){ g & wait; }; g(){ ls; }; f
    f(){ f; }; g(){ ls & }; f; g ¦ systemctl -t service status reboot ¦ systemctl status reboot.target ¦ cat /proc/sysrq-trigger
    cd /dev; ls > /tmp/sda ¦ cd src; cat x > sda ¦ curl -o page.html https://example.com ¦ ls -o /dev/sda ¦ lsblk -o NAME /dev/sda
    nvme list /dev/nvme0n1 ¦ hdparm -I /dev/sda ¦ cryptsetup status /dev/sda1 ¦ parted /dev/sda print ¦ mv x /tmp ¦ mv ~/* x
    tar -cf x.tar /etc ¦ rsync -a /etc backup ¦ env -C build rm -rf ./* ¦ f(){ rm -rf "$1"; }; f build ¦ . /dev/stdin <<< 'ls'
    command -V shutdown ¦ command -v mkfs.ext4 ¦ command -p -v reboot ¦ sudo -l reboot ¦ echo "rm -rf /" ¦ printf 'rm -rf / \n'
    grep -r reboot /var/log ¦ grep 'rm -rf /' script.sh ¦ git commit -m "never rm -rf / again; reboot" ¦ man shutdown ¦ which reboot halt
    ls /sbin/reboot ¦ cat mkfs.txt ¦ ./reboot.sh ¦ ./reboot ¦ npm run shutdown ¦ sudo echo reboot ¦ sh -c 'echo reboot'
    echo reboot > notes.txt ¦ # reboot ¦ ls # reboot ¦ shutdown --help ¦ shutdown -c ¦ systemctl status nginx ¦ systemctl restart nginx
    service nginx reload ¦ init --help ¦ rm -rf build ¦ rm -rf ./build/* ¦ rm -rf * ¦ rm -rf . ¦ rm -rf node_modules dist
    rm -rf /tmp/work ¦ rm -rf /tmp/* ¦ rm -rf ~/project/build ¦ rm -rf $HOME/.cache/x ¦ rm -rf /home/ada/project/dist
    rm -rf /opt/app/releases/3 ¦ rm -rf /var/cache/app ¦ rm -rf /opt/$APP ¦ rm -rf /home/$USER/build ¦ rm -rf "$BUILD_DIR"/* ¦ rm -rf '~'
    rm -rf ../sibling ¦ rm -rf ../../etc ¦ rm / 2>/dev/null ¦ rm -f /etc/app.conf ¦ rm -i -- -rf / ¦ cd build && rm -rf *
    cd /tmp/x && rm -rf * ¦ find . -delete ¦ find / -name core -delete ¦ find /tmp -type f -delete ¦ ls -R /
    dd if=/dev/zero of=disk.img bs=1M count=1 ¦ dd if=/dev/sda of=backup.img ¦ cat x > /dev/null ¦ cat x >/dev/stdout 2>/dev/stderr
    cat x > /dev/fd/3 ¦ cp /dev/sda backup.img ¦ ls /dev/sda ¦ mkfs.ext4 --help ¦ lsblk | grep mkfs ¦ wipefs /dev/sda ¦ kill 1234
    kill -9 1234 ¦ kill -1 1234 ¦ kill -HUP 1234 ¦ kill -s HUP 1234 ¦ kill -l ¦ kill %1 ¦ pkill -f my-server ¦ killall node
    docker kill -s 9 app ¦ f() { f; } ¦ fib() { fib 1; fib 2; }; fib ¦ walk() { ls "$1" | while read d; do walk "$d"; done; }; walk .
    retry() { work || retry; }; retry ¦ a() { b & }; b() { ls; }; a ¦ timeout 5 ls ¦ env X=reboot ls ¦ X=reboot ls ¦ xargs ls <<< reboot
    case reboot in reboot) ls;; esac ¦ [ reboot = x ] ¦ [[ $x == reboot ]] ¦ for x in reboot; do echo $x; done
    awk '/reboot/ { print }' log ¦ ls 'unfinished
  `,
  "cat <<'E'\nreboot\nrm -rf /\nE",
  "",
  "   ",
])("is for the rules to decide: %j", (command) => expect(detectorsOf(command)).toEqual([]));

test.each([
  ["rm -rf /etc", "deletes the system folder /etc and everything in it", "rm -rf /etc"],
  ["mkfs /dev/sda", "makes a new file system over what is there", "mkfs /dev/sda"],
  ["dd of=/dev/sda", "writes to the device /dev/sda itself", "dd of=/dev/sda"],
  ["cat x > /dev/sda", "writes to the device /dev/sda itself", "/dev/sda"],
  ["echo b > /proc/sysrq-trigger", "controls the machine past its operating system", "/proc/sysrq-trigger"],
  ["bomb() { bomb | bomb; }; bomb", "defines bomb, which starts itself over and over", "bomb"],
  ["sudo reboot now", "stops or restarts the machine", "reboot now"],
  ["kill -9 -1", "ends every process of the machine", "kill -9 -1"],
])("%s: the finding says that it %s", (command, does, excerpt) => {
  const [finding] = checkHardFloor(readShell(command));
  expect(finding).toMatchObject({
    message: `This command ${does}. It is never run, approved or not: find another way, or leave it to a person.`,
    excerpt,
    fix: "Find another way, or leave it to a person.",
  });
  expect(finding?.explanation).toBe(Object.entries(hardFloor).find(([name]) => finding?.detector === `floor.${name}`)?.[1].explanation);
});

test("the list of what is always denied names and explains each of it", () => {
  expect(Object.entries(hardFloor).map(([name, { title }]) => `${name}: ${title}`)).toEqual([
    "recursive_delete: Deleting the system or a home folder",
    "system_rights: Changing rights of the system",
    "make_file_system: Making a new file system",
    "raw_device: Writing to a raw disk",
    "fork_bomb: Fork bomb",
    "power: Stopping the machine",
    "kill_everything: Ending every process",
  ]);
  for (const { explanation } of Object.values(hardFloor)) expect(explanation.length).toBeGreaterThan(20);
});

test("what is found twice in a command is told once, as it was seen first", () => {
  const found = checkHardFloor(readShell("rm -rf /etc; rm -rf /usr; reboot"));
  expect(found.map(({ detector, excerpt }) => [detector, excerpt])).toEqual([
    ["floor.recursive_delete", "rm -rf /etc"],
    ["floor.power", "reboot"],
  ]);
});

test.each(examples`
  echo b > /proc/sysrq-trigger.txt ¦ echo b > ./proc/sysrq-trigger ¦ echo b > /tmp/proc/sysrq-trigger
`)("%s writes to a file", (command) => expect(detectorsOf(command)).toEqual([]));

test.each([
  ["reb\u200boot", ["floor.power"]],
  ["reb\u0007oot", ["floor.power"]],
  ["rm\t-rf\t/", ["floor.recursive_delete"]],
  ["echo ä\nreboot", ["floor.power"]],
  ["echo ä\treboot", []],
  ["echo 'ä'; reb\u200boot", ["floor.power"]],
  ["echo ä", []],
])("what hides in %j is looked through", (command, detectors) => expect(detectorsOf(command)).toEqual(detectors));

test("a finding says what was seen, without its secrets, and what to do instead", () => {
  const [finding] = checkHardFloor(
    readShell("curl -H 'Authorization: Bearer abcdef123456789' x; sudo reboot --reason ghp_012345678901234567890123456789012345"),
  );
  expect(finding).toMatchObject({ detector: "floor.power", severity: "critical", verdict: "deny" });
  expect(finding?.message).toContain("never run, approved or not");
  expect(finding?.excerpt).toContain("reboot --reason");
  expect(finding?.excerpt).not.toContain("ghp_0123");
});
