import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

const table = examplesByName({
  "": examples`
    ps aux ¦ ps -ef ¦ ps -p 1 -o pid,etime ¦ hostname ¦ lsof -i :3000 ¦ ss -tlnp ¦ ip addr ¦ ip route show ¦ ip link set eth0 down
    ifconfig ¦ journalctl -u nginx -n 50 ¦ man ls ¦ kill -l ¦ killall -l ¦ crontab -l ¦ atq ¦ systemctl status nginx ¦ systemctl
    service nginx status ¦ launchctl list ¦ passwd --help ¦ mount ¦ mount -l ¦ sysctl -a ¦ sysctl kernel.hostname ¦ iptables -L -n
    ufw status ¦ timedatectl ¦ swapon --show ¦ defaults read x ¦ tmux ls ¦ tmux new -s a ¦ screen -ls ¦ notify-send hi /x ¦ man
    ffmpeg -i ¦ ip
  `,
  "read not_known": examples`ps eww ¦ ps auxe ¦ ps -E`,
  "elevate outside; !shell.machine_setup": examples`
    hostname x ¦ ss -K ¦ ifconfig eth0 down ¦ dmesg -C ¦ journalctl --vacuum-size=1M ¦ useradd x ¦ mount /dev/sda1 /mnt ¦ sysctl -w a=b
    iptables -F ¦ ufw enable ¦ hostnamectl set-hostname x ¦ mkfs.ext4 /dev/sda1 ¦ reboot ¦ ip netns exec
  `,
  "read names inside +D; read names outside ../x": examples`lsof +D ../x`,
  "signal inside; read names inside 3000/tcp": examples`fuser -k 3000/tcp`,
  "delete inside x; !shell.delete": examples`ip netns exec a rm x ¦ tmux new-session -d rm x ¦ tmux run-shell 'rm x' ¦ screen -dmS a rm x`,
  "execute not_known; !shell.runs_command": examples`ip -batch x ¦ man -P x ls ¦ tmux send-keys x Enter ¦ xdotool key a`,
  "read outside /usr/bin/node": examples`ldd /usr/bin/node`,
  "read outside ../x": examples`objdump -d ../x`,
  "signal inside": examples`kill 1234 ¦ kill -9 1234 ¦ kill -s KILL 12 ¦ pkill -f my-server ¦ tmux kill-server`,
  "signal inside; !shell.kill_by_name": examples`pkill -9 node ¦ killall -s KILL node`,
  "schedule outside; read outside ../x; !shell.schedule": examples`crontab ../x`,
  "delete outside irreversible; schedule outside; !shell.schedule": examples`crontab -r`,
  "schedule outside; execute not_known; !shell.schedule": examples`at now`,
  "elevate outside; !shell.services": examples`systemctl restart nginx ¦ systemctl $x ¦ service nginx restart ¦ supervisorctl restart x`,
  "read inside x; execute not_known; elevate outside; !shell.loads_code; !shell.machine_setup": examples`modprobe -C x y`,
  "delete inside x recursive; !shell.delete": examples`tmux new -d 'rm -rf x'`,
  "execute inside x; !shell.written_program": examples`tmux source-file x`,
  "read outside; write outside ../a.png": examples`screencapture ../a.png`,
  "read outside": examples`pbpaste`,
  "execute not_known; read inside .; !shell.runs_command": examples`code .`,
  "execute not_known; connect not_known; !shell.loads_code; !shell.runs_command": examples`code --install-extension x`,
  "execute not_known; connect not_known": examples`claude -p hi`,
  "read names outside ../x recursive": examples`inotifywait -r ../x`,
  "read inside in.mp4; write outside ../out.mp4": examples`ffmpeg -y -i in.mp4 -vf scale=1280:720 -c:v libx264 ../out.mp4`,
  "connect outside example.com": examples`ffmpeg -i https://example.com/a.mp4 -`,
  "read inside a; read outside ../b; write inside out.mp3": examples`ffmpeg -i 'concat:a|../b' out.mp3`,
  "read not_known; write inside o.mp4": examples`ffmpeg -f lavfi -i 'movie=/x' o.mp4`,
  "read inside subfile,,x; read not_known; write inside o.mp4": examples`ffmpeg -i subfile,,x o.mp4`,
  "read inside a; read outside ../x; write outside ../y; write inside o.mp4": examples`ffmpeg -i a -filter_complex_script ../x -passlogfile ../y o.mp4`,
  "read inside a; read not_known; write inside o.mp4": examples`ffmpeg -i a -vf subtitles=/x o.mp4`,
  "send outside example.com": examples`ffmpeg -f lavfi -i testsrc rtmp://example.com/x`,
  "read outside ../a.mp4": examples`ffprobe -v error ../a.mp4`,
  "read inside a.png; write inside b.png": examples`convert a.png -resize 100x100! b.png`,
  "read outside ../a.png; write outside ../b": examples`convert ../a.png png:../b`,
  "read outside ../x; write inside b.png": examples`convert label:@../x b.png`,
  "write inside b.png": examples`convert xc:red b.png ¦ convert -size 10x10 gradient: b.png`,
  "execute not_known; write inside b.png; !shell.runs_command": examples`convert '|id' b.png`,
  "read outside ../a.png": examples`identify ../a.png`,
  "read inside a.png; read inside b.png": examples`magick identify a.png b.png`,
  "write inside a.png; write outside ../b.png": examples`mogrify -resize 50% a.png ../b.png`,
  "read outside ../a.jpg": examples`exiftool ../a.jpg`,
  "write outside ../a.jpg": examples`exiftool -Artist=x ../a.jpg`,
  "execute not_known; read inside a.jpg; !shell.inline_program": examples`exiftool -if 'x' a.jpg`,
  "write inside txt; read inside a.jpg; write inside .": examples`exiftool -w txt a.jpg`,
  "read outside ../a.pdf; write outside ../b.txt": examples`pdftotext ../a.pdf ../b.txt`,
  "read inside a.pdf": examples`pdfinfo a.pdf`,
  "read inside a.pdf; write outside ../b.pdf": examples`qpdf a.pdf ../b.pdf`,
  "read inside a.png; write outside ../out": examples`tesseract a.png ../out -l eng`,
  "write outside ../x; execute inside a.ps; !shell.written_program": examples`gs -sOutputFile=../x a.ps ¦ gs -o../x a.ps`,
  "write outside ../x; write inside .; read inside a.docx": examples`libreoffice --headless --convert-to pdf --outdir ../x a.docx`,
  "write inside .; execute not_known; read inside macro:/x; !shell.runs_command": examples`libreoffice macro:///x`,
  "execute inside; write inside .; read inside nbconvert; read inside a.ipynb; !shell.written_program": examples`jupyter nbconvert a.ipynb`,
  "connect outside example.com; write outside ../a.pdf": examples`wkhtmltopdf https://example.com ../a.pdf`,
  "execute outside ../x.gp; !shell.written_program": examples`gnuplot ../x.gp`,
  "execute not_known; !shell.inline_program": examples`gnuplot -e 'x'`,
  "execute not_known; write inside .; execute inside; read inside a.tex; !shell.runs_command; !shell.written_program": examples`pdflatex -shell-escape a.tex`,
  "read inside a; write outside ../p; write inside o.mp4": examples`ffmpeg -i a -progress ../p o.mp4`,
});

it.each(table)("what programs that look at the machine, change it or convert documents do: %s, by `%s`", (effects, command) => {
  expect(effectLines(command)).toBe(effects);
});
