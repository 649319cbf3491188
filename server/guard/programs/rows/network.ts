import {
  connects,
  connectsTo,
  loadsCode,
  type Program,
  program,
  remoteCommand,
  runsAnother,
  sends,
  uploads,
  writesFolder,
} from "../program";
import {
  asksHttp,
  asksNames,
  copiesRemotely,
  joinsAddresses,
  pipesNetwork,
  readsPasswords,
  readsSshOptions,
  reverseShell,
  runsRemotely,
} from "../special/network";
import { overrideOptions } from "../special/override-options";
import { curl, wget } from "./downloads";

const sshOptions = {
  "-l -p -P -b -B -c -e -m -O -Q -o -J -L -R -D -W -w -X -s": "text",
  "-i": "reads",
  "-E": "writes",
  "-S": runsAnother,
  "-F": { role: "configures", does: [runsAnother] },
  "-I -D": loadsCode,
} as const;

const certificateFiles = {
  "-out -keyout -writerand -CAserial -sess_out -keylogfile -CAout": "writes",
  "-in -key -inkey -cert -CA -CAkey -CAfile -CApath -config -extfile -signature -sigfile -prverify -verify -certfile -untrusted -trusted -crl -rand -sess_in -content -data -cert_chain -kfile":
    "reads",
  "-engine -provider -provider-path -loadprov": loadsCode,
  "-connect -host -url -proxy": "host",
  "-subj -addext -days -newkey -passin -passout -pass -k -K -iv -S -md -name -servername -alpn -starttls -set_serial -extensions -reqexts -inform -outform -keyform -pkeyopt -algorithm -sigopt -nameopt -checkend -attime -purpose -hmac -mac -macopt -seconds -port -nextprotoneg -cipher -ciphersuites -groups -verify_hostname -checkhost -CApass -salt":
    "text",
} as const;

const secretKeys = { kind: "read", target: { where: "inside", path: ".gnupg", class: "sensitive" } } as const;
const keyserver = { ...connectsTo("keys.openpgp.org") };
const attaches = { role: "reads", does: [uploads] } as const;

/** Programs that connect to other machines. */
export const networkPrograms: readonly Program[] = [
  program("curl", curl),
  program("wget wget2", wget),
  program("aria2c", {
    operands: ["url"],
    does: [writesFolder],
    valued: {
      "-d --dir -o --out -l --log --save-session --save-cookies --dht-file-path": "writes",
      "-i --input-file": "file_list",
      "--load-cookies --certificate --private-key --ca-certificate -T --torrent-file -M --metalink-file": "reads",
      "--all-proxy --http-proxy --https-proxy --ftp-proxy --referer": "url",
      "--on-download-complete --on-download-start --on-download-stop --on-download-error --on-download-pause --on-bt-download-complete --conf-path":
        runsAnother,
      "-x -s -j -k -m -t --header -U --user-agent --checksum --max-tries --timeout --split --http-user --http-passwd": "text",
    },
  }),
  program("http https xh xhs httpie", {
    special: asksHttp,
    valued: {
      "-o --output": "writes",
      "--session --session-read-only": "changes",
      "--cert --cert-key --cert-key-file": "reads",
      "--proxy --raw -a --auth -A --auth-type --timeout --max-redirects --verify -p --print --pretty -s --style --boundary --default-scheme --ssl":
        "text",
    },
  }),
  program("ping ping4 ping6 fping arping traceroute traceroute6 tracepath mtr", {
    operands: ["host"],
    valued: { "-c -i -w -W -s -t -p -I -m -q -Q -M -S -l -T -f -z -N -A --report-cycles": "text" },
    flags: { "-f -A": [] },
  }),
  program("dig host nslookup drill kdig delv resolvectl whois", {
    special: asksNames,
    valued: { "-p -t -q -c -y -R -W -b -N -h": "text", "-x": "host", "-f": "file_list", "-k": "reads" },
  }),
  program("nmap masscan", {
    operands: ["host"],
    valued: {
      "-oN -oX -oG -oA -oS -oJ -oL": "writes",
      "-iL --excludefile": "file_list",
      "--script --script-args --script-args-file --resume --datadir --servicedb": runsAnother,
      "-iR": connects,
      "-p -e -S -g -D --source-port --top-ports --exclude --max-rate --min-rate --rate --host-timeout --max-retries --ttl --data-length --scan-delay":
        "text",
    },
    flags: { "--interactive": [runsAnother] },
  }),
  program("nc ncat netcat nc.traditional nc.openbsd", {
    special: pipesNetwork,
    valued: {
      "-e -c --exec --sh-exec --lua-exec": reverseShell,
      "-x --proxy": "host",
      "-o -O --output --hex-dump": "writes",
      "--ssl-cert --ssl-key --ssl-trustfile --allowfile --denyfile": "reads",
      "-p -w -s -i -q -X -T -I -m -P -V -M -g -G -b -d --wait --idle-timeout --max-conns --proxy-type --proxy-auth --source --source-port":
        "text",
    },
    flags: { "-d -b": [] },
  }),
  program("socat", { special: joinsAddresses, valued: { "-b -t -T -lf -W -L -lp -S": "text" } }),
  program("telnet", { operands: ["host", "text"], valued: { "-l -b -e -S -X": "text", "-n": "writes" } }),
  program("ssh autossh slogin", { operands: ["host", "command"], valued: sshOptions, special: runsRemotely }),
  program("mosh", {
    operands: ["host", "command"],
    valued: { "--ssh --client --server": runsAnother, "-p --port --predict": "text" },
    special: runsRemotely,
  }),
  program("sshpass", { operands: ["command"], valued: { "-f": "reads", "-p -P -d": "text" } }),
  program("scp", {
    operands: ["remote_read"],
    lastOperand: "remote_receives",
    recursive: "-r",
    valued: overrideOptions(sshOptions, { "-D": runsAnother }),
    special: copiesRemotely,
  }),
  program("sftp", {
    operands: ["host", "writes"],
    valued: overrideOptions(sshOptions, { "-b": { role: "configures", does: [runsAnother] }, "-D": runsAnother, "-R": "text" }),
    special: readsSshOptions,
  }),
  program("ssh-copy-id", { operands: ["host"], does: [remoteCommand], valued: sshOptions, special: readsSshOptions }),
  program("ssh-keygen", {
    does: [{ kind: "write", target: { where: "inside", path: ".ssh" } }],
    valued: { "-f": "changes", "-D -w": loadsCode, "-t -b -C -N -P -m -E -I -n -V -O -Y -Z -r -R -a -z": "text", "-s": "reads" },
    operands: ["reads"],
  }),
  program("ssh-keyscan", { operands: ["host"], valued: { "-p -T -t -O": "text", "-f": "file_list" } }),
  program("ssh-add", { operands: ["reads"], valued: { "-s -e -S": loadsCode, "-t -E -h -H": "text" } }),
  program("openssl", {
    wordOptions: true,
    subcommands: {
      "s_client s_time ocsp": { operands: ["host"], valued: certificateFiles, wordOptions: true, special: readsPasswords },
      "version help list ciphers rand prime speed errstr": { valued: certificateFiles, wordOptions: true },
      engine: { operands: ["text"], does: [loadsCode] },
      passwd: { valued: certificateFiles, wordOptions: true },
    },
    otherwise: { operands: ["reads"], valued: certificateFiles, wordOptions: true, special: readsPasswords },
  }),
  program("fetch", { operands: ["url"], valued: { "-o --output": "writes", "-T -U -w -B -S": "text" } }),
  program("lynx links elinks w3m", {
    operands: ["url"],
    valued: {
      "-cfg -lss -editor -cmd_script -config -o": runsAnother,
      "-width -useragent -accept_charset -assume_charset -auth -T -I -O -cols -t": "text",
    },
    flags: { "-download -save": [writesFolder] },
    wordOptions: true,
  }),
  program("ftp lftp tftp", {
    operands: ["host", "text"],
    valued: { "-c -e": runsAnother, "-f": { role: "reads", does: [runsAnother] }, "-u -p -P -N -s": "text", "-o": "writes" },
    // A line `!program` in the input runs a program.
    runsInput: () => true,
  }),
  program("mail mailx Mail", {
    does: [sends],
    valued: { "-a -A --attach": attaches, "--exec": runsAnother, "-s -r -c -b -S -q -u -M --subject": "text", "-f -F": "reads" },
  }),
  program("sendmail msmtp swaks", {
    does: [sends],
    valued: {
      "-C --file": { role: "reads", does: [runsAnother] },
      "-X --logfile": "writes",
      "-O -o -F -f -a -N -R -r -B -h --from --to --server --body --header": "text",
      "--attach": attaches,
    },
  }),
  program("mutt neomutt", {
    does: [sends],
    valued: {
      "-a": attaches,
      "-i -H -f": "reads",
      "-e": runsAnother,
      "-F": { role: "reads", does: [runsAnother] },
      "-s -c -b -m -Q": "text",
    },
  }),
  program("youtube-dl yt-dlp", {
    operands: ["url"],
    does: [writesFolder],
    valued: {
      "-P --paths --cache-dir --download-archive --print-to-file": "writes",
      "--cookies": "changes",
      "--cookies-from-browser": { kind: "read", target: { where: "outside", class: "sensitive" } },
      "--load-info-json --netrc-location --client-certificate": "reads",
      "-a --batch-file": "file_list",
      "--proxy --geo-verification-proxy": "url",
      "--exec --exec-before-download --downloader --external-downloader --config-location --config-locations --plugin-dirs --ffmpeg-location --netrc-cmd":
        runsAnother,
      "-o --output -f --format -S --format-sort -u --username -p --password --audio-format --audio-quality --merge-output-format --remux-video --recode-video --sub-langs --sub-lang --sub-format --playlist-items --max-downloads -r --limit-rate -R --retries -N --concurrent-fragments --download-sections --user-agent --referer --add-header --ppa --postprocessor-args --match-filter --date -O --print --extractor-args":
        "text",
    },
  }),
  program("gpg gpg2", {
    operands: ["reads"],
    valued: {
      "-o --output --log-file --status-file --logger-file": "writes",
      "--homedir --options --keyring --secret-keyring --trustdb-name --passphrase-file": "reads",
      "--keyserver": "url",
      "--recv-keys --receive-keys --search-keys --locate-keys --auto-key-locate": keyserver,
      "--send-keys": { kind: "send", target: { where: "outside", host: "keys.openpgp.org" }, irreversible: true },
      "--agent-program --dirmngr-program --photo-viewer --pinentry-program --load-extension --exec-path --gpgconf": runsAnother,
      "-r --recipient -u --local-user --default-key --passphrase --passphrase-fd --pinentry-mode --cipher-algo --digest-algo --compress-algo --trust-model --status-fd --logger-fd --keyid-format --keyserver-options -F":
        "text",
      "--delete-keys --delete-secret-keys --delete-secret-and-public-key": {
        kind: "delete",
        target: { where: "inside", path: ".gnupg" },
        irreversible: true,
      },
    },
    flags: {
      "--export --batch": [],
      "--refresh-keys": [keyserver],
      "--export-secret-keys --export-secret-subkeys": [secretKeys],
      "--import --gen-key --full-generate-key --quick-generate-key": [{ kind: "write", target: { where: "inside", path: ".gnupg" } }],
    },
  }),
  program("ngrok cloudflared localtunnel lt bore", {
    does: [{ kind: "send", target: { where: "not_known" }, says: "opens a way in from the internet" }],
  }),
  program("jwt", {}),
];
