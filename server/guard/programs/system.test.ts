import { describe, expect, it } from "vitest";
import { effectLines } from "@/server/testing/effect-lines";
import { listOf } from "@/server/testing/list-of";

const table: readonly [command: string, effects: string][] = [
  ...listOf(`
    ps aux ¦ ps -ef ¦ ps -p 1 -o pid,etime ¦ hostname ¦ lsof -i :3000 ¦ ss -tlnp ¦ ip addr ¦ ip route show ¦ ip link set eth0 down
    ifconfig ¦ journalctl -u nginx -n 50 ¦ man ls ¦ kill -l ¦ killall -l ¦ crontab -l ¦ atq ¦ systemctl status nginx ¦ systemctl
    service nginx status ¦ launchctl list ¦ passwd --help ¦ mount ¦ mount -l ¦ sysctl -a ¦ sysctl kernel.hostname ¦ iptables -L -n
    ufw status ¦ timedatectl ¦ swapon --show ¦ defaults read x ¦ tmux ls ¦ tmux new -s a ¦ screen -ls ¦ notify-send hi /x ¦ man
    ffmpeg -i ¦ ip
  `).map((given) => [given, ""] as const),
  ...listOf(`
    hostname x ¦ ss -K ¦ ifconfig eth0 down ¦ dmesg -C ¦ journalctl --vacuum-size=1M ¦ useradd x ¦ mount /dev/sda1 /mnt ¦ sysctl -w a=b
    iptables -F ¦ ufw enable ¦ hostnamectl set-hostname x ¦ mkfs.ext4 /dev/sda1 ¦ reboot ¦ ip netns exec
  `).map((given) => [given, "elevate outside; !shell.machine_setup"] as const),
  ["ps eww", "read not_known"],
  ["ps auxe", "read not_known"],
  ["ps -E", "read not_known"],
  ["lsof +D ../x", "read names inside +D; read names outside ../x"],
  ["fuser -k 3000/tcp", "signal inside; read names inside 3000/tcp"],
  ["ip netns exec a rm x", "delete inside x; !shell.delete"],
  ["ip -batch x", "execute not_known; !shell.runs_command"],
  ["man -P x ls", "execute not_known; !shell.runs_command"],
  ["ldd /usr/bin/node", "read outside /usr/bin/node"],
  ["objdump -d ../x", "read outside ../x"],
  ["kill 1234", "signal inside"],
  ["kill -9 1234", "signal inside"],
  ["kill -s KILL 12", "signal inside"],
  ["pkill -f my-server", "signal inside"],
  ["pkill -9 node", "signal inside; !shell.kill_by_name"],
  ["killall -s KILL node", "signal inside; !shell.kill_by_name"],
  ["crontab ../x", "schedule outside; read outside ../x; !shell.schedule"],
  ["crontab -r", "delete outside irreversible; schedule outside; !shell.schedule"],
  ["at now", "schedule outside; execute not_known; !shell.schedule"],
  ["systemctl restart nginx", "elevate outside; !shell.services"],
  ["systemctl $x", "elevate outside; !shell.services"],
  ["service nginx restart", "elevate outside; !shell.services"],
  ["supervisorctl restart x", "elevate outside; !shell.services"],
  ["modprobe -C x y", "read inside x; execute not_known; elevate outside; !shell.loads_code; !shell.machine_setup"],
  ["tmux new -d 'rm -rf x'", "delete inside x recursive; !shell.delete"],
  ["tmux new-session -d rm x", "delete inside x; !shell.delete"],
  ["tmux send-keys x Enter", "execute not_known; !shell.runs_command"],
  ["tmux kill-server", "signal inside"],
  ["tmux run-shell 'rm x'", "delete inside x; !shell.delete"],
  ["tmux source-file x", "execute inside x; !shell.written_program"],
  ["screen -dmS a rm x", "delete inside x; !shell.delete"],
  ["xdotool key a", "execute not_known; !shell.runs_command"],
  ["screencapture ../a.png", "read outside; write outside ../a.png"],
  ["pbpaste", "read outside"],
  ["code .", "execute not_known; read inside .; !shell.runs_command"],
  ["code --install-extension x", "execute not_known; connect not_known; !shell.loads_code; !shell.runs_command"],
  ["claude -p hi", "execute not_known; connect not_known"],
  ["inotifywait -r ../x", "read names outside ../x recursive"],
  ["ffmpeg -y -i in.mp4 -vf scale=1280:720 -c:v libx264 ../out.mp4", "read inside in.mp4; write outside ../out.mp4"],
  ["ffmpeg -i https://example.com/a.mp4 -", "connect outside example.com"],
  ["ffmpeg -i 'concat:a|../b' out.mp3", "read inside a; read outside ../b; write inside out.mp3"],
  ["ffmpeg -f lavfi -i 'movie=/x' o.mp4", "read not_known; write inside o.mp4"],
  ["ffmpeg -i subfile,,x o.mp4", "read inside subfile,,x; read not_known; write inside o.mp4"],
  [
    "ffmpeg -i a -filter_complex_script ../x -passlogfile ../y o.mp4",
    "read inside a; read outside ../x; write outside ../y; write inside o.mp4",
  ],
  ["ffmpeg -i a -vf subtitles=/x o.mp4", "read inside a; read not_known; write inside o.mp4"],
  ["ffmpeg -f lavfi -i testsrc rtmp://example.com/x", "send outside example.com"],
  ["ffprobe -v error ../a.mp4", "read outside ../a.mp4"],
  ["convert a.png -resize 100x100! b.png", "read inside a.png; write inside b.png"],
  ["convert ../a.png png:../b", "read outside ../a.png; write outside ../b"],
  ["convert label:@../x b.png", "read outside ../x; write inside b.png"],
  ["convert xc:red b.png", "write inside b.png"],
  ["convert '|id' b.png", "execute not_known; write inside b.png; !shell.runs_command"],
  ["identify ../a.png", "read outside ../a.png"],
  ["magick identify a.png b.png", "read inside a.png; read inside b.png"],
  ["mogrify -resize 50% a.png ../b.png", "write inside a.png; write outside ../b.png"],
  ["convert -size 10x10 gradient: b.png", "write inside b.png"],
  ["exiftool ../a.jpg", "read outside ../a.jpg"],
  ["exiftool -Artist=x ../a.jpg", "write outside ../a.jpg"],
  ["exiftool -if 'x' a.jpg", "execute not_known; read inside a.jpg; !shell.inline_program"],
  ["exiftool -w txt a.jpg", "write inside txt; read inside a.jpg; write inside ."],
  ["pdftotext ../a.pdf ../b.txt", "read outside ../a.pdf; write outside ../b.txt"],
  ["pdfinfo a.pdf", "read inside a.pdf"],
  ["qpdf a.pdf ../b.pdf", "read inside a.pdf; write outside ../b.pdf"],
  ["tesseract a.png ../out -l eng", "read inside a.png; write outside ../out"],
  ["gs -sOutputFile=../x a.ps", "write outside ../x; execute inside a.ps; !shell.written_program"],
  ["gs -o../x a.ps", "write outside ../x; execute inside a.ps; !shell.written_program"],
  ["libreoffice --headless --convert-to pdf --outdir ../x a.docx", "write outside ../x; write inside .; read inside a.docx"],
  ["libreoffice macro:///x", "write inside .; execute not_known; read inside macro:/x; !shell.runs_command"],
  ["jupyter nbconvert a.ipynb", "execute inside; write inside .; read inside nbconvert; read inside a.ipynb; !shell.written_program"],
  ["wkhtmltopdf https://example.com ../a.pdf", "connect outside example.com; write outside ../a.pdf"],
  ["gnuplot ../x.gp", "execute outside ../x.gp; !shell.written_program"],
  ["gnuplot -e 'x'", "execute not_known; !shell.inline_program"],
  [
    "pdflatex -shell-escape a.tex",
    "execute not_known; write inside .; execute inside; read inside a.tex; !shell.runs_command; !shell.written_program",
  ],
  ["ffmpeg -i a -progress ../p o.mp4", "read inside a; write outside ../p; write inside o.mp4"],
];

describe("what programs do that look at the machine, change it or convert documents", () => {
  it.each(table)("`%s` does: %s", (command, effects) => {
    expect(effectLines(command)).toBe(effects);
  });
});
