import { expect, test } from "vitest";
import { seenIn } from "@/server/testing/seen-in";

/** A program and one of its options, or the program alone where any use of it is meant. */
test.each<[sighting: string, uses: string]>([
  [
    "runs_command: starts another program",
    `
     tar --checkpoint-action | gtar --checkpoint-action | bsdtar --use-compress-program | cpio --rsh-command | zip -TTx | rsync -e |
     scp -S | sftp -S | ssh-keygen -D | split --filter | gsplit --filter | csplit --filter | sort --compress-program |
     gsort --compress-program | man -P | apropos --pager | wget --use-askpass | wget2 --use-askpass | curl -K | kubectl --kubeconfig |
     oc --kubeconfig | helm --kubeconfig | docker --config | bazel --workspace_status_command | aria2c --on-download-complete | rg --pre
     | ag --pager | ack --pager | bat --pager | batcat --pager | delta --pager | fzf --bind | fd -x | fdfind -x | tcpdump -z | tshark -X
     | wireshark -X | dumpcap -X | nmap --script | openvpn --up | apt -o | apt-get -o | aptitude -o | dpkg --pre-invoke | rpm --eval |
     rpmquery --eval | rpmverify --eval | rpmdb --eval | rpmbuild | yum -c | dnf -c | zypper --config | snap install | gem open |
     npm exec | npx -y | pnpm dlx | yarn dlx | bunx | uvx | pipx run | cargo --config | go generate | make --eval | gmake --eval |
     cmake -P | ninja -f | gcc -wrapper | cc -wrapper | g++ -wrapper | c89 -wrapper | c99 -wrapper | clang -fplugin | gdb -ex | lldb -o |
     strace -o | latex -shell-escape | pdflatex -shell-escape | pdftex -shell-escape | xelatex -shell-escape | xetex -shell-escape |
     lualatex -shell-escape | luatex -shell-escape | tex -shell-escape | pandoc --lua-filter | sqlmap --eval | nginx -c | apache2 -c |
     httpd -c | busctl --address=unixexecx | dnsmasq --dhcp-script | hg --config | svn --config-option | cvs -e | ansible -m |
     ansible-playbook | ansible-test shell | puppet apply | vagrant ssh | facter --custom-dir | salt-call | cowsay -f | cowthink -f |
     exiftool -if | enscript -p | mail --exec | mailx --exec | mutt -e | neomutt -e | nano -s | pico -s | neofetch --config |
     restic --password-command | borg --rsh | run-mailcap --action | smbclient -c | tmate -c | tmux new-session | screen -X |
     xdotool exec | zathura -c | task execute | dstat | logrotate | run-parts | expect -c | cpan | easy_install | eb logs | genie -c |
     ksshell -i | pexec | pry -e | redcarpet | rake -e | ld.so | ld-linux.so.2 | ld-linux-x86-64.so.2 | ld-linux-aarch64.so.1 |
     ldconfig -f | ldd | scanmem --command | ssh-copy-id -o | update-alternatives --install | unshare -r | ip netns | iptables --modprobe
     | ip6tables --modprobe | modprobe -C | dmsetup create | debugfs -R | varnishncsa -g | ffmpeg -filter_complex_script | gimp -b |
     gimp-console -b | inkscape --shell | blender --python | openscad | code --install-extension | emacs --eval | emacsclient -e |
     ctags --options | xterm -e | gnome-terminal -e | konsole -e | x-terminal-emulator -e | alacritty -e | kitty | at -f | psql -f |
     mysql --pager | mariadb --pager | wish | yt-dlp --exec | youtube-dl --exec | parallel --pipepart | watchexec | nodemon -x |
     java -javaagentx | javac -processor | knife exec | perlbug | check_by_ssh -o | dvips -R0 | pic -U | troff -U | groff -U |
     composer run-script | dotnet fsi | msfconsole -x | terraform console | pdb | byebug | script | tic -C | bpftrace -c | agetty -l |
     certbot --pre-hook | visudo | vipw | vigr | sudoedit`,
  ],
  [
    "loads_code: loads code from a file",
    `
     openssl -engine | curl --engine | ssh-keygen -D | ssh-add -s | ssh -I | sqlite3 -loadextension | perl -M | bcftools --plugin |
     gtester | ld -plugin | ld.so --preload | ld-linux-x86-64.so.2 --preload | insmod | node -r | gawk -l | tshark -X |
     nginx load_modulex | composer --plugins | qemu-system-x86_64 -plugin`,
  ],
  [
    "quiet: writes to a file",
    `
     sort -o | gsort -o | curl -o | wget -O | yq -i | perl -i | ruby -i | tree -o | xxd -r | shuf -o | zstd -o | openssl -out | base64 -o
     | date -s | file -C | tcpdump -w | tshark -w | strace -o | ltrace -o | iconv -o | jq --in-place | gpg -o | less -o | pandoc -o |
     xsltproc -o | nmap -oN | gh alias | glab alias | history -w | ss -K | cmake -E`,
  ],
])("%s by its options", (sighting, uses) => {
  for (const use of uses.split("|").map((text) => text.trim())) {
    const [name = "", option] = use.split(" ");
    const what = option === undefined ? name : `${option} of ${name}`;
    expect(seenIn(`${use} x`), use).toContain(`${sighting}: that is what ${what} is for`);
  }
});

test.each([
  ["latex '\\input|ls'", "runs_command"],
  ["latex '\\immediate\\write18{ls}'", "runs_command"],
  ["pdflatex '\\immediate\\write18{ls}'", "runs_command"],
  ["lualatex '\\directlua{x}'", "runs_command"],
  ["busctl --address=unixexec:path=/bin/ls", "runs_command"],
  ["make SHELL=./x", "runs_command"],
])("a program is started by what its argument begins with: %s", (command, danger) => {
  expect(seenIn(command).join()).toMatch(new RegExp(`^${danger}: `));
});
