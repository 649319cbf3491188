import { describe, expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { readShell } from "@/server/testing/guard/read-shell";
import { checkHardFloor } from "./check-hard-floor";

const detectorsOf = (command: string) => checkHardFloor(readShell(command)).map(({ detector }) => detector);

describe("stopping the machine is denied", () => {
  test.each(examples`
    reboot ¦ shutdown +5 ¦ halt ¦ poweroff ¦ /sbin/re*t ¦ /sbin/r?boot ¦ /sbin/ha* ¦ /sbin/*lt ¦ reboot my--help ¦ reboot --help-me
    init 6 ¦ init --verbose 0 ¦ telinit 0 ¦ systemctl reboot ¦ systemctl -i poweroff ¦ systemctl halt ¦ systemctl kexec
    systemctl soft-reboot ¦ systemctl emergency ¦ systemctl rescue ¦ systemctl default ¦ systemctl exit ¦ loginctl poweroff
    systemctl isolate runlevel0.target ¦ systemctl --no-wall restart runlevel6.target ¦ systemctl start nginx systemd-reboot.service
    kexec -e ¦ kexec --exec ¦ kexec -f -e
  `)("%s", (command) => expect(detectorsOf(command)).toEqual(["floor.power"]));
  test.each(examples`
    reboot --help ¦ reboot --version ¦ shutdown -c ¦ shutdown --show ¦ /sbin/* ¦ /sbin/r* ¦ rebooter ¦ rebot ¦ init 3 ¦ init 16 ¦ init 60
    init ¦ telinit q ¦ systemctl ¦ systemctl status reboot ¦ systemctl is-default ¦ systemctl defaults ¦ systemctl pre-reboot
    loginctl list-sessions ¦ systemctl isolate runlevel3.target ¦ systemctl start my-reboot.target ¦ systemctl start reboot.target.d
    systemctl start my-systemd-reboot.service ¦ systemctl start systemd-reboot.service.d ¦ systemctl try-restart reboot.target
    systemctl started reboot.target ¦ systemctl -t reboot.target start nginx ¦ kexec -l image ¦ kexec --executable ¦ kexec x-e ¦ run -e
    service --exec
  `)("but not %s", (command) => expect(detectorsOf(command)).toEqual([]));
});

describe("ending every process of the machine is denied", () => {
  test.each(examples`
    kill -1 ¦ kill 1 ¦ kill -- -1 ¦ kill -- 1 ¦ kill -9 -1 ¦ kill -9 1234 1 ¦ kill -9 -- -1 ¦ kill -KILL 1 ¦ kill -s KILL -1
    kill -s KILL -- -1 ¦ kill -n 9 -1 ¦ kill --signal KILL -1 ¦ kill --signal=KILL -1 ¦ kill -slow -1 ¦ kill 1 1234 ¦ kill %job-l 1
    killall5 ¦ pkill . ¦ pkill '.*' ¦ pkill -9 '.+' ¦ pkill '^' ¦ pkill '$' ¦ pkill '' ¦ killall -r . ¦ killall -9 -vr '.*'
    killall --regexp '.*'
  `)("%s", (command) => expect(detectorsOf(command)).toEqual(["floor.kill_everything"]));
  test.each(examples`
    kill ¦ kill 1234 ¦ kill -1 1234 ¦ kill -s 1 1234 ¦ kill -n 1 1234 ¦ kill --signal 1 1234 ¦ kill -l 1 ¦ kill -L -1 ¦ kill --list=1 1
    kill --table 1 ¦ kill 11 -11 ¦ pkill node ¦ pkill a. ¦ pkill .b ¦ killall . ¦ killall node -x ¦ killall -r node ¦ killall x-r .
    killall --regexp-not . ¦ killall -rx . ¦ stop -r . ¦ stop -1
  `)("but not %s", (command) => expect(detectorsOf(command)).toEqual([]));
});
