import { expandBraces } from "../script/expand-braces";
import { type ShellWord, unknownPiece } from "../script/words";
import { findOptionValues, isGiven } from "./given-options";
import { connects, type EffectSink, elevates, loadsCode, notes, type ProgramSpec, runsAnother } from "./program";

const uploads = notes("shell.upload", "sends the content of a file away");
const readingMethod = /^(?:GET|HEAD|OPTIONS)$/i;
const runsIt = { role: "text", does: [runsAnother] } as const;
/** A file of options may contain any option, such as another host or an output file. */
const readsOptions = { role: "configures", does: [runsAnother, connects, { kind: "write", target: { where: "not_known" } }] } as const;
const reachesDaemon = elevates("shell.container_escape", "speaks to the daemon that starts containers");

/** Expands `{a,b}` and `[1-9]` in a URL, because curl does. */
function urlsOf(word: ShellWord, isPlain: boolean): ShellWord[] {
  if (isPlain || !/[{[]/.test(word.value)) return [word];
  const ranged = word.value.replace(/\[(?:\w+-\w+)(?::\d+)?\]/g, unknownPiece);
  return [...new Set(expandBraces(ranged))].map((value) => ({ ...word, value }));
}

/** Returns the file in curl's data: `-d @file`, `--data-urlencode name@file`, `-F name=@file;type=text/plain`. */
function fileIn(name: string, value: string): string | undefined {
  if (value.startsWith(unknownPiece)) return unknownPiece;
  if (name === "--data-urlencode") return /^[^=@]*@(.+)$/s.exec(value)?.[1];
  if (name === "-F" || name === "--form") return /^[^=]*=[@<]"?([^;",]+)/.exec(value)?.[1];
  return /^@(.+)$/s.exec(value)?.[1];
}

function transfers(act: EffectSink): void {
  const { parsed, role, does, command } = act;
  const { options } = parsed;
  let sends = false;
  for (const { name, value } of options) {
    if (!value) continue;
    if (/^(?:-d|--data(?:-(?:ascii|binary|raw|urlencode))?|--json|-F|--form|--form-string)$/.test(name)) {
      sends = true;
      const file = /raw|string/.test(name) ? undefined : fileIn(name, value.value);
      if (file === undefined) continue;
      role("reads", { ...value, value: file });
      does(uploads, value);
    } else if (name === "-T" || name === "--upload-file") {
      sends = true;
      role("reads", value);
      does(uploads, value);
    } else if (/^(?:-H|--header|-w|--write-out|--proxy-header|--variable|--url)$/.test(name)) {
      const file = fileIn("", value.value.replace(/^\w+(?=@)/, ""));
      if (file !== undefined && !/^--url$/.test(name)) role("reads", { ...value, value: file });
      if (/^(?:-w|--write-out)$/.test(name) && value.value.includes("%output{"))
        does({ kind: "write", target: { where: "not_known" } }, value);
    } else if ((name === "-b" || name === "--cookie") && !value.value.includes("=")) role("reads", value);
    else if (name === "--resolve") {
      for (const address of value.value.replace(/^\+?[^:]*:[^:]*:/, "").split(",")) role("host", { ...value, value: address });
    } else if (name === "--connect-to") role("host", { ...value, value: value.value.split(":").slice(2).join(":") || "localhost" });
    else if (name === "--unix-socket" || name === "--abstract-unix-socket") {
      role("changes", value);
      if (/(?:docker|containerd|podman|crio)[\w.]*\.sock/.test(value.value)) does(reachesDaemon, value);
    }
  }
  const method = findOptionValues(parsed, "-X --request").at(-1)?.value;
  const isSending = method === undefined ? sends && !isGiven(parsed, "-G --get -I --head") : !readingMethod.test(method) || sends;
  for (const word of [...parsed.operands, ...findOptionValues(parsed, "--url")]) {
    for (const url of urlsOf(word, isGiven(parsed, "-g --globoff"))) role(isSending ? "url_send" : "url", url);
  }
  const [name] = command.words;
  if (isGiven(parsed, "-O --remote-name --remote-name-all -J")) role("writes", { ...name, value: ".", certainty: "literal" });
}

export const curl: ProgramSpec = {
  special: transfers,
  // Flags whose names are prefixes of options with a value.
  flags: { "--head --netrc --parallel --ssl --crlf": [] },
  valued: {
    "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --output-dir --stderr --libcurl --hsts --alt-svc --etag-save --dump-ca-embed --ssl-sessions":
      "writes",
    "-E --cert --key --cacert --capath --proxy-cert --proxy-key --proxy-cacert --netrc-file --etag-compare --pubkey --crlfile --random-file --egd-file":
      "reads",
    "-K --config": readsOptions,
    "--engine": { role: "text", does: [loadsCode] },
    "-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0 --doh-url --ipfs-gateway": "url",
    "--dns-servers": "host",
    "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json -F --form --form-string -T --upload-file -H --header --proxy-header --variable --url --url-query -b --cookie --resolve --connect-to --unix-socket --abstract-unix-socket -X --request -w --write-out":
      "text",
    "-A --user-agent -C --continue-at -e --referer -h --help -m --max-time -P --ftp-port -Q --quote -r --range -t --telnet-option -u --user -U --proxy-user -y --speed-time -Y --speed-limit -z --time-cond --aws-sigv4 --cert-type --ciphers --connect-timeout --create-file-mode --curves --delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --ech --expect100-timeout --ftp-account --ftp-method --ftp-alternative-to-user --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms --haproxy-clientip --hostpubmd5 --hostpubsha256 --interface --ip-tos --keepalive-cnt --keepalive-time --key-type --krb --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --noproxy --oauth2-bearer --parallel-max --parallel-max-host --pass --pinnedpubkey --proto --proto-default --proto-redir --proxy-cert-type --proxy-ciphers --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --rate --request-target --retry --retry-delay --retry-max-time --sasl-authzid --service-name --signature-algorithms --socks5-gssapi-service --tftp-blksize --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace-config --vlan-priority":
      "text",
  },
};

function fetches({ parsed, role, does, command }: EffectSink): void {
  const method = findOptionValues(parsed, "--method").at(-1)?.value;
  const isSending =
    isGiven(parsed, "--post-data --post-file --body-data --body-file") || (method !== undefined && !readingMethod.test(method));
  for (const url of parsed.operands) role(isSending ? "url_send" : "url", url);
  const [name] = command.words;
  const toOutput = isGiven(parsed, "--spider") || findOptionValues(parsed, "-O --output-document").length > 0;
  if (parsed.operands.length > 0 && !toOutput) role("writes", { ...name, value: ".", certainty: "literal" });
  if (isGiven(parsed, "-i --input-file")) does(connects);
}

export const wget: ProgramSpec = {
  special: fetches,
  valued: {
    "-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --hsts-file --rejected-log --warc-file --warc-tempdir":
      "writes",
    "-i --input-file --load-cookies --certificate --private-key --ca-certificate --ca-directory --crl-file --random-file --egd-file":
      "reads",
    "--post-file --body-file": { role: "reads", does: [uploads] },
    "-e --execute --use-askpass": runsIt,
    "--config": readsOptions,
    "-B --base": "url",
    "-t --tries -T --timeout -w --wait -Q --quota -U --user-agent -l --level -A --accept -R --reject -I --include-directories -X --exclude-directories -D --domains --exclude-domains --header --referer --user --password --http-user --http-password --ftp-user --ftp-password --proxy-user --proxy-password --limit-rate --waitretry --read-timeout --dns-timeout --connect-timeout --progress --report-speed --method --post-data --body-data --max-redirect --cut-dirs --default-page --restrict-file-names --bind-address --prefer-family --secure-protocol --ciphers --regex-type --accept-regex --reject-regex --compression --start-pos --local-encoding --remote-encoding --show-progress --retry-on-http-error":
      "text",
  },
};
