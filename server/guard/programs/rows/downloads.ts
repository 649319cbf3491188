import { connects, loadsCode, type ProgramSpec, runsAnother, uploads, writesUnknown } from "../program";
import { fetches, transfers } from "../special/downloads";

/** A file of options may contain any option, such as another host or an output file. */
const readsOptions = { role: "configures", does: [runsAnother, connects, writesUnknown] } as const;

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
    "--engine": loadsCode,
    "-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0 --doh-url --ipfs-gateway": "url",
    "--dns-servers": "host",
    "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json -F --form --form-string -T --upload-file -H --header --proxy-header --variable --url --url-query -b --cookie --resolve --connect-to --unix-socket --abstract-unix-socket -X --request -w --write-out":
      "text",
    "-A --user-agent -C --continue-at -e --referer -h --help -m --max-time -P --ftp-port -Q --quote -r --range -t --telnet-option -u --user -U --proxy-user -y --speed-time -Y --speed-limit -z --time-cond --aws-sigv4 --cert-type --ciphers --connect-timeout --create-file-mode --curves --delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --ech --expect100-timeout --ftp-account --ftp-method --ftp-alternative-to-user --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms --haproxy-clientip --hostpubmd5 --hostpubsha256 --interface --ip-tos --keepalive-cnt --keepalive-time --key-type --krb --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --noproxy --oauth2-bearer --parallel-max --parallel-max-host --pass --pinnedpubkey --proto --proto-default --proto-redir --proxy-cert-type --proxy-ciphers --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --rate --request-target --retry --retry-delay --retry-max-time --sasl-authzid --service-name --signature-algorithms --socks5-gssapi-service --tftp-blksize --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace-config --vlan-priority":
      "text",
  },
};

export const wget: ProgramSpec = {
  special: fetches,
  valued: {
    "-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --hsts-file --rejected-log --warc-file --warc-tempdir":
      "writes",
    "-i --input-file --load-cookies --certificate --private-key --ca-certificate --ca-directory --crl-file --random-file --egd-file":
      "reads",
    "--post-file --body-file": { role: "reads", does: [uploads] },
    "-e --execute --use-askpass": runsAnother,
    "--config": readsOptions,
    "-B --base": "url",
    "-t --tries -T --timeout -w --wait -Q --quota -U --user-agent -l --level -A --accept -R --reject -I --include-directories -X --exclude-directories -D --domains --exclude-domains --header --referer --user --password --http-user --http-password --ftp-user --ftp-password --proxy-user --proxy-password --limit-rate --waitretry --read-timeout --dns-timeout --connect-timeout --progress --report-speed --method --post-data --body-data --max-redirect --cut-dirs --default-page --restrict-file-names --bind-address --prefer-family --secure-protocol --ciphers --regex-type --accept-regex --reject-regex --compression --start-pos --local-encoding --remote-encoding --show-progress --retry-on-http-error":
      "text",
  },
};
