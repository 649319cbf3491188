import { expect, test } from "vitest";
import { changesPrograms, loadsPrograms } from "./environment";

test.each([
  ["PATH", "/x"],
  ["PATH", "."],
  ["PATH", "$PATH:/usr/local/go/bin"],
  ["PATH", null],
  // An empty entry makes the shell look for programs in the working folder.
  ["PATH", ""],
  ["https_proxy", "http://x"],
  ["all_proxy", "http://x"],
  ["HTTPS_PROXY", "http://x"],
  ["UV_INDEX_URL", "http://x"],
  ["PIP_INDEX_URL", "http://x"],
  ["LD_PRELOAD", "x.so"],
  ["DYLD_INSERT_LIBRARIES", "x"],
  ["GIT_SSH_COMMAND", "x"],
  ["BASH_ENV", "x"],
  ["ENV", "x"],
  ["IFS", "x"],
  ["HOME", "/x"],
  ["PYTHONPATH", "x"],
  ["PYTHONSTARTUP", "x"],
  ["PERL5LIB", "x"],
  ["RUBYOPT", "x"],
  ["NODE_OPTIONS", "--require x"],
  ["NODE_OPTIONS", null],
  ["NODE_PATH", "x"],
  ["PAGER", "x"],
  ["GIT_PAGER", "x"],
  ["EDITOR", null],
  ["PROMPT_COMMAND", "x"],
  ["PS4", "x"],
  ["JAVA_TOOL_OPTIONS", "x"],
  ["_JAVA_OPTIONS", "x"],
  ["DOCKER_HOST", "x"],
  ["npm_config_script_shell", "x"],
  ["SOMETHING_ELSE_WITHOUT_A_KNOWN_END_X", "x"],
])("%s=%s may change what other commands run", (name, value) => {
  expect(changesPrograms(name, value)).toBe(true);
});

test.each([
  ["NODE_ENV", "test"],
  ["CI", "1"],
  ["LC_ALL", "C"],
  ["TZ", null],
  ["FORCE_COLOR", "0"],
  ["PYTHONUNBUFFERED", "1"],
  ["DATABASE_URL", "postgres://x"],
  ["API_KEY", null],
  ["NEXT_PUBLIC_URL", "x"],
  ["VITE_MODE", "x"],
  ["PORT", "3000"],
  ["file", "a"],
  ["i", "1"],
  ["X", "1"],
  ["NODE_OPTIONS", "--max-old-space-size=4096 --no-warnings"],
  ["NODE_OPTIONS", ""],
  ["PAGER", "cat"],
  ["GIT_PAGER", ""],
  ["GIT_EDITOR", "true"],
])("%s=%s changes only a manner, or what a script itself reads", (name, value) => {
  expect(changesPrograms(name, value)).toBe(false);
});

test.each([
  ["LD_PRELOAD", "x.so", true],
  ["MY_PLUGINS", "x", true],
  ["GREETING_PAGER", "sh -c x", true],
  ["GREETING_PAGER", "cat", false],
  ["Greeting", "hello", false],
])("commands after %s=%s inherit other programs: %o", (name, value, loads) => {
  expect(loadsPrograms(name, value)).toBe(loads);
});
